#if CommandLineTool
import Plist

/// A description of the types and keys of several values, from which a `Codable` type is generated.
struct ValueSchema {
  private(set) var kinds: Set<PropertyList.Kind>
  /// The number of values that the schema describes.
  private(set) var count = 1
  /// Whether one of the values is an integer below zero.
  private(set) var hasNegative = false
  private(set) var hasUnsigned = false
  /// Whether one of the values is an integer so large that `Double` possibly cannot represent the integer exactly.
  private(set) var hasInexact = false
  /// The distinct strings among the values, or nil if there are too many strings for an enumeration.
  private(set) var texts: Set<String>? = []
  /// The keys of the dictionaries, in the order of their first appearance.
  private(set) var keys: [String] = []
  private(set) var fields: [String: ValueSchema] = [:]
  /// A list with the common schema of all array elements; the list is empty if all arrays are empty.
  private(set) var elements: [ValueSchema] = []
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
    // The coders decode the string "$null" as nil, as Foundation's coders do.
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

  /// The kinds of the values except null, which only makes a property optional.
  var types: Set<PropertyList.Kind> { kinds.subtracting([.null]) }

  var hasNull: Bool { kinds.contains(.null) }

  func isMissingSomewhere(_ key: String) -> Bool { (fields[key]?.count ?? 0) < dictionaryCount }

  /// The distinct strings for the cases of an enumeration, or nil if an enumeration is not suitable.
  var choices: [String]? {
    guard types == [.string], let texts, texts.count > 1, count >= 2 * texts.count else { return nil }
    return texts.sorted()
  }

  var valueSchema: ValueSchema? {
    guard let first = keys.first, var schema = fields[first] else { return nil }
    for key in keys.dropFirst() { if let field = fields[key] { schema.merge(field) } }
    return schema
  }

  /// Whether the keys of the dictionaries are data, such as identifiers, and not the names of properties.
  ///
  /// The property guesses the result from the spelling and the values of the keys. If all keys begin with a digit, or
  /// all keys contain a slash, the keys count as data. Four or more keys also count as data if their values are
  /// dictionaries with similar keys.
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
