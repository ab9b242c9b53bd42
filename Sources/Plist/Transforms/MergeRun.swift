/// A merge of three property lists, container by container.
///
/// A container that both sides may have changed becomes a frame with a slot for each key or element. A slot is filled
/// immediately, or later by the frame of a nested container. Frames come before the frames inside them, so in reverse
/// order, the inner values are complete when a container is put together. This does not recurse, because values can
/// nest to any depth.
struct MergeRun {
  private let rules: PropertyListMerge.Rules
  private let side: PropertyListMerge.Side
  private var frames: [Frame] = []
  private var pending: [Triple] = []
  private var conflicts: [(parent: Int, slot: Int, conflict: PropertyListMerge.Conflict)] = []

  /// The versions of a value to merge, and the slot for the result.
  private struct Triple {
    var parent: Int
    var slot: Int
    var base: PropertyList?
    var ours: PropertyList?
    var theirs: PropertyList?
  }

  private struct Frame {
    let parent: Int
    let slot: Int
    /// The number of components in the paths of the slots.
    let level: Int
    /// The keys of the slots, or nil for an array.
    var keys: [String]?
    /// The merged values, with nil for removed ones.
    var values: [PropertyList?]
    /// The container in `ours`, if its pairs or elements are the slots.
    var ours: PropertyList?
    /// Whether a slot differs from ``ours``.
    var isChanged = false
    /// A slot of an array, and the number of values before it.
    ///
    /// Counting continues from the last slot, because paths are usually requested in the order of the slots.
    private var counted = (slot: 0, index: 0)

    init(
      parent: Int, slot: Int, level: Int, keys: [String]? = nil, values: [PropertyList?], ours: PropertyList? = nil
    ) {
      (self.parent, self.slot, self.level) = (parent, slot, level)
      (self.keys, self.values, self.ours) = (keys, values, ours)
    }

    /// Returns the key or the index of a slot in the merged container.
    mutating func component(_ slot: Int) -> String {
      if let keys { return keys[slot] }
      if slot < counted.slot { counted = (0, 0) }
      counted.index += values[counted.slot..<slot].count { $0 != nil }
      counted.slot = slot
      return String(counted.index)
    }

    var merged: PropertyList {
      if let ours, !isChanged { return ours }
      guard let keys else { return .array(values.compactMap { $0 }) }
      guard values.contains(where: { $0 == nil }) else {
        return .dictionary(PropertyListDictionary(uniqueKeys: PropertyListKeys(keys), values: values.compactMap { $0 }))
      }
      let kept = keys.indices.filter { values[$0] != nil }
      return .dictionary(
        PropertyListDictionary(
          uniqueKeys: PropertyListKeys(kept.map { keys[$0] }), values: kept.compactMap { values[$0] }))
    }
  }

  init(rules: PropertyListMerge.Rules, side: PropertyListMerge.Side) {
    self.rules = rules
    self.side = side
  }

  mutating func merged(
    _ base: PropertyList?, _ ours: PropertyList, _ theirs: PropertyList
  ) -> (PropertyList, [PropertyListMerge.Conflict]) {
    // The root is the only slot of the outermost frame.
    frames = [Frame(parent: 0, slot: 0, level: 0, values: [ours], ours: .array([ours]))]
    merge(Triple(parent: 0, slot: 0, base: base, ours: ours, theirs: theirs))
    while let triple = pending.popLast() { merge(triple) }
    for index in frames.indices.dropFirst().reversed() {
      let frame = frames[index]
      frames[frame.parent].values[frame.slot] = frame.merged
      if frame.ours == nil || frame.isChanged { frames[frame.parent].isChanged = true }
    }
    // Comparing the slots that lead from the root to each conflict puts the conflicts in the order of the merged value.
    let inOrder = conflicts.map { (slots: slots($0.parent, $0.slot), conflict: $0) }
      .sorted { $0.slots.lexicographicallyPrecedes($1.slots) }.map(\.conflict)
    return (frames[0].values[0] ?? ours, inOrder.map { $0.conflict.at(path($0.parent, $0.slot)) })
  }

  // MARK: Values

  private mutating func merge(_ triple: Triple) {
    switch (triple.ours, triple.theirs) {
    case (.dictionary(let ours)?, .dictionary(let theirs)?):
      var base = PropertyListDictionary()
      if case .dictionary(let old)? = triple.base { base = old }
      merge(triple, base, ours, theirs)
    case (.array(let ours)?, .array(let theirs)?):
      guard case .array(let base)? = triple.base else { return merge(triple, nil, ours, theirs) }
      merge(triple, base, ours, theirs)
    default: mergeWhole(triple)
    }
  }

  /// Merges values as a whole, without merging their contents.
  private mutating func mergeWhole(_ triple: Triple) {
    if triple.ours == triple.theirs || triple.theirs == triple.base { return }
    if triple.ours == triple.base { return fill(triple, with: triple.theirs) }
    conflict(triple)
  }

  private mutating func fill(_ triple: Triple, with value: PropertyList?) {
    frames[triple.parent].values[triple.slot] = value
    frames[triple.parent].isChanged = true
  }

  private mutating func conflict(_ triple: Triple) {
    let kind: PropertyListMerge.Conflict.Kind =
      triple.ours == nil || triple.theirs == nil ? .changedAndRemoved : triple.base == nil ? .bothAdded : .bothChanged
    if let ours = triple.ours, let theirs = triple.theirs,
      rule(triple, where: { $0 == .higherVersion }) != nil, let higher = Self.higherVersion(ours, theirs)
    {
      if higher != ours { fill(triple, with: higher) }
      return
    }
    let conflict = PropertyListMerge.Conflict(
      path: PropertyListPath(), kind: kind, base: triple.base, ours: triple.ours, theirs: triple.theirs)
    conflicts.append((triple.parent, triple.slot, conflict))
    let value = side.value(triple.base, triple.ours, triple.theirs)
    if value != triple.ours { fill(triple, with: value) }
  }

  /// Returns the higher of two versions such as `1.9` and `1.10`, or nil if they are equal or not both versions.
  private static func higherVersion(_ ours: PropertyList, _ theirs: PropertyList) -> PropertyList? {
    func parts(_ value: PropertyList) -> [Int]? {
      guard case .string(let text) = value else { return value.int.map { [$0] } }
      let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
      guard parts.allSatisfy({ ($0 ?? -1) >= 0 }) else { return nil }
      var numbers = parts.compactMap { $0 }
      while numbers.last == 0 { numbers.removeLast() }
      return numbers
    }
    guard let first = parts(ours), let second = parts(theirs), first != second else { return nil }
    return first.lexicographicallyPrecedes(second) ? theirs : ours
  }

  private mutating func rule(
    _ triple: Triple, where isWanted: (PropertyListMerge.Rules.Rule) -> Bool
  ) -> PropertyListMerge.Rules.Rule? {
    let level = frames[triple.parent].level
    let rules = rules.rules.filter { isWanted($0.rule) && $0.query.mayMatch(count: level) }
    if rules.isEmpty { return nil }
    let path = path(triple.parent, triple.slot)
    return rules.last { $0.query.matches(path) }?.rule
  }

  // MARK: Dictionaries

  private mutating func merge(
    _ triple: Triple, _ base: PropertyListDictionary, _ ours: PropertyListDictionary, _ theirs: PropertyListDictionary
  ) {
    let frame = frames.count
    var keys = ours.keyStorage.keys
    var values: [PropertyList?] = ours.valueStorage
    // Most keys have the same neighbors in all three dictionaries, so look-ups are rare.
    var (baseHint, theirsHint, oursHint) = (0, 0, 0)
    let additions = theirs.keyStorage.keys.filter { ours.position(of: $0, hint: &oursHint) == nil }
    if !additions.isEmpty {
      let order = Self.order(base, ours, theirs)
      keys = order.map(\.key)
      values = order.map { $0.ours.map { ours.valueStorage[$0] } }
    }
    frames.append(
      Frame(
        parent: triple.parent, slot: triple.slot, level: frames[triple.parent].level + 1, keys: keys, values: values,
        ours: .dictionary(ours)))
    let firstPending = pending.count
    for (slot, key) in keys.enumerated() {
      let child = Triple(
        parent: frame, slot: slot, base: base.position(of: key, hint: &baseHint).map { base.valueStorage[$0] },
        ours: values[slot], theirs: theirs.position(of: key, hint: &theirsHint).map { theirs.valueStorage[$0] })
      switch (child.ours, child.theirs) {
      case (.dictionary?, let other?), (.array?, let other?):
        if let old = child.base, other.isPlainlyEqual(to: old) { continue }
        if other.isContainer { pending.append(child) } else { mergeWhole(child) }
      default: mergeWhole(child)
      }
    }
    pending[firstPending...].reverse()
  }

  /// Returns the keys of our dictionary and theirs.
  ///
  /// Our keys keep their order, and keys that only their side has follow the same neighbors as on that side.
  private static func order(
    _ base: PropertyListDictionary, _ ours: PropertyListDictionary, _ theirs: PropertyListDictionary
  ) -> [(key: String, ours: Int?)] {
    let keys = ours.keyStorage.keys
    var added = [[String]](repeating: [], count: keys.count + 1)
    var hint = 0
    var place = 0
    for key in theirs.keyStorage.keys {
      if let position = ours.position(of: key, hint: &hint) {
        place = position + 1
      } else {
        while place < keys.count, base[keys[place]] == nil, theirs[keys[place]] == nil { place += 1 }
        added[place].append(key)
      }
    }
    var result: [(key: String, ours: Int?)] = []
    for position in 0...keys.count {
      result += added[position].map { ($0, nil) }
      if position < keys.count { result.append((keys[position], position)) }
    }
    return result
  }

  // MARK: Arrays

  private mutating func merge(
    _ triple: Triple, _ base: [PropertyList]?, _ ours: [PropertyList], _ theirs: [PropertyList]
  ) {
    if ours == theirs || theirs == base { return }
    if ours == base { return fill(triple, with: triple.theirs) }
    let all = [base ?? [], ours, theirs]
    let chosen = rule(triple, where: { $0 != .higherVersion })
    let identity: String? =
      switch chosen {
      case .list, .set: nil
      case .identity(let key): Self.isIdentity(key, in: all) ? key : nil
      default: Self.identityKeys.first { Self.isIdentity($0, in: all) }
      }
    if let identity { return mergeElements(triple, all, identity) }
    var numbers = ElementNumbers()
    let sequences = all.map { numbers.of($0) }
    let isSet = chosen == .set || chosen != .list && all.allSatisfy { $0.allSatisfy { $0.kind == .string } }
    if isSet { return mergeSet(triple, all, sequences) }
    if base == nil { return conflict(triple) }
    mergeList(triple, all, sequences)
  }

  /// Keys that identify a dictionary in an array.
  private static let identityKeys = [
    "identifier", "id", "uuid", "UUID", "PayloadUUID", "PayloadIdentifier", "CFBundleURLName", "CFBundleTypeName",
    "UTTypeIdentifier", "UIApplicationShortcutItemType", "UISceneConfigurationName", "NSPrivacyAccessedAPIType",
    "NSPrivacyCollectedDataType", "SKAdNetworkIdentifier", "Identifier", "Key", "key", "Name", "name",
  ]

  /// Whether all elements are dictionaries with a string for a key, and no two elements of an array share a string.
  private static func isIdentity(_ key: String, in arrays: [[PropertyList]]) -> Bool {
    arrays.allSatisfy { elements in
      var seen: Set<ExactKey> = []
      return elements.allSatisfy {
        guard case .dictionary(let dictionary) = $0, case .string(let name)? = dictionary[key] else { return false }
        return seen.insert(ExactKey(name)).inserted
      }
    }
  }

  /// Merges arrays by pairing the elements that have the same string for a key.
  private mutating func mergeElements(_ triple: Triple, _ all: [[PropertyList]], _ key: String) {
    var numbers: [ExactKey: Int] = [:]
    let sequences = all.map { elements in
      elements.map { element in
        let name = ExactKey(element.dictionary?[key]?.string ?? "")
        if let number = numbers[name] { return number }
        numbers[name] = numbers.count
        return numbers.count - 1
      }
    }
    var places = [[Int?]](repeating: [Int?](repeating: nil, count: numbers.count), count: 3)
    for (side, sequence) in sequences.enumerated() {
      for (index, number) in sequence.enumerated() { places[side][number] = index }
    }
    func value(_ side: Int, _ number: Int) -> PropertyList? { places[side][number].map { all[side][$0] } }
    let order = MergedOrder(sequences[0], sequences[1], sequences[2]).elements { ours, theirs, _ in
      max(ours, theirs)
    }
    open(triple, order.map { (value(0, $0), value(1, $0), value(2, $0)) })
  }

  private mutating func mergeSet(_ triple: Triple, _ all: [[PropertyList]], _ sequences: [[Int]]) {
    let order = MergedOrder(sequences[0], sequences[1], sequences[2]).elements { ours, theirs, base in
      ours == base ? theirs : theirs == base ? ours : max(ours, theirs)
    }
    if order == sequences[1] { return }
    var values: [PropertyList] = []
    for (sequence, elements) in zip(sequences, all) {
      for (number, element) in zip(sequence, elements) where number >= values.count { values.append(element) }
    }
    fill(triple, with: .array(order.map { values[$0] }))
  }

  private mutating func mergeList(_ triple: Triple, _ all: [[PropertyList]], _ sequences: [[Int]]) {
    let (base, ours, theirs) = (sequences[0], sequences[1], sequences[2])
    let chunks = ThreeWayChunk.chunks(
      SequenceAlignment.gaps(base, ours), SequenceAlignment.gaps(base, theirs), joinsAdjacent: false)
    var slots: [(PropertyList?, PropertyList?, PropertyList?)] = []
    func add(_ elements: some Sequence<PropertyList>) { slots += elements.map { ($0, $0, $0) } }
    var position = 0
    for chunk in chunks {
      add(all[1][position..<chunk.ours.lowerBound])
      position = chunk.ours.upperBound
      if base[chunk.base] == ours[chunk.ours] {
        add(all[2][chunk.theirs])
      } else if base[chunk.base] == theirs[chunk.theirs] || ours[chunk.ours] == theirs[chunk.theirs] {
        add(all[1][chunk.ours])
      } else if chunk.base.isEmpty {
        add(all[1][chunk.ours])
        var left = ours[chunk.ours].reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
        for (number, element) in zip(theirs[chunk.theirs], all[2][chunk.theirs]) {
          if let count = left[number], count > 0 { left[number] = count - 1 } else { add([element]) }
        }
      } else if chunk.base.count == chunk.ours.count, chunk.base.count == chunk.theirs.count {
        for index in 0..<chunk.base.count {
          slots.append(
            (
              all[0][chunk.base.lowerBound + index], all[1][chunk.ours.lowerBound + index],
              all[2][chunk.theirs.lowerBound + index]
            ))
        }
      } else {
        return conflict(triple)
      }
    }
    add(all[1][position...])
    open(triple, slots)
  }

  private mutating func open(_ triple: Triple, _ slots: [(PropertyList?, PropertyList?, PropertyList?)]) {
    let frame = frames.count
    let level = frames[triple.parent].level + 1
    frames.append(Frame(parent: triple.parent, slot: triple.slot, level: level, values: slots.map(\.1)))
    let children = slots.enumerated().map { slot, values in
      Triple(parent: frame, slot: slot, base: values.0, ours: values.1, theirs: values.2)
    }
    pending += children.reversed()
  }

  // MARK: Paths

  private func slots(_ frame: Int, _ slot: Int) -> [Int] {
    var slots: [Int] = []
    var (frame, slot) = (frame, slot)
    while frame != 0 {
      slots.append(slot)
      (frame, slot) = (frames[frame].parent, frames[frame].slot)
    }
    return slots.reversed()
  }

  private mutating func path(_ frame: Int, _ slot: Int) -> PropertyListPath {
    var components: [String] = []
    var (frame, slot) = (frame, slot)
    while frame != 0 {
      components.append(frames[frame].component(slot))
      (frame, slot) = (frames[frame].parent, frames[frame].slot)
    }
    return PropertyListPath(components: components.reversed())
  }
}

/// A merge of the order of elements in two sequences with a common base.
///
/// Elements that neither side has removed keep their order. If both sides insert elements at the same place, ours come
/// first.
private struct MergedOrder {
  /// The origin of an element in the merged order.
  ///
  /// If there are more occurrences than wanted, the ones with earlier origins are kept.
  private enum Origin: Int, CaseIterable { case both, ours, theirs, onlyOurs, onlyTheirs }

  private let base: [Int]
  private let ours: [Int]
  private let theirs: [Int]

  init(_ base: [Int], _ ours: [Int], _ theirs: [Int]) { (self.base, self.ours, self.theirs) = (base, ours, theirs) }

  /// Returns the elements of the merged sequence.
  ///
  /// `count` returns how often an element occurs in the result, given how often it occurs in ours, theirs and the base:
  /// at most the greater of the first two.
  func elements(count: (_ ours: Int, _ theirs: Int, _ base: Int) -> Int) -> [Int] {
    let candidates = candidates
    let end = 1 + max(base.max() ?? 0, ours.max() ?? 0, theirs.max() ?? 0)
    let counts = [base, ours, theirs].map { elements in
      var counts = [Int](repeating: 0, count: end)
      for element in elements { counts[element] += 1 }
      return counts
    }
    var wanted = (0..<end).map { count(counts[1][$0], counts[2][$0], counts[0][$0]) }
    var isKept = [Bool](repeating: false, count: candidates.count)
    for origin in Origin.allCases {
      for (index, candidate) in candidates.enumerated() where candidate.origin == origin {
        guard wanted[candidate.element] > 0 else { continue }
        wanted[candidate.element] -= 1
        isKept[index] = true
      }
    }
    return candidates.indices.filter { isKept[$0] }.map { candidates[$0].element }
  }

  private var candidates: [(element: Int, origin: Origin)] {
    var (oursGaps, theirsGaps) = (SequenceAlignment.gaps(base, ours)[...], SequenceAlignment.gaps(base, theirs)[...])
    var (oursRemoved, theirsRemoved) = (0..<0, 0..<0)
    var result: [(element: Int, origin: Origin)] = []
    for position in 0...base.count {
      if let gap = oursGaps.first, gap.removed.lowerBound == position {
        oursGaps.removeFirst()
        oursRemoved = gap.removed
        result += ours[gap.inserted].map { ($0, .ours) }
      }
      if let gap = theirsGaps.first, gap.removed.lowerBound == position {
        theirsGaps.removeFirst()
        theirsRemoved = gap.removed
        result += theirs[gap.inserted].map { ($0, .theirs) }
      }
      guard position < base.count else { break }
      switch (oursRemoved.contains(position), theirsRemoved.contains(position)) {
      case (false, false): result.append((base[position], .both))
      case (false, true): result.append((base[position], .onlyOurs))
      case (true, false): result.append((base[position], .onlyTheirs))
      case (true, true): break
      }
    }
    return result
  }
}

extension PropertyListMerge.Side {
  /// Returns this side's value.
  fileprivate func value(_ base: PropertyList?, _ ours: PropertyList?, _ theirs: PropertyList?) -> PropertyList? {
    switch self {
    case .base: base
    case .ours: ours
    case .theirs: theirs
    }
  }
}

extension PropertyListMerge.Conflict {
  fileprivate func at(_ path: PropertyListPath) -> Self {
    Self(path: path, kind: kind, base: base, ours: ours, theirs: theirs)
  }
}
