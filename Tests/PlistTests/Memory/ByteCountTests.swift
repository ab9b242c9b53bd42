import Foundation
import Testing

@testable import Plist

@Suite struct ByteCountTests {
  @Test(arguments: [0, 7, 8, 9, 2039, 2040, 2041, 2048, 4080, 4087, 10_000])
  func countsAreExact(count: Int) {
    let same = Data(repeating: 0x0A, count: count)
    #expect(same.bytes.count(of: 0x0A, in: 0..<count) == count)
    #expect(same.bytes.count(of: 0x0B, in: 0..<count) == 0)
    let mixed = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167 >> 3) })
    for byte in [0x00, 0x0A, 0x0B, 0x80, 0x8A, 0xFF] as [UInt8] {
      #expect(mixed.bytes.count(of: byte, in: 0..<count) == mixed.filter { $0 == byte }.count)
      let tail = mixed.dropFirst(count / 3)
      #expect(mixed.bytes.count(of: byte, in: count / 3..<count) == tail.filter { $0 == byte }.count)
    }
  }
}
