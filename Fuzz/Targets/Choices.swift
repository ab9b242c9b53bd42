import Foundation

struct Choices {
  private let bytes: [UInt8]
  private var position = 0

  init(_ input: Data) { bytes = Array(input) }

  var areUsedUp: Bool { position >= bytes.count }

  mutating func byte() -> UInt8 {
    guard position < bytes.count else { return 0 }
    defer { position += 1 }
    return bytes[position]
  }

  mutating func flag() -> Bool { byte() % 4 == 1 }

  mutating func below(_ bound: Int) -> Int { Int(byte()) % bound }

  mutating func element<Element>(of elements: [Element]) -> Element { elements[below(elements.count)] }

  mutating func bits(bytes count: Int = 8) -> UInt64 {
    (0..<count).reduce(0) { value, _ in value << 8 | UInt64(byte()) }
  }

  mutating func rest() -> Data {
    defer { position = bytes.count }
    return Data(bytes[min(position, bytes.count)...])
  }
}
