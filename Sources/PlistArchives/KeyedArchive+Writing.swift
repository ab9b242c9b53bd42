public import Plist

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension KeyedArchive {
  /// Archives a value for `NSKeyedUnarchiver` to read.
  ///
  /// ```swift
  /// let data = try KeyedArchive.data(of: ["title": "Plan", "tags": ["work"]])
  /// ```
  ///
  /// - Parameters:
  ///   - value: The root object.
  ///   - format: The format of the archive. Foundation reads only binary and XML archives. To read an archive in
  ///     OpenStep text, use this type; its numbers must be typed values of GNUstep, see ``init(_:)``.
  ///   - options: How to write the archive.
  /// - Returns: The bytes of the archive.
  /// - Throws: `PlistError` if the value contains a UID, or something the format cannot represent.
  public static func data(
    of value: PropertyList, format: PlistFormat = .binary, options: PlistWriteOptions = PlistWriteOptions()
  ) throws(PlistError) -> Data {
    try value.keyedArchive().data(format: format, options: options)
  }
}

extension PropertyList {
  /// Returns a keyed archive of this value, which is itself a property list.
  ///
  /// Dictionaries become `NSDictionary`, arrays `NSArray`, dates `NSDate`, and null `NSNull`. Equal strings, numbers or
  /// dates share one object.
  ///
  /// - Returns: An archive with this value as its root object.
  /// - Throws: `PlistError` if the value contains a UID, which an archive cannot represent.
  /// - Complexity: O(*n*), where *n* is the size of the value.
  public func keyedArchive() throws(PlistError) -> PropertyList {
    var builder = ArchiveBuilder()
    let root = try builder.add(self)
    return [
      "$version": .integer(PropertyListInteger(KeyedArchive.version)),
      "$archiver": .string(KeyedArchive.archiver),
      "$top": ["root": .uid(root)],
      "$objects": .array(builder.objects),
    ]
  }
}

/// Builds an archive with a stack of its own instead of recursion, so that deep nesting cannot overflow the thread's
/// stack.
private struct ArchiveBuilder {
  /// A container with children that are not in the archive yet.
  private struct Frame {
    let number: PropertyListUID
    /// Nil for an array.
    let keys: [String]?
    let children: [PropertyList]
    var references: [PropertyList] = []
  }

  private(set) var objects: [PropertyList] = ["$null"]
  private var scalars: [PropertyList: PropertyListUID] = [:]
  private var classes: [String: PropertyListUID] = [:]
  private var frames: [Frame] = []

  mutating func add(_ value: PropertyList) throws(PlistError) -> PropertyListUID {
    var added = try begin(value)
    while true {
      if let number = added {
        guard let last = frames.indices.last else { return number }
        frames[last].references.append(.uid(number))
        added = nil
      }
      let last = frames.count - 1
      let position = frames[last].references.count
      if position < frames[last].children.count {
        added = try begin(frames[last].children[position])
      } else {
        added = try finish(frames.removeLast())
      }
    }
  }

  /// Adds a scalar and returns its number, or opens a container and returns nil.
  private mutating func begin(_ value: PropertyList) throws(PlistError) -> PropertyListUID? {
    switch value {
    case .array(let elements):
      frames.append(Frame(number: try append(.null), keys: nil, children: elements))
      return nil
    case .dictionary(let pairs):
      frames.append(Frame(number: try append(.null), keys: Array(pairs.keys), children: Array(pairs.values)))
      return nil
    case .uid:
      throw PlistError(
        code: .unrepresentableValue, message: "a UID cannot be archived: it refers to an object of another archive")
    default: return try scalar(value)
    }
  }

  private mutating func finish(_ frame: Frame) throws(PlistError) -> PropertyListUID {
    var fields: PropertyListDictionary = [:]
    if let keys = frame.keys {
      var references: [PropertyList] = []
      references.reserveCapacity(keys.count)
      for key in keys { references.append(.uid(try scalar(.string(key)))) }
      fields["NS.keys"] = .array(references)
    }
    fields["NS.objects"] = .array(frame.references)
    fields["$class"] = .uid(try type(frame.keys == nil ? "NSArray" : "NSDictionary"))
    objects[Int(frame.number.value)] = .dictionary(fields)
    return frame.number
  }

  /// Returns the number of a scalar, adding the scalar unless the archive has an equal one.
  private mutating func scalar(_ value: PropertyList) throws(PlistError) -> PropertyListUID {
    // Data is not shared: since Foundation hashes only its first bytes, looking for equal data could be slow.
    if case .data = value { return try append(value) }
    if let number = scalars[value] { return number }
    let number: PropertyListUID
    switch value {
    case .null: number = try append(object("NSNull"))
    case .date(let date):
      number = try append(object("NSDate", "NS.time", .real(date.timeIntervalSinceReferenceDate)))
    // A plain `$null` would be read as nil.
    case .string("$null"): number = try append(object("NSString", "NS.string", value))
    default: number = try append(value)
    }
    scalars[value] = number
    return number
  }

  private mutating func object(
    _ name: String, _ field: String? = nil, _ value: PropertyList = .null
  ) throws(PlistError) -> PropertyList {
    var fields: PropertyListDictionary = [:]
    if let field { fields[field] = value }
    fields["$class"] = .uid(try type(name))
    return .dictionary(fields)
  }

  private mutating func type(_ name: String) throws(PlistError) -> PropertyListUID {
    if let number = classes[name] { return number }
    let number = try append([
      "$classname": .string(name), "$classes": [.string(name), "NSObject"],
    ])
    classes[name] = number
    return number
  }

  private mutating func append(_ object: PropertyList) throws(PlistError) -> PropertyListUID {
    guard let number = UInt32(exactly: objects.count) else {
      throw PlistError(code: .unrepresentableValue, message: "the archive would have more than 2^32 objects")
    }
    objects.append(object)
    return PropertyListUID(number)
  }
}
