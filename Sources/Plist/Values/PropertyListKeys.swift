import Synchronization

/// The keys of a dictionary in their order, without duplicates, and the index over them.
///
/// A list of a thousand records has a thousand dictionaries with the same keys in the same order: a parser makes one of
/// these for all of them. A dictionary that adds, removes or moves a key takes a copy first unless it is the only owner.
///
/// Instances are shared between threads. That is sound because `keys` and a published index change only through the
/// methods below that are marked so, which only ``PropertyListDictionary`` calls, after it has made sure that it is the
/// sole owner; and because the index that a look-up builds is published atomically, the first one winning.
final class PropertyListKeys: @unchecked Sendable {
  /// Up to this many keys are searched from the front, which is about as quick as to hash the key (35 ns) and needs no index.
  static let linearCount = 12

  /// The keys in order.
  private(set) var keys: [String]
  private let lazyIndex = AtomicLazyReference<PropertyListKeyIndex>()

  /// Takes keys that are known to differ from each other.
  init(_ uniqueKeys: [String]) {
    keys = uniqueKeys
  }

  private init(_ uniqueKeys: [String], index: PropertyListKeyIndex?) {
    keys = uniqueKeys
    if let index { _ = lazyIndex.storeIfNil(index) }
  }

  /// No keys; what empty dictionaries share.
  static let empty = PropertyListKeys([])

  /// The number of keys.
  var count: Int { keys.count }

  /// Makes keys of its own that are the same.
  func copy() -> PropertyListKeys {
    PropertyListKeys(keys, index: lazyIndex.load().map(PropertyListKeyIndex.init(copying:)))
  }

  /// The position of `key`.
  ///
  /// Complexity: O(1) on average; the first look-up among more than ``linearCount`` keys builds the index in O(count).
  func position(of key: String) -> Int? {
    if keys.count <= Self.linearCount { return Self.linearPosition(of: key, in: keys) }
    return index.position(of: key, in: keys)
  }

  private static func linearPosition(of key: String, in keys: [String]) -> Int? {
    for position in keys.indices where keys[position].hasSameBytes(as: key) { return position }
    return nil
  }

  private var index: PropertyListKeyIndex {
    if let index = lazyIndex.load() { return index }
    let index = PropertyListKeyIndex(capacity: keys.count)
    for (position, key) in keys.enumerated() {
      let duplicate = index.insert(key, at: position, in: keys)
      precondition(duplicate == nil, "the keys of a property-list dictionary must be unique")
    }
    return lazyIndex.storeIfNil(index)
  }

  /// Whether both are the same keys in the same order.
  func isSame(as other: PropertyListKeys) -> Bool {
    self === other || keys.isSameStorage(as: other.keys)
      || keys.count == other.keys.count && keys.elementsEqual(other.keys) { $0.hasSameBytes(as: $1) }
  }
}

/// Changes, for the sole owner only.
extension PropertyListKeys {
  /// Makes room for `capacity` keys.
  func reserveCapacity(_ capacity: Int) {
    keys.reserveCapacity(capacity)
  }

  /// Adds a key that is known to be missing.
  ///
  /// Complexity: amortized O(1).
  func append(_ key: String) {
    if let index = lazyIndex.load() {
      let duplicate = index.insert(key, at: keys.count, in: keys)
      precondition(duplicate == nil, "the keys of a property-list dictionary must be unique")
    }
    keys.append(key)
  }

  /// Takes out the key at `position`.
  func remove(at position: Int) -> String {
    lazyIndex.load()?.remove(keys[position], at: position)
    return keys.remove(at: position)
  }
}

/// What a parser does about a key that it meets again.
enum PropertyListDuplicateKeys: Sendable {
  /// The first value stays, as Apple's reader does in binary property lists.
  case firstWins
  /// The last value replaces those before it, as Apple's reader does in XML; the key stays in the first one's place.
  case lastWins
}

extension PropertyListKeys {
  /// The position of the first key that occurs earlier in `keys` as well, nil when all differ.
  ///
  /// Complexity: O(count); a few keys, and keys in ascending order, are settled without hashing.
  static func firstDuplicate(in keys: [String]) -> Int? {
    if keys.count <= linearCount {
      if keys.haveDifferentOutlines { return nil }
      for position in keys.indices.dropFirst() {
        for earlier in 0..<position where keys[earlier].hasSameBytes(as: keys[position]) { return position }
      }
      return nil
    }
    var sorted = 1
    while sorted < keys.count, keys[sorted - 1].hasBytesBefore(keys[sorted]) { sorted += 1 }
    if sorted == keys.count { return nil }
    return firstDuplicate(hashing: keys)
  }

  private static func firstDuplicate(hashing keys: [String]) -> Int? {
    guard keys.count < Int(UInt32.max) else { return nil }
    var slots = HashSlots(bits: min(32, Int.bitWidth - (2 * keys.count).leadingZeroBitCount))
    // The table is larger than the caches, and a look at it waits for the memory; many looks at once wait once.
    let batch = 32
    var hashes = [UInt32](repeating: 0, count: batch)
    for start in stride(from: 0, to: keys.count, by: batch) {
      let end = min(start + batch, keys.count)
      for position in start..<end { hashes[position - start] = keys[position].keyHash() }
      slots.touch(end - start) { hashes[$0] }
      for position in start..<end {
        let same = slots.find(hashes[position - start], orAdd: UInt32(position)) {
          keys[Int($0)].hasSameBytes(as: keys[position])
        }
        if same != nil { return position }
      }
    }
    return nil
  }
}
