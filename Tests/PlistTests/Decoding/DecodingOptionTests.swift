import Foundation
import Testing

@testable import Plist
import PlistFuzzTargets

struct DecodingOptionTests {
  private static let keys = [
    "", "_", "__", "a", "one", "one_two", "one_two_three", "_one_two_", "__one__two__", "ONE_TWO", "oneTwo", "_oneTwo",
    "one_Two", "one__two", "o_n_e", "a_b_", "é_é", "1_2", "one_", "_a_B_c",
    "is_2fa_enabled", "_9_Y9c", "max_upload-size", "x_a.b", "x_foo bar", "x_$foo", "x_ßa", "x_ǆa", "x_don't",
  ]

  @Test(arguments: keys)
  func snakeCase(_ key: String) throws {
    struct Keys: Decodable {
      var names: [String]
      struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
      }
      init(from decoder: any Decoder) throws {
        names = try decoder.container(keyedBy: Key.self).allKeys.map(\.stringValue)
      }
    }
    let json = JSONDecoder()
    json.keyDecodingStrategy = .convertFromSnakeCase
    let expected = try json.decode(Keys.self, from: JSONEncoder().encode([key: 1])).names
    var decoder = PlistDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let list = PropertyList.dictionary([key: 1])
    for format in [PlistFormat.xml, .binary] {
      #expect(try decoder.decode(Keys.self, from: list.data(format: format)).names == expected)
    }
    #expect(try decoder.decode(Keys.self, from: list).names == expected)
  }

  @Test(arguments: [PlistFormat.xml, .binary])
  func customKeys(_ format: PlistFormat) throws {
    struct Inner: Decodable { var x: Int }
    struct Outer: Decodable { var first: Inner; var second: Inner }
    var decoder = PlistDecoder()
    decoder.keyDecodingStrategy = .custom { path in
      let depth = path.count
      let name = path.last?.stringValue ?? ""
      return PlistCodingKey.name(
        depth == 1 ? name.lowercased() : path[0].stringValue == "first" ? String(name.dropFirst()) : name)
    }
    let list: PropertyList = ["FIRST": ["_x": 1], "Second": ["x": 2]]
    let value = try decoder.decode(Outer.self, from: list.data(format: format))
    #expect(value.first.x == 1 && value.second.x == 2)
  }

  @Test func equalKeys() throws {
    struct Model: Decodable { var aB: Int; var c: Int }
    var decoder = PlistDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let text = """
      <dict><key>c</key><integer>1</integer><key>a_b</key><integer>2</integer><key>aB</key><integer>3</integer>
      <key>c</key><integer>4</integer></dict>
      """
    let model = try decoder.decode(Model.self, from: Data(text.utf8))
    #expect(model.aB == 2 && model.c == 4)
  }

  @Test func duplicateKeysCountAsWhenRead() throws {
    struct Model: Decodable, Equatable { var a: Int; var b: Int }
    let text =
      "<dict><key>a</key><integer>1</integer><key>b</key><integer>2</integer><key>a</key><integer>3</integer></dict>"
    #expect(try PlistDecoder().decode(Model.self, from: Data(text.utf8)) == Model(a: 3, b: 2))
    #expect(try PlistDecoder().decode([String: Int].self, from: Data(text.utf8)) == ["a": 3, "b": 2])
    var options = PlistReadOptions()
    options.duplicateKeys = .refuse
    #expect(throws: DecodingError.self) {
      try PlistDecoder(options: options).decode(Model.self, from: Data(text.utf8))
    }
  }

  @Test(arguments: [PlistFormat.xml, .binary])
  func whatIsNil(_ format: PlistFormat) throws {
    let data = try (["$null", "none", "$nulls"] as PropertyList).data(format: format)
    var decoder = PlistDecoder()
    #expect(try decoder.decode([String?].self, from: data) == [nil, "none", "$nulls"])
    decoder.nilDecodingStrategy = .nullObject
    #expect(try decoder.decode([String?].self, from: data) == ["$null", "none", "$nulls"])
    decoder.nilDecodingStrategy = .string("none")
    #expect(try decoder.decode([String?].self, from: data) == ["$null", nil, "$nulls"])
  }

  @Test func nullObjects() throws {
    let data = try ([.null, 1] as PropertyList).data(format: .binary)
    #expect(try PlistDecoder().decode([Int?].self, from: data) == [nil, 1])
    #expect(try PlistDecoder().decode([Int?].self, from: [.null, 1] as PropertyList) == [nil, 1])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: [PlistFormat.xml, .binary])
  func wideIntegers(_ format: PlistFormat) throws {
    let list: PropertyList = [.integer(.max), .integer(.min), 5, 2.0]
    let data = try list.data(format: format)
    #expect(try PlistDecoder().decode([Int128].self, from: data) == [Int128(UInt64.max), Int128(Int64.min), 5, 2])
    #expect(try PlistDecoder().decode([PropertyListInteger].self, from: data) == [.max, .min, 5, 2])
    #expect(throws: DecodingError.self) { try PlistDecoder().decode([UInt128].self, from: data) }
    #expect(try PlistDecoder().decode([UInt128?].self, from: ["$null", 7] as PropertyList) == [nil, 7])
  }

  @Test(arguments: [PlistFormat.xml, .binary])
  func ownTypes(_ format: PlistFormat) throws {
    struct Model: Decodable {
      var list: PropertyList
      var uid: PropertyListUID
      var maybe: PropertyListUID?
      var dictionary: PropertyListDictionary
      var integer: PropertyListInteger
    }
    let list: PropertyList = [
      "list": [1, "a", ["b": 2.5]], "uid": .uid(7), "maybe": .uid(8), "dictionary": ["z": 1, "a": [true]],
      "integer": .integer(.max),
    ]
    let data = try list.data(format: format)
    for model in try [PlistDecoder().decode(Model.self, from: data), PlistDecoder().decode(Model.self, from: list)] {
      #expect(model.list == list["list"] && model.uid == 7 && model.maybe == 8 && model.integer == .max)
      #expect(.dictionary(model.dictionary) == list["dictionary"] && Array(model.dictionary.keys) == ["z", "a"])
    }
    #expect(try PlistDecoder().decode(PropertyList.self, from: data) == list)
  }

  @Test func atPathsOfDocuments() throws {
    let document = try PlistDocument(parsing: (["a": [["b": 5], ["b": "x"]]] as PropertyList).data(format: .xml))
    #expect(try PlistDecoder().decode(Int.self, from: document, at: "a.0.b") == 5)
    #expect(try PlistDecoder().decode([String: Int].self, from: document, at: "a.0") == ["b": 5])
    #expect(throws: DecodingError.self) { try PlistDecoder().decode(Int.self, from: document, at: "a.2") }
    do {
      _ = try PlistDecoder().decode([String: Int].self, from: document, at: "a.1")
      Issue.record("decoded")
    } catch DecodingError.typeMismatch(_, let context) {
      #expect(context.codingPath.map(\.stringValue) == ["b"])
      #expect((context.underlyingError as? PlistError)?.path == "a.1.b")
    }
  }

  @Test func formatsAreTold() throws {
    for wanted in [PlistFormat.xml, .binary] {
      var format = PlistFormat.json
      #expect(
        try PlistDecoder().decode([Int].self, from: ([1] as PropertyList).data(format: wanted), format: &format) == [1])
      #expect(format == wanted)
    }
  }

  @Test func userInfoAndConfigurations() throws {
    struct Scaled: DecodableWithConfiguration {
      var value: Int
      init(from decoder: any Decoder, configuration: Int) throws {
        value = try decoder.singleValueContainer().decode(Int.self) * configuration
      }
    }
    enum Ten: DecodingConfigurationProviding { static var decodingConfiguration: Int { 10 } }
    let data = Data("<integer>4</integer>".utf8)
    #expect(try PlistDecoder().decode(Scaled.self, from: data, configuration: 3).value == 12)
    #expect(try PlistDecoder().decode(Scaled.self, from: data, configuration: Ten.self).value == 40)

    struct Informed: Decodable {
      var text: String?
      init(from decoder: any Decoder) throws { text = decoder.userInfo[Self.key] as? String }
      static let key = CodingUserInfoKey(rawValue: "k") ?? { preconditionFailure("a key can be made of any string") }()
    }
    var decoder = PlistDecoder()
    decoder.userInfo[Informed.key] = "told"
    #expect(try decoder.decode([Informed].self, from: Data("<array><true/></array>".utf8))[0].text == "told")
  }

  @Test(arguments: [PlistFormat.xml, .binary])
  func whatIsKept(_ format: PlistFormat) throws {
    enum Key: String, CodingKey { case n, list }
    struct Kept: Decodable {
      let decoder: any Decoder
      let container: KeyedDecodingContainer<Key>
      let elements: any UnkeyedDecodingContainer
      init(from decoder: any Decoder) throws {
        self.decoder = decoder
        container = try decoder.container(keyedBy: Key.self)
        elements = try container.nestedUnkeyedContainer(forKey: .list)
      }
    }
    let list = PropertyList.array(
      (0..<5).map { ["n": .integer(PropertyListInteger($0)), "list": [.integer(PropertyListInteger($0))]] })
    let kept = try PlistDecoder().decode([Kept].self, from: list.data(format: format))
    for (index, kept) in kept.enumerated() {
      #expect(kept.decoder.codingPath.map(\.intValue) == [index])
      #expect(try kept.container.decode(Int.self, forKey: .n) == index)
      #expect(try kept.decoder.container(keyedBy: Key.self).decode(Int.self, forKey: .n) == index)
      var elements = kept.elements
      #expect(try elements.decode(Int.self) == index)
      #expect(elements.codingPath.map(\.stringValue) == ["Index \(index)", "list"])
    }
  }

  @Test(arguments: PlistFormat.allCases)
  func nodes(_ format: PlistFormat) throws {
    struct Server: Codable, Equatable { var host: String; var tags: [String] }
    let list: PropertyList = [
      "a": "x", "servers": [["host": "one", "tags": ["p", "q"]], ["host": "two", "tags": []], ["host": "three"]],
    ]
    var options = PlistReadOptions()
    options.format = format
    let document = try PlistDocument(parsing: list.data(format: format), options: options)
    let decoder = PlistDecoder()
    let nodes = try #require(document.root["servers"])
    #expect(try decoder.decode(Server.self, from: try #require(nodes[0])) == Server(host: "one", tags: ["p", "q"]))
    #expect(try decoder.decode(Server.self, from: try #require(nodes[1])) == Server(host: "two", tags: []))
    #expect(try decoder.decode(String.self, from: try #require(document.root["a"])) == "x")
    #expect(try decoder.decode(PropertyList.self, from: document.root) == list)
    let (last, one) = (try #require(nodes[2]), try #require(nodes[0]?["tags"]?[1]))
    let missing = try #require(throws: DecodingError.self) { try decoder.decode(Server.self, from: last) }
    #expect(missing.plistError?.code == .missingProperty)
    #expect(missing.plistError?.line == last.line && missing.plistError?.offset == last.offset)
    let mismatch = try #require(throws: DecodingError.self) { try decoder.decode([Int].self, from: one) }
    #expect(mismatch.plistError?.code == .typeMismatch && mismatch.plistError?.path?.isRoot != false)
    #expect(mismatch.plistError?.offset == one.offset)
  }

  @Test func encodersHaveTheirFormatAndOptionsAsArguments() throws {
    let list: PropertyList = ["b": 1, "a": 2]
    #expect(try PlistEncoder().encode(list) == list.data(format: .binary))
    #expect(try PlistEncoder(outputFormat: .xml).encode(list) == list.data(format: .xml))
    let options = PlistWriteOptions(sortedKeys: true)
    #expect(
      try PlistEncoder(outputFormat: .json, options: options).encode(list) == list.data(format: .json, options: options)
    )
    let limits = PlistReadOptions(limits: PlistLimits(maximumDepth: 0))
    #expect(throws: DecodingError.self) {
      try PlistDecoder(options: limits).decode(PropertyList.self, from: list.data(format: .xml))
    }
  }

  @Test(arguments: [PlistFormat.xml, .binary])
  func manyPropertiesInAnyOrder(_ format: PlistFormat) throws {
    struct Wide: Decodable {
      var sum = 0
      struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
      }
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        for number in 0..<200 { sum += try container.decode(Int.self, forKey: Key(stringValue: "property\(number)")) }
      }
    }
    var dictionary = PropertyListDictionary()
    var generator = SeededGenerator(seed: 77)
    for number in (0..<200).shuffled(using: &generator) {
      dictionary["property\(number)"] = .integer(PropertyListInteger(number))
    }
    let data = try PropertyList.array([PropertyList](repeating: .dictionary(dictionary), count: 10)).data(
      format: format)
    let values = try PlistDecoder().decode([Wide].self, from: data)
    #expect(values.map(\.sum) == [Int](repeating: 19_900, count: 10))
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func manyTasksAtOnce() async throws {
    struct Model: Codable, Equatable, Sendable { var name: String; var numbers: [Int]; var inner: [String: Double] }
    let models = (0..<200).map { Model(name: "m\($0)", numbers: [$0], inner: ["x": Double($0)]) }
    let xml = try PropertyListEncoder.xml.encode(models)
    let binary = try PropertyListEncoder.binary.encode(models)
    let decoder = PlistDecoder()
    let document = try PlistDocument(parsing: xml)
    try await withThrowingTaskGroup(of: [Model].self) { group in
      for _ in 0..<8 {
        group.addTask { try decoder.decode([Model].self, from: xml) }
        group.addTask { try decoder.decode([Model].self, from: binary) }
        group.addTask { try decoder.decode([Model].self, from: document) }
      }
      for try await decoded in group { #expect(decoded == models) }
    }
  }
}

extension PropertyListEncoder {
  fileprivate static var xml: PropertyListEncoder {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .xml
    return encoder
  }
  fileprivate static var binary: PropertyListEncoder {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    return encoder
  }

  @Test func sharedLayoutsAreBounded() {
    enum Keys {}
    let type = ObjectIdentifier(Keys.self)
    let cache = DecoderCache(for: .convertFromSnakeCase)
    func shares(_ names: [String]) -> Bool {
      (0..<10).contains { _ in
        let layout = KeyLayout(names, duplicates: .lastWins, convert: nil)
        cache.share(layout, for: type)
        return cache.sharedLayouts(for: type).contains { $0.layout === layout }
      }
    }
    #expect(shares((0..<64).map { "k\($0)" }))
    #expect(!shares((0..<65).map { "k\($0)" }))
    #expect(shares([String(repeating: "k", count: 1024)]))
    #expect(!shares([String(repeating: "k", count: 1025)]))
    #expect(!shares(["a", "b", "a"]))
    for number in 0..<1000 { _ = shares(["n\(number)"]) }
    #expect(cache.sharedLayouts(for: type).count <= 2)
  }
}
