#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A cache that stores each ``KeyLayout`` by its coding-key type, and the ``DecodingWay`` of each decoded type.
///
/// Each decoding has its own cache. A lock guards the cache, and threads rarely wait for the lock. If the cache of a
/// decoding has no entry for a type, the decoding searches a cache that all decodings of the process share. Because of
/// the shared cache, a decoder that is created for each call is as fast as a reused decoder. A cache is a table of a
/// fixed size in which new entries replace old entries.
///
/// The process has two shared caches: one for unconverted keys, and one for keys in snake case. A shared cache has at
/// most 128 key layouts. A key layout in a shared cache has at most 64 distinct keys, whose total size is at most 1,024
/// bytes. A shared cache contains no part of a document except the keys of key layouts.
final class DecoderCache: Sendable {
  struct Entry {
    let keys: ObjectIdentifier
    let layout: KeyLayout
    /// The offset of the first key reference of a binary dictionary that has this key layout; 0 if the decoder has
    /// found no such dictionary.
    var start = 0
  }

  private struct Tables {
    /// A hash table of key layouts by coding-key type; each bucket has two entries, and the newer entry is first.
    var layouts: [Entry?]
    var types: [(type: ObjectIdentifier, way: DecodingWay)?]
  }

  private let tables: Guarded<Tables>
  private let buckets: Int
  /// The shared cache, which a decoding searches if its own cache does not have an entry.
  private let shared: DecoderCache?

  private init(buckets: Int, shared: DecoderCache?) {
    self.buckets = buckets
    self.shared = shared
    tables = Guarded(
      Tables(layouts: Array(repeating: nil, count: 2 * buckets), types: Array(repeating: nil, count: 2 * buckets)))
  }

  /// Creates the cache of one decoding; if the key strategy is custom, the decoding uses no shared cache.
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

  /// Returns a key layout for a coding-key type: the newest one at place 0, the second newest at place 1.
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

  /// Returns how `type` is decoded; the cache stores the answer, because the conformance checks of the runtime are
  /// slow.
  func way<Value>(of type: Value.Type) -> DecodingWay {
    let identifier = ObjectIdentifier(type)
    let slot = 2 * bucket(of: identifier)
    if let entry = tables.withLock({ $0.types[slot] }), entry.type == identifier { return entry.way }
    let way = shared?.way(of: type) ?? DecodingWay(type)
    tables.withLock { $0.types[slot] = (identifier, way) }
    return way
  }
}

/// A kind of initializer that decodes a type; a ``BuiltInType`` is decoded without an initializer.
enum DecodingWay {
  /// The `init(from:)` of `Decodable`.
  case ordinary
  /// The initializer of ``DirectlyDecodable``.
  case elements
  /// The initializer of ``PlistDecodable``.
  case direct

  init<Value>(_ type: Value.Type) {
    if Value.self == URL.self || Value.self == UUID.self {
      // The ``PlistDecodable`` initializers of `URL` and `UUID` only call the initializers of `Decodable`.
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
