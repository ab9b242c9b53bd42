#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Looks for duplicate keys in dictionaries by comparing their hashes.
///
/// Only the hashes of keys in open dictionaries are kept. Different keys can have the same hash, so if two hashes are
/// equal, the caller must compare the keys themselves.
struct KeyRepetition: ~Copyable {
  private var hashes: [UInt64] = []
  /// Where in ``hashes`` each open dictionary begins.
  private var frames: [Int] = []
  /// The hashes of a binary document's shared strings, by object number, since a string can be a key in many
  /// dictionaries.
  private var shared: [Int: UInt64] = [:]
  private var isPossible = false
  private let hash = ByteHash()

  init() {
    hashes.reserveCapacity(64)
    frames.reserveCapacity(16)
  }

  /// The largest number of keys for which each hash is compared with the previous ones; more hashes are sorted instead.
  private static let pairedCount = 16

  /// Returns whether a document is valid and certainly has no duplicate keys.
  static func isAbsent<Reader: PlistTokenReader>(in source: PlistSource, _ reader: inout Reader) -> Bool {
    var keys = KeyRepetition()
    let bytes = source.data.bytes
    while true {
      reader.run(in: bytes, into: &keys)
      guard let token = try? reader.next(in: bytes) else { return false }
      if token.kind == .end { return !keys.isPossible }
      keys.take(token, of: reader, in: bytes)
    }
  }

  private func hash(of key: PlistToken, in bytes: RawSpan) -> UInt64 {
    if key.form == .ascii || key.form == .utf8 { return hash.state(of: bytes, in: key.range) }
    return bytes.decodedText(key).withByteSpan { hash.state(of: $0, in: 0..<$0.byteCount) }
  }

  private mutating func endDictionary() {
    let start = frames.removeLast()
    let count = hashes.count - start
    if !isPossible { isPossible = count <= Self.pairedCount ? hasPair(from: start) : hasDuplicateHash(from: start) }
    hashes.removeLast(count)
  }

  /// Whether any two of the hashes from `start` on are equal.
  ///
  /// Hashes are compared only if two of them have the same remainder modulo 64. Comparing them every time takes 6 %
  /// more instructions for a list of records.
  private func hasPair(from start: Int) -> Bool {
    let hashes = hashes.span
    var remainders: UInt64 = 0
    for later in start..<hashes.count {
      let hash = hashes[later]
      let remainder: UInt64 = 1 << (hash & 63)
      if remainders & remainder != 0 {
        for earlier in start..<later where hashes[earlier] == hash { return true }
      }
      remainders |= remainder
    }
    return false
  }

  private func hasDuplicateHash(from start: Int) -> Bool {
    let sorted = hashes[start...].sorted()
    return zip(sorted, sorted.dropFirst()).contains { $0 == $1 }
  }
}

extension KeyRepetition: PlistTokenConsumer {
  static var readsScalars: Bool { false }

  var acceptsTokens: Bool { true }

  @inline(__always)
  mutating func take(_ token: PlistToken, at start: Int, in bytes: RawSpan) {
    switch token.kind {
    case .key: hashes.append(hash(of: token, in: bytes))
    case .sharedKey: hashes.append(shared[Int(truncatingIfNeeded: token.first)] ?? 0)
    case .beginDictionary: frames.append(hashes.count)
    case .endDictionary: endDictionary()
    default: break
    }
  }

  mutating func take(_ token: PlistToken, asShared object: Int, at start: Int, in bytes: RawSpan) {
    take(token, at: start, in: bytes)
    if token.kind == .key || token.kind == .string { shared[object] = hash(of: token, in: bytes) }
  }
}
