import Testing

@testable import Plist

/// Arrays whose elements are made one after the other.
struct ArrayRoomTests {
  @Test(arguments: [0, 1, 7, 1000])
  func elementsInOrder(count: Int) {
    #expect([String](count: count) { "\($0)" } == (0..<count).map { "\($0)" })
  }

  /// Room is not made for more elements than there is memory for, before any of them is there.
  @Test(arguments: [3, 1 << 50])
  func elementsThatFail(count: Int) {
    struct Failure: Error {}
    #expect(throws: Failure.self) {
      try [String](count: count) { position in
        if position == 2 { throw Failure() }
        return String(repeating: "a", count: 100)
      }
    }
  }
}
