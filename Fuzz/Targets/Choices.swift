import Foundation

/// An input as a sequence of choices for a generator; after the end of the input, every choice is the first.
///
/// So a small change of the input is a small change of the generated document. Coverage guides the generator's choices,
/// not the bytes of a document.
struct Choices {
  private let bytes: [UInt8]
  private var position = 0

  init(_ input: Data) { bytes = Array(input) }

  /// Whether there are no choices left.
  var areUsedUp: Bool { position >= bytes.count }

  /// A byte.
  mutating func byte() -> UInt8 {
    guard position < bytes.count else { return 0 }
    defer { position += 1 }
    return bytes[position]
  }

  /// One of two possibilities; false is more likely.
  mutating func flag() -> Bool { byte() % 4 == 1 }

  /// A number below `bound`, which is at most 256.
  mutating func below(_ bound: Int) -> Int { Int(byte()) % bound }

  /// An element of a collection that is not empty.
  mutating func element<Element>(of elements: [Element]) -> Element { elements[below(elements.count)] }

  /// A number of `count` bytes.
  mutating func bits(bytes count: Int = 8) -> UInt64 {
    (0..<count).reduce(0) { value, _ in value << 8 | UInt64(byte()) }
  }

  /// The rest of the input.
  mutating func rest() -> Data {
    defer { position = bytes.count }
    return Data(bytes[min(position, bytes.count)...])
  }
}
