import Plist
import PlistFuzzTargets
import Testing

struct PropertyListStringTests {
  @Test func stringsAreTransformedInOrder() throws {
    let list: PropertyList = [
      "a": ["x", 1, ["y"], [:], []], "z": "z", "b": ["c": ["d": "e"], "f": true], "empty": "",
    ]
    var seen: [String] = []
    let mapped = list.mapStrings { text in
      seen.append(text)
      return text + "!"
    }
    #expect(seen == ["x", "y", "z", "e", ""])
    #expect(
      mapped == [
        "a": ["x!", 1, ["y!"], [:], []], "z": "z!", "b": ["c": ["d": "e!"], "f": true], "empty": "!",
      ])
    #expect(Array(try #require(mapped.dictionary).keys) == ["a", "z", "b", "empty"])
    #expect(list["z"] == "z")
  }

  @Test(arguments: ["text", 5, [], [:], true] as [PropertyList])
  func roots(_ root: PropertyList) {
    #expect(root.mapStrings { $0 + "s" } == (root == "text" ? "texts" : root))
  }

  private struct Refused: Error {}

  @Test func errorsAreRethrown() {
    #expect(throws: Refused.self) {
      try (["a", "b"] as PropertyList).mapStrings { (text) throws(Refused) in
        if text == "b" { throw Refused() }
        return text
      }
    }
  }

  @Test func anyDepth() {
    let result = SmallStack.run(kibibytes: 512) {
      var list: PropertyList = "x"
      for level in 0..<2_000 { list = level.isMultiple(of: 2) ? [list] : ["k": list] }
      var inner = list.mapStrings { $0 + "y" }
      var depth = 0
      while let next = inner[0] ?? inner["k"] { (inner, depth) = (next, depth + 1) }
      return inner == "xy" ? depth : -1
    }
    #expect(result == 2_000)
  }
}
