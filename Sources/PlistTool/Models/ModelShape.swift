#if CommandLineTool
import Plist

/// The common shape of several values: the types and keys that a Codable model of all these values needs.
struct ModelShape {
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
  /// The shapes of the values for each key of the dictionaries.
  private(set) var fields: [String: ModelShape] = [:]
  /// The common shape of the elements of the arrays, or no element if all arrays are empty.
  private(set) var elements: [ModelShape] = []
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
      for value in values { addElement(ModelShape(value)) }
    case .dictionary(let pairs):
      dictionaryCount = 1
      for (key, value) in pairs { addField(key, ModelShape(value)) }
    default: break
    }
  }

  /// Adds the values of another shape to this shape.
  mutating func merge(_ other: ModelShape) {
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

  private mutating func addElement(_ shape: ModelShape) {
    if elements.isEmpty { elements = [shape] } else { elements[0].merge(shape) }
  }

  private mutating func addField(_ key: String, _ shape: ModelShape) {
    if fields[key] == nil {
      keys.append(key)
      fields[key] = shape
    } else {
      fields[key]?.merge(shape)
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

  /// The common shape of all values of the dictionaries.
  var valueShape: ModelShape? {
    guard let first = keys.first, var shape = fields[first] else { return nil }
    for key in keys.dropFirst() { if let field = fields[key] { shape.merge(field) } }
    return shape
  }

  /// Whether the keys of the dictionaries are data, such as identifiers, and not the names of properties.
  ///
  /// This is a guess. The keys are data if all begin with a digit or all contain a slash. They are also data if there
  /// are at least four keys whose values are dictionaries with mostly the same keys.
  var hasDataKeys: Bool {
    guard !keys.isEmpty else { return false }
    if keys.allSatisfy({ $0.first?.isNumber == true }) || keys.allSatisfy({ $0.contains("/") }) { return true }
    guard keys.count >= 4, let shape = valueShape, shape.kinds == [.dictionary], shape.keys.count >= 2 else {
      return false
    }
    return shape.keys.allSatisfy { 2 * (shape.fields[$0]?.count ?? 0) >= shape.dictionaryCount }
  }
}
#endif
