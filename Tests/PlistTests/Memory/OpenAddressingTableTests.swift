import Testing

@testable import Plist

struct OpenAddressingTableTests {
  private static func hash(_ number: Int) -> UInt32 { UInt32(number) << 24 | UInt32(number) }

  @Test(arguments: [0, 1, 100, 256])
  func touchLoadsWhatIsThere(count: Int) {
    var slots = OpenAddressingTable(bits: 8)
    let kept = (0..<100).filter { $0 % 3 == 0 }
    for number in kept { #expect(slots.find(Self.hash(number), orAdd: UInt32(1000 + number)) { _ in true } == nil) }
    var loaded: [UInt32] = []
    slots.touch(count, Self.hash) { number in
      loaded.append(number)
      return 1
    }
    #expect(loaded.sorted() == kept.filter { $0 < count }.map { UInt32(1000 + $0) })
    slots.touch(count, Self.hash)
    for number in 0..<100 {
      #expect(slots.find(Self.hash(number)) { _ in true } == (number % 3 == 0 ? UInt32(1000 + number) : nil))
    }
  }
}
