import Plist
import Testing

@Suite struct PropertyListPathTests {
  @Test(arguments: [
    ("", []), ("a", ["a"]), ("servers.0.port", ["servers", "0", "port"]),
    (#"a\.b"#, ["a.b"]), (#"a\\.b"#, [#"a\"#, "b"]),
    (#"\"#, [""]), (".", ["", ""]), (".a", ["", "a"]), ("a.", ["a", ""]), (#"a\"#, ["a"]), (#"\n"#, ["n"]),
    (#"é\é.🙂"#, ["éé", "🙂"]), (".\u{301}", ["", "\u{301}"]), (#"a.\"#, ["a", ""]),
  ])
  func parses(text: String, components: [String]) {
    #expect(PropertyListPath(text).components == components)
  }

  @Test(arguments: [
    [], [""], ["", ""], ["", "", ""], ["a"], ["a", ""], ["", "a"], ["."], [#"\"#], [#"\."#], [#"a\"#, "b"],
    [#"\"#, ""], ["0", "1"], ["\u{301}", "é", "e\u{301}"], ["a b", "\n", "\0"],
  ])
  func descriptionReadsBack(components: [String]) {
    let path = PropertyListPath(components: components)
    let again = PropertyListPath(path.description)
    #expect(again == path)
    #expect(again.components.map { Array($0.utf8) } == components.map { Array($0.utf8) })
  }

  @Test func longKeysAreShortenedInMessages() throws {
    let key = String(repeating: "k", count: 100_000)
    let data = try PropertyList(["a": [key: "b"]]).data(format: .xml)
    let error = #expect(throws: DecodingError.self) {
      try PlistDecoder().decode([String: [String: Int]].self, from: data)
    }
    let end = "(key path: a.\(String(repeating: "k", count: 200))…)"
    #expect(error?.plistError?.description.hasSuffix(end) == true)
  }

  @Test func everyShortListReadsBack() {
    let parts = ["", "a", ".", #"\"#, #"\."#, #".\"#, "0"]
    var lists: [[String]] = [[]]
    var level = lists
    for _ in 0..<3 {
      level = level.flatMap { list in parts.map { list + [$0] } }
      lists += level
    }
    let texts = Set(lists.map { PropertyListPath(components: $0).description })
    #expect(texts.count == lists.count, "no two paths may share a text")
    for list in lists {
      #expect(PropertyListPath(String(PropertyListPath(components: list))).components == list)
    }
  }

  @Test func steps() {
    let path: PropertyListPath = "servers.0"
    #expect(path.appending(key: "a.b").description == #"servers.0.a\.b"#)
    #expect(path.appending(index: 3).components == ["servers", "0", "3"])
    #expect(path.appending("x.y" as PropertyListPath).components == ["servers", "0", "x", "y"])
    #expect(path.parent == "servers")
    #expect(path.parent?.parent == PropertyListPath())
    #expect(PropertyListPath().parent == nil)
  }

  @Test func comparesBytes() {
    #expect(PropertyListPath("caf\u{E9}") != PropertyListPath("cafe\u{301}"))
    #expect(PropertyListPath(components: ["ab", "c"]) != PropertyListPath(components: ["a", "bc"]))
    #expect(PropertyListPath(components: ["ab", "c"]).hashValue == PropertyListPath("ab.c").hashValue)
  }
}
