#if CommandLineTool
import Plist

/// The types and keys that several values have in common, from which a `Codable` type is generated.
struct ValueSchema {
  private(set) var kinds: Set<PropertyList.Kind>
  /// The number of values described.
  private(set) var count = 1
  /// Whether one of the values is a negative integer.
  private(set) var hasNegative = false
  private(set) var hasUnsigned = false
  /// Whether one of the values is an integer so large that `Double` may not represent it exactly.
  private(set) var hasInexact = false
  /// The distinct strings, or nil if there are too many for an enumeration.
  private(set) var texts: Set<String>? = []
  /// The keys of the dictionaries, in order of first appearance.
  private(set) var keys: [String] = []
  private(set) var fields: [String: ValueSchema] = [:]
  /// The common schema of all array elements; empty if all arrays are empty.
  ///
  /// It is an array only because a struct cannot contain itself.
  private(set) var elements: [ValueSchema] = []
  private(set) var dictionaryCount = 0

  /// The most cases a generated enumeration can have.
  private static let mostTexts = 8

  init(_ value: PropertyList) {
    kinds = [value.kind]
    switch value {
    case .integer(let integer):
      hasNegative = integer.isNegative
      hasInexact = integer.magnitude > 1 << 53
      hasUnsigned = !integer.isNegative && integer.magnitude > UInt64(Int.max)
    // Like Foundation's coders, ours decode "$null" as nil.
    case .string("$null"): kinds = [.null]
    case .string(let text): texts = [text]
    case .array(let values):
      for value in values { addElement(ValueSchema(value)) }
    case .dictionary(let pairs):
      dictionaryCount = 1
      for (key, value) in pairs { addField(key, ValueSchema(value)) }
    default: break
    }
  }

  mutating func merge(_ other: ValueSchema) {
    kinds.formUnion(other.kinds)
    count += other.count
    hasNegative = hasNegative || other.hasNegative
    hasInexact = hasInexact || other.hasInexact
    hasUnsigned = hasUnsigned || other.hasUnsigned
    if let own = texts, let more = other.texts {
      let all = own.union(more)
      texts = all.count <= Self.mostTexts ? all : nil
    } else {
      texts = nil
    }
    dictionaryCount += other.dictionaryCount
    for key in other.keys { if let field = other.fields[key] { addField(key, field) } }
    for element in other.elements { addElement(element) }
  }

  private mutating func addElement(_ schema: ValueSchema) {
    if elements.isEmpty { elements = [schema] } else { elements[0].merge(schema) }
  }

  private mutating func addField(_ key: String, _ schema: ValueSchema) {
    if fields[key] == nil {
      keys.append(key)
      fields[key] = schema
    } else {
      fields[key]?.merge(schema)
    }
  }

  /// The kinds of the values without null, which only makes a property optional.
  var types: Set<PropertyList.Kind> { kinds.subtracting([.null]) }

  var hasNull: Bool { kinds.contains(.null) }

  func isMissingSomewhere(_ key: String) -> Bool { (fields[key]?.count ?? 0) < dictionaryCount }

  /// The distinct strings for an enumeration, or nil if they don't suit one.
  var choices: [String]? {
    guard types == [.string], let texts, texts.count > 1, count >= 2 * texts.count else { return nil }
    return texts.sorted()
  }

  var valueSchema: ValueSchema? {
    guard let first = keys.first, var schema = fields[first] else { return nil }
    for key in keys.dropFirst() { if let field = fields[key] { schema.merge(field) } }
    return schema
  }

  /// Whether the dictionaries' keys are data, such as identifiers, rather than names of properties.
  ///
  /// This is a guess: keys count as data if they all begin with a digit or all contain a slash, or if there are at
  /// least four and their values are dictionaries with similar keys.
  var hasDataKeys: Bool {
    guard !keys.isEmpty else { return false }
    if keys.allSatisfy({ $0.first?.isNumber == true }) || keys.allSatisfy({ $0.contains("/") }) { return true }
    guard keys.count >= 4, let schema = valueSchema, schema.kinds == [.dictionary], schema.keys.count >= 2 else {
      return false
    }
    return schema.keys.allSatisfy { 2 * (schema.fields[$0]?.count ?? 0) >= schema.dictionaryCount }
  }
}
#endif
