import Foundation
public import Plist

extension PropertyList {
  /// Creates a property list from a Foundation value, such as one from `PropertyListSerialization` or `UserDefaults`.
  ///
  /// ```swift
  /// let object = try PropertyListSerialization.propertyList(from: data, options: [], format: nil)
  /// let settings = try PropertyList(foundation: object)
  /// ```
  ///
  /// The value can be a string, a number, a Boolean, a date, data, an array, or a dictionary with string keys. Both
  /// Swift types and Foundation classes work, such as `Int` and `NSNumber`. An `NSNumber` becomes a Boolean only if it
  /// was created from one, and `NSNull` becomes null. A `PropertyList` or `PropertyListUID` is kept, and so are the
  /// UIDs in a keyed archive that `PropertyListSerialization` has read.
  ///
  /// Since a Swift dictionary has no order, keys are sorted by their UTF-16 code units.
  ///
  /// On Linux, Foundation converts an `NSArray` and all arrays inside it recursively before we can check the depth, so
  /// an `NSArray` that contains itself or thousands of nested arrays can overflow the stack.
  ///
  /// - Parameter value: The Foundation value.
  /// - Throws: `PlistError` with the path of a value that a property list cannot represent, or if containers nest
  ///   deeper than 512 levels, the default of `PlistLimits.maximumDepth`.
  /// - Complexity: O(*n* log *n*) in the number of values.
  public init(foundation value: Any) throws(PlistError) {
    var open: [OpenContainer] = []
    var complete = try Self.begin(value, in: &open)
    while let last = open.indices.last {
      if let value = complete { open[last].converted.append(value) }
      let position = open[last].converted.count
      if position < open[last].values.count {
        complete = try Self.begin(open[last].values[position], in: &open)
      } else {
        complete = open.removeLast().propertyList
      }
    }
    self = complete ?? .null
  }

  private struct OpenContainer {
    /// Nil for an array.
    let keys: [String]?
    let values: [Any]
    var converted: [PropertyList] = []

    var propertyList: PropertyList {
      guard let keys else { return .array(converted) }
      return .dictionary(PropertyListDictionary(uniqueKeysWithValues: zip(keys, converted).map { ($0, $1) }).sorted())
    }
  }

  /// Returns a converted scalar, or opens a container and returns nil.
  private static func begin(_ value: Any, in open: inout [OpenContainer]) throws(PlistError) -> PropertyList? {
    let container: OpenContainer
    // On Linux, casting an array to `NSNumber` converts all of it, so containers come first.
    if let elements = value as? [Any] {
      container = OpenContainer(keys: nil, values: elements)
    } else if let pairs = value as? [String: Any] {
      container = OpenContainer(keys: Array(pairs.keys), values: Array(pairs.values))
    } else if let pairs = value as? [AnyHashable: Any], let key = pairs.keys.first(where: { !($0.base is String) }) {
      throw failure(.invalidKey, "the key \(key) is of type \(type(of: key.base)), and keys must be strings", in: open)
    } else {
      return try scalar(value, in: open)
    }
    let limit = PlistLimits().maximumDepth
    guard open.count < limit else {
      throw failure(.depthLimit, PlistError.depthMessage(limit), in: open)
    }
    open.append(container)
    return nil
  }

  private static func scalar(_ value: Any, in open: [OpenContainer]) throws(PlistError) -> PropertyList {
    switch value {
    case let text as String: return .string(text)
    // This cast converts Swift's numbers and Booleans. A cast to `Bool` would also accept the numbers 0 and 1.
    case let number as NSNumber: return PropertyList(number: number)
    // Not every platform converts `Int128`, `CGFloat` and the like to `NSNumber`.
    case let integer as any BinaryInteger:
      guard let integer = PropertyListInteger(exactly: integer) else {
        throw failure(.numberOutOfRange, "property lists cannot hold the integer \(integer)", in: open)
      }
      return .integer(integer)
    case let real as any BinaryFloatingPoint: return .real(Double(real))
    case let date as Date: return .date(date)
    case let data as Data: return .data(data)
    case let list as PropertyList: return list
    case let dictionary as PropertyListDictionary: return .dictionary(dictionary)
    case let integer as PropertyListInteger: return .integer(integer)
    case let uid as PropertyListUID: return .uid(uid)
    case is NSNull: return .null
    default:
      if let uid = uid(of: value) { return .uid(uid) }
      throw failure(.unrepresentableValue, "property lists cannot hold a value of type \(type(of: value))", in: open)
    }
  }

  /// Returns the UID if `value` is one that `PropertyListSerialization` has read from a keyed archive, or nil.
  ///
  /// Foundation's UID class is private, but Foundation can write it, so we read the number back from the output.
  private static func uid(of value: Any) -> PropertyListUID? {
    guard ["_NSKeyedArchiverUID", "__NSCFType"].contains(String(describing: type(of: value))),
      let data = try? PropertyListSerialization.data(fromPropertyList: ["uid": value], format: .binary, options: 0)
    else { return nil }
    return (try? PropertyList(parsing: data))?["uid"]?.uid
  }

  private init(number: NSNumber) {
    // The two Boolean `NSNumber`s are shared objects. Their `objCType` doesn't identify them, as it is `Int8`'s.
    if number === NSNumber(value: true) {
      self = true
    } else if number === NSNumber(value: false) {
      self = false
    } else {
      // Safe because `objCType` is a NUL-terminated C string.
      switch unsafe UInt8(bitPattern: number.objCType.pointee) {
      case UInt8(ascii: "d"), UInt8(ascii: "f"): self = .real(number.doubleValue)
      case UInt8(ascii: "Q"): self = .integer(PropertyListInteger(number.uint64Value))
      default: self = .integer(PropertyListInteger(number.int64Value))
      }
    }
  }

  private static func failure(_ code: PlistError.Code, _ message: String, in open: [OpenContainer]) -> PlistError {
    let components = open.map { container in
      container.keys?[container.converted.count] ?? String(container.converted.count)
    }
    return PlistError(code: code, message: message, path: PropertyListPath(components: components))
  }
}

extension PropertyList {
  /// This property list as a Foundation value, for code that uses `PropertyListSerialization` or `UserDefaults`.
  ///
  /// ```swift
  /// let object = settings.foundationValue as? [String: Any]
  /// let port = object?["port"] as? Int
  /// ```
  ///
  /// Strings, dates and data become `String`, `Date` and `Data`, and arrays and dictionaries become `[Any]` and
  /// `[String: Any]`. Numbers and Booleans become `NSNumber`, which can be cast to `Int`, `Double` or `Bool`. Null
  /// becomes `NSNull` and a UID becomes a `PropertyListUID`, neither of which Foundation accepts in a property list.
  ///
  /// The order of the keys is lost. If two keys are equal as `String`s but have different bytes, the last one wins.
  public var foundationValue: Any {
    var open: [OpenValue] = []
    var complete = beginFoundationValue(in: &open)
    while let last = open.indices.last {
      if let value = complete { open[last].converted.append(value) }
      let position = open[last].converted.count
      if position < open[last].elements.count {
        complete = open[last].elements[position].beginFoundationValue(in: &open)
      } else {
        complete = open.removeLast().value
      }
    }
    return complete ?? NSNull()
  }

  private struct OpenValue {
    /// Nil for an array.
    let keys: [String]?
    let elements: [PropertyList]
    var converted: [Any] = []

    var value: Any {
      guard let keys else { return converted }
      return [String: Any](zip(keys, converted), uniquingKeysWith: { $1 })
    }
  }

  /// Returns a converted scalar, or opens a container and returns nil.
  private func beginFoundationValue(in open: inout [OpenValue]) -> Any? {
    switch self {
    case .string(let text): return text
    case .integer(let integer):
      return Int64(exactly: integer).map { NSNumber(value: $0) } ?? NSNumber(value: integer.magnitude)
    case .real(let real): return NSNumber(value: real)
    case .boolean(let boolean): return NSNumber(value: boolean)
    case .date(let date): return date
    case .data(let data): return data
    case .uid(let uid): return uid
    case .null: return NSNull()
    case .array(let elements): open.append(OpenValue(keys: nil, elements: elements))
    case .dictionary(let pairs): open.append(OpenValue(keys: Array(pairs.keys), elements: Array(pairs.values)))
    }
    return nil
  }
}
