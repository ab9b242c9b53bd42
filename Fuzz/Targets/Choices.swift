import Foundation

/// A sequence of choices for a generator, read from the fuzzer's input.
///
/// After the end of the input, the first possibility is always chosen. A small change of the input is a small change of
/// the generated document. So coverage guides the generator's choices, not the bytes of a document.
struct Choices {
  private let bytes: [UInt8]
  private var position = 0

  init(_ input: Data) { bytes = Array(input) }

  /// Whether there are no choices left.
  var areUsedUp: Bool { position >= bytes.count }

  /// Returns the next byte of the input, or 0 after its end.
  mutating func byte() -> UInt8 {
    guard position < bytes.count else { return 0 }
    defer { position += 1 }
    return bytes[position]
  }

  /// Returns one of two possibilities; false is more likely.
  mutating func flag() -> Bool { byte() % 4 == 1 }

  /// Returns a number below `bound`, which is at most 256.
  mutating func below(_ bound: Int) -> Int { Int(byte()) % bound }

  /// Returns an element of a collection that is not empty.
  mutating func element<Element>(of elements: [Element]) -> Element { elements[below(elements.count)] }

  /// Returns a number of `count` bytes.
  mutating func bits(bytes count: Int = 8) -> UInt64 {
    (0..<count).reduce(0) { value, _ in value << 8 | UInt64(byte()) }
  }

  /// Returns the rest of the input.
  mutating func rest() -> Data {
    defer { position = bytes.count }
    return Data(bytes[min(position, bytes.count)...])
  }
}
