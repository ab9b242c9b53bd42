import Foundation
import Testing

@testable import Plist

/// Memory that goes from one document to the next is never that of two at a time.
struct MemoryBlockTests {
  static let sizes = [1, 1 << 10, 1 << 12, 1 << 12 + 1, 1 << 20, 3 << 20, 1 << 23]

  @Test(arguments: sizes)
  func blocksAreApart(size: Int) {
    for _ in 0..<4 {
      let blocks = (0..<3).map { _ in MemoryBlock(reusing: size) }
      for (number, block) in blocks.enumerated() {
        #expect(block.size >= size)
        unsafe block.base.initializeMemory(as: UInt8.self, repeating: UInt8(number), count: size)
      }
      for (number, block) in blocks.enumerated() {
        let bytes = unsafe UnsafeRawBufferPointer(start: block.base, count: size)
        #expect(unsafe bytes.allSatisfy { $0 == UInt8(number) })
      }
    }
  }

  /// A block that was much larger than what is needed is given back.
  @Test func blocksAreNotMuchTooLarge() {
    for size in [1 << 23, 1 << 20, 3 << 20, 1 << 20] {
      let block = MemoryBlock(reusing: size)
      #expect(block.size >= size && block.size / 4 <= size)
    }
  }

  @Test func documentsOfManyTasks() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask {
          for round in 0..<12 {
            let count = [3, 100, 20_000, 90_000][(task + round) % 4]
            let value = PropertyList.array((0..<count).map { .integer(PropertyListInteger($0 + task)) })
            let document = try PlistDocument(value.data(format: .xml))
            #expect(try document.root.read() == value)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  /// Room is not made for more elements than there is memory for, before any of them is there.
  @Test func elementsThatFail() {
    struct Failure: Error {}
    #expect(throws: Failure.self) {
      try [String](count: 1 << 50) { position in
        if position == 3 { throw Failure() }
        return String(repeating: "a", count: 100)
      }
    }
  }
}
