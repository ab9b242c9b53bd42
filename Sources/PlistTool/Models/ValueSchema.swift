#if CommandLineTool
import Plist

/// The common schema of several values: the types and keys that a Codable type for all these values needs.
struct ValueSchema {
  /// The kinds of the values.
  private(set) var kinds: Set<PropertyList.Kind>
  /// The number of the values.
  private(set) var count = 1
  /// Whether one of the values is an integer below zero, or one above `Int.max`.
  private(set) var hasNegative = false
  private(set) var hasUnsigned = false
  /// Whether one of the values is an integer that `Double` may not hold exactly.
  private(set) var hasInexact = false
  /// The different strings with at most ``Self/mostTexts`` elements, or nil if the values have more different strings.
  private(set) var texts: Set<String>? = []
  /// The keys of the dictionaries, in the order in which they appear.
  private(set) var keys: [String] = []
  /// The schemas of the values for each key of the dictionaries.
  private(set) var fields: [String: ValueSchema] = [:]
  /// The common schema of the elements of the arrays, or no element if all arrays are empty.
  private(set) var elements: [ValueSchema] = []
  /// The number of values that are dictionaries.
  private(set) var dictionaryCount = 0

  /// The maximum number of cases of a generated enumeration.
  private static let mostTexts = 8

  init(_ value: PropertyList) {
    kinds = [value.kind]
    switch value {
    case .integer(let integer):
      hasNegative = integer.isNegative
      hasInexact = integer.magnitude > 1 << 53
      hasUnsigned = !integer.isNegative && integer.magnitude > UInt64(Int.max)
    case .string(let text): texts = [text]
    case .array(let values):
      for value in values { addElement(ValueSchema(value)) }
    case .dictionary(let pairs):
      dictionaryCount = 1
      for (key, value) in pairs { addField(key, ValueSchema(value)) }
    default: break
    }
  }

  /// Adds the values of another schema to this schema.
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

  /// The kinds of the values without null, which makes a model's value optional.
  var types: Set<PropertyList.Kind> { kinds.subtracting([.null]) }

  var hasNull: Bool { kinds.contains(.null) }

  /// Whether a key is missing in one of the dictionaries.
  func isMissingSomewhere(_ key: String) -> Bool { (fields[key]?.count ?? 0) < dictionaryCount }

  /// The different strings in ascending order if they are few and repeated, as the names of choices are; otherwise nil.
  var choices: [String]? {
    guard types == [.string], let texts, texts.count > 1, count >= 2 * texts.count else { return nil }
    return texts.sorted()
  }

  /// The common schema of all values of the dictionaries.
  var valueSchema: ValueSchema? {
    guard let first = keys.first, var schema = fields[first] else { return nil }
    for key in keys.dropFirst() { if let field = fields[key] { schema.merge(field) } }
    return schema
  }

  /// Whether the keys of the dictionaries are data, such as identifiers, and not the names of properties.
  ///
  /// This is a guess. The keys are data if all begin with a digit or all contain a slash. They are also data if there
  /// are at least four keys whose values are dictionaries with mostly the same keys.
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
