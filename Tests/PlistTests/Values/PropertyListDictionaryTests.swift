import Testing

@testable import Plist

@Suite struct PropertyListDictionaryTests {
  static let sizes = [0, 1, 2, 7, 8, 9, 10, 16, 17, 100, 1_000]

  static func numbered(_ count: Int) -> PropertyListDictionary {
    PropertyListDictionary(uniqueKeysWithValues: (0..<count).map { ("key\($0)", .integer(PropertyListInteger($0))) })
  }

  @Test func sizeOfAValue() {
    #expect(MemoryLayout<PropertyListDictionary>.size <= 16)
    #expect(MemoryLayout<PropertyList>.stride <= 24)
  }

  @Test(arguments: sizes)
  func looksUp(count: Int) {
    let dictionary = Self.numbered(count)
    #expect(dictionary.count == count)
    for index in 0..<count {
      #expect(dictionary["key\(index)"]?.int == index)
      #expect(dictionary.index(forKey: "key\(index)") == index)
      #expect(dictionary[index].key == "key\(index)")
    }
    #expect(dictionary["key\(count)"] == nil)
    #expect(dictionary[""] == nil)
    #expect(!dictionary.keys.contains("key-1"))
  }

  @Test(arguments: sizes)
  func buildingOneByOneIsTheSame(count: Int) {
    var dictionary = PropertyListDictionary()
    for index in 0..<count { dictionary["key\(index)"] = .integer(PropertyListInteger(index)) }
    #expect(dictionary == Self.numbered(count))
    #expect(dictionary.keys == Self.numbered(count).keys)
  }

  @Test(arguments: [3, 12, 200])
  func agreesWithAListOfPairs(keyCount: Int) {
    var random = SplitMix(state: UInt64(keyCount))
    var dictionary = PropertyListDictionary()
    var pairs: [(key: String, value: PropertyList)] = []
    var copies: [(PropertyListDictionary, [(key: String, value: PropertyList)])] = []
    for step in 0..<3_000 {
      let key = "k\(Int.random(in: 0..<keyCount, using: &random))"
      let value = PropertyList.integer(PropertyListInteger(step))
      let position = pairs.firstIndex { $0.key == key }
      #expect(dictionary.index(forKey: key) == position)
      switch Int.random(in: 0..<8, using: &random) {
      case 0..<3:
        dictionary[key] = value
        if let position { pairs[position].value = value } else { pairs.append((key, value)) }
      case 3:
        #expect(dictionary.updateValue(value, forKey: key) == position.map { pairs[$0].value })
        if let position { pairs[position].value = value } else { pairs.append((key, value)) }
      case 4...6:
        #expect(dictionary.removeValue(forKey: key) == position.map { pairs[$0].value })
        if let position { pairs.remove(at: position) }
      default:
        if copies.count < 5 { copies.append((dictionary, pairs)) }
      }
    }
    copies.append((dictionary, pairs))
    for (dictionary, pairs) in copies {
      #expect(dictionary.elementsEqual(pairs) { $0 == $1 })
      for (position, pair) in pairs.enumerated() { #expect(dictionary.index(forKey: pair.key) == position) }
    }
  }

  @Test(arguments: [2, 20])
  func copiesAreIndependent(count: Int) {
    let original = Self.numbered(count)
    #expect(original["key1"] != nil)
    var copy = original
    copy["key0"] = nil
    copy["new"] = true
    copy["key1"] = "changed"
    #expect(original == Self.numbered(count))
    #expect(original["new"] == nil)
    #expect(copy["key0"] == nil)
    #expect(copy["key1"] == "changed")
    #expect(copy.index(forKey: "new") == count - 1)
  }

  @Test(arguments: [3, 30])
  func sharedKeysStayAsTheyAreWhenOneOwnerChanges(count: Int) {
    let keys = PropertyListKeys((0..<count).map { "key\($0)" })
    var records = (0..<3).map { record in
      PropertyListDictionary(uniqueKeys: keys, values: Array(repeating: PropertyList(record), count: count))
    }
    records[0]["key0"] = "changed"
    #expect(records[0].keyStorage === keys, "a value changes no key")
    records[1]["new"] = 1
    records[1]["key0"] = nil
    #expect(records[1].keyStorage !== keys)
    #expect(keys.keys == (0..<count).map { "key\($0)" })
    #expect(records[2]["key0"] == 2)
    #expect(records[2]["new"] == nil)
    #expect(records[1]["key1"] == 1)
  }

  @Test func keysAreBytes() {
    var dictionary: PropertyListDictionary = ["caf\u{E9}": 1, "cafe\u{301}": 2, "": 3]
    #expect(dictionary.count == 3)
    #expect(dictionary["caf\u{E9}"] == 1)
    #expect(dictionary["cafe\u{301}"] == 2)
    #expect(dictionary[""] == 3)
    for index in 0..<20 { dictionary["\(index)"] = 0 }
    #expect(dictionary["caf\u{E9}"] == 1)
    #expect(dictionary["cafe\u{301}"] == 2)
    dictionary[""] = nil
    #expect(dictionary[""] == nil)
  }
}

struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z &>> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z &>> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z &>> 31)
  }
}
