import Plist

/// A validation of one value, which keeps a stack of open containers and does not recurse.
struct SchemaValidator<Value: SchemaValue> {
  typealias MakeError = (PlistError.Code, String, Value, PropertyListPath) -> PlistError

  private let nodes: [SchemaNode]
  private let domain: String?
  private let reportsUnknownKeys: Bool
  /// The number of values that can still be visited.
  private var remaining: Int
  private var isCutShort = false
  private let makeError: MakeError
  private var findings: [PropertyListSchema.Finding] = []
  private var path: [String] = []
  private var stack: [Frame] = []
  /// The dictionary at which the paths of conditions begin.
  private var subject: Value?
  private var isPayload = false
  /// The results of conditions on the subject, by their number.
  private var conditionResults: [Int: Bool] = [:]

  /// The greatest number of findings that have suggestions; each suggestion compares many names.
  private static var suggestionLimit: Int { 100 }

  /// The greatest number of values that a message lists.
  private static var shownLimit: Int { 8 }

  /// The keys of every payload, which a preference file does not have.
  private static var payloadKeys: Set<String> {
    [
      "PayloadDescription", "PayloadDisplayName", "PayloadEnabled", "PayloadIdentifier", "PayloadOrganization",
      "PayloadType", "PayloadUUID", "PayloadVersion",
    ]
  }

  /// An open container.
  private struct Frame {
    var children: [Child]
    var next = 0
  }

  /// A value of a container with the number of its rule.
  private struct Child {
    let name: String
    let value: Value
    var rule: Int?
    /// The number of the rule for the key.
    var keyRule: Int?
    /// The position of the key, for a member of a dictionary.
    var keyNode: Value?
    /// The number of the rule of the dictionary, if the key is unknown.
    var unknownIn: Int?
    /// The condition that excludes the key.
    var exclusion: SchemaConditions?
    /// The permitted elements of the array.
    var list: SchemaList?
  }

  init(_ schema: PropertyListSchema, _ reportsUnknownKeys: Bool, limit: Int, makeError: @escaping MakeError) {
    nodes = schema.nodes
    domain = schema.domain
    self.reportsUnknownKeys = reportsUnknownKeys
    remaining = limit
    self.makeError = makeError
  }

  /// Returns the values in a document that a schema for `domain` describes, with their paths.
  static func subjects(in root: Value, domain: String?) -> [(path: [String], value: Value)] {
    guard let domain, let content = root["PayloadContent"], content.kind == .array else { return [([], root)] }
    if root["PayloadType"]?.string == domain { return [([], root)] }
    return content.elements.enumerated().filter { $1["PayloadType"]?.string == domain }.map {
      (["PayloadContent", "\($0)"], $1)
    }
  }

  /// Validates a document, and returns the findings in order.
  mutating func validate(_ root: Value) -> [PropertyListSchema.Finding] {
    for (path, value) in Self.subjects(in: root, domain: domain) {
      self.path = path
      subject = value
      isPayload = value["PayloadType"] != nil
      conditionResults = [:]
      visit(value, 0)
      while !stack.isEmpty { step() }
    }
    return findings
  }

  /// Visits the next child of the innermost container, or closes the container.
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
    // A container on the stack keeps its name on the path.
    if stack.count == depth { path.removeLast() }
  }

  /// Checks a key of a dictionary.
  private mutating func check(_ child: Child) {
    if let list = child.list { checkList(list, child.value.scalar, child.value) }
    guard let keyNode = child.keyNode else { return }
    let name = child.name.shownInMessages()
    if let unknown = child.unknownIn, reportsUnknownKeys {
      report(
        .unreadKey, "the key \"\(name)\" is unknown\(suggestion(for: child.name, nodes[unknown].keys.keys.sorted()))",
        keyNode, isError: false, found: "the key \"\(name)\"", expected: "a known key")
    }
    if let rule = child.keyRule { checkScalar(.string(child.name), keyNode, nodes[rule], subject: "the key ") }
    if let exclusion = child.exclusion {
      report(
        .conflict, "the key \"\(name)\" is excluded by the value of \(Self.targets(of: exclusion))", keyNode,
        found: "the key \"\(name)\"", expected: "no such key")
    }
  }

  /// Checks a value, and opens it if it is a container.
  private mutating func visit(_ value: Value, _ rule: Int) {
    guard remaining >= 0 else {
      if !isCutShort {
        report(
          .expandedObjectsLimit, "the document has too many values to validate", value, found: "too many values",
          expected: "fewer values")
      }
      isCutShort = true
      stack.removeAll()
      return
    }
    let node = nodes[rule]
    let kind = value.kind
    guard node.kinds.isEmpty || node.kinds.contains(kind) || (kind == .integer && node.kinds.contains(.real)) else {
      let found = kind.words
      let expected = node.kinds.map(\.words).joined(separator: " or ")
      report(.typeMismatch, "found \(found), expected \(expected)", value, found: found, expected: expected)
      return
    }
    switch kind {
    case .dictionary: open(dictionary: value, node, rule)
    case .array: open(array: value, node)
    default:
      if node.minimum != nil || node.maximum != nil || node.list != nil || node.pattern != nil {
        checkScalar(value.scalar, value, node)
      }
    }
  }

  private mutating func checkScalar(_ scalar: PropertyList, _ value: Value, _ node: SchemaNode, subject: String = "") {
    let found = subject + scalar.words
    let isLow = node.minimum.flatMap { scalar.isLess(than: $0) } ?? false
    let isHigh = node.maximum.flatMap { $0.isLess(than: scalar) } ?? false
    if isLow || isHigh {
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
    guard !list.contains(scalar) else { return }
    let found = subject + scalar.words
    let expected = Self.words(list.values)
    let nearest = scalar.string.map { suggestion(for: $0, list.values.compactMap(\.string)) } ?? ""
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
    remaining -= members.count
    // At the outermost level of a preference file, the keys of payloads are not required.
    let optional = stack.isEmpty && !isPayload ? Self.payloadKeys : []
    let isIncomplete = !node.required.isEmpty || !node.conditional.isEmpty
    let names = isIncomplete ? Set(members.map(\.key)) : []
    var exclusions: [String: SchemaConditions] = [:]
    for key in node.conditional {
      guard let number = node.keys[key] else { continue }
      if let exclusion = nodes[number].excludedWhen.first(where: { holds($0, in: value) }) {
        exclusions[key] = exclusion
      }
    }
    for key in node.required where !names.contains(key) && !optional.contains(key) && exclusions[key] == nil {
      reportMissing(key, node, value, because: nil)
    }
    for key in node.conditional where !names.contains(key) && exclusions[key] == nil {
      guard let number = node.keys[key], !nodes[number].isRequired,
        let reason = nodes[number].requiredWhen.first(where: { holds($0, in: value) })
      else { continue }
      reportMissing(key, node, value, because: reason)
    }
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
    let reason = because.map { "; it is required by the value of \(Self.targets(of: $0))" } ?? ""
    report(
      .missingProperty, "\(name) is missing, expected \(expected)\(reason)", value, found: "no \(name.dropFirst(4))",
      expected: expected)
  }

  private mutating func report(
    _ code: PlistError.Code, _ message: String, _ value: Value, isError: Bool = true, found: String, expected: String
  ) {
    let error = makeError(code, message, value, PropertyListPath(components: path))
    findings.append(PropertyListSchema.Finding(error: error, isError: isError, found: found, expected: expected))
  }

  private func suggestion(for name: String, _ names: @autoclosure () -> [String]) -> String {
    findings.count < Self.suggestionLimit ? NearMiss.suggestion(for: name, among: names()) : ""
  }
}

extension SchemaValidator {
  /// Returns whether all of the conditions hold; `dictionary` is the dictionary of the key.
  private mutating func holds(_ conditions: SchemaConditions, in dictionary: Value) -> Bool {
    if !conditions.isLocal, let result = conditionResults[conditions.number] { return result }
    var result = true
    for condition in conditions.conditions where result {
      var value = conditions.isLocal ? dictionary : subject
      for key in condition.path { value = value?[key] }
      remaining -= value?.count ?? 0
      result = Self.holds(condition, value)
    }
    if !conditions.isLocal { conditionResults[conditions.number] = result }
    return result
  }

  /// Returns whether a condition holds for a value, or for a missing one.
  private static func holds(_ condition: SchemaCondition, _ value: Value?) -> Bool {
    guard let value else {
      if let isPresent = condition.isPresent { return !isPresent }
      return condition.list == nil && condition.containsAny == nil
    }
    let hasLists =
      condition.list != nil || condition.excludedList != nil || condition.containsAny != nil
      || condition.containsNone != nil
    if condition.isPresent == false, !hasLists { return false }
    if let list = condition.list, !list.contains(value) { return false }
    if let list = condition.excludedList, list.contains(value) { return false }
    if let list = condition.containsAny, !value.elements.contains(where: list.contains) { return false }
    if let list = condition.containsNone, value.elements.contains(where: list.contains) { return false }
    return true
  }

  private static func targets(of conditions: SchemaConditions) -> String {
    conditions.conditions.map { "\"\($0.target.shownInMessages())\"" }.joined(separator: " and ")
  }

  /// Returns the words for a range.
  private static func words(_ minimum: PropertyList?, _ maximum: PropertyList?) -> String {
    switch (minimum, maximum) {
    case (let minimum?, let maximum?): "\(minimum.words) to \(maximum.words)"
    case (let minimum?, nil): "at least \(minimum.words)"
    case (nil, let maximum?): "at most \(maximum.words)"
    case (nil, nil): "any value"
    }
  }

  /// Returns the words for a list of values.
  private static func words(_ values: [PropertyList]) -> String {
    let shown = values.prefix(shownLimit).map(\.words).joined(separator: ", ")
    let others = values.count - min(values.count, shownLimit)
    let text = values.count == 1 ? shown : "one of \(shown)"
    return others == 0 ? text : "\(text) and \(others) more"
  }
}

extension SchemaList {
  /// Returns whether the list has the value.
  func contains(_ value: some SchemaValue) -> Bool {
    let scalar = value.scalar
    return scalar.kind == value.kind && contains(scalar)
  }
}
