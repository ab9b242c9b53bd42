import Foundation
import Plist
import PlistFuzzTargets
import Testing

struct NodeCollectionTests {
  private static let value: PropertyList = [
    "list": [1, ["a", "b", []], ["k": ["l": 1], "m": 2], "text", true, [[[3]]]],
    "map": ["one": 1, "two": ["x": [1, 2], "y": "z"], "three": [], "four": 4.5],
    "empty": [], "none": [:],
  ]

  private static func root(_ format: PlistFormat, _ value: PropertyList = value) throws -> PlistNode {
    try PlistDocument(parsing: value.data(format: format)).root
  }

  @Test(arguments: [PlistFormat.xml, .binary, .gnuStep, .json])
  func laws(_ format: PlistFormat) throws {
    let root = try Self.root(format)
    try check(root)
    let list = try #require(root["list"]?.array)
    let map = try #require(root["map"]?.dictionary)
    #expect(try list.count == 6 && list.map(\.kind) == root["list"]?.propertyList().array?.map(\.kind))
    #expect(list.dropFirst(2).first?.kind == .dictionary && list.prefix(2).count == 2)
    let text = try #require(list.firstIndex { $0.string == "text" })
    #expect(list[text].string == "text" && list.distance(from: list.startIndex, to: text) == 3)
    #expect(list[list.index(after: text)].kind != .string && list[text...].count == 3)
    #expect(map.map(\.key) == ["one", "two", "three", "four"] && map.keys == map.map(\.key))
    #expect(map.values.map(\.kind) == map.map(\.value.kind))
    #expect(map[map.index(map.startIndex, offsetBy: 2)].key == "three" && map["two"]?["y"]?.string == "z")
    #expect(root["empty"]?.array?.isEmpty == true && root["none"]?.dictionary?.isEmpty == true)
    #expect(root["empty"]?.array?.first?.kind == nil && root["none"]?.dictionary?.first?.key == nil)
  }

  @Test(arguments: UInt64(300)..<310)
  func randomValues(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let value = PropertyList.random(using: &generator, depth: 5)
    for format in [PlistFormat.xml, .binary] { try check(try Self.root(format, value)) }
  }

  private func check(_ node: PlistNode) throws {
    if let elements = node.array {
      let offsets = Array(elements).map(\.offset)
      #expect(offsets.count == elements.count && elements.count == node.count)
      #expect(elements.indices.map { elements[$0].offset } == offsets)
      #expect(elements.lazy.map(\.offset).reduce(into: []) { $0.append($1) } == offsets)
      #expect((0..<elements.count).map { node[$0]?.offset } == offsets)
      #expect(elements.indices.allSatisfy { $0 < elements.endIndex })
      #expect(elements.distance(from: elements.endIndex, to: elements.startIndex) == -elements.count)
      for element in elements { try check(element) }
    }
    if let pairs = node.dictionary {
      let keys = Array(pairs).map(\.key)
      #expect(keys.count == pairs.count && pairs.count == node.count)
      #expect(pairs.indices.map { pairs[$0].key } == keys)
      #expect(pairs.indices.map { pairs[$0].value.offset } == pairs.map(\.value.offset))
      for pair in pairs { try check(pair.value) }
    }
  }

  @Test func indicesOfOtherContainers() throws {
    for format in [PlistFormat.xml, .binary] {
      let root = try Self.root(format)
      let list = try #require(root["list"]?.array)
      let inner = try #require(root["list"]?[1]?.array)
      for index in inner.indices { #expect(list[index].offset >= (root["list"]?.offset ?? 0) || format == .binary) }
      #expect(list.index(after: inner.startIndex) > list.startIndex)
    }
  }

  @Test func indicesOutOfRangeTrap() async {
    await #expect(processExitsWith: .failure) {
      let list = try PlistDocument(parsing: Data("<array><true/></array>".utf8)).root.array
      if let list { _ = list[list.endIndex].kind }
    }
    await #expect(processExitsWith: .failure) {
      let root = try PlistDocument(parsing: Data("<array><array><true/></array><array/></array>".utf8)).root
      if let inner = root[0]?.array, let other = root.array { _ = inner[other.index(after: other.startIndex)].kind }
    }
    await #expect(processExitsWith: .failure) {
      let text = "<array><array><true/></array><array><true/></array></array>"
      let root = try PlistDocument(parsing: Data(text.utf8)).root
      if let inner = root[0]?.array, let other = root[1]?.array { _ = inner[other.startIndex].kind }
    }
  }

  private static func document(of reference: UInt8) -> Data {
    let objects: [UInt8] = [0xA3, 1, reference, 2, 0x51, 0x61, 0x09, 0x10, 5, 0x51, 0xFF]
    return binary(objects, offsets: [8, 12, 14, 15, 17])
  }

  private static func dictionary(withKey key: UInt8) -> Data {
    let objects: [UInt8] = [0xD3, 1, key, 2, 3, 3, 3, 0x51, 0x61, 0x51, 0x62, 0x10, 5, 0x51, 0xFF]
    return binary(objects, offsets: [8, 15, 17, 19, 21])
  }

  private static func binary(_ objects: [UInt8], offsets: [UInt8]) -> Data {
    func number(_ value: Int) -> [UInt8] { [0, 0, 0, 0, 0, 0, 0, UInt8(value)] }
    return Data(Array("bplist00".utf8) + objects + offsets + [0, 0, 0, 0, 0, 0, 1, 1])
      + Data(number(offsets.count) + number(0) + number(8 + objects.count))
  }

  @Test func malformedReferences() throws {
    let root = try PlistDocument(parsing: Self.document(of: 200)).root
    let elements = try #require(root.array)
    #expect(Array(elements).count == 3 && elements.map(\.kind) == [.string, .null, .boolean])
    #expect(elements.lazy.map(\.kind).count == 3 && Array(elements.enumerated()).count == 3)
    #expect(elements.sorted { $0.offset < $1.offset }.count == 3)
    let node = try #require(elements.first { $0.isNull })
    #expect(root[1]?.kind == nil && root[2]?.bool == true)
    #expect(node.offset == 10 && node.line == nil && node.count == 0)
    #expect(node.string == nil && node.array?.count == nil && node["a"]?.kind == nil && node[0]?.kind == nil)
    #expect(node.value(as: Int?.self) == nil)
    let error = #expect(throws: PlistError.self) { try node.propertyList() }
    #expect(error?.code == .invalidObjectReference && error?.offset == 10)
    let decoding = #expect(throws: DecodingError.self) { try PlistDecoder().decode(Int?.self, from: node) }
    #expect(decoding?.plistError?.code == .invalidObjectReference)
    try check(try PlistDocument(parsing: Self.document(of: 3)).root)
  }

  @Test(arguments: [(UInt8(200), PlistError.Code.invalidObjectReference), (3, .invalidKey), (4, .invalidText)])
  func malformedKeys(_ key: UInt8, _ code: PlistError.Code) throws {
    let root = try PlistDocument(parsing: Self.dictionary(withKey: key)).root
    let pairs = try #require(root.dictionary)
    #expect(Array(pairs).count == 3 && pairs.keys == ["a", "", "b"])
    #expect(pairs.values.map(\.kind) == [.integer, .null, .integer])
    let error = #expect(throws: PlistError.self) { try pairs.values[1].propertyList() }
    #expect(error?.code == code)
    let whole = #expect(throws: PlistError.self) { try root.propertyList() }
    #expect(whole?.code == code && whole?.offset == error?.offset)
    #expect(root["a"]?.int == 5 && root["b"]?.int == nil && root[""]?.kind == nil)
  }
}

struct NodeAccessorTests {
  private static let values: [PropertyList] = [
    "text", "42", 42, -7, 1.5, true, .date(Date(timeIntervalSinceReferenceDate: 1)), .data(Data([1, 2])),
    .uid(PropertyListUID(3)), .null, [1, ["a": 2]], ["a": [1, 2], "b": "c"],
  ]

  @Test(arguments: values)
  func sameResults(_ list: PropertyList) throws {
    let node = try PlistDocument(parsing: list.data(format: .binary)).root
    #expect(node.kind == list.kind && node.isNull == list.isNull && node.count == list.count)
    #expect(node.string == list.string && node.bool == list.bool && node.data == list.data && node.date == list.date)
    #expect(node.int == list.int && node.integer == list.integer && node.double == list.double && node.uid == list.uid)
    #expect(try node.propertyList() == list)
    #expect(node.value(as: Int.self) == list.value(as: Int.self))
    #expect(node.value(as: String.self) == list.value(as: String.self))
    #expect(node.value(as: [String: PropertyList].self) == list.value(as: [String: PropertyList].self))
    #expect(node.value() as Double? == list.value() as Double?)
    #expect(try node["a"]?.propertyList() == list["a"] && node[1]?.propertyList() == list[1])
    let path: PropertyListPath = "a.1"
    #expect(try node[path]?.propertyList() == list[path])
    #expect(try node.array?.map { try $0.propertyList() } == list.array)
    #expect(node.array?.count == list.array?.count && node.dictionary?.count == list.dictionary?.count)
    #expect(node.dictionary.map { Array($0.keys) } == list.dictionary.map { Array($0.keys) })
    #expect(try node.dictionary?.values.map { try $0.propertyList() } == list.dictionary.map { Array($0.values) })
    #expect(try node.dictionary?["b"]?.propertyList() == list.dictionary?["b"])
    let pairs = try node.dictionary?.map { "\($0.key): \(try $0.value.propertyList())" }
    #expect(pairs == list.dictionary?.map { "\($0.key): \($0.value)" })
  }
}
