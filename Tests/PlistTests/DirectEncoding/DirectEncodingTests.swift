import Foundation
import Plist
import Testing

struct DirectEncodingTests {
  enum Level: String, Codable, PlistCodable { case low, high }

  struct Server: Codable {
    var host: String
    var port: UInt16?
    var level: Level?
    var tags = ["a", "longer than fifteen bytes"]
    var limits = ["cpu": 0.5]
    var created = Date(timeIntervalSinceReferenceDate: 3)
    var token = Data([1, 2, 3])
    var page: URL?
  }

  private struct DirectServer: PlistEncodable {
    let server: Server

    static let keys: PlistKeys = ["host", "port", "level", "tags", "limits", "created", "token", "page"]

    func encode(to encoder: inout PlistValueEncoder) throws {
      try encoder.encodeDictionary(Self.keys) { pairs in
        try pairs.encode(server.host, forKey: 0)
        try pairs.encode(server.port, forKey: 1)
        try pairs.encode(server.level, forKey: 2)
        try pairs.encode(server.tags, forKey: 3)
        try pairs.encode(server.limits, forKey: 4)
        try pairs.encode(server.created, forKey: 5)
        try pairs.encode(server.token, forKey: 6)
        try pairs.encode(codable: server.page, forKey: 7)
      }
    }
  }

  private static let servers = [
    Server(host: "host <&> é", port: 80), Server(host: "b", page: URL(string: "https://example.org/")),
    Server(host: "", level: .high, token: Data()),
  ]
  private static let directServers = servers.map(DirectServer.init)

  /// Its encoded value shows which of the two conformances was used.
  private struct Both: Encodable, PlistEncodable {
    func encode(to encoder: any Encoder) throws { try ["encodable"].encode(to: encoder) }
    func encode(to encoder: inout PlistValueEncoder) throws { try encoder.encode(["direct"]) }
  }

  private struct Body: PlistEncodable {
    let body: (inout PlistValueEncoder) throws -> Void
    init(_ body: @escaping (inout PlistValueEncoder) throws -> Void) { self.body = body }
    func encode(to encoder: inout PlistValueEncoder) throws { try body(&encoder) }
  }

  private func text(_ encoder: PlistEncoder = PlistEncoder(outputFormat: .json), _ value: some PlistEncodable) throws
    -> String
  {
    String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private func error(
    _ encoder: PlistEncoder = PlistEncoder(outputFormat: .xml),
    _ body: @escaping (inout PlistValueEncoder) throws -> Void
  ) -> (path: String, message: String) {
    do {
      _ = try encoder.encode(Body(body))
      return ("", "no error")
    } catch EncodingError.invalidValue(_, let context) {
      return (context.codingPath.map(\.stringValue).joined(separator: "/"), context.debugDescription)
    } catch {
      return ("", "\(error)")
    }
  }

  @Test(arguments: [PlistFormat.xml, .binary, .json, .openStep, .gnuStep], [false, true])
  func encodesTheSameDocumentsAsEncodable(_ format: PlistFormat, sortsKeys: Bool) throws {
    var encoder = PlistEncoder(
      outputFormat: format, options: PlistWriteOptions(sortedKeys: sortsKeys, unrepresentable: .convert))
    for strategy in [PlistEncoder.KeyEncodingStrategy.useDefaultKeys, .convertToSnakeCase] {
      encoder.keyEncodingStrategy = strategy
      #expect(try encoder.encode(Self.directServers) == encoder.encode(Self.servers))
      #expect(try encoder.encode(["a": Self.directServers[0]]) == encoder.encode(["a": Self.servers[0]]))
    }
    #expect(try encoder.encodeToPropertyList(Self.directServers) == encoder.encodeToPropertyList(Self.servers))
  }

  @Test func prefersTheDirectConformance() throws {
    struct Holder: Encodable { var both = Both() }
    let encoder = PlistEncoder()
    #expect(try encoder.encodeToPropertyList(Both()) == ["direct"])
    #expect(try PropertyList(parsing: encoder.encode(["a": [Both()]])) == ["a": [["direct"]]])
    #expect(try encoder.encodeToPropertyList(Body { try $0.encode(codable: Both()) }) == ["encodable"])
    #expect(try encoder.encodeToPropertyList(Holder()) == ["both": ["encodable"]])
    var stream = try PlistStreamEncoder(to: Data())
    try stream.encode(Both())
    #expect(try PropertyList(parsing: stream.finish()) == [["direct"]])
  }

  @Test func encodesTypesThatAreNotEncodable() throws {
    let pair = Body { encoder in
      try encoder.encodeDictionary { dictionary in
        try dictionary.encode([1, 2], forKey: "numbers")
        try dictionary.encode(PropertyList.string("x"), forKey: "list")
      }
    }
    #expect(try PlistEncoder().encodeToPropertyList(pair) == ["numbers": [1, 2], "list": "x"])
    #expect(
      try PropertyList(parsing: PlistEncoder(outputFormat: .binary).encode(pair)) == ["numbers": [1, 2], "list": "x"])
    let file = FileManager.default.temporaryDirectory.appending(path: "direct-\(UUID().uuidString).plist")
    defer { try? FileManager.default.removeItem(at: file) }
    try PlistEncoder(outputFormat: .xml).encode(pair, to: file)
    #expect(try PropertyList(contentsOf: file) == ["numbers": [1, 2], "list": "x"])
  }

  @Test func encodesArraysSetsAndOptionals() throws {
    let value = Body { encoder in
      try encoder.encodeArray { array in
        try array.encode(Set([1]))
        try array.encode(Int?.none)
        try array.encode(codable: Level.low)
        try array.encodeNil()
        try array.encode(Body { _ in })
      }
    }
    #expect(try PlistEncoder().encodeToPropertyList(value) == [[1], "$null", "low", "$null", [:]])
    var encoder = PlistEncoder(outputFormat: .json)
    encoder.nilEncodingStrategy = .nullObject
    #expect(try encoder.encodeToPropertyList(value) == [[1], .null, "low", .null, [:]])
  }

  /// The depth limit counts each container around a member once, whether values are written at once or wait on the
  /// tape.
  @Test(arguments: [PlistFormat.xml, .binary, .json], [false, true])
  func limitsTheDepthOfMembers(_ format: PlistFormat, sortsKeys: Bool) throws {
    func nested(_ levels: Int) -> PropertyList { (1..<levels).reduce([]) { list, _ in [list] } }
    var encoder = PlistEncoder(outputFormat: format)
    encoder.writeOptions.sortedKeys = sortsKeys
    let deepest: [String: [PropertyList]] = ["v": [nested(510)]]
    #expect(try PropertyList(parsing: encoder.encode(deepest)) == ["v": [nested(510)]])
    #expect(try encoder.encodeToPropertyList(deepest) == ["v": [nested(510)]])
    let deeper: [String: [PropertyList]] = ["v": [nested(511)]]
    #expect(throws: EncodingError.self) { try encoder.encode(deeper) }
    #expect(throws: EncodingError.self) { try encoder.encodeToPropertyList(deeper) }
  }

  @Test func leavesOutKeysWhoseValueIsNil() throws {
    var encoder = PlistEncoder(outputFormat: .json)
    encoder.nilEncodingStrategy = .omit
    let keys: PlistKeys = ["a", "b"]
    let value = Body { encoder in
      try encoder.encodeDictionary(keys) { pairs in
        try pairs.encodeNil(forKey: 0)
        try pairs.encode(1, forKey: 1)
      }
    }
    #expect(try PropertyList(parsing: encoder.encode(value)) == ["b": 1])
  }

  @Test func addsThePairsOfOtherDictionaries() throws {
    let others: PropertyListDictionary = ["b": 2, "c": ["d": .null]]
    let value = Body { encoder in
      try encoder.encodeDictionary(["a", "z"]) { dictionary in
        try dictionary.encode(1, forKey: 0)
        try dictionary.encode(contentsOf: others)
        try dictionary.encode(contentsOf: ["e": 3])
        try dictionary.encode(contentsOf: Body { _ in })
        try dictionary.encode(4, forKey: 1)
      }
    }
    for format in [PlistFormat.xml, .binary] {
      let list = try PropertyList(parsing: PlistEncoder(outputFormat: format).encode(value))
      // Null stays null if the format has it.
      let null: PropertyList = format == .binary ? .null : "$null"
      #expect(list == ["a": 1, "b": 2, "c": ["d": null], "e": 3, "z": 4])
    }
  }

  @Test func keepsThousandsOfKeys() throws {
    let keys = PlistKeys((0..<1000).map { "key \($0)" })
    let value = Body { encoder in
      try encoder.encodeArray { array in
        for _ in 0..<3 {
          try array.encode(
            Body { encoder in
              try encoder.encodeDictionary(keys) { for key in 0..<1000 { try $0.encode(key, forKey: key) } }
            })
        }
      }
    }
    for format in [PlistFormat.xml, .binary] {
      let list = try PropertyList(parsing: PlistEncoder(outputFormat: format).encode(value))
      #expect(list[2]?["key 999"] == 999 && list[1]?.dictionary?.count == 1000)
    }
  }

  @Test func acceptsNewKeysForEachValue() throws {
    let value = Body { encoder in
      try encoder.encodeArray { array in
        for number in 0..<1000 {
          let name = number % 2 == 0 ? "\u{E9}" : "e\u{301}"
          try array.encode(
            Body { try $0.encodeDictionary(PlistKeys([name, "b"])) { try $0.encode(number, forKey: 0) } })
        }
      }
    }
    for format in [PlistFormat.xml, .binary] {
      let elements = try #require(PropertyList(parsing: PlistEncoder(outputFormat: format).encode(value)).array)
      #expect(elements.count == 1000 && elements[998]["\u{E9}"] == 998)
      #expect(elements[999]["e\u{301}"] == 999)
      #expect(elements[998]["e\u{301}"] == nil)
    }
  }

  @Test func passesUserInfo() throws {
    let key = try #require(CodingUserInfoKey(rawValue: "name"))
    var encoder = PlistEncoder(outputFormat: .json)
    encoder.userInfo[key] = "value"
    let value = Body { encoder in try encoder.encode(encoder.userInfo[key] as? String) }
    #expect(try text(encoder, value) == "\"value\"\n")
  }

  // MARK: Streams

  @Test func encodesStreams() throws {
    for format in [PlistFormat.xml, .binary] {
      var direct = try PlistStreamEncoder(to: Data(), encoder: PlistEncoder(outputFormat: format))
      var codable = try PlistStreamEncoder(to: Data(), encoder: PlistEncoder(outputFormat: format))
      for server in Self.servers {
        try direct.encode(DirectServer(server: server))
        try codable.encode(server)
      }
      #expect(try direct.finish() == codable.finish())
    }
    var stream = try PlistStreamEncoder(to: Data(), of: .dictionary, encoder: PlistEncoder(outputFormat: .xml))
    #expect(throws: EncodingError.self) {
      try stream.encode(Body { encoder in throw encoder.makeError("no value") }, forKey: "a")
    }
    try stream.encode(Body { try $0.encode(1) }, forKey: "b")
    #expect(try PropertyList(parsing: stream.finish()) == ["b": 1])
    var array = try PlistStreamEncoder(to: Data(), encoder: PlistEncoder(outputFormat: .json))
    try array.encode(Body { try $0.encode("x") })
    #expect(try PropertyList(parsing: array.finish()) == ["x"])
  }

  /// In a binary document of more than a few thousand objects, many objects wait to be looked up together.
  @Test func manyObjectsHaveTheSameOrder() throws {
    struct Pair: Encodable {
      let number: Int

      private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
      }

      var key: String { "key \(number / 3)" }

      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode("value \(number)", forKey: Key(stringValue: key))
      }
    }
    let pairs = (0..<60_000).map { Pair(number: $0) }
    let direct = pairs.map { pair in
      Body { try $0.encodeDictionary { try $0.encode("value \(pair.number)", forKey: pair.key) } }
    }
    let encoder = PlistEncoder(outputFormat: .binary)
    #expect(try encoder.encode(direct) == encoder.encode(pairs))
  }

  @Test func encodesContainersForDeclaredKeys() throws {
    let body = Body { encoder in
      try encoder.encodeDictionary(["a", "b", "c", "d"]) { dictionary in
        try dictionary.encodeArray(forKey: 1) { try $0.encode(1) }
        try dictionary.encodeDictionary(["a"], forKey: 0) { try $0.encode("x", forKey: 0) }
        try dictionary.encodeNil(forKey: 3)
        try dictionary.encode(true, forKey: 2)
      }
    }
    for format in [PlistFormat.xml, .binary, .json] {
      let null: PropertyList = format == .json ? .null : "$null"
      let expected: PropertyList = ["b": [1], "a": ["a": "x"], "d": null, "c": true]
      #expect(try PropertyList(parsing: PlistEncoder(outputFormat: format).encode(body)) == expected)
    }
    let twice = error { encoder in
      try encoder.encodeDictionary(["a"]) { dictionary in
        try dictionary.encodeNil(forKey: 0)
        try dictionary.encodeArray(forKey: 0) { _ in }
      }
    }
    #expect(twice == ("a", "the key has already been encoded in the same dictionary"))
    #expect(
      error { try $0.encodeArray { try $0.encodeArray(forKey: 0) { _ in } } }.message
        == "a key can be encoded only in the closure of encodeDictionary")
  }

  // MARK: Errors

  @Test func refusesValuesInTheWrongPosition() {
    #expect(error { _ in }.message == "the top-level Body did not encode a value; encode(to:) must encode one value")
    #expect(
      error { try $0.encode("text") }.message
        == "the top-level Body was encoded as a string, which cannot be the root of an XML or binary property list")
    #expect(
      error { try $0.encodeNil() }.message
        == "the top-level Body was encoded as a null, which cannot be the root of an XML or binary property list")
    #expect(error { try $0.encode(Data()) }.message == "no error")
    let twice = error { encoder in
      try encoder.encodeArray { _ in }
      try encoder.encodeArray { _ in }
    }
    #expect(twice.message.contains("has encoded a second value where only one value is allowed"))
    let duplicate = error { encoder in
      try encoder.encodeDictionary(["a", "b"]) { dictionary in
        try dictionary.encode(1, forKey: 1)
        try dictionary.encode(contentsOf: ["b": 2])
      }
    }
    #expect(duplicate == ("b", "the key has already been encoded in the same dictionary"))
    let simple = error { encoder in
      try encoder.encodeDictionary(["a"]) { dictionary in
        try dictionary.encode(1, forKey: 0)
        try dictionary.encode(2, forKey: 0)
      }
    }
    #expect(simple == ("a", "the key has already been encoded in the same dictionary"))
    var snakeCase = PlistEncoder(outputFormat: .xml)
    snakeCase.keyEncodingStrategy = .convertToSnakeCase
    let converted = error(snakeCase) { encoder in
      try encoder.encodeDictionary(["aB", "a_b"]) { dictionary in
        try dictionary.encode(1, forKey: 0)
        try dictionary.encode(2, forKey: 1)
      }
    }
    #expect(converted == ("a_b", "the key has already been encoded in the same dictionary"))
    #expect(
      error { try $0.encodeDictionary { try $0.encode(1) } }.message
        == "a value in a dictionary must be encoded with a key")
    #expect(
      error { try $0.encodeArray { try $0.encode(1, forKey: "a") } }.message
        == "a key can be encoded only in the closure of encodeDictionary")
    #expect(
      error { try $0.encodeDictionary { try $0.encode(contentsOf: [1]) } }.message.hasPrefix(
        "encode(contentsOf:) requires a value that is encoded with encodeDictionary"))
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func reportsThePathOfAnError() {
    let range = error { encoder in
      try encoder.encodeArray { array in
        try array.encode(1)
        try array.encode(
          Body { try $0.encodeDictionary(["number"]) { try $0.encode(Int128.max, forKey: 0) } })
      }
    }
    #expect(
      range == (
        "Index 1/number", "integers must be from -9223372036854775808 to 18446744073709551615"
      ))
    let own = error { encoder in
      try encoder.encodeDictionary { dictionary in
        try dictionary.encode(Body { throw $0.makeError("the port must be below 65,536") }, forKey: "port")
      }
    }
    #expect(own == ("port", "the port must be below 65,536"))
    struct Thrown: Error {}
    let thrown = error { try $0.encodeArray { try $0.encode(Body { _ in throw Thrown() }) } }
    #expect(thrown == ("Index 0", "the value could not be encoded: Thrown()"))
    let json = error(PlistEncoder(outputFormat: .json)) { try $0.encodeArray { try $0.encode(Date()) } }
    #expect(json.path == "Index 0" && json.message.hasPrefix("JSON cannot represent a date"))
    let codable = error { encoder in
      try encoder.encodeDictionary { try $0.encode(Body { try $0.encode(codable: [Int128.max]) }, forKey: "a") }
    }
    #expect(codable.path == "a/Index 0")
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func aCaughtErrorEndsTheEncoding() {
    let caught = error { encoder in
      try encoder.encodeArray { array in
        do { try array.encode(Int128.max) } catch {}
        try array.encode(1)
      }
    }
    #expect(caught.path == "Index 0")
    let last = error { encoder in
      do { try encoder.encodeArray { _ in throw CancellationError() } } catch {}
    }
    #expect(last.message == "the value could not be encoded: CancellationError()")
  }

  private struct Nest: PlistEncodable {
    let depth: Int
    func encode(to encoder: inout PlistValueEncoder) throws {
      try encoder.encodeArray { array in if depth > 0 { try array.encode(Nest(depth: depth - 1)) } }
    }
  }

  @Test func limitsTheDepth() throws {
    #expect(try PropertyList(parsing: PlistEncoder().encode(Nest(depth: 100))).array?.count == 1)
    let deep = error { try $0.encode(Nest(depth: 2000)) }
    #expect(deep.message.hasPrefix("values nest deeper than the limit of 512 levels"))
  }

  /// Its `encode(to:)` only encodes another `Wrapper`, and so never opens a container.
  private struct Wrapper: PlistEncodable {
    func encode(to encoder: inout PlistValueEncoder) throws { try encoder.encode(Wrapper()) }
  }

  @Test func limitsTheDepthOfValuesWithoutContainers() {
    for format in [PlistFormat.xml, .binary, .json] {
      let endless = error(PlistEncoder(outputFormat: format)) { try $0.encode(Wrapper()) }
      #expect(endless.message.hasPrefix("values nest deeper than the limit of 512 levels"))
    }
  }

  @Test func keepsNoKeyStrategy() throws {
    final class Marker: Sendable {
      let prefix = "x"
    }
    for format in [PlistFormat.xml, .binary, .json] {
      weak var marker: Marker?
      do {
        let kept = Marker()
        marker = kept
        var encoder = PlistEncoder(outputFormat: format)
        encoder.keyEncodingStrategy = .custom { path in AnyKey(stringValue: kept.prefix + path[0].stringValue) }
        let value = Body { try $0.encodeDictionary(["a"]) { try $0.encode(1, forKey: 0) } }
        #expect(try PropertyList(parsing: encoder.encode(value)) == ["xa": 1])
        #expect(try encoder.encodeToPropertyList(value) == ["xa": 1])
      }
      #expect(marker == nil)
    }
  }

  @Test func keepsNoValueAfterAnError() throws {
    for format in [PlistFormat.xml, .binary, .json] {
      let encoder = PlistEncoder(outputFormat: format)
      _ = try? encoder.encode(Body { try $0.encodeArray { try $0.encode(Body { throw $0.makeError("stop") }) } })
      #expect(try PropertyList(parsing: encoder.encode([1])) == [1])
    }
  }

  // MARK: Elements of streams

  private struct Number: PlistDecodable {
    let value: Int
    init(from decoder: inout PlistValueDecoder) throws { value = try decoder.decode(Int.self) }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func decodesElementsOneByOne() async throws {
    let data = try PropertyList.array([1, 2, 3]).data(format: .xml)
    let file = FileManager.default.temporaryDirectory.appending(path: "direct-\(UUID().uuidString).plist")
    defer { try? FileManager.default.removeItem(at: file) }
    try data.write(to: file)
    var elements = try PlistDecoder().elements(of: Number.self, contentsOf: file)
    var values: [Int] = []
    while let number = try elements.next() { values.append(number.value) }
    #expect(values == [1, 2, 3])
    let chunks = AsyncStream { continuation in
      continuation.yield(data)
      continuation.finish()
    }
    for try await number in PlistDecoder().elements(of: Number.self, from: chunks) { values.append(number.value) }
    let bytes = AsyncStream { continuation in
      for byte in data { continuation.yield(byte) }
      continuation.finish()
    }
    for try await number in PlistDecoder().elements(of: Number.self, from: bytes) { values.append(number.value) }
    #expect(values == [1, 2, 3, 1, 2, 3, 1, 2, 3])
  }
}
