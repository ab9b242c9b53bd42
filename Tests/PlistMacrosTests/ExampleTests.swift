#if Macros
import Foundation
import Plist
import PlistMacros
import Testing

/// The examples in the documentation of PlistMacros.
@Suite("Examples")
struct ExampleTests {
  @PlistCodable
  struct Server {
    var host: String
    var port = 80  // the value if the key is missing
    @CodingKey("Tags") var tags: [String]?
  }

  @PlistDecodable
  struct Release {
    var version: String
    @DecodableAlias("build-number") var build: Int
  }

  @PlistEncodable
  struct Report {
    let title: String
    @CodingIgnored var cache: [String: Int]
  }

  @PlistCodable
  struct Package {
    @CodingKey("CFBundleIdentifier") var identifier: String
  }

  @PlistCodable
  struct Account {
    @DecodableAlias("user", "login") var name: String
  }

  @PlistCodable
  struct Retry {
    @CodingDefault(3) let count: Int
  }

  @PlistCodable
  struct Size {
    var width = 0.0
    var height = 0.0
  }

  @PlistCodable
  struct Window {
    var title: String
    @CodingFlattened var size: Size
  }

  @PlistCodable
  struct Document {
    var text: String
    @CodingIgnored var wordCount = 0
  }

  @PlistCodable
  struct Preferences {
    var theme: String?
    @CodingUnknown var otherKeys: PropertyListDictionary
  }

  @Test func servers() throws {
    let data = Data(#"[{"host": "a", "Tags": ["b"]}]"#.utf8)
    let servers = try PlistDecoder().decode([Server].self, from: data)
    #expect((servers[0].host, servers[0].port) == ("a", 80))
    #expect(servers[0].tags == ["b"])
  }

  @Test func others() throws {
    func decode<Value: PlistDecodable>(_ text: String) throws -> Value {
      try PlistDecoder().decode(Value.self, from: Data(text.utf8))
    }
    let release: Release = try decode(#"{"version": "1.0", "build-number": 5}"#)
    #expect((release.version, release.build) == ("1.0", 5))
    let account: Account = try decode(#"{"login": "a"}"#)
    #expect(account.name == "a")
    let retry: Retry = try decode("{}")
    #expect(retry.count == 3)
    let window: Window = try decode(#"{"title": "a", "height": 2}"#)
    #expect((window.title, window.size.width, window.size.height) == ("a", 0, 2))
    let document: Document = try decode(#"{"text": "a", "wordCount": 5}"#)
    #expect((document.text, document.wordCount) == ("a", 0))
    let preferences: Preferences = try decode(#"{"theme": "a", "b": 1}"#)
    #expect(preferences.theme == "a")
    #expect(preferences.otherKeys == ["b": 1])
    let report = try PlistEncoder().encodeToPropertyList(Report(title: "a", cache: ["b": 1]))
    #expect(report == ["title": "a"])
    let package = try PlistEncoder().encodeToPropertyList(Package(identifier: "a"))
    #expect(package == ["CFBundleIdentifier": "a"])
  }
}
#endif
