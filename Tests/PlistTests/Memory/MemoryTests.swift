import Foundation
import Testing

@testable import Plist

@Suite struct MemoryTests {
  @Test(arguments: [0, 1, 7, 1000])
  func arraysHaveTheirElementsInOrder(count: Int) {
    #expect([String](count: count) { "\($0)" } == (0..<count).map { "\($0)" })
  }

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

  @Test(arguments: [1, 2, 1000, 1 << 20])
  func aListGrowsAndStaysWhatItIs(count: Int) {
    var list = GrowingBuffer<UInt64>(capacity: 1)
    for number in 0..<count { list.append(UInt64(number)) }
    list[count - 1] += 1
    let frozen = list.frozen()
    #expect((0..<count - 1).allSatisfy { frozen[$0] == UInt64($0) } && frozen[count - 1] == UInt64(count))
    #expect(frozen.count == count)
  }

  @Test(arguments: [3, 20, 70])
  func aLargeBufferKeepsItsBytes(megabytes: Int) {
    var buffer = ByteBuffer(capacity: 16)
    for number in 0..<megabytes { buffer.append(UInt8(number), times: 1 << 20) }
    #expect(buffer.count == megabytes << 20)
    let data = buffer.data()
    for number in 0..<megabytes {
      #expect(data[number << 20..<(number + 1) << 20] == Data(repeating: UInt8(number), count: 1 << 20))
    }
  }

  @Test func writersAskForMemoryFirst() throws {
    let buffer = ByteBuffer(capacity: 16)
    let answers = [0, 1 << 19, 1 << 21, 1 << 50, .max].map { buffer.hasRoom(for: $0) }
    #expect(answers == [true, true, true, false, false])
    var formatter = XMLFormatter(options: PlistWriteOptions(), format: .xml)
    try formatter.checkRoom(for: 1000)
    var failure: PlistWriteFailure?
    do throws(PlistWriteFailure) { try formatter.checkRoom(for: 1 << 50) } catch { failure = error }
    #expect(failure?.code == .documentSizeLimit)
    #expect(formatter.takeData().count > 0)
  }

  @Test func aCopyOfABufferHasItsOwnBytes() {
    var buffer = ByteBuffer(capacity: 100_000)
    buffer.append(7, times: 50_000)
    var copy = buffer.copy()
    var data = buffer.data()
    copy.append(8)
    data[0] = 9
    #expect(copy.withSpan { $0.byte(at: 0) } == 7)
    #expect(data.count == 50_000)
  }

  @Test func anEmptiedBufferKeepsOnlyTheRequestedMemory() {
    var buffer = ByteBuffer(capacity: 16)
    buffer.append(1, times: 100_000)
    buffer.removeAll(keeping: 1 << 16)
    #expect(buffer.freeCapacity == 1 << 16)
    buffer.append(2, times: 1 << 16)
    #expect(buffer.freeCapacity == 0)
    buffer.removeAll(keeping: 1 << 20)
    #expect(buffer.freeCapacity == 1 << 16)
    buffer.append(3)
    #expect(buffer.data() == Data([3]))
  }

  #if os(Linux)
  @Test func loadsOutsideOfASpanEndTheProcess() async {
    await #expect(processExitsWith: .failure) { _ = Data(count: 8).bytes.word(at: 1) }
    await #expect(processExitsWith: .failure) { _ = Data(count: 8).bytes.byte(at: -1) }
    await #expect(processExitsWith: .failure) { _ = Data(count: 15).bytes.wordPair(at: 0) }
    await #expect(processExitsWith: .failure) {
      var buffer = ByteBuffer(capacity: 64)
      buffer.write(upTo: 3) { $0.put(word: 0, width: 4) }
    }
  }

  @Test func argumentsThatAreOutOfRangeEndTheProcess() async {
    await #expect(processExitsWith: .failure) { _ = GrowingBuffer<UInt64>(zeros: -5) }
    await #expect(processExitsWith: .failure) {
      var buffer = ByteBuffer(capacity: 64)
      buffer.append(bigEndianHalves: Data(count: 8).bytes, from: 3 << 60, by: 1 << 60, width: 4)
    }
    await #expect(processExitsWith: .failure) {
      var first = ByteBuffer(capacity: 64)
      var second = ByteBuffer(capacity: 64)
      first.write(upTo: 8) { one in second.write(upTo: 8) { other in swap(&one, &other) } }
    }
  }
  #endif
}
