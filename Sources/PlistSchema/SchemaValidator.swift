import Plist

/// Validates a value with a stack of open containers instead of recursion.
struct SchemaValidator<Value: SchemaValue> {
  typealias MakeError = (PlistError.Code, String, Value, PropertyListPath) -> PlistError

  private let nodes: [SchemaNode]
  private let domain: String?
  private let reportsUnknownKeys: Bool
  /// How many values and bytes may still be read.
  private var remaining: Int
  /// How many conditions may still be evaluated, plus the values and bytes that may be read for them.
  private var conditionRemaining: Int
  private var isCutShort = false
  private let makeError: MakeError
  private var findings: [PropertyListSchema.Finding] = []
  private var path: [String] = []
  private var stack: [Frame] = []
  /// The outermost dictionary, where the paths of conditions start unless they are local.
  private var subject: Value?
  private var isPayload = false
  /// Whether all conditions of a list hold for `subject`, keyed by the list's number.
  private var conditionResults: [Int: Bool] = [:]

  /// The most findings with suggestions, since each suggestion compares many names.
  private static var suggestionLimit: Int { 100 }

  /// The most values to list in a message.
  private static var shownLimit: Int { 8 }

  /// The keys that belong to a configuration profile's payloads; preference files don't have them.
  private static var payloadKeys: Set<String> {
    [
      "PayloadDescription", "PayloadDisplayName", "PayloadEnabled", "PayloadIdentifier", "PayloadOrganization",
      "PayloadType", "PayloadUUID", "PayloadVersion",
    ]
  }

  /// An open container and the index of its next child.
  private struct Frame {
    var children: [Child]
    var next = 0
  }

  /// A child of a container, with its rule.
  private struct Child {
    let name: String
    let value: Value
    var rule: Int?
    /// The rule for the key's name.
    var keyRule: Int?
    /// Where the key is in the document; nil for an element of an array.
    var keyNode: Value?
    /// The rule of the dictionary, if that rule doesn't allow the key.
    var unknownIn: Int?
    /// The conditions that rule the key out, if any.
    var exclusion: SchemaConditions?
    /// The values that an element can have, if the array's rule lists them.
    var list: SchemaList?
  }

  init(_ schema: PropertyListSchema, _ reportsUnknownKeys: Bool, _ limits: SchemaLimits, makeError: @escaping MakeError)
  {
    nodes = schema.nodes
    domain = schema.domain
    self.reportsUnknownKeys = reportsUnknownKeys
    remaining = limits.values
    conditionRemaining = limits.conditions
    self.makeError = makeError
  }

  /// Returns the values that a schema for `domain` validates, with their paths.
  static func subjects(in root: Value, domain: String?) -> [(path: [String], value: Value)] {
    guard let domain, let content = root["PayloadContent"], content.kind == .array else { return [([], root)] }
    if root["PayloadType"]?.isText(domain) == true { return [([], root)] }
    return content.elements.enumerated().filter { $1["PayloadType"]?.isText(domain) == true }.map {
      (["PayloadContent", "\($0)"], $1)
    }
  }

  /// Validates a document and returns the findings in document order.
  mutating func validate(_ root: Value) -> [PropertyListSchema.Finding] {
    for (path, value) in Self.subjects(in: root, domain: domain) where !isCutShort {
      self.path = path
      subject = value
      isPayload = value["PayloadType"] != nil
      conditionResults = [:]
      visit(value, 0)
      while !stack.isEmpty, !isCutShort { step() }
      stack.removeAll()
    }
    return findings
  }

  /// Visits the next child of the innermost container, or closes the container after its last child.
  private mutating func step() {
    let top = stack.count - 1
    guard stack[top].next < stack[top].children.count else {
      stack.removeLast()
      if !stack.isEmpty { path.removeLast() }
      return
    }
    let child = stack[top].children[stack[top].next]
    stack[top].next += 1
    path.append(child.name)
    let depth = stack.count
    check(child)
    if let rule = child.rule { visit(child.value, rule) }
    // The name stays in `path` while the child is open.
    if stack.count == depth { path.removeLast() }
  }

  /// Checks an element against the permitted values, or a key against the rules for keys.
  private mutating func check(_ child: Child) {
    if let list = child.list, !list.contains(child.value) {
      let isContainer = child.value.kind == .array || child.value.kind == .dictionary
      reportUnlisted(list, isContainer ? nil : child.value.scalar, child.value)
    }
    guard let keyNode = child.keyNode else { return }
    let name = child.name.shownInMessages()
    if let unknown = child.unknownIn, reportsUnknownKeys {
      report(
        .unreadKey, "the key \"\(name)\" is unknown\(suggestion(for: child.name, nodes[unknown].keys.names))",
        keyNode, isError: false, found: "the key \"\(name)\"", expected: "a known key")
    }
    if let rule = child.keyRule { checkScalar(.string(child.name), keyNode, nodes[rule], subject: "the key ") }
    if let exclusion = child.exclusion {
      report(
        .conflict, "the key \"\(name)\" is excluded by the value of \(Self.targets(of: exclusion))", keyNode,
        found: "the key \"\(name)\"", expected: "no key \"\(name)\"")
    }
  }

  /// Checks a value against a rule, and opens it if it is a container.
  private mutating func visit(_ value: Value, _ rule: Int) {
    if isOverLimit(at: value) { return }
    let node = nodes[rule]
    let kind = value.kind
    guard node.kinds.isEmpty || node.kinds.contains(kind) || (kind == .integer && node.kinds.contains(.real)) else {
      let found = kind.words
      let expected = node.kinds.map(\.words).joined(separator: " or ")
      report(.typeMismatch, "found \(found), expected \(expected)", value, found: found, expected: expected)
      return
    }
    switch kind {
    case .dictionary:
      if let list = node.list { reportUnlisted(list, nil, value) }
      open(dictionary: value, node, rule)
    case .array: open(array: value, node)
    default:
      if node.minimum != nil || node.maximum != nil || node.list != nil || node.pattern != nil {
        let scalar = value.scalar
        remaining -= scalar.size
        checkScalar(scalar, value, node)
      }
    }
  }

  private mutating func checkScalar(_ scalar: PropertyList, _ value: Value, _ node: SchemaNode, subject: String = "") {
    let found = subject + scalar.words
    // Values that can't be compared with a bound, such as strings, count as in range. NaN is outside any bound.
    let isInRange =
      node.minimum?.isAtMost(scalar) != false
      && node.maximum.flatMap { scalar.isAtMost($0) } != false
    if !isInRange {
      let expected = Self.words(node.minimum, node.maximum)
      report(.numberOutOfRange, "found \(found), expected \(expected)", value, found: found, expected: expected)
    }
    if let list = node.list { checkList(list, scalar, value, subject: subject) }
    if let pattern = node.pattern, let text = scalar.string, !pattern.matches(text) {
      let expected = "text that matches \(pattern.text.shownInMessages(upTo: 100))"
      report(.invalidValue, "found \(found), expected \(expected)", value, found: found, expected: expected)
    }
  }

  private mutating func checkList(_ list: SchemaList, _ scalar: PropertyList, _ value: Value, subject: String = "") {
    if !list.contains(scalar) { reportUnlisted(list, scalar, value, subject: subject) }
  }

  /// Reports a value that is not in the list; `scalar` is nil for a container.
  private mutating func reportUnlisted(
    _ list: SchemaList, _ scalar: PropertyList?, _ value: Value, subject: String = ""
  ) {
    let found = subject + (scalar?.words ?? value.kind.words)
    let expected = Self.words(list.values)
    let nearest = scalar?.string.map { suggestion(for: $0, list.values.compactMap(\.string)) } ?? ""
    report(.invalidValue, "found \(found), expected \(expected)\(nearest)", value, found: found, expected: expected)
  }

  private mutating func open(array value: Value, _ node: SchemaNode) {
    let count = value.count
    if count < node.minimumCount ?? 0 || count > node.maximumCount ?? .max {
      let minimum = node.minimumCount.flatMap { $0 > 0 ? PropertyList.integer(PropertyListInteger($0)) : nil }
      let maximum = node.maximumCount.flatMap { $0 < .max ? PropertyList.integer(PropertyListInteger($0)) : nil }
      let found = count == 1 ? "1 element" : "\(count) elements"
      let expected = Self.words(minimum, maximum)
      report(.invalidValue, "found \(found), expected \(expected)", value, found: found, expected: expected)
    }
    guard node.element != nil || node.list != nil else { return }
    var children: [Child] = []
    for (position, element) in value.elements.enumerated() {
      children.append(Child(name: "\(position)", value: element, rule: node.element, list: node.list))
    }
    remaining -= children.count
    stack.append(Frame(children: children))
  }

  private mutating func open(dictionary value: Value, _ node: SchemaNode, _ rule: Int) {
    let members = value.members
    remaining -= members.reduce(node.required.count + node.conditional.count) { $0 + 1 + $1.key.utf8.count }
    if isOverLimit(at: value) { return }
    // Preference files do not need the keys that only payloads have.
    let optional = stack.isEmpty && !isPayload ? Self.payloadKeys : []
    let isIncomplete = !node.required.isEmpty || !node.conditional.isEmpty
    var names = SchemaNames<Bool>()
    if isIncomplete { for member in members { names[member.key] = true } }
    var exclusions = SchemaNames<SchemaConditions>()
    for key in node.conditional {
      guard let number = node.keys[key] else { continue }
      if let exclusion = nodes[number].excludedWhen.first(where: { holds($0, in: value) }) {
        exclusions[key] = exclusion
      }
    }
    // Past the limit, conditions are not evaluated, so we can't tell which keys are missing.
    if isOverLimit(at: value) { return }
    for key in node.required where names[key] == nil && !optional.contains(key) && exclusions[key] == nil {
      reportMissing(key, node, value, because: nil)
    }
    for key in node.conditional where names[key] == nil && exclusions[key] == nil {
      guard let number = node.keys[key], !nodes[number].isRequired,
        let reason = nodes[number].requiredWhen.first(where: { holds($0, in: value) })
      else { continue }
      reportMissing(key, node, value, because: reason)
    }
    if isOverLimit(at: value) { return }
    guard !node.keys.isEmpty || !node.isOpen || node.otherValue != nil || node.otherKey != nil else { return }
    var children: [Child] = []
    for (key, keyNode, member) in members {
      var child = Child(name: key, value: member, rule: node.keys[key] ?? node.otherValue, keyNode: keyNode)
      if node.keys[key] == nil {
        child.keyRule = node.otherKey
        if child.rule == nil, !node.isOpen, !(stack.isEmpty && Self.payloadKeys.contains(key)) {
          child.unknownIn = rule
        }
      }
      child.exclusion = exclusions[key]
      children.append(child)
    }
    stack.append(Frame(children: children))
  }

  private mutating func reportMissing(_ key: String, _ node: SchemaNode, _ value: Value, because: SchemaConditions?) {
    let name = "the key \"\(key.shownInMessages())\""
    let kinds = node.keys[key].map { nodes[$0].kinds } ?? []
    let expected = kinds.isEmpty ? "a value" : kinds.map(\.words).joined(separator: " or ")
    let reason = because.map { "; it is required \(Self.reason($0))" } ?? ""
    report(
      .missingProperty, "\(name) is missing, expected \(expected)\(reason)", value, found: "no \(name.dropFirst(4))",
      expected: expected)
  }

  private mutating func report(
    _ code: PlistError.Code, _ message: String, _ value: Value, isError: Bool = true, found: String, expected: String
  ) {
    guard findings.count < PropertyListSchema.maximumFindings else { return cutShort("findings", value) }
    let error = makeError(code, message, value, PropertyListPath(components: path))
    findings.append(PropertyListSchema.Finding(error: error, isError: isError, found: found, expected: expected))
  }

  /// Ends the validation if a limit is exceeded, and returns whether it has ended.
  private mutating func isOverLimit(at value: Value) -> Bool {
    if remaining < 0 || conditionRemaining < 0 { cutShort("values to validate", value) }
    return isCutShort
  }

  /// Ends the validation with a finding that says what there are too many of.
  private mutating func cutShort(_ excess: String, _ value: Value) {
    if isCutShort { return }
    isCutShort = true
    let message = "the document has too many \(excess); the rest is not validated"
    let error = makeError(.expandedObjectsLimit, message, value, PropertyListPath(components: path))
    findings.append(
      PropertyListSchema.Finding(error: error, found: "too many \(excess)", expected: "fewer \(excess)"))
  }

  private func suggestion(for name: String, _ names: @autoclosure () -> [String]) -> String {
    findings.count < Self.suggestionLimit ? NearMiss.suggestion(for: name, among: names()) : ""
  }
}

extension SchemaValidator {
  /// Returns whether all conditions of a list hold for a key in `dictionary`.
  private mutating func holds(_ conditions: SchemaConditions, in dictionary: Value) -> Bool {
    if !conditions.isLocal, let result = conditionResults[conditions.number] { return result }
    var result = true
    for condition in conditions.conditions where result {
      conditionRemaining -= 1 + condition.path.count
      guard conditionRemaining >= 0 else { return false }
      var value = conditions.isLocal ? dictionary : subject
      for key in condition.path { value = value?[key] }
      result = holds(condition, value)
    }
    if !conditions.isLocal { conditionResults[conditions.number] = result }
    return result
  }

  /// Returns whether a condition holds for a value, or for a missing value.
  private mutating func holds(_ condition: SchemaCondition, _ value: Value?) -> Bool {
    guard let value else {
      if let isPresent = condition.isPresent { return !isPresent }
      return condition.list == nil && condition.containsAny == nil
    }
    let hasLists =
      condition.list != nil || condition.excludedList != nil || condition.containsAny != nil
      || condition.containsNone != nil
    if condition.isPresent == false, !hasLists { return false }
    if condition.list != nil || condition.excludedList != nil {
      // A `SchemaList` has no arrays, so an empty array can represent any container.
      let scalar = value.kind == .array || value.kind == .dictionary ? PropertyList.array([]) : value.scalar
      conditionRemaining -= scalar.size
      if let list = condition.list, !list.contains(scalar) { return false }
      if let list = condition.excludedList, list.contains(scalar) { return false }
    }
    guard condition.containsAny != nil || condition.containsNone != nil else { return true }
    var containsAny = false
    for element in value.elements {
      guard conditionRemaining >= 0 else { return false }
      conditionRemaining -= 1
      if element.kind == .array || element.kind == .dictionary { continue }
      let scalar = element.scalar
      conditionRemaining -= scalar.size
      if let list = condition.containsNone, list.contains(scalar) { return false }
      if let list = condition.containsAny, list.contains(scalar) { containsAny = true }
    }
    if condition.containsAny != nil, !containsAny { return false }
    return true
  }

  private static func targets(of conditions: SchemaConditions) -> String {
    conditions.conditions.map { "\"\($0.target.shownInMessages())\"" }.joined(separator: " and ")
  }

  /// Explains why a key is required.
  private static func reason(_ conditions: SchemaConditions) -> String {
    let targets = conditions.conditions.map { "\"\($0.target.shownInMessages())\"" }
    // The key is required only because these targets are missing.
    if conditions.conditions.allSatisfy({ $0.isPresent == false && $0.list == nil && $0.containsAny == nil }) {
      return "without \(targets.joined(separator: " or "))"
    }
    return "by the value of \(targets.joined(separator: " and "))"
  }

  private static func words(_ minimum: PropertyList?, _ maximum: PropertyList?) -> String {
    switch (minimum, maximum) {
    case (let minimum?, let maximum?) where minimum == maximum: minimum.words
    case (let minimum?, let maximum?): "\(minimum.words) to \(maximum.words)"
    case (let minimum?, nil): "at least \(minimum.words)"
    case (nil, let maximum?): "at most \(maximum.words)"
    case (nil, nil): "any value"
    }
  }

  private static func words(_ values: [PropertyList]) -> String {
    let shown = values.prefix(shownLimit).map(\.words).joined(separator: ", ")
    if values.isEmpty { return "no value, because the list of permitted values is empty" }
    let others = values.count - min(values.count, shownLimit)
    let text = values.count == 1 ? shown : "one of \(shown)"
    return others == 0 ? text : "\(text) and \(others) more"
  }
}

extension SchemaList {
  func contains(_ value: some SchemaValue) -> Bool {
    let scalar = value.scalar
    return scalar.kind == value.kind && contains(scalar)
  }
}
