import Plist

#if !THREAD_SANITIZER
#endif

/// What earlier look-ups found out about an archive's collections: the positions of keys, and counts.
///
/// The second look-up in a large dictionary builds a table of its keys, so that many look-ups take a single pass. The
/// first doesn't, because a program that wants one key should not pay for the others. A collection with numbered fields
/// is counted only once.
final class CollectionCache: Sendable {
  private struct State {
    var tables: [Int: Table] = [:]
    var meanings: [Int: ArchivedMeaning<PlistNode>] = [:]
    /// The number of elements in all cached collections.
    var count = 0
  }

  private enum Table {
    /// The next look-up builds the table.
    case wanted
    /// The keys are too long in total for a table.
    case impossible
    /// A table with the positions of the keys.
    case made([ExactKey: Int])
  }

  private let state = Guarded(State())
  /// The most elements of all cached collections together: the size of the document in bytes.
  ///
  /// Collections in a small document can share their elements, so there could be far more elements without a limit.
  private let limit: Int

  /// The most elements of a collection that is searched without a table.
  private static let linearCount = 12

  init(limit: Int) { self.limit = limit }

  func meaning(of node: PlistNode) -> ArchivedMeaning<PlistNode>? { state.withLock { $0.meanings[node.identity] } }

  /// Keeps the meaning of an object if finding it took a look-up per element.
  func keep(_ meaning: ArchivedMeaning<PlistNode>, of node: PlistNode) {
    let count: Int
    switch meaning {
    case .array(let list) where list.isNumbered: count = list.count
    case .dictionary(let keys, let values) where keys.isNumbered || values.isNumbered: count = keys.count
    default: return
    }
    guard count > Self.linearCount else { return }
    state.withLock { state in
      guard state.count + count <= limit else { return }
      state.count += count
      state.meanings[node.identity] = meaning
    }
  }

  /// Returns the position of a key in a dictionary, or nil if it lacks the key.
  func position(
    of key: String, in keys: ArchivedList<PlistNode>, of node: PlistNode?, _ archive: KeyedArchive
  ) -> Int? {
    guard keys.count > Self.linearCount, let node, let table = table(of: keys, node, archive) else {
      return Self.search(key, keys, archive)
    }
    guard let position = table[ExactKey(key)] else { return nil }
    // The text of a malformed object can differ from what the search compares, so compare it here as well.
    if let found = keys.element(position), archive.table.isText(found, key) { return position }
    return Self.search(key, keys, archive)
  }

  private static func search(_ key: String, _ keys: ArchivedList<PlistNode>, _ archive: KeyedArchive) -> Int? {
    // Many keys can refer to the same long text, so compare it only once.
    var compared = Set<UInt32>()
    for position in 0..<keys.count {
      guard let node = keys.element(position) else { continue }
      if let reference = node.reference, !compared.insert(reference).inserted { continue }
      if archive.table.isText(node, key) { return position }
    }
    return nil
  }

  private func table(
    of keys: ArchivedList<PlistNode>, _ node: PlistNode, _ archive: KeyedArchive
  ) -> [ExactKey: Int]? {
    let (known, isWanted) = state.withLock { state -> ([ExactKey: Int]?, Bool) in
      switch state.tables[node.identity] {
      case .made(let known): return (known, false)
      case .wanted: return (nil, state.count + keys.count <= limit)
      case .impossible: return (nil, false)
      case nil:
        if state.tables.count < limit { state.tables[node.identity] = .wanted }
        return (nil, false)
      }
    }
    guard isWanted else { return known }
    // We don't hold the lock here, so two threads may both build the table.
    let made = Self.positions(of: keys, archive)
    state.withLock { state in
      if made != nil { state.count += keys.count }
      state.tables[node.identity] = made.map { .made($0) } ?? .impossible
    }
    return made
  }

  /// Returns the position of the first key with each text, or nil if the texts are too long in total.
  ///
  /// In a small archive, texts can share their bytes, so they may add up to far more than the archive's size.
  private static func positions(of keys: ArchivedList<PlistNode>, _ archive: KeyedArchive) -> [ExactKey: Int]? {
    var positions: [ExactKey: Int] = [:]
    var known = Set<UInt32>()
    var byteCount = 0
    for position in 0..<keys.count {
      guard let node = keys.element(position) else { continue }
      if let reference = node.reference, !known.insert(reference).inserted { continue }
      guard let text = archive.table.text(of: node)?.text else { continue }
      byteCount += text.utf8.count
      guard byteCount <= archive.document.payloadLimit else { return nil }
      let key = ExactKey(text)
      if positions[key] == nil { positions[key] = position }
    }
    return positions
  }
}
