public import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PropertyListSchema {
  /// A rule for one value: its kind, range, permitted values and contents.
  ///
  /// ```swift
  /// let port = PropertyListSchema.Rule.integer.minimum(1).maximum(65_535).required()
  /// let mode = PropertyListSchema.Rule.string.oneOf(["auto", "manual"])
  /// let servers = PropertyListSchema.Rule.array(of: .dictionary(["Port": port, "Mode": mode])).count(1...4)
  /// ```
  ///
  /// Start with a kind such as ``integer``, and chain a method for each further condition.
  public struct Rule: Sendable {
    /// This rule and the rules for the value's contents, which refer to each other by index.
    var nodes: [SchemaNode]

    init(_ node: SchemaNode) { nodes = [node] }

    private init(kind: PropertyList.Kind) {
      var node = SchemaNode()
      node.kinds = [kind]
      self.init(node)
    }

    /// The rule for any value.
    public static let any = Rule(SchemaNode())
    /// The rule for strings.
    public static let string = Rule(kind: .string)
    /// The rule for integers.
    public static let integer = Rule(kind: .integer)
    /// The rule for reals, which also allows integers.
    public static let real = Rule(kind: .real)
    /// The rule for Booleans.
    public static let boolean = Rule(kind: .boolean)
    /// The rule for dates.
    public static let date = Rule(kind: .date)
    /// The rule for data.
    public static let data = Rule(kind: .data)

    /// Returns a rule for arrays.
    ///
    /// - Parameter element: The rule for each element.
    /// - Returns: A rule for arrays of any length.
    public static func array(of element: Rule = .any) -> Rule {
      var rule = Rule(kind: .array)
      rule.nodes[0].element = rule.append(element)
      return rule
    }

    /// Returns a rule for dictionaries.
    ///
    /// - Parameters:
    ///   - keys: The keys and the rules for their values. If a key is given twice, its first rule wins.
    ///   - others: The rule for the values of all other keys. If it is nil, validation can report other keys as
    ///     unknown.
    /// - Returns: A rule for dictionaries with these keys.
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

    /// Appends a rule for a container's contents and returns its index.
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

    /// Returns a copy of this rule that makes its key required.
    public func required() -> Rule { changed { $0.isRequired = true } }

    /// Returns a copy of this rule that makes its key required unless the dictionary has one of the given keys.
    ///
    /// ```swift
    /// let job = PropertyListSchema.Rule.dictionary([
    ///   "Program": .string, "ProgramArguments": .array(of: .string).required(without: "Program"),
    /// ])
    /// ```
    ///
    /// - Parameter keys: Other keys of the same dictionary, any of which makes this one optional.
    /// - Returns: The rule with the additional condition.
    public func required(without keys: String...) -> Rule {
      let conditions = keys.map { SchemaCondition(target: $0, path: [$0], isPresent: false) }
      return changed { $0.requiredWhen.append(SchemaConditions(number: 0, isLocal: true, conditions: conditions)) }
    }

    /// Returns this rule with a lower bound.
    ///
    /// - Parameter bound: A number or a date; values of other kinds are not compared with it.
    /// - Returns: The rule with the additional condition.
    public func minimum(_ bound: PropertyList) -> Rule { changed { $0.minimum = bound } }

    /// Returns this rule with an upper bound.
    ///
    /// - Parameter bound: A number or a date; values of other kinds are not compared with it.
    /// - Returns: The rule with the additional condition.
    public func maximum(_ bound: PropertyList) -> Rule { changed { $0.maximum = bound } }

    /// Returns this rule with a list of permitted values.
    ///
    /// - Parameter values: The permitted strings, numbers, Booleans, dates and data; for an array, the values that its
    ///   elements may have. Arrays and dictionaries in the list are ignored.
    /// - Returns: The rule with the additional condition.
    public func oneOf(_ values: [PropertyList]) -> Rule { changed { $0.list = SchemaList(values) } }

    /// Returns this rule with bounds on the length of an array.
    ///
    /// - Parameter range: How many elements the array can have.
    /// - Returns: The rule with the additional condition.
    public func count(_ range: ClosedRange<Int>) -> Rule {
      changed { ($0.minimumCount, $0.maximumCount) = (range.lowerBound, range.upperBound) }
    }

    /// Returns this rule with a regular expression that must match part of the string.
    ///
    /// Use `^` and `$` to match the whole string. Patterns can have groups, alternatives, character classes,
    /// quantifiers, `\b` and one-character look-ahead such as `(?!x)`, but no back references or longer look-ahead. A
    /// compiled pattern has at most 1,000 steps, each of which takes time linear in the length of the string.
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

/// A rule's conditions, with the rules for contents given by index.
struct SchemaNode: Sendable {
  /// Empty if any kind is allowed.
  var kinds: [PropertyList.Kind] = []
  var isRequired = false
  var minimum: PropertyList?
  var maximum: PropertyList?
  var list: SchemaList?
  var pattern: SchemaPattern?
  var minimumCount: Int?
  var maximumCount: Int?
  /// The rules for the values of keys.
  var keys = SchemaNames<Int>()
  /// The keys that are always required, in the order of the schema.
  var required: [String] = []
  /// The keys that conditions require or exclude, in the order of the schema.
  var conditional: [String] = []
  /// The rule for the values of all other keys.
  var otherValue: Int?
  /// The rule for the names of all other keys.
  var otherKey: Int?
  /// Whether keys without a rule are allowed.
  var isOpen = true
  /// The rule for an array's elements.
  var element: Int?
  /// The key is required if all conditions in any of these lists hold.
  var requiredWhen: [SchemaConditions] = []
  /// The key is not allowed if all conditions in any of these lists hold.
  var excludedWhen: [SchemaConditions] = []

  /// Returns the rule with `distance` added to the indices of nested rules.
  func shifted(by distance: Int) -> SchemaNode {
    var node = self
    node.keys.mapValues { $0 + distance }
    node.otherValue = otherValue.map { $0 + distance }
    node.otherKey = otherKey.map { $0 + distance }
    node.element = element.map { $0 + distance }
    return node
  }
}

/// A dictionary whose keys are equal if their bytes are, as in property lists.
///
/// The keys are stored as bytes, because `String`s with different bytes can be equal.
struct SchemaNames<Value: Sendable>: Sendable {
  private var values: [[UInt8]: Value] = [:]
  /// The number of bytes in the longest name ever added.
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

/// The values that a rule permits.
struct SchemaList: Sendable {
  /// The values in the order of the schema, for messages.
  let values: [PropertyList]
  private let set: Set<PropertyList>

  init(_ values: [PropertyList]) {
    self.values = values.filter(\.isScalar)
    set = Set(self.values.map(\.normalized))
  }

  func contains(_ value: PropertyList) -> Bool { value.isScalar && set.contains(value.normalized) }
}

/// Conditions that require or exclude a key if all of them hold.
struct SchemaConditions: Sendable {
  /// Identifies this list in the schema; not used if the list is local.
  let number: Int
  /// Whether paths start at the dictionary with the key rather than the outermost one.
  let isLocal: Bool
  let conditions: [SchemaCondition]
}

/// A condition on the value at a path.
struct SchemaCondition: Sendable {
  /// The path as written in the manifest, for messages.
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

  /// A form in which equal numbers, and equal dates, are equal values.
  ///
  /// Reals without a fraction become integers, and the date at -0.0 becomes the one at 0.0.
  var normalized: PropertyList {
    switch self {
    case .real(let number): PropertyListInteger(exactly: number).map { .integer($0) } ?? self
    case .date(let date) where date.timeIntervalSinceReferenceDate == 0: .date(Date(timeIntervalSinceReferenceDate: 0))
    default: self
    }
  }
}

extension [SchemaNode] {
  /// Returns the keys of a path such as `Server.Port`, starting at the rule `start`, or nil if a key has no rule.
  ///
  /// Keys can contain dots, so each step takes the longest key that matches.
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
