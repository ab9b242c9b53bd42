import Foundation
import Testing

@testable import Plist

/// Memory of large documents is used again for others, of which nothing may be seen.
struct SpareMemoryTests {
  @Test func zeroedWordsAreZeroWhateverWasThere() {
    let count = 1 << 18
    for _ in 0..<4 {
      var room = GrowingRoom<UInt64>(capacity: count)
      for _ in 0..<count { room.append(.max) }
      _ = room.frozen()
      let words = ZeroedWords(count: count)
      #expect((0..<count).allSatisfy { words[$0] == 0 })
      for index in 0..<count { words[index] = .max }
    }
  }

  @Test func blocksHaveTheSizeAskedFor() {
    let sizes = [1 << 20, 1 << 21, 1 << 20, 5 << 20, 3, 1 << 22, 70 << 20, 1 << 20]
    for size in sizes + sizes.reversed() {
      #expect(MemoryBlock(size: size).size >= size)
    }
  }

  @Test("Documents of several sizes are indexed and written by several tasks at once")
  func concurrently() async throws {
    let sizes = [3_000, 6_000, 9_000]
    let documents = try sizes.map { size in
      let numbers = PropertyList.array((0..<size).map { ["number": .integer(PropertyListInteger($0))] })
      let list: PropertyList = ["long": .string(String(repeating: "long", count: 200 * size)), "numbers": numbers]
      return (list: list, xml: try list.data(format: .xml))
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<9 {
        let (list, xml) = documents[task % sizes.count]
        group.addTask {
          let document = try PlistDocument(xml)
          #expect(document.root["numbers"]?.count == list["numbers"]?.array?.count)
          #expect(document.root.propertyList == list)
          #expect(try list.data(format: .xml) == xml)
        }
      }
      try await group.waitForAll()
    }
  }
}
