#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A property list being encoded, as a flat array of entries linked by index.
///
/// The encoder appends entries, and a format's writer reads them when the root or a batch of its elements is complete.
/// An entry is a scalar or a container. A container's children are linked in order but need not be adjacent, so a type
/// can add to several containers in turn.
///
/// A value that throws is never linked to its container. The contents of a replaced value stay on the tape but are no
/// longer linked. Entries are removed when the encoding ends or when elements of a root array have been written.
///
/// An entry takes 32 bytes. Text and data are stored separately: short strings are copied, but longer strings and data
/// are kept as the caller's `String` and `Data`.
final class EncodingTape {
  let entries = Arena<TapeEntry>()
  let containers = Arena<TapeContainer>()
  let texts = Arena<String>()
  let copiedTexts = TextArena()
  /// Whether strings of up to ``longestCopiedText`` bytes are copied to ``copiedTexts``.
  ///
  /// Retaining a string is an atomic operation that waits for its bytes to reach the caches. Copying short strings
  /// instead saves 5 % for 60,000 records as XML, and 7 % as binary. A `PropertyList` contains the caller's strings, so
  /// nothing is copied for it.
  private(set) var copiesText = false
  static let longestCopiedText = 256
  /// Whether URLs and `Decimal` values are encoded as in JSON.
  private(set) var writesJSON = false
  let datas = Arena<Data>(capacity: 2)
  let arrays = Arena<TapeArray>(capacity: 2)
  let keys = KeyTable()
  /// For each container that a writer has begun but not ended, whether its parent is a dictionary, and the parent's
  /// next entry.
  ///
  /// Keeping this memory for the next document saves 3 % of the instructions for encoding 1 KB.
  let open = Arena<(isInDictionary: Bool, next: Int32)>()
  /// The coding keys of nested containers and super encoders, by tape entry, for use in coding paths.
  private(set) var codingKeys: [Int32: any CodingKey] = [:]
  /// How many times a value has been stored in an existing entry.
  private(set) var fillCount = 0
  /// Whether elements of a root array have been written and removed.
  private(set) var isPartlyWritten = false

  static let root: Int32 = 0

  /// Begins an encoding; `copiesText` determines whether short strings are copied.
  func restart(converting strategy: PlistEncoder.KeyEncodingStrategy, copiesText: Bool, writesJSON: Bool) {
    (self.copiesText, self.writesJSON) = (copiesText, writesJSON)
    keys.restart(converting: strategy)
    entries.append(TapeEntry())
  }

  /// Removes all values, and all keys if there are many, but keeps some memory for the next encoding.
  func forget() {
    entries.removeAll(keeping: Self.keptCount)
    containers.removeAll(keeping: Self.keptCount)
    texts.removeAll(keeping: Self.keptCount)
    copiedTexts.removeAll(keeping: 1 << 16)
    datas.removeAll(keeping: Self.keptCount)
    arrays.removeAll(keeping: Self.keptCount)
    // Replacing an empty dictionary takes longer than checking whether it is empty.
    if !codingKeys.isEmpty { codingKeys = [:] }
    keys.forget()
    isPartlyWritten = false
  }

  /// The most entries whose memory is kept for the next encoding.
  private static var keptCount: Int { 4096 }

  /// Whether there are so many entries that the root array's complete elements should be written and removed.
  ///
  /// Removing them takes time proportional to the number of keys, so there must be at least as many entries as keys.
  var hasManyEntries: Bool { entries.count >= max(2048, keys.keys.count) }

  /// Removes everything except the root array, which keeps its element count.
  ///
  /// Indices are reused, so no container or encoder may refer to anything removed.
  func removeElements() {
    entries.truncate(to: 1)
    containers.truncate(to: 1)
    (containers[0].first, containers[0].last) = (-1, -1)
    texts.truncate(to: 0)
    copiedTexts.removeAll()
    datas.truncate(to: 0)
    arrays.truncate(to: 0)
    if !codingKeys.isEmpty { codingKeys = [:] }
    keys.removeEntries()
    isPartlyWritten = true
  }
}

// MARK: Children

extension EncodingTape {
  /// Returns the index of the key `name` in the ``KeyTable``, and predicts the container's next key.
  func number(ofKey name: String, in container: Int32) -> Int32 {
    var used = containers[Int(container)]
    let number = keys.number(of: name, expecting: used.expectedKey, after: used.lastKey)
    used.lastKey = number
    used.expectedKey = keys.keys[Int(number)].successor
    containers[Int(container)] = used
    return number
  }

  /// Sets the value of a key in a dictionary.
  ///
  /// This is the fast path for the usual case: a predicted, unconverted key that is new in the dictionary.
  @inline(never)
  func put(_ scalar: TapeScalar, forKey name: String, in container: Int32) {
    let used = containers[Int(container)]
    let key = used.expectedKey
    guard key >= 0, keys.isASCIIKey(key, named: name) else {
      return putUnexpected(scalar, forKey: name, in: container)
    }
    let keyEntry = keys.keys[Int(key)]
    guard keyEntry.output == key, keyEntry.newestEntry < used.start else {
      return putUnexpected(scalar, forKey: name, in: container)
    }
    let entry = append(TapeEntry(scalar, key: key, original: key, earlier: keyEntry.newestEntry, parent: container)) {
      $0.lastKey = key
      $0.expectedKey = keyEntry.successor
    }
    keys.setNewestEntry(of: key, to: entry)
  }

  @inline(never)
  private func putUnexpected(_ scalar: TapeScalar, forKey name: String, in container: Int32) {
    let original = number(ofKey: name, in: container)
    link(scalar, keys.name(for: original), original, in: container)
  }

  /// Sets the value of a key in a dictionary, and returns its entry.
  ///
  /// If the key already has a value, it is replaced, and the key keeps its position. `original` and `key` are the key's
  /// ``KeyTable`` indices before and after conversion.
  @discardableResult
  func link(_ scalar: TapeScalar, _ key: Int32, _ original: Int32, in container: Int32) -> Int32 {
    let newest = keys.newestEntry(of: key)
    if newest >= containers[Int(container)].start, let entry = entry(of: key, in: container) {
      fill(entry, with: scalar)
      if scalar.kind.isContainer { containers[Int(scalar.payload)].entry = entry }
      return entry
    }
    let entry = append(TapeEntry(scalar, key: key, original: original, earlier: newest, parent: container))
    keys.setNewestEntry(of: key, to: entry)
    if scalar.kind.isContainer { containers[Int(scalar.payload)].entry = entry }
    return entry
  }

  /// Stores an unconverted key, and returns a negative number for it: the bitwise complement of its index in ``texts``.
  func key(named name: String) -> Int32 {
    texts.append(name)
    return ~Int32(truncatingIfNeeded: texts.count &- 1)
  }

  /// Appends a pair to a dictionary that doesn't have the key yet; `key` is a number returned by ``key(named:)``.
  ///
  /// `original` is the key before conversion, or nil if it was not converted.
  @discardableResult
  func link(_ scalar: TapeScalar, newKey key: Int32, original: Int32? = nil, in container: Int32) -> Int32 {
    let entry = append(TapeEntry(scalar, key: key, original: original ?? key, earlier: -1, parent: container))
    if scalar.kind.isContainer { containers[Int(scalar.payload)].entry = entry }
    return entry
  }

  @discardableResult
  func link(_ scalar: TapeScalar, in container: Int32) -> Int32 {
    let position = containers[Int(container)].count
    let entry = append(TapeEntry(scalar, key: -1, original: position, earlier: -1, parent: container))
    if scalar.kind.isContainer { containers[Int(scalar.payload)].entry = entry }
    return entry
  }

  /// Appends an entry to its container, applies `update` to the container, and returns the entry's index.
  @inline(__always)
  private func append(_ entry: TapeEntry, update: (inout TapeContainer) -> Void = { _ in }) -> Int32 {
    let count = entries.count
    precondition(count < Int(Int32.max), "an encoder can encode at most 2^31 - 1 values")
    let number = Int32(truncatingIfNeeded: count)
    entries.append(entry)
    // The container is read, changed and written back without other writes in between, so that the compiler does not
    // write fields that have not changed.
    var children = containers[Int(entry.parent)]
    let last = children.last
    children.last = number
    children.count &+= 1
    if last < 0 { children.first = number }
    update(&children)
    containers[Int(entry.parent)] = children
    if last >= 0 { entries[Int(last)].next = number }
    return number
  }

  /// Returns the entry of a key in a dictionary, if there is one.
  ///
  /// All entries with the same key form a chain, in the order in which they were linked. The search goes backward from
  /// the end of the chain and stops at the first entry that is older than the dictionary. Other open dictionaries can
  /// also have the key and make the chain long, so each step also checks one child of the dictionary, and the search
  /// ends after the last child.
  @inline(never)
  func entry(of key: Int32, in container: Int32) -> Int32? {
    var entry = keys.newestEntry(of: key)
    var child = containers[Int(container)].first
    while entry >= containers[Int(container)].start, child >= 0 {
      if entries[Int(entry)].parent == container { return entry }
      if entries[Int(child)].key == key { return child }
      entry = entries[Int(entry)].earlier
      child = entries[Int(child)].next
    }
    return nil
  }

  /// Appends an entry that will be linked to its container once its value has been encoded.
  func appendUnlinked(_ key: Int32, _ original: Int32, in container: Int32) -> Int32 {
    precondition(entries.count < Int(Int32.max), "an encoder can encode at most 2^31 - 1 values")
    entries.append(TapeEntry(TapeScalar(), key: key, original: original, earlier: -1, parent: container))
    return Int32(truncatingIfNeeded: entries.count &- 1)
  }

  func fill(_ entry: Int32, with scalar: TapeScalar) {
    fillCount &+= 1
    entries[Int(entry)].scalar = scalar
  }

  /// Removes the value of an entry after an error.
  func clear(_ entry: Int32) { entries[Int(entry)].scalar = TapeScalar() }

  func note(_ key: some CodingKey, of entry: Int32) {
    // Releasing the old key can call code that reads ``codingKeys``, so store the new one first.
    let old = codingKeys[entry]
    codingKeys[entry] = key
    withExtendedLifetime(old) {}
  }
}

// MARK: Containers

extension EncodingTape {
  /// Makes an empty entry a container, and returns the container's index.
  func beginContainer(_ kind: TapeEntry.Kind, _ entry: Int32) -> Int32 {
    let number = Int32(truncatingIfNeeded: containers.count)
    let parent = entries[Int(entry)].parent
    containers.append(
      TapeContainer(
        entry: entry, isArray: kind == .array, start: Int32(truncatingIfNeeded: entries.count),
        depth: parent >= 0 ? max(containers[Int(parent)].depth, containers[Int(parent)].depth &+ 1) : 1))
    entries[Int(entry)].scalar = TapeScalar(kind, UInt64(truncatingIfNeeded: number))
    return number
  }

  /// Predicts a container's first key from an earlier container with the same coding-key type, whose hash value is
  /// `slot`.
  func expectKeys(_ slot: Int, in container: Int32) {
    var used = containers[Int(container)]
    guard used.lastKey == TapeContainer.unknownKeys else { return }
    used.lastKey = ~Int32(truncatingIfNeeded: slot)
    used.expectedKey = keys.beginning(slot)
    containers[Int(container)] = used
  }

  /// Prepares a container for more values, and returns its index.
  ///
  /// The scalars of a ``TapeArray`` become entries, and the keys of a dictionary are added to the ``KeyTable``.
  func reopenContainer(_ entry: Int32) -> Int32 {
    guard entries[Int(entry)].kind == .scalars else {
      let container = Int32(truncatingIfNeeded: entries[Int(entry)].payload)
      if !containers[Int(container)].isArray { internKeys(of: container) }
      return container
    }
    let array = arrays[Int(entries[Int(entry)].payload)]
    let container = beginContainer(.array, entry)
    switch array {
    case .strings(let elements): for element in elements { link(scalar(element), in: container) }
    case .integers(let elements): for element in elements { link(TapeScalar(element), in: container) }
    case .reals(let elements): for element in elements { link(TapeScalar(element), in: container) }
    }
    return container
  }

  private func internKeys(of container: Int32) {
    containers[Int(container)].isReopened = true
    var entry = containers[Int(container)].first
    guard entry >= 0, entries[Int(entry)].key < 0 else { return }
    (containers[Int(container)].first, containers[Int(container)].last) = (-1, -1)
    containers[Int(container)].count = 0
    while entry >= 0 {
      let old = entries[Int(entry)]
      let key = keys.number(of: texts[Int(~old.key)])
      link(old.scalar, key, key, in: container)
      entry = old.next
    }
  }

  /// Stores a property list in an entry, without recursion, so that a deep one does not exhaust the stack.
  ///
  /// If the list nests deeper than `deepest` levels on the tape, returns false and leaves the entry without a value.
  func fill(_ entry: Int32, with list: PropertyList, deepest: Int) -> Bool {
    let root = entry
    var open = [(entry: entry, list: list)]
    while let (entry, list) = open.popLast() {
      switch list {
      case .array(let elements):
        let container = beginContainer(.array, entry)
        guard isWithin(deepest, container, root) else { return false }
        for element in elements {
          let child = link(scalar(element), in: container)
          if element.isContainer { open.append((child, element)) }
        }
      case .dictionary(let dictionary):
        let container = beginContainer(.dictionary, entry)
        guard isWithin(deepest, container, root) else { return false }
        for (key, value) in dictionary {
          let child = link(scalar(value), newKey: self.key(named: key), in: container)
          if value.isContainer { open.append((child, value)) }
        }
      default: fill(entry, with: scalar(list))
      }
    }
    return true
  }

  /// Returns whether a container's depth is at most `deepest`; if not, removes the value of the entry `root`.
  private func isWithin(_ deepest: Int, _ container: Int32, _ root: Int32) -> Bool {
    if Int(containers[Int(container)].depth) <= deepest { return true }
    entries[Int(root)].scalar = TapeScalar()
    return false
  }

  func name(of entry: Int32) -> String {
    let key = entries[Int(entry)].key
    return key >= 0 ? keys.name(key) : texts[Int(~key)]
  }

  func codingKey(of entry: Int32) -> (any CodingKey)? {
    let (parent, original) = (entries[Int(entry)].parent, entries[Int(entry)].original)
    guard parent >= 0 else { return nil }
    if containers[Int(parent)].isArray { return PlistCodingKey.index(Int(original)) }
    if let key = codingKeys[entry] { return key }
    return PlistCodingKey.name(original >= 0 ? keys.name(original) : texts[Int(~original)])
  }
}
