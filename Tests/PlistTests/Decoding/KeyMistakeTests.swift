import Foundation
import Plist
import Testing

/// With `keyErrorStrategy` `.collected`, the message about a missing key names all mistakes in the dictionary's keys.
struct KeyMistakeTests {
  private struct Server: Codable {
    var host: String
    var port: Int
    var limits: Int?
    var note: String?
    enum CodingKeys: String, CodingKey, CaseIterable { case host, port, limits, note = "remark" }
  }

  private struct Plain: Codable {
    var host: String
    var port: Int
    var maxSize: Int?
  }

  private static func decoder(_ configure: (inout PlistDecoder) -> Void = { _ in }) -> PlistDecoder {
    var decoder = PlistDecoder()
    decoder.keyErrorStrategy = .collectAll
    configure(&decoder)
    return decoder
  }

  private static func message<Value: Decodable>(
    _ type: Value.Type, _ data: Data, _ decoder: PlistDecoder
  ) throws -> String {
    let error = #expect(throws: DecodingError.self) { try decoder.decode(type, from: data) }
    guard case .keyNotFound(let key, _)? = error else { return "\(error as Any)" }
    #expect(key.stringValue == "host")
    let described = try #require(error?.plistError)
    #expect(described.code == .missingProperty)
    return described.description.replacing(" (key path: 0)", with: "")
  }

  private static let xml = """
    <array>
    <dict><key>hots</key><string>b</string> <key>remark</key><string>c</string>
    <key>limtis</key><integer>2</integer> <key>x</key><true/></dict>
    </array>
    """
  private static let json = """
    [
    {"hots": "b", "remark": "c",
    "limtis": 2, "x": true}
    ]
    """
  private static let openStep = """
    (
    {hots = b; remark = c;
    limtis = 2; x = YES;}
    )
    """

  @Test func ofKeysWithLineBreaks() throws {
    let data = Data("<dict><key>a</key><dict><key>b\nc</key><true/></dict></dict>".utf8)
    var decoder = PlistDecoder()
    decoder.unreadKeyStrategy = .refuse
    struct Other: Decodable { var c: Bool? }
    let unread = #expect(throws: DecodingError.self) { try decoder.decode([String: Other].self, from: data) }
    let described = try #require(unread?.plistError)
    #expect(described.message == #"the key "a.b\nc" is unknown"#)
    #expect(described.description.hasSuffix(#"(key path: a.b\nc)"#))
  }

  @Test(arguments: [(xml, [7, 1, 39, 41]), (json, [2, 1, 14, 15]), (openStep, [2, 1, 13, 12])])
  func ofText(_ text: String, _ columns: [Int]) throws {
    let data = Data(text.utf8)
    let first = "line 2, column 1: the dictionary has no key \"host\" (did you mean \"hots\"?)"
    #expect(
      try Self.message([Server].self, data, Self.decoder())
        == "\(first); also missing, but possibly optional: \"port\", \"limits\"; "
        + "line 2, column \(columns[0]): no property has the key \"hots\" (did you mean \"host\"?); "
        + "line 3, column \(columns[1]): no property has the key \"limtis\" (did you mean \"limits\"?); "
        + "line 3, column \(columns[2]): no property has the key \"x\"")
    #expect(
      try Self.message([Plain].self, data, Self.decoder())
        == "\(first); line 2, column \(columns[0]): no property has the key \"hots\" (did you mean \"host\"?); "
        + "line 2, column \(columns[3]): no property has the key \"remark\"; "
        + "line 3, column \(columns[1]): no property has the key \"limtis\"; "
        + "line 3, column \(columns[2]): no property has the key \"x\"")
    #expect(try Self.message([Server].self, data, PlistDecoder()) == first)
  }

  @Test func ofBinaryDocumentsAndValues() throws {
    let list: PropertyList = [["hots": "b", "remark": "c"]]
    let also = "; also missing, but possibly optional: \"port\", \"limits\"; "
    let data = try list.data(format: .binary)
    let dictionary = try #require(data.firstIndex(of: 0xD2))
    let key = try #require(data.firstRange(of: Data("hots".utf8))).lowerBound - 1
    let message = try Self.message([Server].self, data, Self.decoder())
    #expect(
      message == "byte \(dictionary): the dictionary has no key \"host\" (did you mean \"hots\"?)\(also)"
        + "byte \(key): no property has the key \"hots\" (did you mean \"host\"?)")
    let error = #expect(throws: DecodingError.self) { try Self.decoder().decode([Server].self, from: list) }
    #expect(
      error?.plistError?.description == "the dictionary has no key \"host\" (did you mean \"hots\"?)\(also)"
        + "no property has the key \"hots\" (did you mean \"host\"?) (key path: 0)")
  }

  @Test func convertedKeys() throws {
    let text = "<dict><key>max_size</key><integer>1</integer><key>mac_size</key><integer>2</integer></dict>"
    let decoder = Self.decoder { $0.keyDecodingStrategy = .convertFromSnakeCase }
    #expect(
      try Self.message(Plain.self, Data(text.utf8), decoder)
        == "line 1, column 1: the dictionary has no key \"host\"; "
        + "line 1, column 46: no property has the key \"mac_size\"")
  }

  @Test func manyKeys() throws {
    let pairs = (0..<1000).map { "<key>k\($0)</key><true/>" }.joined()
    let message = try Self.message(Plain.self, Data("<dict>\(pairs)</dict>".utf8), Self.decoder())
    #expect(message.hasSuffix("no property has the key \"k98\"; and 901 more keys"))
  }

  @Test func onlyIfAKeyIsMissing() throws {
    struct AnyName: CodingKey {
      var stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }
    struct Loose: Decodable {
      init(from decoder: any Decoder) throws {
        _ = try decoder.container(keyedBy: AnyName.self).decode(Int.self, forKey: AnyName(stringValue: "host"))
      }
    }
    let list: PropertyList = ["host": "a", "port": 1, "extra": true]
    #expect(try Self.decoder().decode(Server.self, from: list).port == 1)
    #expect(throws: DecodingError.self) {
      try Self.decoder { $0.unreadKeyStrategy = .refuse }.decode(Server.self, from: list)
    }
    let other = Data("<dict><key>x</key><true/></dict>".utf8)
    #expect(
      try Self.message(Loose.self, other, Self.decoder()) == "line 1, column 1: the dictionary has no key \"host\"")
  }
}
