#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A scalar, a key, or the beginning or end of a container, which event readers return and event writers accept.
///
/// A scalar is a single event. A container has an event for its beginning, the events of its contents, and an event for
/// its end. In a dictionary, a ``key(_:)`` comes before each value:
///
/// ```
/// beginDictionary, key("ports"), beginArray, integer(80), integer(443), endArray, endDictionary
/// ```
///
/// Handle the events that you need, and ignore the others:
///
/// ```swift
/// switch event {
/// case .key(let key): print("the key \(key)")
/// case .integer(let number): print("the integer \(number)")
/// default: break
/// }
/// ```
#if hasAttribute(nonexhaustive)
@nonexhaustive(warn)
#endif
public enum PlistEvent: Sendable, Hashable {
  /// The beginning of a dictionary, after which keys and values alternate.
  case beginDictionary
  /// The end of the innermost open dictionary.
  case endDictionary
  /// The beginning of an array, whose elements follow.
  case beginArray
  /// The end of the innermost open array.
  case endArray
  /// The key of the next value in a dictionary.
  case key(PlistText)
  /// A string.
  case string(PlistText)
  /// An integer.
  case integer(PropertyListInteger)
  /// A real number.
  case real(Double)
  /// A Boolean value.
  case boolean(Bool)
  /// A date.
  case date(Date)
  /// Data.
  case data(PlistBytes)
  /// A reference to an object in a keyed archive.
  case uid(PropertyListUID)
  /// Null, which only binary property lists and JSON have.
  case null

  /// Creates the event for a key or string whose text is stored in `token`, or returns nil for any other token.
  ///
  /// This is separate from ``init(_:in:)`` so that an event with inline text does not retain the source.
  @inline(__always)
  init?(inlineText token: PlistToken) {
    guard let text = token.inlineText else { return nil }
    self = token.kind == .key ? .key(PlistText(text)) : .string(PlistText(text))
  }

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

extension PlistEvent: CustomStringConvertible {
  /// A description for debugging, such as `key("ports")`, `integer(80)` or `endArray`.
  public var description: String {
    switch self {
    case .beginDictionary: return "beginDictionary"
    case .endDictionary: return "endDictionary"
    case .beginArray: return "beginArray"
    case .endArray: return "endArray"
    case .null: return "null"
    case .key(let text):
      var quoted = ""
      text.description.writeQuoted(to: &quoted)
      return "key(\(quoted))"
    case .string(let text): return "string(\(PropertyList.string(text.description)))"
    case .integer(let number): return "integer(\(number))"
    case .real(let number): return "real(\(PropertyList.real(number)))"
    case .boolean(let value): return "boolean(\(value))"
    // Foundation traps when it describes a date that is NaN or far from the present.
    case .date(let date): return "date(\(PropertyList.date(date)))"
    case .data(let bytes): return "data(\(PropertyList.data(Data(bytes))))"
    case .uid(let uid): return "uid(\(uid.value))"
    }
  }
}
