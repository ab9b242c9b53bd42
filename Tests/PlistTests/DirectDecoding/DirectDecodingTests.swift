import Foundation
import Plist
import PlistFuzzTargets
import Testing

struct DirectDecodingTests {
  enum Level: String, CaseIterable, Codable, PlistDecodable { case low, high }

  /// `PlistDecodable`, but not `Decodable`.
  struct Server: PlistDecodable, Equatable {
    var host: String
    var port: UInt16
    var level: Level?
    var tags: [String]
    var limits: [String: Double]
    var created: Date
    var token: Data
    var page: URL?

    static let keys: PlistKeys = ["host", "port", "level", "tags", "limits", "created", "token", "page"]

    init(from decoder: inout PlistValueDecoder) throws {
      var host: String?
      var port: UInt16?
      var level: Level?
      var tags: [String]?
      var limits: [String: Double]?
      var created: Date?
      var token: Data?
      var page: URL?
      try decoder.decodeDictionary(Self.keys) { key, value in
        switch key {
        case 0: host = try value.decode(String.self)
        case 1: port = try value.decode(UInt16.self)
        case 2: level = try value.decode(Level?.self)
        case 3: tags = try value.decode([String].self)
        case 4: limits = try value.decode([String: Double].self)
        case 5: created = try value.decode(Date.self)
        case 6: token = try value.decode(Data.self)
        default: page = try value.decode(codable: URL?.self)
        }
      }
      self.host = try decoder.require(host, 0, of: Self.keys)
      self.port = try decoder.require(port, 1, of: Self.keys)
      self.level = level
      self.tags = try decoder.require(tags, 3, of: Self.keys)
      self.limits = try decoder.require(limits, 4, of: Self.keys)
      self.created = try decoder.require(created, 5, of: Self.keys)
      self.token = try decoder.require(token, 6, of: Self.keys)
      self.page = page
    }
  }

  /// Types with the same names, `Server` and `Level`, that are only `Codable`.
  enum Plain {
    struct Server: Codable {
      enum CodingKeys: String, CodingKey, CaseIterable { case host, port, level, tags, limits, created, token, page }
      enum Level: String, CaseIterable, Codable { case low, high }

      var host: String
      var port: UInt16
      var level: Level?
      var tags: [String]
      var limits: [String: Double]
      var created: Date
      var token: Data
      var page: URL?
    }
  }

  static let list: PropertyList = [
    "host": "localhost", "port": 80, "level": "high", "tags": ["a", "é", "longer than fifteen bytes"],
    "limits": ["cpu": 0.5, "memory": 2], "created": .date(Date(timeIntervalSinceReferenceDate: 0)),
    "token": .data(Data([1, 2, 3])), "page": ["relative": "https://example.org/"],
  ]

  private static let formats: [PlistFormat] = [.xml, .binary, .json, .openStep, .gnuStep]

  private static func data(_ list: PropertyList, _ format: PlistFormat) throws -> Data {
    try list.data(format: format, options: PlistWriteOptions(unrepresentable: .convert))
  }

  private static var lenient: PlistDecoder {
    var decoder = PlistDecoder()
    decoder.textDecodingStrategy = .lenient
    return decoder
  }

  @Test(arguments: formats)
  func decodesEveryFormat(_ format: PlistFormat) throws {
    let data = try Self.data([Self.list, Self.list], format)
    let servers = try Self.lenient.decode([Server].self, from: data)
    #expect(servers.count == 2 && servers[0] == servers[1])
    let server = servers[0]
    #expect(server.host == "localhost" && server.port == 80 && server.level == .high)
    #expect(server.tags == ["a", "é", "longer than fifteen bytes"] && server.limits == ["cpu": 0.5, "memory": 2])
    #expect(server.created == Date(timeIntervalSinceReferenceDate: 0) && server.token == Data([1, 2, 3]))
    #expect(server.page == URL(string: "https://example.org/"))
    let document = try PlistDocument(parsing: data)
    #expect(try Self.lenient.decode(Server.self, from: document, at: "1") == server)
    #expect(try Self.lenient.decode(Server.self, from: #require(document.root[0])) == server)
    #expect(try Self.lenient.decode([Server].self, from: PropertyList(parsing: data)) == servers)
  }

  @Test func decodesFiles() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "direct-\(UUID().uuidString).plist")
    defer { try? FileManager.default.removeItem(at: file) }
    try Self.data(Self.list, .binary).write(to: file)
    #expect(try PlistDecoder().decode(Server.self, contentsOf: file).host == "localhost")
    try Self.data("text", .json).write(to: file)
    let error = #expect(throws: DecodingError.self) { try PlistDecoder().decode(Server.self, contentsOf: file) }
    #expect(error?.plistError?.file == file.path(percentEncoded: false))
    #expect(throws: CocoaError.self) {
      try PlistDecoder().decode(Server.self, contentsOf: file.appending(path: "missing"))
    }
  }

  // MARK: Errors

  private func description(_ body: () throws -> Void) -> String {
    do { try body() } catch let error as DecodingError {
      let kind = "\(error)".prefix { $0 != "(" && $0 != ":" }
      return "\(kind) \(error.plistError.map(String.init(describing:)) ?? "no position")"
        .replacing("Plain.", with: "")
    } catch {
      return "\(error)"
    }
    return "no error"
  }

  private static var damages: [(key: String, value: PropertyList?)] {
    [
      ("host", 1), ("host", nil), ("port", 65_536), ("port", "http"), ("port", 1.5), ("port", nil), ("level", "lower"),
      ("level", 1), ("level", nil), ("tags", "a"), ("tags", ["a", 1]), ("tags", nil), ("limits", ["cpu": "half"]),
      ("limits", []), ("created", "today"), ("token", 1), ("page", 1), ("page", ["relative": 1]), ("host", "$null"),
      ("level", "$null"), ("unknown", 1),
    ]
  }

  @Test(arguments: [PlistFormat.xml, .binary])
  func errorsAreThoseOfDecodable(_ format: PlistFormat) throws {
    for (key, value) in Self.damages {
      var list = Self.list
      list[key] = value
      let data = try Self.data(["servers": [Self.list, list]], format)
      for (unread, mistakes) in [
        (PlistDecoder.UnreadKeyStrategy.ignore, PlistDecoder.KeyErrorStrategy.stopAtFirst), (.refuse, .stopAtFirst),
        (.ignore, .collectAll),
      ] {
        var decoder = PlistDecoder()
        decoder.unreadKeyStrategy = unread
        decoder.keyErrorStrategy = mistakes
        let direct = description { _ = try decoder.decode([String: [Server]].self, from: data) }
        let plain = description { _ = try decoder.decode([String: [Plain.Server]].self, from: data) }
        #expect(direct == plain, "\(key)")
      }
    }
  }

  @Test func errorsSayWhere() throws {
    var list = Self.list
    list["port"] = "http"
    let data = try Self.data(["servers": [list]], .xml)
    let error = #expect(throws: DecodingError.self) { try PlistDecoder().decode([String: [Server]].self, from: data) }
    #expect(
      error?.plistError?.description
        == "line 11, column 4: expected an integer, found the string \"http\" (key path: servers.0.port)")
  }

  @Test func ownErrorsHaveAPosition() throws {
    struct Port: PlistDecodable {
      init(from decoder: inout PlistValueDecoder) throws {
        if try decoder.decode(Int.self) > 1023 { throw decoder.makeError("the port must be below 1,024") }
      }
    }
    let data = Data("<plist>\n<array><integer>80</integer>\n<integer>8080</integer></array></plist>".utf8)
    let error = #expect(throws: DecodingError.self) { try PlistDecoder().decode([Port].self, from: data) }
    #expect(error?.plistError?.description == "line 3, column 1: the port must be below 1,024 (key path: 1)")
  }

  @Test func mismatchesHaveAPosition() throws {
    struct Port: PlistDecodable {
      init(from decoder: inout PlistValueDecoder) throws { throw decoder.makeError("no port", decoding: Self.self) }
    }
    let data = Data("<plist>\n<array><true/></array></plist>".utf8)
    let error = #expect(throws: DecodingError.self) { try PlistDecoder().decode([Port].self, from: data) }
    let type = if case .typeMismatch(let type, _)? = error { type } else { nil as Any.Type? }
    #expect(type is Port.Type)
    #expect(error?.plistError?.description == "line 2, column 8: no port (key path: 0)")
  }

  private struct Preferences: PlistDecodable {
    var theme: String?
    let otherKeys: PropertyListDictionary

    private static let keys: PlistKeys = ["theme", "userName"]

    init(from decoder: inout PlistValueDecoder) throws {
      var theme: String?
      try decoder.decodeDictionary(Self.keys) { _, value in theme = try value.decode(String.self) }
      let otherKeys = try decoder.decodeOtherPairs(besides: Self.keys)
      (self.theme, self.otherKeys) = (theme, otherKeys)
    }
  }

  @Test(arguments: [PlistFormat.xml, .binary, .json, .openStep])
  func otherPairs(_ format: PlistFormat) throws {
    let list: PropertyList = ["a": ["b"], "theme": "dark", "theme_2": ["c": "d"], "user_name": "e"]
    let data = try Self.data(list, format)
    var decoder = PlistDecoder()
    decoder.unreadKeyStrategy = .refuse
    let preferences = try decoder.decode(Preferences.self, from: data)
    #expect(preferences.theme == "dark")
    #expect(preferences.otherKeys == ["a": ["b"], "theme_2": ["c": "d"], "user_name": "e"])
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let converted = try? decoder.decode(Preferences.self, from: data)
    #expect(converted?.theme == "e")
    #expect(converted?.otherKeys == ["a": ["b"], "theme_2": ["c": "d"]])
    #expect(try decoder.decode(Preferences.self, from: Self.data(["theme": "x"], format)).otherKeys.isEmpty)
    #expect(throws: DecodingError.self) { try decoder.decode(Preferences.self, from: Self.data(["a"], format)) }
  }

  @Test func otherPairsOfRepeatedKeys() throws {
    let xml = "<plist><dict><key>a</key><false/><key>theme</key><string>x</string><key>a</key><true/></dict></plist>"
    let other = try PlistDecoder().decode(Preferences.self, from: Data(xml.utf8)).otherKeys
    #expect(try PropertyList.dictionary(other)["a"] == PropertyList(parsing: Data(xml.utf8))["a"])
    #expect(other.count == 1)
  }

  /// A type that catches an error can go on with the next value.
  @Test(arguments: [PlistFormat.xml, .binary])
  func caughtErrors(_ format: PlistFormat) throws {
    struct Sum: PlistDecodable {
      var total = 0
      var failures: [String] = []

      init(from decoder: inout PlistValueDecoder) throws {
        try decoder.decodeArray { index, element in
          do {
            try element.decodeDictionary(["x"]) { _, value in
              try value.decodeArray { _, number in total += try number.decode(Int.self) }
            }
          } catch {
            failures.append("\(index) \(element.codingPath.map(\.stringValue)) \(element.count ?? -1)")
          }
        }
        failures.append("\(decoder.count ?? -1)")
      }
    }
    let data = try Self.data([["x": [1, 2]], ["x": [4, "8", 16]], 32, ["x": [64]]], format)
    let sum = try PlistDecoder().decode(Sum.self, from: data)
    #expect(sum.total == 71)
    #expect(sum.failures == ["1 [\"Index 1\"] 1", "2 [\"Index 2\"] -1", "4"])
  }

  // MARK: Options and conformances

  struct Pair: PlistDecodable, Decodable {
    static let keys: PlistKeys = ["firstName", "lastName"]
    var names: [String] = []
    var isDirect = true

    init(from decoder: inout PlistValueDecoder) throws {
      try decoder.decodeDictionary(Self.keys) { key, value in
        names.append("\(key) \(try value.decode(String.self))")
      }
    }

    init(from decoder: any Decoder) throws { isDirect = false }
  }

  @Test func keyStrategies() throws {
    let list: PropertyList = ["last_name": "b", "first_name": "a", "other": 1]
    var decoder = PlistDecoder()
    #expect(try decoder.decode(Pair.self, from: list).names == [])
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    #expect(try decoder.decode(Pair.self, from: list).names == ["1 b", "0 a"])
    decoder.keyDecodingStrategy = .custom { path in
      path.last?.stringValue == "other" ? Pair.Key(stringValue: "firstName") : path[path.count - 1]
    }
    #expect(throws: DecodingError.self) { try decoder.decode(Pair.self, from: list) }
  }

  @Test func repeatedKeys() throws {
    let text = """
      <plist><dict><key>firstName</key><integer>1</integer><key>firstName</key><string>b</string></dict></plist>
      """
    var decoder = PlistDecoder()
    #expect(try decoder.decode(Pair.self, from: Data(text.utf8)).names == ["0 b"])
    #expect(try decoder.decode([String: String].self, from: Data(text.utf8)) == ["firstName": "b"])
    decoder.readOptions.duplicateKeys = .refuse
    #expect(throws: DecodingError.self) { try decoder.decode(Pair.self, from: Data(text.utf8)) }
  }

  /// A `PlistKeys` that repeats a name, with more names than the decoder compares one by one.
  @Test func repeatedNames() throws {
    struct Numbers: PlistDecodable {
      var keys: [Int] = []
      init(from decoder: inout PlistValueDecoder) throws {
        let names = PlistKeys((0..<20).map { "key \($0 % 19)" })
        #expect(names.names.count == 20)
        try decoder.decodeDictionary(names) { key, _ in keys.append(key) }
      }
    }
    let list: PropertyList = ["key 18": 1, "key 0": 2, "key 19": 3]
    for _ in 0..<3 { #expect(try PlistDecoder().decode(Numbers.self, from: list).keys == [18, 0]) }
  }

  @Test func directDecodingIsPreferred() throws {
    struct Outer: Decodable { var pair: Pair }
    let list: PropertyList = ["pair": ["firstName": "a"]]
    #expect(try PlistDecoder().decode(Outer.self, from: list).pair.isDirect)
    #expect(try PlistDecoder().decode([String: Pair].self, from: list)["pair"]?.isDirect == true)
    #expect(try PlistDecoder().decode(Pair.self, from: ["firstName": "a"]).isDirect)
  }

  @Test func codableMembers() throws {
    struct Outer: PlistDecodable {
      var pair: Pair?
      init(from decoder: inout PlistValueDecoder) throws {
        try decoder.decodeDictionary { _, value in pair = try value.decode(codable: Pair.self) }
      }
    }
    #expect(try PlistDecoder().decode(Outer.self, from: ["pair": ["firstName": "a"]]).pair?.isDirect == false)
  }

  @Test func otherConformances() throws {
    let list: PropertyList = [
      "uuid": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "uid": .uid(PropertyListUID(7)), "set": [1, 2, 1], "nil": "$null",
    ]
    struct Others: PlistDecodable {
      var uuid: UUID?
      var uid: PropertyListUID?
      var set: Set<Int> = []
      var isNil = false
      var all: PropertyListDictionary
      init(from decoder: inout PlistValueDecoder) throws {
        all = try decoder.decode(PropertyListDictionary.self)
        try decoder.decodeDictionary(["uuid", "uid", "set", "nil"]) { key, value in
          switch key {
          case 0: uuid = try value.decode(UUID.self)
          case 1: uid = try value.decode(PropertyListUID.self)
          case 2: set = try value.decode(Set<Int>.self)
          default: isNil = value.isNil
          }
        }
      }
    }
    let data = try list.data(format: .binary)
    let others = try PlistDecoder().decode(Others.self, from: data)
    #expect(others.uuid?.uuidString == "E621E1F8-C36C-495A-93FC-0C247A3E6E5F" && others.uid?.value == 7)
    #expect(others.set == [1, 2] && others.isNil && .dictionary(others.all) == list)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func numberTypes() throws {
    func check<Number: FixedWidthInteger & PlistDecodable>(_ type: Number.Type) throws {
      let list = PropertyList.array([1, 127, 2.0])
      #expect(try PlistDecoder().decode([Number].self, from: list) == [1, 127, 2])
      #expect(throws: DecodingError.self) { try PlistDecoder().decode([Number].self, from: .array([0.5])) }
    }
    try check(Int.self)
    try check(Int8.self)
    try check(Int16.self)
    try check(Int32.self)
    try check(Int64.self)
    try check(Int128.self)
    try check(UInt.self)
    try check(UInt8.self)
    try check(UInt16.self)
    try check(UInt32.self)
    try check(UInt64.self)
    try check(UInt128.self)
    let wide = PropertyListInteger(UInt64.max)
    #expect(try PlistDecoder().decode([PropertyListInteger].self, from: .array([.integer(wide)])) == [wide])
  }

  // MARK: Safety

  struct Tree: PlistDecodable {
    var depth = 1
    init(from decoder: inout PlistValueDecoder) throws {
      try decoder.decodeArray { _, element in depth = max(depth, 1 + (try element.decode(Tree.self).depth)) }
    }
  }

  @Test(arguments: [PlistFormat.xml, .binary])
  func nesting(_ format: PlistFormat) throws {
    var list: PropertyList = []
    for _ in 1..<500 { list = [list] }
    let data = try list.data(format: format)
    #expect(
      SmallStack.run {
        do { return try PlistDecoder().decode(Tree.self, from: data).depth == 500 } catch {
          return (error as? DecodingError)?.plistError?.code == .depthLimit
        }
      })
    var decoder = PlistDecoder()
    decoder.readOptions.limits.maximumDepth = 20
    let error = #expect(throws: DecodingError.self) { try decoder.decode(Tree.self, from: data) }
    #expect(error?.plistError?.code == .depthLimit)
  }

  /// The limit on values applies to a binary document whose arrays refer to one array many times.
  @Test func repeatedObjects() throws {
    let objects: [[UInt8]] = (0..<30).map { [0xA2, $0 + 1, $0 + 1] } + [[0xA0]]
    let data = DecodingHostileTests.document(objects.flatMap { $0 }, offsets: objects.map(\.count))
    struct Counting: PlistDecodable {
      init(from decoder: inout PlistValueDecoder) throws {
        if decoder.count != nil { try decoder.decodeArray { _, element in _ = try? element.decode(Counting.self) } }
      }
    }
    let options = PlistReadOptions(limits: PlistLimits(maximumExpansion: 100_000))
    let decoder = PlistDecoder(options: options)
    let error = #expect(throws: DecodingError.self) { try decoder.decode(Counting.self, from: data) }
    #expect(error?.plistError?.code == .expandedObjectsLimit)
  }

  /// Random types, documents and options; `plist-fuzz random direct` checks more.
  @Test func randomTypes() throws {
    let target = try #require(FuzzTarget.named("direct"))
    var random = SystemRandomNumberGenerator()
    for _ in 0..<(isThorough ? 2_000 : 500) {
      let input = Data((0..<Int.random(in: 0..<200, using: &random)).map { _ in UInt8.random(in: 0...255) })
      try target.check(input)
    }
  }
}

extension DirectDecodingTests.Pair {
  struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
