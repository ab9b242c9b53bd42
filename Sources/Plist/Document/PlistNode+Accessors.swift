#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Accessors that return a node's value as a Swift type, or nil if the value is of another kind.
extension PlistNode {
  /// The value if it is a string, else nil.
  public var string: String? {
    let token = token
    return token.kind == .string ? storage.source.withBytes { $0.decodedText(token) } : nil
  }

  /// The value if it is an integer that `Int` can represent, else nil.
  public var int: Int? { integer.flatMap { Int(exactly: $0) } }

  /// The value if it is an integer, else nil.
  public var integer: PropertyListInteger? {
    let token = token
    return token.kind == .integer || token.kind == .negativeInteger ? token.integer : nil
  }

  /// The value if it is a real, else nil.
  public var double: Double? {
    let token = token
    return token.kind == .real ? Double(bitPattern: token.first) : nil
  }

  /// The value if it is a Boolean, else nil.
  public var bool: Bool? {
    switch token.kind {
    case .booleanTrue: return true
    case .booleanFalse: return false
    default: return nil
    }
  }

  /// The value if it is a date, else nil.
  public var date: Date? {
    let token = token
    return token.kind == .date ? Date(timeIntervalSinceReferenceDate: Double(bitPattern: token.first)) : nil
  }

  /// The value if it is data, else nil.
  public var data: Data? {
    let token = token
    return token.kind == .data ? storage.source.decodedData(token) : nil
  }

  /// The value if it is a UID, else nil.
  public var uid: PropertyListUID? {
    let token = token
    return token.kind == .uid ? PropertyListUID(UInt32(truncatingIfNeeded: token.first)) : nil
  }

  /// The elements if the value is an array, else nil.
  public var array: Elements? {
    let children = Children(of: self)
    return children.isArray ? Elements(children: children) : nil
  }

  /// The pairs if the value is a dictionary, else nil.
  public var dictionary: Pairs? {
    let children = Children(of: self)
    return children.isDictionary ? Pairs(children: children) : nil
  }

  /// A Boolean value that indicates whether the value is null, or is malformed in a binary document.
  public var isNull: Bool { kind == .null }

  /// Converts the value to a Swift type, as ``PropertyList/value(as:)`` does.
  ///
  /// ```swift
  /// let port = document.root["port"]?.value(as: UInt16.self)
  /// ```
  ///
  /// - Parameter type: The type to convert to.
  /// - Returns: The value, or nil if it is malformed or cannot be converted.
  /// - Complexity: O(*n*) in the size of the value.
  public func value<Value: PropertyListValue>(as type: Value.Type = Value.self) -> Value? {
    guard let list = try? read() else { return nil }
    return list.value(as: type)
  }

  var token: PlistToken {
    switch storage.backing {
    case .xml(let index): return storage.source.withBytes { index.token(at: self.index, in: $0) }
    case .binary:
      guard let object = binaryObject else { return PlistToken(.null) }
      return object.token
    }
  }

  /// The node's object in a binary document, or nil if the object is malformed.
  var binaryObject: BinaryObject? {
    guard case .binary(let table) = storage.backing, !isMalformedReference else { return nil }
    return storage.source.withBytes { bytes in
      let object = try? BinaryObject(at: table.offset(of: index, in: bytes), in: bytes, of: table)
      return object.flatMap { $0.isWellFormedText(in: bytes) ? $0 : nil }
    }
  }
}
