#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A cache of key layouts, by coding-key type, and of how each type is decoded.
///
/// Each decoding operation has its own cache, whose lock is rarely contended. Entries missing there are looked up in a
/// process-wide cache, so creating a decoder for each call is as fast as reusing one. A cache is a fixed-size table in
/// which new entries replace old ones.
///
/// There are two process-wide caches, one for unconverted keys and one for snake case. Each holds at most 128 layouts,
/// each with at most 64 distinct keys and 1,024 bytes, and keeps nothing else from a document.
final class DecoderCache: Sendable {
  struct Entry {
    let keys: ObjectIdentifier
    let layout: KeyLayout
    /// The offset of the key references of a binary dictionary with this layout, or 0 if none has been found.
    var start = 0
  }

  private struct Tables {
    /// A hash table keyed by coding-key type, with two entries per bucket, the newer one first.
    var layouts: [Entry?]
    var types: [(type: ObjectIdentifier, way: DecodingWay)?]
  }

  private let tables: Guarded<Tables>
  private let buckets: Int
  /// The process-wide cache to search for entries that are missing here, or nil if there is none.
  private let shared: DecoderCache?

  private init(buckets: Int, shared: DecoderCache?) {
    self.buckets = buckets
    self.shared = shared
    tables = Guarded(
      Tables(layouts: Array(repeating: nil, count: 2 * buckets), types: Array(repeating: nil, count: 2 * buckets)))
  }

  /// Creates the cache for one decoding operation; with a custom key strategy, it isn't backed by a process-wide cache.
  convenience init(for strategy: PlistDecoder.KeyDecodingStrategy) {
    switch strategy.rule {
    case .useDefaultKeys: self.init(buckets: 8, shared: Self.sharedByAll)
    case .convertFromSnakeCase: self.init(buckets: 8, shared: Self.sharedBySnakeCase)
    case .custom: self.init(buckets: 8, shared: nil)
    }
  }

  private static let sharedByAll = DecoderCache(buckets: 64, shared: nil)
  private static let sharedBySnakeCase = DecoderCache(buckets: 64, shared: nil)

  private func bucket(of type: ObjectIdentifier) -> Int {
    let address = UInt(bitPattern: type)
    return Int(truncatingIfNeeded: (address >> 4 ^ address >> 10) & UInt(buckets - 1))
  }

  /// Returns the newest layout for a coding-key type if `place` is 0, or the second newest if it is 1.
  func layout(for keys: ObjectIdentifier, place: Int) -> Entry? {
    let slot = 2 * bucket(of: keys) + place
    return tables.withLock { tables in
      guard let entry = tables.layouts[slot], entry.keys == keys else { return nil }
      return entry
    }
  }

  func sharedLayouts(for keys: ObjectIdentifier) -> [Entry] {
    guard let shared else { return [] }
    return (0...1).compactMap { shared.layout(for: keys, place: $0) }
  }

  func insert(_ entry: Entry) {
    let slot = 2 * bucket(of: entry.keys)
    tables.withLock { tables in
      if tables.layouts[slot]?.layout !== entry.layout { tables.layouts[slot + 1] = tables.layouts[slot] }
      tables.layouts[slot] = entry
    }
  }

  func share(_ layout: KeyLayout, for keys: ObjectIdentifier) {
    guard let shared, layout.positions == nil, layout.count <= 64,
      layout.documentNames.reduce(0, { $0 + $1.utf8.count }) <= 1024
    else { return }
    shared.insert(Entry(keys: keys, layout: layout))
  }

  /// Returns how to decode `type`; the answer is cached because the runtime's conformance checks are slow.
  func way<Value>(of type: Value.Type) -> DecodingWay {
    let identifier = ObjectIdentifier(type)
    let slot = 2 * bucket(of: identifier)
    if let entry = tables.withLock({ $0.types[slot] }), entry.type == identifier { return entry.way }
    let way = shared?.way(of: type) ?? DecodingWay(type)
    tables.withLock { $0.types[slot] = (identifier, way) }
    return way
  }
}

/// Which initializer decodes a type; a ``BuiltInType`` needs none.
enum DecodingWay {
  /// `Decodable`'s `init(from:)`.
  case ordinary
  /// ``DirectlyDecodable``'s `init(elementsOf:)`.
  case elements
  /// ``PlistDecodable``'s `init(from:)`.
  case direct

  init<Value>(_ type: Value.Type) {
    if Value.self == URL.self || Value.self == UUID.self {
      // The ``PlistDecodable`` initializers of `URL` and `UUID` only call those of `Decodable`.
      self = .ordinary
    } else if type is any PlistDecodable.Type {
      self = .direct
    } else if type is any DirectlyDecodable.Type {
      self = .elements
    } else {
      self = .ordinary
    }
  }
}
