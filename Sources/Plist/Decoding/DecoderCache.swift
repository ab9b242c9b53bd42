#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import Synchronization

/// A cache of data about types: key layouts by coding-key type, and the ``DecodingWay`` of each type.
///
/// Each decoding has its own cache, guarded by a lock for which threads rarely wait. If an entry is missing, the
/// decoding searches a second cache, which all decodings of the process share. Because of the shared cache, a decoder
/// that is created for each call is as fast as a reused decoder. A cache is a table of a fixed size in which new
/// entries replace old entries.
///
/// The shared cache has at most 128 layouts. A shared layout has at most 64 distinct keys, whose total size is at most
/// 1,024 bytes. Apart from the keys of layouts, the shared cache contains no part of a document.
final class DecoderCache: Sendable {
  struct Entry {
    let keys: ObjectIdentifier
    let layout: KeyLayout
    /// The offset of the references of a dictionary with this layout in the binary document; 0 if no such dictionary is
    /// known.
    var start = 0
  }

  private struct Tables {
    /// A hash table by coding-key type; each bucket has two entries, the more recent one first.
    var layouts: [Entry?]
    var types: [(type: ObjectIdentifier, way: DecodingWay)?]
  }

  private let tables: Mutex<Tables>
  private let buckets: Int
  /// The shared cache, which is searched if an entry is missing in the decoding's own cache.
  private let shared: DecoderCache?

  private init(buckets: Int, shared: DecoderCache?) {
    self.buckets = buckets
    self.shared = shared
    tables = Mutex(
      Tables(layouts: Array(repeating: nil, count: 2 * buckets), types: Array(repeating: nil, count: 2 * buckets)))
  }

  /// Creates the cache of one decoding, which uses a shared cache unless the key strategy is custom.
  convenience init(for strategy: PlistDecoder.KeyDecodingStrategy) {
    switch strategy.rule {
    case .useDefaultKeys: self.init(buckets: 8, shared: Self.sharedByAll)
    case .convertFromSnakeCase: self.init(buckets: 8, shared: Self.sharedBySnakeCase)
    case .custom: self.init(buckets: 8, shared: nil)
    }
  }

  private static let sharedByAll = DecoderCache(buckets: 64, shared: nil)
  private static let sharedBySnakeCase = DecoderCache(buckets: 64, shared: nil)

  @inline(__always)
  private func bucket(of type: ObjectIdentifier) -> Int {
    let address = UInt(bitPattern: type)
    return Int(truncatingIfNeeded: (address >> 4 ^ address >> 10) & UInt(buckets - 1))
  }

  /// Returns a layout for a coding-key type: the most recently used layout if `way` is 0, or the one used before if
  /// `way` is 1.
  @inline(__always)
  func layout(for keys: ObjectIdentifier, way: Int) -> Entry? {
    let slot = 2 * bucket(of: keys) + way
    return tables.withLock { tables in
      guard let entry = tables.layouts[slot], entry.keys == keys else { return nil }
      return entry
    }
  }

  func sharedLayouts(for keys: ObjectIdentifier) -> [Entry] {
    guard let shared else { return [] }
    return (0...1).compactMap { shared.layout(for: keys, way: $0) }
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

  /// Returns how `type` is decoded; the cache stores the result of the runtime's slow conformance checks.
  @inline(__always)
  func way<Value>(of type: Value.Type) -> DecodingWay {
    let identifier = ObjectIdentifier(type)
    let slot = 2 * bucket(of: identifier)
    if let entry = tables.withLock({ $0.types[slot] }), entry.type == identifier { return entry.way }
    let way = shared?.way(of: type) ?? DecodingWay(type)
    tables.withLock { $0.types[slot] = (identifier, way) }
    return way
  }
}

/// The initializer that decodes a type which is not a ``BuiltInType``.
enum DecodingWay {
  /// The `init(from:)` of `Decodable`.
  case ordinary
  /// The initializer of ``DirectlyDecodable``.
  case elements
  /// The initializer of ``PlistDecodable``.
  case direct

  init<Value>(_ type: Value.Type) {
    if Value.self == URL.self || Value.self == UUID.self {
      // The direct initializers of these types call the initializers of `Decodable`.
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
