#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A search for duplicate keys in dictionaries, which compares hashes instead of keys for speed.
///
/// The search keeps only the hashes of the keys of open dictionaries. Two different keys can have the same hash, so the
/// caller must compare the keys if two hashes are equal.
struct KeyRepetition: ~Copyable {
  private var hashes: [UInt64] = []
  /// For each open dictionary, the index of the first key's hash in ``hashes``.
  private var frames: [Int] = []
  /// The hash of each shared string of a binary document, by the index of the string object.
  ///
  /// A string that is a key of several dictionaries is hashed only once.
  private var shared: [Int: UInt64] = [:]
  private var isPossible = false
  private let hash = ByteHash()

  init() {
    hashes.reserveCapacity(64)
    frames.reserveCapacity(16)
  }

  /// The maximum key count of a dictionary for which the search compares hashes with earlier hashes instead of sorting
  /// the hashes.
  ///
  /// If a dictionary has more than ``pairedCount`` keys, the hashes are sorted to find equal hashes.
  private static let pairedCount = 16

  /// Returns whether a document is valid and has no dictionary with duplicate keys.
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

  /// Returns whether any two of the hashes at index `start` and at later indices are equal.
  ///
  /// A hash is compared with earlier hashes only if an earlier hash has the same remainder modulo 64.
  ///
  /// Comparing each hash with all earlier hashes required 6 % more instructions for a document with a list of records.
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
