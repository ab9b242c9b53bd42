#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Accessors that return the value as a Swift type, or nil if it is of another kind.
extension PlistNode {
  /// The string, or nil if the value is not a string or is too large to be copied from a mapped file.
  public var string: String? {
    document.source.withBytes { bytes in
      guard let token = textToken(in: bytes), token.kind == .string else { return nil }
      return bytes.decodedText(token)
    }
  }

  /// Returns the string, or nil in O(1) if it has more than `byteCount` bytes in the document's encoding.
  package func string(upTo byteCount: Int) -> String? { token.count <= byteCount ? string : nil }

  /// The value as an `Int`, or nil if it is not an integer that fits.
  public var int: Int? { integer.flatMap { Int(exactly: $0) } }

  /// The integer, or nil if the value is not one.
  public var integer: PropertyListInteger? {
    let token = token
    return token.kind == .integer || token.kind == .negativeInteger ? token.integer : nil
  }

  /// The number as a `Double`, or nil if the value is not a number or is an integer that `Double` cannot represent.
  public var double: Double? {
    let token = token
    switch token.kind {
    case .real: return Double(bitPattern: token.first)
    case .integer, .negativeInteger: return Double(exactly: token.integer)
    default: return nil
    }
  }

  /// The Boolean, or nil if the value is not one.
  public var bool: Bool? {
    switch token.kind {
    case .booleanTrue: return true
    case .booleanFalse: return false
    default: return nil
    }
  }

  /// The date, or nil if the value is not one.
  public var date: Date? {
    let token = token
    return token.kind == .date ? Date(timeIntervalSinceReferenceDate: Double(bitPattern: token.first)) : nil
  }

  /// The data, or nil if the value is not data or is too large to be copied from a mapped file.
  public var data: Data? {
    let token = token
    return token.kind == .data && document.canCopy(token) ? document.source.decodedData(token) : nil
  }

  /// The UID, or nil if the value is not one.
  public var uid: PropertyListUID? {
    let token = token
    return token.kind == .uid ? PropertyListUID(UInt32(truncatingIfNeeded: token.first)) : nil
  }

  /// The elements of the array, or nil if the value is not an array.
  public var array: Elements? {
    let children = Children(of: self)
    return children.isArray ? Elements(children: children) : nil
  }

  /// The key-value pairs of the dictionary, or nil if the value is not a dictionary.
  public var dictionary: Pairs? {
    let children = Children(of: self)
    return children.isDictionary ? Pairs(children: children) : nil
  }

  /// A Boolean value that indicates whether the value is null or malformed.
  public var isNull: Bool { kind == .null }

  /// Converts the value to a Swift type, as ``PropertyList/value(as:)`` does.
  ///
  /// ```swift
  /// let port = document.root["port"]?.value(as: UInt16.self)
  /// ```
  ///
  /// - Parameter type: The type to convert to.
  /// - Returns: The converted value, or nil if the value is malformed or cannot be converted.
  /// - Complexity: O(*n*) in the size of the value.
  public func value<Value: PropertyListValue>(as type: Value.Type = Value.self) -> Value? {
    guard let list = try? propertyList() else { return nil }
    return list.value(as: type)
  }

  /// The token of the value, without checking the bytes of a string in a binary document.
  var token: PlistToken { document.source.withBytes { token(in: $0) } }

  var isWellFormed: Bool { document.source.withBytes { isWellFormed(in: $0) } }
}

/// Methods that take the document's bytes, so that a lookup calls `Data.bytes` (some 80 instructions) only once.
extension PlistNode {
  /// Returns the token of the value, without checking the bytes of a string in a binary document.
  func token(in bytes: RawSpan) -> PlistToken {
    let token =
      document.kind == .text
      ? document.text.token(at: index, in: bytes) : uncheckedBinaryObject(in: bytes)?.token
    return token ?? PlistToken(.null)
  }

  /// Returns the token of a string or key, or nil if the value is of another kind or malformed.
  ///
  /// - Complexity: In a binary document, O(*n*) in the length of the text the first time.
  func textToken(in bytes: RawSpan) -> PlistToken? {
    let token: PlistToken
    if document.kind == .text {
      guard let text = document.text.token(at: index, in: bytes) else { return nil }
      token = text
    } else {
      guard let object = uncheckedBinaryObject(in: bytes), document.canCopy(object.token),
        document.textFailure(of: object, index, in: bytes) == nil
      else { return nil }
      token = object.token
    }
    return token.kind == .string || token.kind == .key ? token : nil
  }

  /// Returns the text of a string or key, or nil if the value is of another kind or malformed.
  func text(in bytes: RawSpan) -> String? { textToken(in: bytes).map { bytes.decodedText($0) } }

  /// Returns the text of a dictionary's key, or nil if it is malformed.
  func keyText(in bytes: RawSpan) -> String? {
    guard let object = uncheckedBinaryObject(in: bytes), LongStrings.isLong(object) else { return text(in: bytes) }
    return document.longStrings.key(index) { text(in: bytes) }
  }

  func isWellFormed(in bytes: RawSpan) -> Bool {
    document.kind == .text ? document.text.token(at: index, in: bytes) != nil : binaryObject(in: bytes) != nil
  }

  /// Returns the node's object in a binary document, or nil if it is malformed.
  ///
  /// - Complexity: O(*n*) in the length of a string the first time, then O(1).
  func binaryObject(in bytes: RawSpan) -> BinaryObject? {
    guard let object = uncheckedBinaryObject(in: bytes), document.textFailure(of: object, index, in: bytes) == nil
    else { return nil }
    return object
  }

  /// Returns the node's object in a binary document without checking a string's bytes, or nil if it is malformed.
  ///
  /// Many references can lead to one long string, so an accessor that doesn't return its text must not read the string.
  func uncheckedBinaryObject(in bytes: RawSpan) -> BinaryObject? {
    guard document.kind == .binary, !isMalformedReference else { return nil }
    return try? BinaryObject(at: document.table.offset(of: index, in: bytes), in: bytes, of: document.table)
  }
}
