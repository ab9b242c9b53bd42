import Testing

@testable import Plist

/// Strings that are let go of without a look at who else has them.
struct PassingStringTests {
  private static let texts = [
    "", "a", "fifteen letters", "sixteen letters!", "Zoë", "日本語のテキスト", "a literal that is long enough",
  ]

  @Test(arguments: texts)
  func theStringIsTheSame(text: String) {
    let copy = text + String(repeating: "b", count: 40)
    for string in [text, copy, String(copy.dropLast(40))] {
      let passing = PassingString(string)
      let (same, count) = (passing.string, passing.withString { $0.utf8.count })
      let (isSame, isOther) = (passing.hasSameBits(as: string), passing.hasSameBits(as: string + "c"))
      #expect(same == string)
      #expect(count == string.utf8.count)
      #expect(isSame && !isOther)
    }
  }

  /// A string that only one variable refers to is appended to in place, and one that something else refers to is not.
  @Test func referencesAreCounted() {
    var string = ""
    string.reserveCapacity(1000)
    string += "on the heap, which the room for more sees to"
    func address() -> UInt {
      unsafe string.utf8.withContiguousStorageIfAvailable { UInt(bitPattern: $0.baseAddress) } ?? 0
    }
    let start = address()
    for _ in 0..<10 {
      let passing = PassingString(string)
      let copies = (passing.string, passing.withString { $0 })
      #expect(copies == (string, string))
    }
    string += "."
    #expect(address() == start, "all references are gone")
    let passing = PassingString(string)
    string += "."
    #expect(address() != start, "one is held")
    let count = passing.string.utf8.count
    #expect(count == string.utf8.count - 1)
  }
}
