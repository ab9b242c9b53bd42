import Testing

@testable import Plist

@Suite struct TextArenaTests {
  private static let texts = ["", "a", "Zoë", "日本語", String(repeating: "0123456789", count: 500), "the end"]

  @Test func textsAreReadAsTheyWereAppended() {
    let arena = TextArena()
    for _ in 0..<3 {
      let ranges = Self.texts.map { arena.append($0) }
      for (text, range) in zip(Self.texts, ranges) {
        #expect(range.count == text.utf8.count)
        #expect(arena.withText(in: range) { String(utf8: $0) } == text)
      }
      arena.removeAll()
    }
  }

  @Test func textsCanBeReadWhileTextsAreRead() {
    let arena = TextArena()
    let (first, second) = (arena.append("first"), arena.append("second"))
    let both = arena.withText(in: first) { one in
      arena.withText(in: second) { other in String(utf8: one) + String(utf8: other) }
    }
    #expect(both == "firstsecond")
    #expect(arena.append("third") == 11..<16)
  }

  #if os(Linux)
  @Test func changesWhileATextIsReadEndTheProcess() async {
    await #expect(processExitsWith: .failure) {
      let arena = TextArena()
      let range = arena.append("text")
      arena.withText(in: range) { _ in _ = arena.append("more") }
    }
    await #expect(processExitsWith: .failure) {
      let arena = TextArena()
      let range = arena.append("text")
      arena.withText(in: range) { _ in arena.removeAll() }
    }
    await #expect(processExitsWith: .failure) { TextArena().withText(in: 0..<1) { _ in } }
  }
  #endif
}
