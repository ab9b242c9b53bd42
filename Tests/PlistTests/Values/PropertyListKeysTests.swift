import Foundation
import Testing

@testable import Plist

@Suite struct PropertyListKeysTests {
  @Test(
    arguments: [
      ([], nil), (["a"], nil), (["a", "a"], 1), (["a", "b", "a", "b"], 2), (["", ""], 1),
      (["\u{E9}", "e\u{301}"], nil),
    ] as [([String], Int?)])
  func firstDuplicateAmongFew(keys: [String], duplicate: Int?) {
    #expect(PropertyListKeys.firstDuplicate(in: keys) == duplicate)
  }

  @Test(arguments: [9, 50, 1_000])
  func firstDuplicateAmongMany(count: Int) {
    let ascending = (0..<count).map { "key\($0 + 100_000)" }
    #expect(PropertyListKeys.firstDuplicate(in: ascending) == nil)
    #expect(PropertyListKeys.firstDuplicate(in: ascending.reversed()) == nil)
    #expect(PropertyListKeys.firstDuplicate(in: ascending + [ascending[0]]) == count)
    #expect(PropertyListKeys.firstDuplicate(in: ascending + [ascending[count - 1], ascending[0]]) == count)
    #expect(PropertyListKeys.firstDuplicate(in: [ascending[count - 1]] + ascending) == count)
    #expect(PropertyListKeys.firstDuplicate(in: [ascending[0]] + ascending) == 1)
  }

  @Test(arguments: [0, 30])
  func duplicatePolicies(extra: Int) {
    let more = (0..<extra).map { "more\($0)" }
    let keys = ["a", "b", "a", "c", "b", "a"] + more
    let values = (0..<keys.count).map { PropertyList($0) }
    let first = PropertyListDictionary(keys: keys, values: values, duplicates: .firstWins)
    let last = PropertyListDictionary(keys: keys, values: values, duplicates: .lastWins)
    #expect(first.keys.map(\.self) == ["a", "b", "c"] + more)
    #expect(last.keys.map(\.self) == ["a", "b", "c"] + more)
    #expect(first.values.prefix(3).map(\.int) == [0, 1, 3])
    #expect(last.values.prefix(3).map(\.int) == [5, 4, 3])
  }

  @Test func aHundredThousandKeys() {
    var dictionary = PropertyListDictionary()
    for index in 0..<100_000 { dictionary["key\(index)"] = true }
    #expect(dictionary.count == 100_000)
    #expect(dictionary["key99999"] == true)
    var copy = dictionary
    copy.removeAll { $0.key.hasSuffix("7") }
    #expect(copy.count == 90_000)
    #expect(dictionary != PropertyListDictionary())
    let reversed = PropertyListDictionary(
      keys: dictionary.keys.reversed(), values: dictionary.values.reversed(), duplicates: .lastWins)
    #expect(reversed == dictionary)
    #expect(reversed.hashValue == dictionary.hashValue)
  }

  @Test func keysMadeToCollide() {
    let long = String(repeating: "x", count: 1_000)
    let families: [[String]] = [
      (0..<20_000).map { "\(long)\($0)" },
      (0..<20_000).map { "\($0)\(long)" },
      (0..<1 << 14).map { bits in
        // In hash functions that compute 31·a + b, "Aa" and "BB" have the same hash.
        (0..<14).map { (bits >> $0) & 1 == 0 ? "Aa" : "BB" }.joined()
      },
      (0..<20_000).map { String(repeating: "\0", count: $0 % 200) + "\($0 / 200)" },
    ]
    for keys in families {
      let dictionary = PropertyListDictionary(
        keys: keys, values: Array(repeating: .null, count: keys.count), duplicates: .lastWins)
      let unique = Set(keys).count
      #expect(dictionary.count == unique)
      for key in keys { #expect(dictionary.index(forKey: key) != nil) }
    }
  }

  @Test func threadsBuildOneIndex() {
    for _ in 0..<20 {
      let keys = (0..<500).map { "key\($0)" }
      let dictionary = PropertyListDictionary(
        uniqueKeys: PropertyListKeys(keys), values: (0..<500).map { PropertyList($0) })
      DispatchQueue.concurrentPerform(iterations: 8) { thread in
        for index in 0..<500 {
          let number = (index * 7 + thread) % 500
          precondition(dictionary["key\(number)"]?.int == number)
        }
      }
    }
  }
}
