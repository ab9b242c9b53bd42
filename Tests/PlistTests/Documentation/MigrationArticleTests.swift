import Foundation
import Plist
import Testing

struct MigrationArticleTests {
  struct Settings: Codable, Equatable {
    var volume = 5
    var lastOpened = Date(timeIntervalSinceReferenceDate: 0)
  }

  @Test func migration() throws {
    let settings = Settings()
    let file = FileManager.default.temporaryDirectory.appending(path: "migration-\(UUID()).plist")
    defer { try? FileManager.default.removeItem(at: file) }
    var printed: [String] = []
    func print(_ value: some CustomStringConvertible) { printed.append(value.description) }

    var encoder = PlistEncoder()  // let encoder = PropertyListEncoder()
    encoder.outputFormat = .xml
    let data = try encoder.encode(settings)

    var format = PlistFormat.binary  // PropertyListSerialization.PropertyListFormat
    let decoder = PlistDecoder()  // let decoder = PropertyListDecoder()
    let copy = try decoder.decode(Settings.self, from: data, format: &format)

    #expect(copy == settings)
    #expect(format == .xml)
    #expect(try PropertyListDecoder().decode(Settings.self, from: data) == settings)

    encoder.writeOptions.sortedKeys = true

    let foundation = PropertyListEncoder()
    foundation.outputFormat = .xml
    #expect(try encoder.encode(settings) == foundation.encode(settings))

    do {
      _ = try encoder.encode(["servers": [["name": "a\0b"]]])
    } catch EncodingError.invalidValue(_, let context) {
      print(context.codingPath.map(\.stringValue))  // ["servers", "Index 0", "name"]
      print(context.debugDescription)  // the text contains a NUL, which XML does not allow
    }
    #expect(printed == ["[\"servers\", \"Index 0\", \"name\"]", "the text contains a NUL, which XML does not allow"])

    encoder.keyEncodingStrategy = .convertToSnakeCase
    #expect(try encoder.encodeToPropertyList(settings)["last_opened"] != nil)
    encoder.keyEncodingStrategy = .useDefaultKeys

    try encoder.encode(settings, to: file)
    #expect(try decoder.decode(Settings.self, contentsOf: file) == settings)

    var list = try encoder.encodeToPropertyList(settings)
    list["volume"] = 11
    let louder = try decoder.decode(Settings.self, from: list)
    #expect(louder.volume == 11)
  }

  @Test func landingPage() throws {
    struct Server: Codable {
      var host: String
      var port: Int
    }

    let data = try PlistEncoder().encode(["web": Server(host: "localhost", port: 8080)])
    let servers = try PlistDecoder().decode([String: Server].self, from: data)
    let port = try PropertyList(parsing: data)["web"]?["port"]?.int

    #expect(servers["web"]?.host == "localhost")
    #expect(port == 8080)
  }
}
