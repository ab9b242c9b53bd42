#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A property list that is being encoded, stored as one flat array of entries that are linked by their indices.
///
/// The encoder appends entries to the tape. When the outermost value has been encoded, the writer of a format reads the
/// tape. An entry is a scalar or a container. The children of a container are linked in order and need not be adjacent,
/// so a type can add values to several containers in turn.
///
/// The entry of a value that throws an error is never linked to a container. The contents of a replaced value stay on
/// the tape, but are no longer linked. Entries are removed when the encoding ends, and when elements of the outermost
/// array have been passed to the writer.
///
/// An entry takes 32 bytes. Text and data are stored in separate arrays. Short strings are copied; longer strings and
/// data are stored as the caller's own `String` and `Data` values.
final class EncodingTape {
  let entries = Arena<TapeEntry>()
  let containers = Arena<TapeContainer>()
  let texts = Arena<String>()
  let copiedTexts = TextArena()
  /// Whether strings of up to ``longestCopiedText`` bytes are copied to ``copiedTexts``.
  ///
  /// Retaining a string is an atomic operation, which waits until the string's bytes are in the processor's caches.
  /// Copying short strings instead of retaining the strings saves 5 % of the time for encoding 60,000 records as XML,
  /// and 7 % as a binary document. If the result of the encoding is a `PropertyList`, no string is copied, because the
  /// `PropertyList` contains the caller's strings.
  private(set) var copiesText = false
  static let longestCopiedText = 256
  /// Whether URLs and `Decimal` values take the form that they have in JSON.
  private(set) var writesJSON = false
  let datas = Arena<Data>(capacity: 2)
  let arrays = Arena<TapeArray>(capacity: 2)
  let keys = KeyTable()
  /// A stack with an element for each container that a writer has begun and not ended.
  ///
  /// An element of the stack states whether the container's parent is a dictionary, and which entry of the parent is
  /// next.
  ///
  /// The memory of the stack is kept for the next document, which saves 3 % of the instructions for a document of 1 KB.
  let open = Arena<(isInDictionary: Bool, next: Int32)>()
  /// The coding keys of containers and super encoders, by the index of the tape entry; coding paths are created from
  /// these keys.
  private(set) var codingKeys: [Int32: any CodingKey] = [:]
  /// The number of times that the encoder has stored a value in an existing entry.
  private(set) var fillCount = 0
  /// Whether elements of the outermost array have been passed to the writer and removed from the tape.
  private(set) var isPartlyWritten = false

  static let root: Int32 = 0

  /// Begins an encoding; if `copiesText` is true, short strings are copied.
  func restart(converting strategy: PlistEncoder.KeyEncodingStrategy, copiesText: Bool, writesJSON: Bool) {
    (self.copiesText, self.writesJSON) = (copiesText, writesJSON)
    keys.restart(converting: strategy)
    entries.append(TapeEntry())
  }

  /// Removes all values, and keeps some memory for the next encoding.
  ///
  /// If the tape has many keys, the method also removes all keys.
  func forget() {
    entries.removeAll(keeping: Self.keptCount)
    containers.removeAll(keeping: Self.keptCount)
    texts.removeAll(keeping: Self.keptCount)
    copiedTexts.removeAll(keeping: 1 << 16)
    datas.removeAll(keeping: Self.keptCount)
    arrays.removeAll(keeping: Self.keptCount)
    // Replacing an empty dictionary takes longer than checking whether the dictionary is empty.
    if !codingKeys.isEmpty { codingKeys = [:] }
    keys.forget()
    isPartlyWritten = false
  }

  /// The maximum number of entries whose memory is kept for the next encoding.
  private static var keptCount: Int { 4096 }

  /// Whether the tape has so many entries that complete elements of the outermost array must be removed from the tape.
  ///
  /// Removing elements takes time in proportion to the number of keys. Elements are therefore removed only if the
  /// number of entries is at least the number of keys.
  var hasManyEntries: Bool { entries.count >= max(2048, keys.keys.count) }

  /// Removes all values except the outermost array, which keeps its element count.
  ///
  /// Later entries reuse the indices of removed entries. Call this method only if no container or encoder refers to an
  /// entry that the method removes.
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
  /// Returns the index of the key `name` in the ``KeyTable``, and predicts the next key of the container.
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
  /// The method is the fast path for the most frequent case: a predicted key that is not converted and is new in the
  /// dictionary.
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

  /// Sets the value of a key in a dictionary, and returns the value's entry.
  ///
  /// If the key already has a value, the new value replaces the old value, and the key keeps its position. The
  /// arguments `original` and `key` are the indices in the ``KeyTable`` of the key before and after conversion by the
  /// key strategy.
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

  /// Stores a key that the key strategy does not convert, and returns a negative number that identifies the key.
  ///
  /// The returned number is the bitwise complement of the key's index in ``texts``.
  func key(named name: String) -> Int32 {
    texts.append(name)
    return ~Int32(truncatingIfNeeded: texts.count &- 1)
  }

  /// Appends a key-value pair to a dictionary that does not have the key; `key` must be a number that ``key(named:)``
  /// has returned.
  ///
  /// The number `original` identifies the key before conversion; nil means that the key was not converted.
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

  /// Appends an entry to the children of its container, and returns the entry's index.
  ///
  /// The closure `update` can change the container.
  @inline(__always)
  private func append(_ entry: TapeEntry, update: (inout TapeContainer) -> Void = { _ in }) -> Int32 {
    let count = entries.count
    precondition(count < Int(Int32.max), "an encoder can encode at most 2^31 - 1 values")
    let number = Int32(truncatingIfNeeded: count)
    entries.append(entry)
    // The container is read, changed and written back, and no other memory is written in between. The compiler
    // therefore does not write the unchanged properties of the container.
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

  /// Returns the entry of a key in a dictionary, or nil if the dictionary does not have the key.
  ///
  /// All entries with the same key form a chain, in the order in which the entries were linked. The search follows the
  /// chain of the key backward, and ends at the first entry that is older than the dictionary. If other open
  /// dictionaries have the key too, the chain of entries can be long. For each entry of the chain, the search therefore
  /// also checks one child of the dictionary. After the dictionary's last child, the search ends.
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

  /// Appends an entry that is linked to its container later, after the value of the entry has been encoded.
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
    // Releasing an old key can call code that reads ``codingKeys``, so the new key is stored before the old key is
    // released.
    let old = codingKeys[entry]
    codingKeys[entry] = key
    withExtendedLifetime(old) {}
  }
}

// MARK: Containers

extension EncodingTape {
  /// Stores an empty container in an entry that has no value, and returns the container's index.
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

  /// Predicts the first key of a container from an earlier container with the same coding-key type.
  ///
  /// The number `slot` is a hash value of the coding-key type.
  func expectKeys(_ slot: Int, in container: Int32) {
    var used = containers[Int(container)]
    guard used.lastKey == TapeContainer.unknownKeys else { return }
    used.lastKey = ~Int32(truncatingIfNeeded: slot)
    used.expectedKey = keys.beginning(slot)
    containers[Int(container)] = used
  }

  /// Prepares an existing container for more values, and returns the container's index.
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

  /// Stores a property list in an entry without recursion, so a deeply nested list does not exhaust the stack.
  ///
  /// The result is false, and the entry has no value, if containers nest deeper than `deepest` levels on the tape.
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

  /// Returns whether the depth of a container is at most `deepest`; if the depth is greater, removes the value of the
  /// entry `root`.
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
