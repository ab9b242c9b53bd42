import Foundation
import Plist
import Testing

struct CodableArticleTests {
  private struct Track: Codable, Equatable {
    var title: String
    var length: Int
  }

  private struct Library: Codable, Equatable {
    var tracks: [Track]
  }

  struct Plugin: Codable {
    var identifier: String
    var settings: PropertyList  // whatever the plug-in keeps there
  }

  private let file = FileManager.default.temporaryDirectory.appending(path: "article-\(UUID()).plist")

  @Test func codableTypes() throws {
    let library = Library(tracks: [Track(title: "One", length: 120), Track(title: "Two", length: 240)])
    defer { try? FileManager.default.removeItem(at: file) }

    let encoder = PlistEncoder(outputFormat: .xml)
    try encoder.encode(library, to: file)  // atomically

    let copy = try PlistDecoder().decode(Library.self, contentsOf: file)
    #expect(copy == library)
    #expect(try PlistFormat(detecting: Data(contentsOf: file)) == .xml)

    let plugin = try PlistDecoder().decode(
      Plugin.self, from: ["identifier": "x", "settings": ["level": 3]] as PropertyList)
    #expect(plugin.settings["level"] == 3)

    let document = try PlistDocument(contentsOf: file)
    let first = try PlistDecoder().decode(Track.self, from: document, at: "tracks.0")
    #expect(first == library.tracks[0])

    var minutes = 0
    var tracks = try PlistDecoder().elements(of: Track.self, contentsOf: file, at: "tracks")
    while let track = try tracks.next() { minutes += track.length / 60 }
    #expect(minutes == 6)

    let half: PropertyList = ["tracks": [["title": "x", "length": 1.5]]]
    #expect(throws: DecodingError.self) { try PlistDecoder().decode(Library.self, from: half) }
  }

  @Test func keys() throws {
    var decoder = PlistDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    decoder.unreadKeyStrategy = .refuse  // a key that no property reads is an error, not a silent mistake

    struct Person: Codable, Equatable { var firstName: String }
    let person = try decoder.decode(Person.self, from: ["first_name": "Ada"] as PropertyList)
    #expect(person.firstName == "Ada")
    let more: PropertyList = ["first_name": "Ada", "last_name": "Lovelace"]
    #expect(throws: DecodingError.self) { try decoder.decode(Person.self, from: more) }

    decoder.keyErrorStrategy = .collectAll
    let error = #expect(throws: DecodingError.self) {
      try decoder.decode(Person.self, from: ["frist_name": "Ada"] as PropertyList)
    }
    #expect(
      error?.plistError?.description == "the dictionary has no key \"firstName\" (did you mean \"fristName\"?); "
        + "no property has the key \"frist_name\" (did you mean \"firstName\"?)")
  }

  @Test func textFormats() throws {
    struct Server: Decodable, Equatable { var port: Int; var isOn: Bool; var since: Date }

    var decoder = PlistDecoder()
    decoder.textDecodingStrategy = .lenient  // "8443" is an Int, "YES" a Bool, "2001-01-01T00:00:00Z" a Date

    let text = #"{ port = "8443"; isOn = YES; since = "2001-01-01T00:00:00Z"; }"#
    let server = try decoder.decode(Server.self, from: Data(text.utf8))
    #expect(server == Server(port: 8443, isOn: true, since: Date(timeIntervalSinceReferenceDate: 0)))
  }

  @Test func errors() throws {
    let text = """
      <plist><dict><key>tracks</key><array><dict>
      <key>title</key><string>One</string>
      <key>length</key><string>long</string>
      </dict></array></dict></plist>
      """
    var printed = ""
    func print(_ text: String) { printed = text }

    do {
      _ = try PlistDecoder().decode(Library.self, from: Data(text.utf8))
    } catch let error as DecodingError {
      print(error.plistError?.description ?? "\(error)")
      // line 3, column 18: expected an integer, found the string "long" (key path: tracks.0.length)
    }
    #expect(printed == "line 3, column 18: expected an integer, found the string \"long\" (key path: tracks.0.length)")
  }

  private struct Server: Codable { var name: String; var port: Int }

  @Test func documents() throws {
    let file = Fixture(folder: .valid, name: "settings", suffix: ".xml.plist").url
    var names: [String] = []
    var printed = ""
    func print(_ text: String) { printed = text }

    let document = try PlistDocument(contentsOf: file)
    let secure = document.root["servers"]?[1]?["secure"]?.bool
    let port = document.root["servers.1.port" as PropertyListPath]?.int
    #expect(secure == false && port == 80)

    if let node = document.root["servers"]?[1]?["port"], node.int != 443 {
      print("line \(node.line ?? 0): port \(node.int ?? 0)")
    }
    #expect(printed == "line 40: port 80")

    if let servers = document.root["servers"]?.array {
      for server in servers { names.append(server["name"]?.string ?? "") }
    }
    #expect(names == ["Zürich", "Backup & archive"])

    let appearance = try document.root["appearance"]?.propertyList()
    let first = try PlistDecoder().decode(Server.self, from: document, at: "servers.0")
    let secureServers = try document.root["servers"]?.array?.filter { $0["secure"]?.bool == true }
      .map { try PlistDecoder().decode(Server.self, from: $0) }
    #expect(secureServers?.map(\.name) == ["Zürich"])
    #expect(appearance?["theme"] == "dark" && first.port == 8443)

    try document.validate()  // throws a PlistError with the first fault
  }
}
