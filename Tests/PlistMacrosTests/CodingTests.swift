#if Macros
import Foundation
import Plist
import PlistMacros
import Testing

/// Compares the generated code with the code that Swift generates for `Codable`.
@Suite("Coding with macros")
struct CodingTests {
  /// Decodes `text` both ways, and encodes the value both ways.
  private func expectSame<Value: Codable & PlistCodable>(
    _ type: Value.Type, _ text: String, isValid: Bool = true, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let document = Data(text.utf8)
    var options = PlistDecoder()
    options.unreadKeys = .ignore
    let direct = Result { try options.decode(type, from: document) }
    let codable = Result { try options.decode(ThroughCodable<Value>.self, from: document).value }
    #expect(Self.shown(direct) == Self.shown(codable), sourceLocation: sourceLocation)
    guard case .success(let value) = direct else {
      #expect(!isValid, sourceLocation: sourceLocation)
      return
    }
    #expect(isValid, sourceLocation: sourceLocation)
    for format in [PlistFormat.xml, .binary] {
      let encoder = PlistEncoder(format: format)
      #expect(
        try encoder.encode(value) == encoder.encode(ThroughCodable(value)), sourceLocation: sourceLocation)
    }
  }

  private static func shown<Value: Codable>(_ result: Result<Value, any Error>) -> String {
    switch result {
    case .success(let value):
      let data = try? PlistEncoder(format: .xml).encode(ThroughCodable(value))
      return data.map { String(decoding: $0, as: UTF8.self) } ?? "not encodable"
    case .failure(let error): return "\(error)"
    }
  }

  static let server = """
    {
      host = "a"; port = <*I80>; ratio = <*R0.5>; tags = ("x", "y"); mode = fast; level = <*I2>;
      started = <*D2024-01-02 03:04:05 +0000>; token = <0001>; owner = { name = "b"; };
      owners = { c = { name = "d"; age = <*I5>; }; }; deputy = { name = "e"; }; default = <*BY>;
      anything = { f = ("g"); }; double = <*I3>;
      parts = ({ id = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"; link = { relative = "https://swift.org"; }; });
    }
    """

  @Test func structs() throws {
    try expectSame(Server.self, Self.server)
    try expectSame(
      Server.self,
      "{ host = a; port = <*I1>; tags = (); level = <*I1>; owner = { name = b; }; default = <*BN>; parts = (); }")
    try expectSame(Empty.self, "{ a = <*I1>; }")
    try expectSame(Renamed.self, "{ CFName = a; size = <*I1>; cache = <*I9>; }")
    try expectSame(Node.self, "{ name = a; next = { name = b; next = { name = c; }; }; }")
    try expectSame(
      Page<Server.Part>.self, "{ number = <*I1>; items = ({ id = \"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\"; }); }")
    try expectSame(
      Page<Owned>.self, "{ number = <*I1>; items = ({ a = <*I1>; }); marks = ({}, { item = { a = <*I2>; }; }); }")
    try expectSame(PublicModel.self, "{ name = a; extra = (1); }")
    try expectSame(Owned.self, "{ a = <*I5>; }")
  }

  @PlistCodable
  struct Owned: Codable, Equatable { var a: Int }

  @Test func optionalsWithOtherNames() throws {
    try expectSame(Person.self, "{ name = a; age = <*I2>; size = <*I3>; }")
    try expectSame(Person.self, "{}")
    try expectSame(Chain.self, "{ named = {}; }")
    try expectSame(Chain.self, "{ none = {}; }")
    try expectSame(Chain.self, "{ some = { _0 = { none = {}; }; }; }")
  }

  @Test func nestedTypes() throws {
    try expectSame(Scope.Item.self, "{ kind = a; other = (b); }")
    try expectSame(Scope.Item.self, "{ kind = c; }", isValid: false)
    try expectSame(Scope.Choice.self, "{ one = { _0 = b; }; }")
    try expectSame(Scope.Choice.self, "{ two = { _0 = { kind = a; }; }; }")
    try expectSame(Page<Owned>.Footer.self, "{ text = a; }")
    #expect(try PlistDecoder().decode([Flags].self, from: [5]) == [Flags(rawValue: 5)])
    #expect(try PlistEncoder().encodeToPropertyList([Flags(rawValue: 5)]) == [5])
  }

  @Test func errors() throws {
    try expectSame(Server.self, "{ host = a; }", isValid: false)
    try expectSame(Server.self, Self.server.replacing("\"a\"", with: "(1)"), isValid: false)
    try expectSame(Server.self, Self.server.replacing("fast", with: "fsat"), isValid: false)
    try expectSame(Server.self, Self.server.replacing("name = \"d\"", with: "nam = \"d\""), isValid: false)
    try expectSame(Server.self, Self.server.replacing("default =", with: "Default ="), isValid: false)
    try expectSame(Server.self, Self.server.replacing("<*I2>", with: "<*I3>"), isValid: false)
    try expectSame(Server.self, "(1)", isValid: false)
    try expectSame(Node.self, "{ name = a; next = { nam = b; }; }", isValid: false)
    try expectSame(Page<Owned>.self, "{ number = <*I1>; items = ({ a = x; }); }", isValid: false)
    try expectSame(Renamed.self, "{ name = a; size = <*I1>; }", isValid: false)
  }

  @Test func enums() throws {
    for text in [
      "{ load = { key = a; _1 = <*I5>; _2 = <*BY>; }; }", "{ load = { key = a; _2 = <*BN>; }; other = <*I1>; }",
      "{ repeated = { _0 = ({ stop = {}; }, { stop = { a = <*I1>; }; }); times = <*I5>; }; }", "{ owned = {}; }",
      "{ owned = { by = { name = a; }; }; }",
    ] {
      try expectSame(Command.self, text)
    }
    for text in [
      "{ load = { key = a; }; }", "{ stop = <*I1>; }", "{ repeated = { _0 = ({ stop = (); }); times = <*I5>; }; }",
      "{ repeated = { _0 = (); times = <*I500>; }; }",
    ] {
      try expectSame(Command.self, text, isValid: false)
    }
    try expectSame(KeyedCommand.self, "{ Load = { Path = a; Count = <*I2>; }; }")
    try expectSame(KeyedCommand.self, "{ repeat = { times = <*I2>; }; }")
    try expectSame(KeyedCommand.self, "{ Load = { path = a; Count = <*I2>; }; }", isValid: false)
    #expect(throws: (any Error).self) { try PlistDecoder().decode(Level.self, from: PropertyList.integer(3)) }
  }

  @Test(
    "The error for a number of keys other than one has the position of the error of Codable",
    arguments: [
      ("{\n a = { stop = {}; load = {}; }; }", "found 2"), ("{\n a = {}; }", "found none"),
    ])
  func severalKeys(text: String, message: String) throws {
    func context<Value>(_ type: Value.Type, _ body: () throws -> Void) throws -> DecodingError.Context {
      let error = try #require(#expect(throws: DecodingError.self) { try body() })
      guard case .typeMismatch(let mismatched, let context) = error else { throw error }
      #expect(ObjectIdentifier(mismatched) == ObjectIdentifier(type))
      return context
    }
    let document = Data(text.utf8)
    let direct = try context(Command.self) { _ = try PlistDecoder().decode([String: Command].self, from: document) }
    let codable = try context(Command.self) {
      _ = try PlistDecoder().decode([String: ThroughCodable<Command>].self, from: document)
    }
    #expect(direct.codingPath.map(\.stringValue) == codable.codingPath.map(\.stringValue))
    #expect(direct.debugDescription.contains("exactly one of the keys \"load\", \"repeated\", \"stop\", \"owned\""))
    #expect(direct.debugDescription.contains(message))
    let positions = [direct, codable].map { ($0.underlyingError as? PlistError)?.line }
    #expect(positions[0] != nil)
    #expect(positions[0] == positions[1])
  }

  private func decode<Value: PlistDecodable>(_ type: Value.Type, _ text: String) throws -> Value {
    try PlistDecoder().decode(type, from: Data(text.utf8))
  }

  @Test func defaults() throws {
    let empty = try decode(Defaults.self, "{ Host = a; }")
    #expect((empty.count, empty.title, empty.ratio, empty.level) == (3, "none", 0.5, 7))
    #expect((empty.names, empty.port, empty.new, empty.cache) == (["a"], 80, nil, 5))
    let full = try decode(
      Defaults.self,
      "{ count = <*I4>; title = b; ratio = <*I2>; level = <*I8>; names = (); port = <*I1>; host = c; new = <*I2>; cache = <*I9>; }"
    )
    #expect((full.count, full.title, full.ratio, full.level) == (4, "b", 2, 8))
    #expect((full.names, full.port, full.host, full.new, full.cache) == ([], 1, "c", 2, 5))
    let null = try PlistDecoder().decode(
      Defaults.self, from: Data(#"{"Host": "a", "count": null, "title": null, "ratio": null, "level": null}"#.utf8))
    #expect((null.count, null.title, null.ratio, null.level) == (3, nil, 0.5, nil))
  }

  @Test func aliases() throws {
    #expect(try decode(Defaults.self, "{ host = a; port-number = <*I1>; portNumber = <*I2>; old = <*I3>; }").port == 1)
    #expect(try decode(Defaults.self, "{ host = a; portNumber = <*I2>; port-number = <*I1>; }").port == 2)
    #expect(try decode(Defaults.self, "{ host = a; portNumber = <*I2>; port = <*I3>; }").port == 3)
    #expect(try decode(Defaults.self, "{ host = a; port = <*I3>; portNumber = x; old = <*I4>; }").port == 3)
    #expect(try decode(Defaults.self, "{ host = a; old = <*I4>; new = <*I5>; }").new == 5)
    #expect(try decode(Defaults.self, "{ host = a; old = <*I4>; }").new == 4)
    #expect(try decode(Event.self, "{ opened = { file = a; }; }") == .open(file: "a"))
    #expect(try decode(Event.self, "{ Open = { file = a; }; }") == .open(file: "a"))
    #expect(try PlistEncoder().encodeToPropertyList(Event.open(file: "a")) == ["Open": ["file": "a"]])
    #expect(try PlistEncoder().encodeToPropertyList(Event.close) == ["close": [:]])
  }

  @Test func flattenedProperties() throws {
    let text = "{ title = a; width = <*I5>; Height = <*I6>; depth = <*I7>; isOpen = <*BN>; }"
    let window = try decode(Window.self, text)
    #expect(window == Window(title: "a", size: Size(width: 5, height: 6), other: Window.Other(depth: 7)))
    #expect(
      try PlistEncoder().encodeToPropertyList(window) == ["title": "a", "width": 5.0, "Height": 6.0, "depth": 7])
    let error = try #require(#expect(throws: DecodingError.self) { try decode(Window.self, "{ title = a; }") })
    #expect("\(error)".contains("Height"))
    var decoder = PlistDecoder()
    decoder.unreadKeys = .refuse
    #expect(throws: (any Error).self) { try decoder.decode(Window.self, from: Data(text.utf8)) }
    let coded = text.replacing("isOpen = <*BN>;", with: "")
    #expect(try decoder.decode(Window.self, from: Data(coded.utf8)) == window)
  }

  @Test func unknownKeys() throws {
    let text = "{ a = (1, { b = c; }); theme = dark; d = \"$null\"; }"
    let settings = try decode(Settings.self, text)
    #expect(settings.theme == "dark")
    #expect(Array(settings.otherKeys.keys) == ["a", "d"])
    let copy = try PlistEncoder(format: .xml).encode(settings)
    let original = try PropertyList(parsing: Data(text.utf8))
    #expect(try PropertyList(parsing: copy) == original)
    var decoder = PlistDecoder()
    decoder.unreadKeys = .refuse
    #expect(try decoder.decode(Settings.self, from: Data(text.utf8)) == settings)
    var changed = settings
    changed.otherKeys["theme"] = "light"
    #expect(throws: EncodingError.self) { try PlistEncoder().encode(changed) }
  }

  @Test("A type that declares no key rewrites real files without losing one")
  func unknownKeysOfRealFiles() throws {
    guard let folder = ProcessInfo.processInfo.environment["PLIST_SHARED"] else { return }
    let files = FileManager.default.enumerator(atPath: folder + "/corpus")
    var count = 0
    for case let name as String in try #require(files) {
      guard let data = FileManager.default.contents(atPath: folder + "/corpus/" + name),
        let original = try? PropertyList(parsing: data), case .dictionary(let pairs) = original
      else { continue }
      for format in [PlistFormat.xml, .binary] {
        guard let settings = try? PlistDecoder().decode(Settings.self, from: data),
          let copy = try? PropertyList(parsing: PlistEncoder(format: format).encode(settings))
        else {
          #expect(pairs["theme"] != nil, "\(name) cannot be rewritten")
          continue
        }
        #expect(copy == original, "\(name)")
        count += 1
      }
    }
    #expect(count >= 200)
  }

  @Test func encodedOnly() throws {
    let report = Report(title: "a", cache: [:])
    #expect(try PlistEncoder().encodeToPropertyList(report) == ["version": 2, "title": "a"])
  }

  @Test func publicTypes() throws {
    let first = try decode(PublicClass.self, "{ name = a; }")
    #expect((first.name, first.count) == ("a", 3))
    #expect(try decode(PublicClass.self, "{ name = a; count = <*I4>; }").count == 4)
  }

  @Test("Each specialization of a generic type has the same keys in all threads")
  func genericTypes() async throws {
    let names = await withTaskGroup(of: [String].self) { group in
      for number in 0..<8 {
        group.addTask {
          let values: [any PlistEncodable] =
            number % 2 == 0 ? [Page(number: 1, items: [1])] : [Page(number: 1, items: ["a"])]
          return values.map { value in
            (try? PlistEncoder().encodeToPropertyList(value).dictionary?.keys.joined(separator: " ")) ?? "failed"
          }
        }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    #expect(names == Array(repeating: "number items", count: 8))
  }
}
#endif
