import Testing

@testable import Plist

@Suite struct TextArenaTests {
  private static let texts = ["", "a", "Zoë", "日本語", String(repeating: "0123456789", count: 50), "the end"]

  @Test func textsAreReadAsTheyWereAppended() throws {
    let arena = TextArena()
    for _ in 0..<3 {
      let ranges = try Self.texts.map { text in try #require(arena.append(text, upTo: 500)) }
      for (text, range) in zip(Self.texts, ranges) {
        #expect(range.count == text.utf8.count)
        #expect(arena.withText(in: range) { String(utf8: $0) } == text)
      }
      arena.removeAll()
    }
  }

  @Test func textsCanBeReadWhileTextsAreRead() throws {
    let arena = TextArena()
    let first = try #require(arena.append("first", upTo: 6))
    let second = try #require(arena.append("second", upTo: 6))
    let both = arena.withText(in: first) { one in
      arena.withText(in: second) { other in String(utf8: one) + String(utf8: other) }
    }
    #expect(both == "firstsecond")
    #expect(arena.append("third", upTo: 6) == 11..<16)
  }

  @Test func longTextsAndTextsOfAFullArenaAreNotAppended() {
    let arena = TextArena()
    #expect(arena.append("1234", upTo: 3) == nil)
    let text = String(repeating: "x", count: 1000)
    var count = 0
    while let range = arena.append(text, upTo: 1000) {
      #expect(range == 1000 * count..<1000 * (count + 1))
      count += 1
    }
    #expect(count == (TextArena.mostBytes + 999) / 1000)
    #expect(arena.append("", upTo: 1000) == nil)
    arena.removeAll(keeping: 1 << 16)
    #expect(arena.append("empty again", upTo: 1000) == 0..<11)
  }

  #if os(Linux)
  @Test func changesWhileATextIsReadEndTheProcess() async {
    await #expect(processExitsWith: .failure) {
      let arena = TextArena()
      let range = arena.append("text", upTo: 9) ?? 0..<0
      arena.withText(in: range) { _ in _ = arena.append("more", upTo: 9) }
    }
    await #expect(processExitsWith: .failure) {
      let arena = TextArena()
      let range = arena.append("text", upTo: 9) ?? 0..<0
      arena.withText(in: range) { _ in arena.removeAll() }
    }
    await #expect(processExitsWith: .failure) { TextArena().withText(in: 0..<1) { _ in } }
  }
  #endif
}
