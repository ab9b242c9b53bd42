public import Plist

extension PropertyListSchema {
  /// Creates a schema from a preference manifest.
  ///
  /// ```swift
  /// let manifest = try PlistDocument(contentsOf: url)
  /// let schema = try PropertyListSchema(manifest: manifest)
  /// for finding in schema.manifestFindings { print("\(url.lastPathComponent): \(finding)") }
  /// ```
  ///
  /// Rules that are malformed or not supported, such as a regular expression with a back reference, are ignored and
  /// reported in ``manifestFindings``. <doc:PlistSchema> lists the keys of manifests and what they do.
  ///
  /// - Parameter manifest: The preference manifest, a dictionary with the key `pfm_subkeys`.
  /// - Throws: `PlistError` for the first mistake if the document is not a preference manifest.
  public init(manifest: PlistDocument) throws(PlistError) {
    try manifest.checkText()
    var reader = ManifestReader(manifest)
    self = try reader.read()
  }
}

/// Reads a manifest with a list of pending definitions instead of recursion.
private struct ManifestReader {
  private let document: PlistDocument
  private var nodes = [SchemaNode()]
  private var definitions: [Definition]
  private var conditions: [PendingCondition] = []
  private var findings: [PropertyListSchema.Finding] = []
  private var stepCount = 0
  private var conditionCount = 0
  /// How many list elements and bytes of text and data may still be read.
  private var remaining: Int
  /// The paths found for the targets of conditions, grouped by the rule they start at.
  private var paths: [Int: SchemaNames<[String]?>] = [:]

  /// The most steps in all regular expressions together; without a limit, a manifest could exhaust memory.
  private static let stepLimit = 200_000

  /// The most definitions, and the most conditions, to bound the memory that a manifest takes.
  private static let definitionLimit = 100_000

  /// The definition of one key, or of the elements of an array.
  private struct Definition {
    let value: PlistNode
    /// The enclosing definition, and this definition's index in its `pfm_subkeys`.
    let parent: Int?
    let position: Int
    /// Nil for the elements of an array.
    let name: String?
    let isElement: Bool
  }

  /// The conditions of a key, read last because they can refer to keys defined further down.
  private struct PendingCondition {
    let definition: Int
    let isExclusion: Bool
    let value: PlistNode
  }

  init(_ document: PlistDocument) {
    self.document = document
    // A binary manifest can refer to the same list or text many times.
    remaining = SchemaLimits(for: document).values
    definitions = [Definition(value: document.root, parent: nil, position: 0, name: nil, isElement: false)]
  }

  mutating func read() throws(PlistError) -> PropertyListSchema {
    try document.validate()
    let root = document.root
    guard root.kind == .dictionary else {
      throw error("the manifest is \(root.kind.words), expected a dictionary", root, 0)
    }
    guard root["pfm_subkeys"] != nil else { throw error("the manifest has no pfm_subkeys", root, 0) }
    nodes[0].kinds = [.dictionary]
    let domain = try text("pfm_domain", 0)
    try readSubkeys(0)
    // Each call appends the definitions of its subkeys.
    var number = 1
    while number < definitions.count {
      try readDefinition(number)
      number += 1
    }
    for condition in conditions { try readConditions(condition) }
    return PropertyListSchema(domain: domain, nodes: nodes, findings: findings)
  }

  /// Reads the rule of a definition into the node with the same index.
  private mutating func readDefinition(_ number: Int) throws(PlistError) {
    let value = definitions[number].value
    try readType(number)
    let requirement = try text("pfm_require", number)
    switch requirement {
    case "always", "always-nested": nodes[number].isRequired = true
    case "push", nil: break
    case let other?:
      warn("the value \"\(other.shownInMessages())\" of pfm_require is unknown", value["pfm_require"] ?? value, number)
    }
    if try field("pfm_required", .boolean, number)?.bool == true { nodes[number].isRequired = true }
    if let list = try field("pfm_range_list", .array, number),
      try field("pfm_range_list_allow_custom_value", .boolean, number)?.bool != true
    {
      nodes[number].list = try self.list(list, number)
    }
    nodes[number].minimum = bound("pfm_range_min", number)
    nodes[number].maximum = bound("pfm_range_max", number)
    try readRepetition(number)
    try readPattern(number)
    for (key, isExclusion) in [("pfm_conditionals", false), ("pfm_exclude", true)] {
      if let value = try field(key, .array, number) {
        conditions.append(PendingCondition(definition: number, isExclusion: isExclusion, value: value))
      }
    }
    try readSubkeys(number)
    enter(number)
  }

  private mutating func readType(_ number: Int) throws(PlistError) {
    guard let type = try text("pfm_type", number) else { return }
    switch type {
    case "string": nodes[number].kinds = [.string]
    case "boolean", "bool": nodes[number].kinds = [.boolean]
    case "integer": nodes[number].kinds = [.integer]
    case "real", "float": nodes[number].kinds = [.real]
    case "date": nodes[number].kinds = [.date]
    case "data": nodes[number].kinds = [.data]
    case "array": nodes[number].kinds = [.array]
    case "dictionary", "dict": nodes[number].kinds = [.dictionary]
    default:
      let value = definitions[number].value
      warn("the value \"\(type.shownInMessages())\" of pfm_type is unknown", value["pfm_type"] ?? value, number)
    }
  }

  private mutating func readPattern(_ number: Int) throws(PlistError) {
    guard let text = try text("pfm_format", number), let value = definitions[number].value["pfm_format"] else { return }
    var reason = "the patterns of the manifest compile to more than \(Self.stepLimit) steps"
    do throws(SchemaPattern.Fault) {
      let pattern = try SchemaPattern(text)
      stepCount += pattern.stepCount
      guard stepCount > Self.stepLimit else {
        nodes[number].pattern = pattern
        return
      }
    } catch { reason = error.reason }
    warn("the pattern \"\(text.shownInMessages())\" is not supported: \(reason)", value, number)
  }

  private mutating func readRepetition(_ number: Int) throws(PlistError) {
    let minimum = try field("pfm_repetition_min", .integer, number)
    let maximum = try field("pfm_repetition_max", .integer, number)
    guard let node = minimum ?? maximum else { return }
    var target = number
    if nodes[number].kinds != [.array] {
      guard let parent = definitions[number].parent, definitions[number].isElement else {
        return warn("pfm_repetition_min and pfm_repetition_max apply only to arrays and their elements", node, number)
      }
      target = parent
    }
    if let count = minimum?.int, count > 0 { nodes[target].minimumCount = count }
    // A negative maximum means that there is no limit.
    if let count = maximum?.int, count >= 0 { nodes[target].maximumCount = count }
  }

  /// Adds a definition for each key of a dictionary, or one for the elements of an array.
  private mutating func readSubkeys(_ number: Int) throws(PlistError) {
    guard let subkeys = try field("pfm_subkeys", .array, number) else { return }
    let isArray = nodes[number].kinds == [.array]
    if !isArray, nodes[number].kinds != [.dictionary] {
      return warn("pfm_subkeys apply only to arrays and dictionaries", subkeys, number)
    }
    guard definitions.count + subkeys.count <= Self.definitionLimit else {
      throw error("the manifest has more than \(Self.definitionLimit) definitions", subkeys, number)
    }
    let elements = subkeys.array.map { Array($0) } ?? []
    if isArray, elements.count > 1 {
      warn(
        "the array has \(elements.count) definitions of its elements, but only one definition is supported", subkeys,
        number)
      return
    }
    nodes[number].isOpen = isArray || elements.isEmpty
    for (position, value) in elements.enumerated() {
      let subkey = definitions.count
      definitions.append(
        Definition(value: value, parent: number, position: position, name: nil, isElement: isArray))
      nodes.append(SchemaNode())
      guard value.kind == .dictionary else {
        throw error("the definition of a key is \(value.kind.words), expected a dictionary", value, subkey)
      }
      if isArray { continue }
      guard let name = try text("pfm_name", subkey) else {
        throw error("the definition of a key has no pfm_name", value, subkey)
      }
      definitions[subkey] = Definition(
        value: value, parent: number, position: position, name: name, isElement: false)
    }
  }

  /// Adds a rule to its dictionary or array.
  private mutating func enter(_ number: Int) {
    let definition = definitions[number]
    guard let parent = definition.parent else { return }
    guard let name = definition.name else {
      nodes[parent].element = number
      return
    }
    switch name {
    case "{{key}}" where nodes[parent].otherKey == nil: nodes[parent].otherKey = number
    case "{{value}}" where nodes[parent].otherValue == nil: nodes[parent].otherValue = number
    case "{{key}}", "{{value}}",
      _ where nodes[parent].keys[name] != nil:
      let value = definition.value["pfm_name"] ?? definition.value
      warn("the key \"\(name.shownInMessages())\" is defined twice", value, number)
    default:
      nodes[parent].keys[name] = number
      // `PFC_` keys are for a profile editor's controls, so documents don't contain them.
      if name.hasPrefix("PFC_") { nodes[number].isRequired = false }
      if nodes[number].isRequired { nodes[parent].required.append(name) }
    }
  }

  private mutating func bound(_ key: String, _ number: Int) -> PropertyList? {
    guard let node = definitions[number].value[key] else { return nil }
    let bound = node.scalar
    let kinds = nodes[number].kinds
    switch bound.kind {
    case .integer, .real: if kinds.isEmpty || kinds == [.integer] || kinds == [.real] { return bound }
    case .date: if kinds.isEmpty || kinds == [.date] { return bound }
    default: break
    }
    let kind = kinds.first.map { " for \($0.words)" } ?? ""
    warn("\(key) is \(bound.words), which is not a valid limit\(kind)", node, number)
    return nil
  }

  private mutating func list(_ node: PlistNode, _ number: Int) throws(PlistError) -> SchemaList {
    try count(node.count, node, number)
    let values = node.elements
    for value in values where value.kind == .array || value.kind == .dictionary {
      warn("a list of values must not contain \(value.kind.words)", value, number)
    }
    var scalars: [PropertyList] = []
    for value in values {
      scalars.append(value.scalar)
      try count(scalars[scalars.count - 1].size, value, number)
    }
    return SchemaList(scalars)
  }
}

extension ManifestReader {
  /// Reads the conditions of a key, each of which is a list of targets that must all match.
  private mutating func readConditions(_ pending: PendingCondition) throws(PlistError) {
    let number = pending.definition
    guard let parent = definitions[number].parent, let name = definitions[number].name,
      nodes[parent].keys[name] != nil
    else {
      return warn("pfm_conditionals and pfm_exclude apply only to the keys of dictionaries", pending.value, number)
    }
    for value in pending.value.elements {
      conditionCount += 1
      guard conditionCount <= Self.definitionLimit else {
        throw error("the manifest has more than \(Self.definitionLimit) conditions", value, number)
      }
      try require(value, .dictionary, "a condition", number)
      let requirement = value["pfm_require"]
      // With `push`, only profiles from a server need the key.
      if !pending.isExclusion, requirement?.string == "push" || name.hasPrefix("PFC_") { continue }
      guard let targets = value["pfm_target_conditions"] else {
        throw error("a condition has no pfm_target_conditions", value, number)
      }
      try require(targets, .array, "pfm_target_conditions", number)
      guard let conditions = try readTargets(targets, parent, number) else { continue }
      if pending.isExclusion {
        nodes[number].excludedWhen.append(conditions)
      } else {
        nodes[number].requiredWhen.append(conditions)
      }
      if nodes[parent].keys[name] == number, nodes[parent].conditional.last?.utf8.elementsEqual(name.utf8) != true {
        nodes[parent].conditional.append(name)
      }
    }
  }

  /// Returns the conditions for these targets, or nil if there are none or one is not a key of the manifest.
  private mutating func readTargets(
    _ targets: PlistNode, _ parent: Int, _ number: Int
  ) throws(PlistError) -> SchemaConditions? {
    var conditions: [SchemaCondition] = []
    try count(targets.count, targets, number)
    for value in targets.elements {
      try require(value, .dictionary, "a condition", number)
      guard let target = value["pfm_target"]?.string else {
        throw error("a condition has no pfm_target", value, number)
      }
      try count(target.utf8.count, value, number)
      var condition = SchemaCondition(target: target)
      condition.isPresent = value["pfm_present"]?.bool
      condition.list = try conditionList("pfm_range_list", value, number)
      condition.excludedList = try conditionList("pfm_n_range_list", value, number)
      condition.containsAny = try conditionList("pfm_contains_any", value, number)
      condition.containsNone = try conditionList("pfm_n_contains_any", value, number)
      conditions.append(condition)
    }
    guard !conditions.isEmpty else { return nil }
    // Paths start at the root if all targets can be found from there, and otherwise at the key's dictionary.
    let global = conditions.compactMap { path(of: $0.target, from: 0) }
    let isLocal = global.count < conditions.count
    let paths = isLocal ? conditions.compactMap { path(of: $0.target, from: parent) } : global
    guard paths.count == conditions.count else {
      let missing = conditions.firstIndex {
        path(of: $0.target, from: 0) == nil && path(of: $0.target, from: parent) == nil
      }
      let index = missing ?? 0
      warn(
        "the target \"\(conditions[index].target.shownInMessages())\" of a condition is not a key of the manifest",
        targets.elements[index], number)
      return nil
    }
    for (index, path) in paths.enumerated() { conditions[index].path = path }
    return SchemaConditions(number: conditionCount, isLocal: isLocal, conditions: conditions)
  }

  private mutating func conditionList(
    _ key: String, _ value: PlistNode, _ number: Int
  ) throws(PlistError) -> SchemaList? {
    guard let node = value[key] else { return nil }
    try require(node, .array, key, number)
    return try list(node, number)
  }

  private mutating func path(of target: String, from start: Int) -> [String]? {
    if let path = paths[start]?[target] { return path }
    let path = nodes.path(of: target, from: start)
    paths[start, default: SchemaNames()][target] = .some(path)
    return path
  }
}

extension ManifestReader {
  /// Returns the value of a key in a definition, if there is one.
  ///
  /// - Throws: `PlistError` if the value is of another kind.
  private mutating func field(
    _ key: String, _ kind: PropertyList.Kind, _ number: Int
  ) throws(PlistError) -> PlistNode? {
    guard let node = definitions[number].value[key] else { return nil }
    try require(node, kind, key, number)
    return node
  }

  private mutating func text(_ key: String, _ number: Int) throws(PlistError) -> String? {
    guard let node = try field(key, .string, number), let text = node.string else { return nil }
    try count(text.utf8.count, node, number)
    return text
  }

  /// Counts values or bytes as read, and throws when they exceed the limit.
  private mutating func count(_ count: Int, _ node: PlistNode, _ number: Int) throws(PlistError) {
    remaining -= count
    guard remaining >= 0 else {
      throw error("the lists and texts of the manifest are too large", node, number, .expandedObjectsLimit)
    }
  }

  private mutating func require(
    _ node: PlistNode, _ kind: PropertyList.Kind, _ name: String, _ number: Int
  ) throws(PlistError) {
    guard node.kind != kind else { return }
    throw error("\(name) is \(node.kind.words), expected \(kind.words)", node, number)
  }

  private mutating func warn(_ message: String, _ node: PlistNode, _ number: Int) {
    guard findings.count < PropertyListSchema.maximumFindings else { return }
    findings.append(
      PropertyListSchema.Finding(error: error("\(message); the rule is not enforced", node, number), isError: false))
  }

  /// Returns an error with the position of a node and the path of a definition in the manifest.
  private mutating func error(
    _ message: String, _ node: PlistNode, _ number: Int, _ code: PlistError.Code = .invalidValue
  ) -> PlistError {
    var components: [String] = []
    var current = number
    while let parent = definitions[current].parent {
      components += ["\(definitions[current].position)", "pfm_subkeys"]
      current = parent
    }
    return node.error(code, message, path: PropertyListPath(components: components.reversed()))
  }
}
