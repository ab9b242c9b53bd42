public import Plist

extension PropertyListSchema {
  /// A rule for one value: its kind, its range, the values it can have, and the rules for its contents.
  ///
  /// ```swift
  /// let port = PropertyListSchema.Rule.integer.minimum(1).maximum(65_535).required()
  /// let mode = PropertyListSchema.Rule.string.oneOf(["auto", "manual"])
  /// let servers = PropertyListSchema.Rule.array(of: .dictionary(["Port": port, "Mode": mode])).count(1...4)
  /// ```
  ///
  /// A rule begins with the kind of the value, and each method adds a condition.
  public struct Rule: Sendable {
    /// The rule, followed by the rules for its contents; a rule refers to others by their distance.
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
    /// A rule for reals; an integer fulfills the rule too.
    public static let real = Rule(kind: .real)
    /// A rule for Booleans.
    public static let boolean = Rule(kind: .boolean)
    /// A rule for dates.
    public static let date = Rule(kind: .date)
    /// A rule for data.
    public static let data = Rule(kind: .data)

    /// Returns a rule for arrays.
    ///
    /// - Parameter element: The rule for each element.
    /// - Returns: The rule.
    public static func array(of element: Rule = .any) -> Rule {
      var rule = Rule(kind: .array)
      rule.nodes[0].element = rule.append(element)
      return rule
    }

    /// Returns a rule for dictionaries.
    ///
    /// - Parameters:
    ///   - keys: The keys with the rules for their values. Of a key that occurs twice, the first rule is used.
    ///   - others: The rule for the values of all other keys; without this rule, other keys are unknown.
    /// - Returns: The rule.
    public static func dictionary(_ keys: KeyValuePairs<String, Rule>, others: Rule? = nil) -> Rule {
      var rule = Rule(kind: .dictionary)
      for (key, value) in keys where rule.nodes[0].keys[key] == nil {
        let number = rule.append(value)
        rule.nodes[0].keys[key] = number
        if value.nodes[0].isRequired { rule.nodes[0].required.append(key) }
      }
      rule.nodes[0].otherValue = others.map { rule.append($0) }
      rule.nodes[0].isOpen = false
      return rule
    }

    /// Adds a rule for contents, and returns its number.
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

    /// Returns this rule for a key that its dictionary must have.
    public func required() -> Rule { changed { $0.isRequired = true } }

    /// Returns this rule with a lower bound, which is a number or date.
    ///
    /// - Parameter bound: The least value; a value of another kind than the bound is not compared.
    /// - Returns: The changed rule.
    public func minimum(_ bound: PropertyList) -> Rule { changed { $0.minimum = bound } }

    /// Returns this rule with an upper bound, which is a number or date.
    ///
    /// - Parameter bound: The greatest value; a value of another kind than the bound is not compared.
    /// - Returns: The changed rule.
    public func maximum(_ bound: PropertyList) -> Rule { changed { $0.maximum = bound } }

    /// Returns this rule with a list of the permitted values.
    ///
    /// - Parameter values: The values: strings, numbers, Booleans, dates or data. An array must have only such
    ///   elements.
    /// - Returns: The changed rule.
    public func oneOf(_ values: [PropertyList]) -> Rule { changed { $0.list = SchemaList(values) } }

    /// Returns this rule with bounds for the number of elements of an array.
    ///
    /// - Parameter range: The permitted numbers of elements.
    /// - Returns: The changed rule.
    public func count(_ range: ClosedRange<Int>) -> Rule {
      changed { ($0.minimumCount, $0.maximumCount) = (range.lowerBound, range.upperBound) }
    }

    /// Returns this rule with a regular expression, which must match a part of a string.
    ///
    /// To match the whole string, begin the pattern with `^` and end it with `$`. A pattern can have groups,
    /// alternatives, classes, quantifiers and `\b`, and look ahead by one character, as in `(?!x)`. Matching takes time
    /// linear in the text for each of at most 1,000 steps. So there are no back references and no longer look-ahead.
    ///
    /// - Parameter pattern: The regular expression.
    /// - Returns: The changed rule.
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

/// The rule for one value, with the numbers of the rules for its contents.
struct SchemaNode: Sendable {
  /// The permitted kinds; all if empty.
  var kinds: [PropertyList.Kind] = []
  var isRequired = false
  var minimum: PropertyList?
  var maximum: PropertyList?
  var list: SchemaList?
  var pattern: SchemaPattern?
  var minimumCount: Int?
  var maximumCount: Int?
  /// The numbers of the rules for the values of a dictionary.
  var keys = SchemaNames<Int>()
  /// The keys that are always required, in the order of the schema.
  var required: [String] = []
  /// The keys that conditions require or exclude, in the order of the schema.
  var conditional: [String] = []
  /// The number of the rule for the values of all other keys.
  var otherValue: Int?
  /// The number of the rule for the names of all other keys.
  var otherKey: Int?
  /// Whether the dictionary can have keys without a rule.
  var isOpen = true
  /// The number of the rule for the elements of an array.
  var element: Int?
  /// The key is required if all conditions of one of these lists hold.
  var requiredWhen: [SchemaConditions] = []
  /// The key is excluded if all conditions of one of these lists hold.
  var excludedWhen: [SchemaConditions] = []

  /// Returns a copy of the rule in which `distance` is added to the number of each nested rule.
  func shifted(by distance: Int) -> SchemaNode {
    var node = self
    node.keys.mapValues { $0 + distance }
    node.otherValue = otherValue.map { $0 + distance }
    node.otherKey = otherKey.map { $0 + distance }
    node.element = element.map { $0 + distance }
    return node
  }
}

/// A dictionary by the names of keys, which are equal if their bytes are equal, as in property lists.
///
/// `String` is not the key, because strings are also equal if they are only canonically equivalent.
struct SchemaNames<Value: Sendable>: Sendable {
  private var values: [[UInt8]: Value] = [:]

  subscript(name: String) -> Value? {
    get { values[Array(name.utf8)] }
    set { values[Array(name.utf8)] = newValue }
  }

  var isEmpty: Bool { values.isEmpty }
  var names: [String] { values.keys.map { String(decoding: $0, as: UTF8.self) }.sorted() }

  mutating func mapValues(_ transform: (Value) -> Value) { values = values.mapValues(transform) }
}

/// A list of permitted values.
struct SchemaList: Sendable {
  /// The values in order, for messages.
  let values: [PropertyList]
  private let set: Set<PropertyList>

  init(_ values: [PropertyList]) {
    self.values = values.filter(\.isScalar)
    set = Set(self.values.map(\.normalized))
  }

  func contains(_ value: PropertyList) -> Bool { value.isScalar && set.contains(value.normalized) }
}

/// The conditions that must hold together to require or to exclude a key.
struct SchemaConditions: Sendable {
  /// The number of these conditions in the schema.
  let number: Int
  /// Whether the paths begin at the dictionary of the key, not at the outermost dictionary.
  let isLocal: Bool
  let conditions: [SchemaCondition]
}

/// A condition on the value at a path.
struct SchemaCondition: Sendable {
  /// The path as the manifest has it, for messages.
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

  /// The value with an integral real as an integer, so that equal numbers are equal values.
  var normalized: PropertyList {
    guard case .real(let number) = self, let integer = Int(exactly: number) else { return self }
    return .integer(PropertyListInteger(integer))
  }
}
