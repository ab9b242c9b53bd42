public import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PropertyListSchema {
  /// A rule for one value, with conditions for its kind, range, permitted values and contents.
  ///
  /// ```swift
  /// let port = PropertyListSchema.Rule.integer.minimum(1).maximum(65_535).required()
  /// let mode = PropertyListSchema.Rule.string.oneOf(["auto", "manual"])
  /// let servers = PropertyListSchema.Rule.array(of: .dictionary(["Port": port, "Mode": mode])).count(1...4)
  /// ```
  ///
  /// To create a rule, begin with a kind such as ``integer``, and call one method for each additional condition.
  public struct Rule: Sendable {
    /// This rule, followed by the rules for the contents of the value; each rule stores the indices of the rules to
    /// which it refers.
    var nodes: [SchemaNode]

    init(_ node: SchemaNode) { nodes = [node] }

    private init(kind: PropertyList.Kind) {
      var node = SchemaNode()
      node.kinds = [kind]
      self.init(node)
    }

    /// A rule that any value fulfills.
    public static let any = Rule(SchemaNode())
    /// A rule for strings.
    public static let string = Rule(kind: .string)
    /// A rule for integers.
    public static let integer = Rule(kind: .integer)
    /// A rule for real numbers; an integer also fulfills the rule.
    public static let real = Rule(kind: .real)
    /// A rule for Booleans.
    public static let boolean = Rule(kind: .boolean)
    /// A rule for dates.
    public static let date = Rule(kind: .date)
    /// A rule for data.
    public static let data = Rule(kind: .data)

    /// Returns a rule for arrays.
    ///
    /// - Parameter element: The rule for each element of the array.
    /// - Returns: A rule for arrays of any length.
    public static func array(of element: Rule = .any) -> Rule {
      var rule = Rule(kind: .array)
      rule.nodes[0].element = rule.append(element)
      return rule
    }

    /// Returns a rule for dictionaries.
    ///
    /// - Parameters:
    ///   - keys: The keys with the rules for their values. If a key occurs twice, its first rule is used.
    ///   - others: The rule for the values of keys that `keys` does not contain. If `others` is nil, keys that `keys`
    ///     does not contain are unknown keys, which a validation can report.
    /// - Returns: A rule for dictionaries with the given keys.
    public static func dictionary(_ keys: KeyValuePairs<String, Rule>, others: Rule? = nil) -> Rule {
      var rule = Rule(kind: .dictionary)
      for (key, value) in keys where rule.nodes[0].keys[key] == nil {
        let number = rule.append(value)
        rule.nodes[0].keys[key] = number
        if value.nodes[0].isRequired { rule.nodes[0].required.append(key) }
        if !value.nodes[0].requiredWhen.isEmpty { rule.nodes[0].conditional.append(key) }
      }
      rule.nodes[0].otherValue = others.map { rule.append($0) }
      rule.nodes[0].isOpen = false
      return rule
    }

    /// Appends a rule for the contents of a container, and returns the index of the appended rule.
    private mutating func append(_ rule: Rule) -> Int {
      let start = nodes.count
      nodes += rule.nodes.map { $0.shifted(by: start) }
      return start
    }

    private func changed(_ change: (inout SchemaNode) -> Void) -> Rule {
      var rule = self
      change(&rule.nodes[0])
      return rule
    }

    /// Returns a copy of this rule for a required key; a dictionary without the key is invalid.
    public func required() -> Rule { changed { $0.isRequired = true } }

    /// Returns a copy of this rule for a key that a dictionary must have unless it has one of some other keys.
    ///
    /// ```swift
    /// let job = PropertyListSchema.Rule.dictionary([
    ///   "Program": .string, "ProgramArguments": .array(of: .string).required(without: "Program"),
    /// ])
    /// ```
    ///
    /// - Parameter keys: The other keys of the same dictionary.
    /// - Returns: The rule with the additional condition.
    public func required(without keys: String...) -> Rule {
      let conditions = keys.map { SchemaCondition(target: $0, path: [$0], isPresent: false) }
      return changed { $0.requiredWhen.append(SchemaConditions(number: 0, isLocal: true, conditions: conditions)) }
    }

    /// Returns a copy of this rule with a lower bound, which is a number or date.
    ///
    /// - Parameter bound: The minimum value. A number is compared only with a number, and a date only with a date.
    /// - Returns: The rule with the additional condition.
    public func minimum(_ bound: PropertyList) -> Rule { changed { $0.minimum = bound } }

    /// Returns a copy of this rule with an upper bound, which is a number or date.
    ///
    /// - Parameter bound: The maximum value. A number is compared only with a number, and a date only with a date.
    /// - Returns: The rule with the additional condition.
    public func maximum(_ bound: PropertyList) -> Rule { changed { $0.maximum = bound } }

    /// Returns a copy of this rule with a list of the permitted values.
    ///
    /// - Parameter values: The permitted strings, numbers, Booleans, dates and data. In a rule for arrays, `values`
    ///   contains the permitted elements. An array or dictionary in `values` is ignored, so the rule does not permit an
    ///   equal array or dictionary.
    /// - Returns: The rule with the additional condition.
    public func oneOf(_ values: [PropertyList]) -> Rule { changed { $0.list = SchemaList(values) } }

    /// Returns a copy of this rule with bounds for the number of elements in an array.
    ///
    /// - Parameter range: The permitted range of the number of elements.
    /// - Returns: The rule with the additional condition.
    public func count(_ range: ClosedRange<Int>) -> Rule {
      changed { ($0.minimumCount, $0.maximumCount) = (range.lowerBound, range.upperBound) }
    }

    /// Returns a copy of this rule with a regular expression that must match at least a part of the string.
    ///
    /// To match the whole string, begin the pattern with `^` and end it with `$`. A pattern can have groups,
    /// alternatives, character classes, quantifiers, `\b` and look-ahead of one character, as in `(?!x)`. A compiled
    /// pattern is limited to 1,000 steps, and each step takes time linear in the length of the string. Back references,
    /// and look-ahead of more than one character, are not supported.
    ///
    /// - Parameter pattern: The regular expression.
    /// - Returns: The rule with the additional condition.
    /// - Throws: `PlistError` if the pattern is malformed or not supported.
    public func matching(_ pattern: String) throws(PlistError) -> Rule {
      do throws(SchemaPattern.Fault) {
        let pattern = try SchemaPattern(pattern)
        return changed { $0.pattern = pattern }
      } catch {
        throw PlistError(
          code: .invalidValue,
          message: "the pattern \"\(pattern.shownInMessages())\" is not supported: \(error.reason)")
      }
    }
  }
}

/// The conditions of a rule, with the indices of the rules for the contents of the value.
struct SchemaNode: Sendable {
  /// The permitted kinds of the value; an empty array permits all kinds.
  var kinds: [PropertyList.Kind] = []
  var isRequired = false
  var minimum: PropertyList?
  var maximum: PropertyList?
  var list: SchemaList?
  var pattern: SchemaPattern?
  var minimumCount: Int?
  var maximumCount: Int?
  /// For each key of a dictionary, the index of the rule for its value.
  var keys = SchemaNames<Int>()
  /// The keys that are always required, in the order of the schema.
  var required: [String] = []
  /// The keys that conditions require or exclude, in the order of the schema.
  var conditional: [String] = []
  /// The index of the rule for the values of keys that are not in `keys`.
  var otherValue: Int?
  /// The index of the rule for the names of keys that are not in `keys`.
  var otherKey: Int?
  /// Whether the dictionary can have keys without a rule.
  var isOpen = true
  /// The index of the rule for the elements of an array.
  var element: Int?
  /// Lists of conditions: if all conditions of one list hold, the key is required.
  var requiredWhen: [SchemaConditions] = []
  /// Lists of conditions: if all conditions of one list hold, the key is not allowed.
  var excludedWhen: [SchemaConditions] = []

  /// Returns a copy of the rule in which `distance` is added to the index of each nested rule.
  func shifted(by distance: Int) -> SchemaNode {
    var node = self
    node.keys.mapValues { $0 + distance }
    node.otherValue = otherValue.map { $0 + distance }
    node.otherKey = otherKey.map { $0 + distance }
    node.element = element.map { $0 + distance }
    return node
  }
}

/// A dictionary from key names to values; two names are equal if their bytes are equal, as in property lists.
///
/// The stored keys are arrays of bytes, because two equal `String` values can have different bytes.
struct SchemaNames<Value: Sendable>: Sendable {
  private var values: [[UInt8]: Value] = [:]
  /// The number of bytes of the longest name that the dictionary has ever contained.
  private(set) var maximumLength = 0

  subscript(name: String) -> Value? {
    get { values[Array(name.utf8)] }
    set {
      values[Array(name.utf8)] = newValue
      maximumLength = max(maximumLength, name.utf8.count)
    }
  }

  var isEmpty: Bool { values.isEmpty }
  var names: [String] { values.keys.map { String(decoding: $0, as: UTF8.self) }.sorted() }

  mutating func mapValues(_ transform: (Value) -> Value) { values = values.mapValues(transform) }
}

/// A list of the values that a rule permits.
struct SchemaList: Sendable {
  /// The permitted values in the order of the schema, for error messages.
  let values: [PropertyList]
  private let set: Set<PropertyList>

  init(_ values: [PropertyList]) {
    self.values = values.filter(\.isScalar)
    set = Set(self.values.map(\.normalized))
  }

  func contains(_ value: PropertyList) -> Bool { value.isScalar && set.contains(value.normalized) }
}

/// A list of conditions that require or exclude a key if all of them hold.
struct SchemaConditions: Sendable {
  /// The number that identifies this list of conditions in the schema, unless the list is local.
  let number: Int
  /// Whether the paths of the conditions begin at the dictionary that contains the key, not at the outermost
  /// dictionary.
  let isLocal: Bool
  let conditions: [SchemaCondition]
}

/// A condition that the value at a path must fulfill.
struct SchemaCondition: Sendable {
  /// The text of the path as written in the manifest, for error messages.
  let target: String
  var path: [String] = []
  var isPresent: Bool?
  var list: SchemaList?
  var excludedList: SchemaList?
  var containsAny: SchemaList?
  var containsNone: SchemaList?
}

extension PropertyList {
  var isScalar: Bool { kind != .array && kind != .dictionary }

  /// A canonical form of the value: equal numbers, and equal dates, have the same canonical form.
  ///
  /// A real without a fraction becomes an integer, and a date with the interval -0.0 becomes a date with the interval
  /// 0.0.
  var normalized: PropertyList {
    switch self {
    case .real(let number): PropertyListInteger(exactly: number).map { .integer($0) } ?? self
    case .date(let date) where date.timeIntervalSinceReferenceDate == 0: .date(Date(timeIntervalSinceReferenceDate: 0))
    default: self
    }
  }
}

extension [SchemaNode] {
  /// Returns the keys of a path such as `Server.Port` that begins at the rule `start`, or nil if a key has no rule.
  ///
  /// The name of a key can also contain dots. If several keys match the beginning of the path, the longest key is used.
  func path(of target: String, from start: Int) -> [String]? {
    let parts = target.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 64 else { return nil }
    var path: [String] = []
    var number = start
    var position = 0
    while position < parts.count {
      let keys = self[number].keys
      var name = String(parts[position])
      var end = position + 1
      var found: (name: String, number: Int, end: Int)?
      while name.utf8.count <= keys.maximumLength {
        if let number = keys[name] { found = (name, number, end) }
        if end == parts.count { break }
        name += ".\(parts[end])"
        end += 1
      }
      guard let found else { return nil }
      path.append(found.name)
      number = found.number
      position = found.end
    }
    return path
  }
}
