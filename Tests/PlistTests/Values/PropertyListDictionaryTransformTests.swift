import Testing

@testable import Plist

@Suite struct PropertyListDictionaryTransformTests {
  struct Stop: Error {}

  let letters: PropertyListDictionary = ["b": 2, "a": 1, "c": 3]

  @Test func collection() {
    #expect(letters.map(\.key) == ["b", "a", "c"])
    #expect(letters.keys.map(\.self) == ["b", "a", "c"])
    #expect(letters.values.map(\.int) == [2, 1, 3])
    #expect(letters.first?.key == "b")
    #expect(letters.last?.value == 3)
    #expect(letters.keys.contains("a"))
    #expect(letters.keys.firstIndex(of: "c") == 2)
    #expect(letters.keys.firstIndex(of: "d") == nil)
    #expect(PropertyListDictionary(uniqueKeysWithValues: letters.reversed()).map(\.key) == ["c", "a", "b"])
    #expect(letters.dropFirst().map(\.key) == ["a", "c"])
  }

  @Test func valuesChangeInPlace() {
    var copy = letters
    for index in copy.values.indices { copy.values[index] = .array([copy.values[index]]) }
    #expect(copy == ["a": [1], "b": [2], "c": [3]])
    #expect(letters["a"] == 1)
  }

  @Test func defaults() {
    var counts = PropertyListDictionary()
    for word in ["x", "y", "x"] { counts[word, default: []][0] = .string(word) }
    counts["x", default: []][1] = true
    #expect(counts == ["x": ["x", true], "y": ["y"]])
    #expect(counts["z", default: "none"] == "none")
    #expect(counts["z"] == nil)
  }

  @Test func uniquing() {
    let pairs: [(String, PropertyList)] = [("a", 1), ("b", 2), ("a", 3)]
    let first = PropertyListDictionary(pairs) { old, _ in old }
    #expect(first == ["a": 1, "b": 2])
    let all = PropertyListDictionary(pairs) { [$0, $1] }
    #expect(all == ["a": [1, 3], "b": 2])
    #expect(throws: Stop.self) { try PropertyListDictionary(pairs) { _, _ in throw Stop() } }
  }

  @Test func duplicatesInUniqueKeysTrap() async {
    await #expect(processExitsWith: .failure) {
      _ = PropertyListDictionary(uniqueKeysWithValues: [("a", 1), ("a", 2)])
    }
  }

  @Test func merging() {
    let merged = letters.merging(["c": 30, "d": 4]) { old, new in [old, new] }
    #expect(merged == ["b": 2, "a": 1, "c": [3, 30], "d": 4])
    #expect(merged.keys.map(\.self) == ["b", "a", "c", "d"])
  }

  @Test func mapping() throws {
    #expect(letters.mapValues { .string($0.description) } == ["a": "1", "b": "2", "c": "3"])
    #expect(letters.mapValues { $0 }.keyStorage === letters.keyStorage)
    let odd = letters.compactMapValues { value -> PropertyList? in
      guard let number = value.int, !number.isMultiple(of: 2) else { return nil }
      return value
    }
    #expect(odd.map(\.key) == ["a", "c"])
    #expect(letters.filter { $0.key > "a" }.keys.map(\.self) == ["b", "c"])
    #expect(throws: Stop.self) { try letters.filter { _ throws(Stop) in throw Stop() } as PropertyListDictionary }
  }

  @Test func removing() {
    var copy = letters
    copy.removeAll { $0.value == 1 }
    #expect(copy.keys.map(\.self) == ["b", "c"])
    #expect(copy.remove(at: 0) == (key: "b", value: 2))
    #expect(copy == ["c": 3])
    copy.removeAll()
    #expect(copy.isEmpty)
    copy["again"] = 1
    #expect(copy.count == 1)
    #expect(letters.count == 3)
  }

  @Test func sortsByCodeUnits() {
    // By UTF-16 code units, U+10000 (D800 DC00) comes before U+E000; by UTF-8 bytes or scalar values, after it.
    let sorted = [
      "", "A", "B", "a", "aa", "b", "e\u{301}", "\u{E9}", "\u{D7FF}", "\u{10000}", "\u{1F642}", "\u{E000}", "\u{FFFD}",
    ]
    var random = SplitMix(state: 7)
    var dictionary = PropertyListDictionary(
      uniqueKeysWithValues: sorted.shuffled(using: &random).map { ($0, .string($0)) })
    #expect(dictionary.sorted().keys.map(\.self) == sorted)
    #expect(sorted == sorted.shuffled(using: &random).sorted { $0.utf16.lexicographicallyPrecedes($1.utf16) })
    dictionary.sort()
    #expect(dictionary.allSatisfy { $0.value == .string($0.key) })
    #expect(dictionary.sorted().keyStorage === dictionary.keyStorage, "what is in order is left alone")
  }

  @Test func mirrorsAndDescriptions() {
    #expect(letters.description == #"["b": 2, "a": 1, "c": 3]"#)
    #expect(letters.debugDescription == #"PropertyListDictionary(["b": 2, "a": 1, "c": 3])"#)
    #expect(letters.keys.description == #"["b", "a", "c"]"#)
    #expect(letters.values.description == "[2, 1, 3]")
    #expect(Mirror(reflecting: letters).children.count == 3)
  }
}
