import Foundation
import Plist
import PlistFuzzTargets
import Testing

/// Equal dictionaries and sets that iterate in different orders: each capacity has its own hash seed.
private func variants<Key: Hashable, Value>(of pairs: [(Key, Value)]) -> [[Key: Value]] {
  [0, 50, 400, 3000].map { capacity in
    var dictionary = [Key: Value](minimumCapacity: capacity)
    for (key, value) in capacity == 50 ? pairs.reversed() : pairs { dictionary[key] = value }
    return dictionary
  }
}

private func variants<Element: Hashable>(of elements: [Element]) -> [Set<Element>] {
  variants(of: elements.map { ($0, true) }).map { dictionary in
    var set = Set<Element>(minimumCapacity: dictionary.capacity)
    for element in dictionary.keys { set.insert(element) }
    return set
  }
}

struct EncodingOrderTests {
  private static let formats: [PlistFormat] = [.xml, .binary, .json, .openStep, .gnuStep]

  private func json(_ value: some Encodable) throws -> String {
    String(decoding: try encoder(.json).encode(value), as: UTF8.self)
  }

  private func encoder(_ format: PlistFormat) -> PlistEncoder {
    PlistEncoder(outputFormat: format, options: PlistWriteOptions(unrepresentable: .convert, layout: .compact))
  }

  /// Expects the same bytes of all values in every format, and `text` in JSON.
  private func expectSame(_ values: [some Encodable], _ text: String) throws {
    for value in values { #expect(try json(value) == text) }
    for format in Self.formats {
      let encoder = encoder(format)
      #expect(Set(try values.map { try encoder.encode($0) }).count == 1, "\(format)")
      #expect(
        Set(try values.map { try encoder.encodeToPropertyList($0).data(format: .json, options: encoder.writeOptions) })
          == [Data(text.utf8)])
      for container in [PlistStreamEncoder<Data>.Container.array, .dictionary] {
        let documents = try values.map { value in
          var stream = try PlistStreamEncoder(to: Data(), of: container, encoder: encoder)
          if container == .array { try stream.encode(value) } else { try stream.encode(value, forKey: "key") }
          return try stream.finish()
        }
        #expect(Set(documents).count == 1, "\(format)")
      }
    }
  }

  private enum Level: String, Codable, CaseIterable, CodingKeyRepresentable { case low, high, middle, none, all }

  private struct Point: Codable, Hashable {
    var x: Int
    var tags: Set<String>
  }

  /// Encodes its value with its own encoder, as many property wrappers do.
  private struct Wrapper<Value: Encodable>: Encodable {
    var value: Value
    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
  }

  /// Encodes its value with a container.
  private struct Single<Value: Encodable>: Encodable {
    var value: Value
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(value)
    }
  }

  private struct Member<Value: Encodable>: Encodable {
    var z = 1
    var value: Value?
    var a = 2
  }

  @Test func theVariantsIterateInOtherOrders() {
    #expect(Set(variants(of: (0..<12).map { ("\($0)", $0) }).map { Array($0.keys) }).count > 1)
    #expect(Set(variants(of: Array(0..<12)).map(Array.init)).count > 1)
  }

  @Test func stringKeysAreSorted() throws {
    let pairs = ["b", "a", "longer than eight bytes", "longer than seven bytes", "\u{1f600}", "\u{ff5e}", "é", ""]
    let all = variants(of: pairs.map { ($0, $0.utf8.count) })
    let text =
      #"{"":0,"a":1,"b":1,"longer than eight bytes":23,"longer than seven bytes":23,"é":2,"😀":4,"～":3}"#
    try expectSame(all, text)
    try expectSame(all.map(Wrapper.init), text)
    try expectSame(all.map(Single.init), text)
  }

  @Test func integerKeysAreSortedByTheirNames() throws {
    let all = variants(of: [10, 9, -1, 100, 2, 3].map { ($0, "\($0)") })
    let text = #"{"-1":"-1","10":"10","100":"100","2":"2","3":"3","9":"9"}"#
    try expectSame(all, text)
    try expectSame(all.map(Wrapper.init), text)
    try expectSame(all.map { Member(value: $0) }, #"{"z":1,"value":"# + text + #","a":2}"#)
  }

  @Test func representableKeysAreSorted() throws {
    let all = variants(of: Level.allCases.map { ($0, [$0.rawValue: 1]) })
    try expectSame(
      all, #"{"all":{"all":1},"high":{"high":1},"low":{"low":1},"middle":{"middle":1},"none":{"none":1}}"#)
  }

  @Test func pairsWithOtherKeysAreSorted() throws {
    let all = variants(of: [3.5, -1, .infinity, 100, 20, 3].map { ($0, ["a\($0)"]) })
    let text = #"[-1.0,["a-1.0"],3.0,["a3.0"],3.5,["a3.5"],20.0,["a20.0"],100.0,["a100.0"],"+infinity",["ainf"]]"#
    try expectSame(all, text)
    try expectSame(all.map(Single.init), text)
    try expectSame(
      [all, all.reversed()].map { $0.map(Optional.some) }, "[" + [text, text, text, text].joined(separator: ",") + "]")
  }

  /// Keys that differ, but are encoded as the same value.
  private struct Equal: Hashable, Encodable {
    var id: Int
    func encode(to encoder: any Encoder) throws { try true.encode(to: encoder) }
  }

  @Test func pairsWithEqualKeysAreSortedByTheirValues() throws {
    try expectSame(variants(of: [4, 2, 5, 1].map { (Equal(id: $0), $0) }), "[true,1,true,2,true,4,true,5]")
  }

  @Test func setsAreSortedByTheirEncodedForm() throws {
    try expectSame(
      variants(of: [10, 9, -1, 100, .min, .max]), "[-9223372036854775808,-1,9,10,100,9223372036854775807]")
    try expectSame(
      variants(of: ["b", "ab", "a", "", "a\u{1}", "\u{1f600}", "\u{ff5e}"]), #"["","a","a\u0001","ab","b","😀","～"]"#)
    try expectSame(variants(of: [[2], [1, 2], [1], [], [10]]), "[[],[1],[1,2],[2],[10]]")
    try expectSame(variants(of: [Level.low, .high, .none]).map(Single.init), #"["high","low","none"]"#)
    try expectSame(variants(of: [false, true]), "[false,true]")
  }

  @Test func setsOfModelsAndNestedSetsAreSorted() throws {
    let tags = variants(of: ["x", "y", "z", "w"])
    let all = variants(of: [4, 1, 3, 2]).map { set in
      Set(set.map { Point(x: $0, tags: tags[$0 % 4]) })
    }
    let tagText = #""tags":["w","x","y","z"]}"#
    try expectSame(all, "[" + (1...4).map { #"{"x":\#($0),"# + tagText }.joined(separator: ",") + "]")
    try expectSame(
      tags.map { [Set([$0, Set($0.dropFirst(4)), ["a", "w"]])] }, #"[[[],["a","w"],["w","x","y","z"]]]"#)
  }

  @Test func setsOfDataAreSorted() throws {
    let all = variants(of: [Data([0]), Data(), Data([0, 0]), Data([1]), Data([0, 1])])
    for format in Self.formats where format != .openStep {
      #expect(Set(try all.map { try encoder(format).encode($0) }).count == 1)
    }
    let elements = try PropertyList(parsing: encoder(.binary).encode(all[1])).array?.compactMap(\.data)
    #expect(elements == [Data(), Data([0]), Data([1]), Data([0, 0]), Data([0, 1])])
  }

  /// Strings are compared in a form in which NUL is a byte like any other.
  @Test func setsOfStringsWithNULsAreSorted() throws {
    let strings = ["", "a", "a\0", "a\0\0", "a\0b", "a\u{1}", "ab"]
    for set in variants(of: strings) {
      #expect(try PropertyList(parsing: encoder(.binary).encode(set)).array?.compactMap(\.string) == strings)
    }
  }

  // MARK: Own order

  private struct Flattened: Encodable {
    var extras: [String: Int]
    var begins = true

    enum CodingKeys: CodingKey { case z, a }

    func encode(to encoder: any Encoder) throws {
      if !begins { try extras.encode(to: encoder) }
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(1, forKey: .z)
      try container.encode(2, forKey: .a)
      if begins { try extras.encode(to: encoder) }
    }
  }

  @Test func aTypeKeepsTheOrderOfItsOwnPairs() throws {
    let extras = variants(of: ["q", "p", "x", "b", "y"].map { ($0, 0) })
    try expectSame(extras.map { Flattened(extras: $0) }, #"{"z":1,"a":2,"b":0,"p":0,"q":0,"x":0,"y":0}"#)
    try expectSame(
      extras.map { Flattened(extras: $0, begins: false) }, #"{"b":0,"p":0,"q":0,"x":0,"y":0,"z":1,"a":2}"#)
    let byHand = ByHand(keyed: { for key in ["b", "a", "c"] { try $0.encode(1, forKey: AnyKey(stringValue: key)) } })
    #expect(try json(byHand) == #"{"b":1,"a":1,"c":1}"#)
    #expect(try json(["b": ["z": 1, "a": 2] as PropertyList]) == #"{"b":{"z":1,"a":2}}"#)
    #expect(try json([3, 1, 2]) == "[3,1,2]")
  }

  @Test func sortedKeysSortAllPairs() throws {
    var encoder = encoder(.json)
    encoder.writeOptions.sortedKeys = true
    for extras in variants(of: ["q", "p", "x", "b", "y"].map { ($0, 0) }) {
      let text = String(decoding: try encoder.encode(Flattened(extras: extras)), as: UTF8.self)
      #expect(text == #"{"a":2,"b":0,"p":0,"q":0,"x":0,"y":0,"z":1}"#)
    }
  }

  @Test func theOrderOfIterationCanBeKept() throws {
    var encoder = encoder(.json)
    encoder.unorderedEncodingStrategy = .iterationOrder
    for set in variants(of: Array(0..<12)) {
      let dictionary = Dictionary(uniqueKeysWithValues: set.map { ("\($0)", $0) })
      let numbers = Dictionary(uniqueKeysWithValues: set.map { ($0, $0) })
      #expect(try encoder.encodeToPropertyList(set) == .array(set.map { PropertyList($0) }))
      #expect(try encoder.encodeToPropertyList(Member(value: set))["value"] == .array(set.map { PropertyList($0) }))
      #expect(try encoder.encodeToPropertyList(dictionary).dictionary?.keys.elementsEqual(dictionary.keys) == true)
      #expect(
        try encoder.encodeToPropertyList(numbers).dictionary?.keys.elementsEqual(numbers.keys.map(String.init)) == true)
    }
  }

  @Test func anErrorNamesTheSortedPosition() throws {
    for set in variants(of: ["b", "a\u{0}", "c", "d"]) {
      #expect {
        try encoder(.xml).encode(Single(value: ["set": Single(value: set)]))
      } throws: { error in
        guard case EncodingError.invalidValue(_, let context) = error else { return false }
        return context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue } == ["set", "0"]
      }
    }
  }

  // MARK: Direct coding

  private struct DirectMember<Value: PlistEncodable>: PlistEncodable {
    var value: Value
    static var keys: PlistKeys { ["z", "value", "a"] }

    func encode(to encoder: inout PlistValueEncoder) throws {
      try encoder.encodeDictionary(Self.keys) { pairs in
        try pairs.encode(1, forKey: 0)
        try pairs.encode(value, forKey: 1)
        try pairs.encode(value, forKey: 2)
      }
    }
  }

  private struct Codables: Hashable, PlistEncodable {
    var points: Point

    func encode(to encoder: inout PlistValueEncoder) throws {
      try encoder.encodeDictionary(["points"]) { try $0.encode(codable: points, forKey: 0) }
    }
  }

  private func expectSameDirectly(_ values: [some PlistEncodable], _ text: String) throws {
    for format in Self.formats {
      let encoder = encoder(format)
      let members = values.map { DirectMember(value: $0) }
      #expect(Set(try members.map { try encoder.encode($0) }).count == 1, "\(format)")
      let list = try PropertyList(parsing: encoder.encode(members[1]))
      #expect(list.dictionary.map { Array($0.keys) } == ["z", "value", "a"])
      #expect(
        Set(try members.map { try encoder.encodeToPropertyList($0).data(format: .json, options: encoder.writeOptions) })
          == [Data(#"{"z":1,"value":\#(text),"a":\#(text)}"#.utf8)])
      if format == .json {
        #expect(Set(try values.map { String(decoding: try encoder.encode($0), as: UTF8.self) }) == [text])
      } else if format == .xml || format == .binary {
        let json = try PropertyList(parsing: encoder.encode(members[2])).data(
          format: .json, options: encoder.writeOptions)
        #expect(String(decoding: json, as: UTF8.self) == #"{"z":1,"value":\#(text),"a":\#(text)}"#)
        #expect(Set(try values.map { try encoder.encode($0) }).count == 1, "\(format)")
      }
    }
  }

  @Test func directCodingSortsToo() throws {
    try expectSameDirectly(variants(of: ["b", "a", "d", "c"].map { ($0, 1) }), #"{"a":1,"b":1,"c":1,"d":1}"#)
    try expectSameDirectly(variants(of: ["b", "a", "d", "c"]), #"["a","b","c","d"]"#)
    try expectSameDirectly(variants(of: [10, 9, -1, 100]).map { [["set": $0]] }, #"[{"set":[-1,9,10,100]}]"#)
    try expectSameDirectly(
      variants(of: [10, 9, -1, 100]).map { [Set([$0, [], [7]])] }, "[[[],[-1,9,10,100],[7]]]")
    let tags = variants(of: ["x", "y", "z"])
    try expectSameDirectly(
      variants(of: [3, 1, 0, 2]).map { Set($0.map { Codables(points: Point(x: $0, tags: tags[$0])) }) },
      "[" + (0..<4).map { #"{"points":{"x":\#($0),"tags":["x","y","z"]}}"# }.joined(separator: ",") + "]")
  }

  private struct Failing: Hashable, PlistEncodable {
    var text: String
    func encode(to encoder: inout PlistValueEncoder) throws {
      try encoder.encodeDictionary { pairs in
        try pairs.encode([text], forKey: "texts")
        if text == "refused" { throw pairs.makeError("refused") }
      }
    }
  }

  @Test(arguments: formats) func directSetsReportTheirPath(format: PlistFormat) throws {
    func path(_ set: Set<Failing>) -> [String] {
      do { _ = try encoder(format).encode(["outer": [DirectMember(value: set)]]) } catch {
        guard case EncodingError.invalidValue(_, let context)? = error as? EncodingError else { return [] }
        return context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
      }
      return []
    }
    #expect(path([Failing(text: "refused")]) == ["outer", "0", "value", "0"])
    if format == .xml {
      #expect(path([Failing(text: "b"), Failing(text: "a\u{0}")]) == ["outer", "0", "value", "0", "texts", "0"])
    }
  }

  private struct Nest: Hashable, PlistEncodable {
    var depth: Int
    func encode(to encoder: inout PlistValueEncoder) throws {
      if depth > 1 { try encoder.encode(Set([Nest(depth: depth - 1)])) } else { try encoder.encodeArray { _ in } }
    }
  }

  private struct CodableNest: Hashable, PlistEncodable {
    var depth: Int
    func encode(to encoder: inout PlistValueEncoder) throws {
      if depth > 2 {
        try encoder.encode(Set([CodableNest(depth: depth - 1)]))
      } else {
        try encoder.encode(codable: [[Int]]())
      }
    }
  }

  @Test(arguments: [PlistFormat.xml, .binary, .json]) func setsNestAsDeepAsArrays(format: PlistFormat) throws {
    #expect(throws: Never.self) { try encoder(format).encode(Nest(depth: 100)) }
    #expect(throws: Never.self) { try encoder(format).encode(CodableNest(depth: 100)) }
  }

  // MARK: Values

  @Test func convertedValuesAreSorted() {
    for set in variants(of: [10, 9, -1, 100]) { #expect(PropertyList(set) == [-1, 9, 10, 100]) }
    for set in variants(of: ["b", "a", "c"]) { #expect(PropertyList(["s": [set]]) == ["s": [["a", "b", "c"]]]) }
    for dictionary in variants(of: ["b", "a", "d", "c"].map { ($0, 1) }) {
      #expect(PropertyList(dictionary).dictionary.map { Array($0.keys) } == ["a", "b", "c", "d"])
    }
  }
}
