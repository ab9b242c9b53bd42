#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// One step through a property list: what every reader hands out and every writer takes, whatever the format.
///
/// A value is one event, or for containers a begin, the contents and an end. In a dictionary each value comes after a
/// ``key(_:)``:
///
/// ```
/// beginDictionary, key("ports"), beginArray, integer(80), integer(443), endArray, endDictionary
/// ```
public enum PlistEvent: Sendable, Hashable {
  /// A dictionary begins: keys and values in turn follow.
  case beginDictionary
  /// The dictionary that was begun last ends.
  case endDictionary
  /// An array begins: its elements follow.
  case beginArray
  /// The array that was begun last ends.
  case endArray
  /// The key of the value that follows, in a dictionary.
  case key(PlistText)
  /// A string.
  case string(PlistText)
  /// An integer.
  case integer(PropertyListInteger)
  /// A real number.
  case real(Double)
  /// A truth value.
  case boolean(Bool)
  /// A date.
  case date(Date)
  /// Data.
  case data(PlistBytes)
  /// A reference to an object of a keyed archive.
  case uid(PropertyListUID)
  /// The null object, which only binary property lists have.
  case null

  /// The event of a key or string that `token` itself holds; nil of any other.
  ///
  /// Apart from the other events, so that the source, which these do not refer to, is not retained.
  @inline(__always)
  init?(shortText token: PlistToken) {
    guard let text = token.shortText else { return nil }
    self = token.kind == .key ? .key(PlistText(text)) : .string(PlistText(text))
  }

  /// The event that `token`, found in `source`, stands for; nil at the end.
  @inline(__always)
  init?(_ token: PlistToken, in source: PlistSource) {
    switch token.kind {
    case .beginDictionary: self = .beginDictionary
    case .endDictionary: self = .endDictionary
    case .beginArray: self = .beginArray
    case .endArray: self = .endArray
    case .key: self = .key(PlistText(token, in: source))
    case .string: self = .string(PlistText(token, in: source))
    case .data: self = .data(PlistBytes(token, in: source))
    case .integer, .negativeInteger: self = .integer(token.integer)
    case .real: self = .real(Double(bitPattern: token.first))
    case .date: self = .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: token.first)))
    case .uid: self = .uid(PropertyListUID(UInt32(truncatingIfNeeded: token.first)))
    case .booleanFalse: self = .boolean(false)
    case .booleanTrue: self = .boolean(true)
    case .null: self = .null
    case .end, .shared, .sharedKey: return nil
    }
  }
}
