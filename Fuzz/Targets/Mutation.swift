/// A random number generator with a seed (SplitMix64).
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates a generator whose numbers depend only on `seed`.
  public init(seed: UInt64) { state = seed }

  /// Creates a generator whose seed is the FNV-1a hash of a text.
  public init(seed: String) {
    state = seed.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  /// Returns the next random number.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// Ways to damage a document.
public enum Mutation {
  /// Returns a document with one to three small changes.
  ///
  /// - Parameters:
  ///   - document: Any bytes.
  ///   - random: Chooses the changes.
  /// - Returns: The damaged document.
  public static func apply(to document: [UInt8], using random: inout SeededGenerator) -> [UInt8] {
    var bytes = document
    for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
      let offset = Int.random(in: 0..<bytes.count, using: &random)
      let end = min(bytes.count, offset + Int.random(in: 1...8, using: &random))
      switch Int.random(in: 0..<7, using: &random) {
      case 0: bytes[offset] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes[offset] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 2: bytes.removeSubrange(offset..<end)
      case 3: bytes.insert(contentsOf: bytes[offset..<end], at: offset)
      case 4: bytes[offset] = interesting.randomElement(using: &random) ?? 0
      case 5: bytes.swapAt(offset, Int.random(in: 0..<bytes.count, using: &random))
      // A binary document ends with the offset table and the trailer, where changes matter most.
      default: bytes[max(0, bytes.count - 1 - offset % 48)] = interesting.randomElement(using: &random) ?? 0
      }
    }
    return bytes
  }

  /// Repeats a part of a document that begins and ends at markup.
  ///
  /// This can nest containers deeply, which changes to single bytes cannot.
  ///
  /// - Parameters:
  ///   - document: Any bytes.
  ///   - random: Chooses the part and how often it is repeated.
  /// - Returns: The document with the repeated part.
  public static func repeating(partOf document: [UInt8], using random: inout SeededGenerator) -> [UInt8] {
    guard !document.isEmpty else { return document }
    let offset = Int.random(in: 0..<document.count, using: &random)
    let start = document[...offset].lastIndex { beginnings.contains($0) } ?? offset
    let end = (document[offset...].firstIndex { ends.contains($0) } ?? offset) + 1
    let part = Array(document[start..<end])
    return document[..<start] + (0...Int.random(in: 1...16, using: &random)).flatMap { _ in part } + document[end...]
  }

  private static let beginnings = Array("<({[\"".utf8)
  private static let ends = Array(">({[,;=:".utf8)

  private static let interesting: [UInt8] =
    Array("<>&;/!?-[]\"'= \n\t0x1".utf8) + [
      0x00, 0x01, 0x08, 0x0F, 0x13, 0x14, 0x7F, 0x80, 0xA1, 0xBF, 0xD1, 0xDF, 0xFF,
    ]
}
