import Foundation
import Plist
import Testing

extension UsageExampleTests {
  @Test func decoders() throws {
    let data = try ([["host": "a", "port": 80], ["host": "b", "port": 443]] as PropertyList).data(format: .json)

    struct Server: Decodable { var host: String; var port: Int }
    let servers = try PlistDecoder().decode([Server].self, from: data)

    #expect(servers.map(\.host) == ["a", "b"])
    #expect(servers.map(\.port) == [80, 443])
  }

  @Test func decodedNodes() throws {
    struct Server: Decodable { var name: String }
    let decoder = PlistDecoder()
    let list: PropertyList = ["servers": [["name": "a", "isActive": true], ["name": "b", "isActive": false]]]
    let url = try scratch.file("servers.plist", list.data(format: .binary))

    let document = try PlistDocument(contentsOf: url)
    let nodes = document.root["servers"]?.array?.filter { $0["isActive"]?.bool == true } ?? []
    let servers = try nodes.map { try decoder.decode(Server.self, from: $0) }

    #expect(servers.map(\.name) == ["a"])
  }

  @Test func keyDecodingStrategies() throws {
    struct Server: Decodable { var hostName: String }
    var decoder = PlistDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let server = try decoder.decode(Server.self, from: ["host_name": "localhost"])
    #expect(server.hostName == "localhost")
  }

  @Test func nilDecodingStrategies() throws {
    var decoder = PlistDecoder()
    decoder.nilDecodingStrategy = .string("none")
    let names = try decoder.decode([String?].self, from: ["Ada", "none"])  // ["Ada", nil]
    #expect(names == ["Ada", nil])
  }

  @Test func textDecodingStrategies() throws {
    var decoder = PlistDecoder()
    decoder.textDecodingStrategy = .lenient
    let ports = try decoder.decode([String: Int].self, from: Data("{ http = 80; https = 443; }".utf8))
    #expect(ports == ["http": 80, "https": 443])
  }

  @Test func unreadKeys() throws {
    do {
      struct Server: Decodable { var port: Int }
      var decoder = PlistDecoder()
      decoder.unreadKeyStrategy = .refuse
      let server = try decoder.decode(Server.self, from: ["port": 80, "hots": "localhost"])
      // throws: the key "hots" is unknown
      Issue.record("decoded \(server)")
    } catch let error as DecodingError {
      #expect(error.plistError?.message == "the key \"hots\" is unknown")
    }
  }

  @Test func keyErrorStrategy() throws {
    struct Settings: Decodable { var host: String; var port: Int }
    let url = try scratch.file("settings.plist", Data("{ hots = localhost; }".utf8))
    do {
      var decoder = PlistDecoder()
      decoder.keyErrorStrategy = .collectAll
      let settings = try decoder.decode(Settings.self, contentsOf: url)
      Issue.record("decoded \(settings)")
    } catch let error as DecodingError {
      let message = try #require(error.plistError?.message)
      #expect(message.contains("the dictionary has no key \"host\""))
      #expect(message.contains("no property has the key \"hots\""))
    }
  }

  @Test func collectedKeyMistakes() throws {
    struct Settings: Decodable {
      var host: String
      var port: Int
      var limits: [Int]?

      enum CodingKeys: CodingKey, CaseIterable { case host, port, limits }
      // line 2, column 1: the dictionary has no key "host"; also missing, but possibly optional: "limits";
      // line 3, column 2: no property has the key "limtis" (did you mean "limits"?)
    }
    let text = """
      <plist>
      <dict>
       <key>limtis</key><array/>
       <key>port</key><integer>80</integer>
      </dict>
      </plist>
      """
    var decoder = PlistDecoder()
    decoder.keyErrorStrategy = .collectAll
    let error = #expect(throws: DecodingError.self) { try decoder.decode(Settings.self, from: Data(text.utf8)) }
    #expect(
      error?.plistError?.description == """
        line 2, column 1: the dictionary has no key "host"; also missing, but possibly optional: "limits"; \
        line 3, column 2: no property has the key "limtis" (did you mean "limits"?)
        """)
  }

  @Test func decodingErrors() throws {
    struct Server: Decodable { var port: Int }
    struct Settings: Decodable { var servers: [Server] }
    let text = """
      <plist><dict>
        <key>servers</key>
        <array>
          <dict>
            <key>port</key><integer>80</integer>
          </dict><dict>
            <key>port</key>
              <string>http</string>
          </dict>
        </array>
      </dict></plist>
      """
    let url = try scratch.file("settings.plist", Data(text.utf8))
    var settings: Settings?

    do {
      settings = try PlistDecoder().decode(Settings.self, contentsOf: url)
    } catch let error as DecodingError {
      print(error.plistError ?? error)
      // settings.plist: line 8, column 9: expected an integer, found the string "http" (key path: servers.1.port)
    }

    #expect(settings?.servers.count == nil)
    let message =
      "settings.plist: line 8, column 9: expected an integer, found the string \"http\" (key path: servers.1.port)"
    #expect(scratch.lines.count == 1 && scratch.lines[0].hasSuffix("/" + message), "\(scratch.lines)")
  }

  @Test func elementsOfFiles() throws {
    struct Track: Decodable { var name: String }
    let list: PropertyList = ["Tracks": [["name": "One"], ["name": "Two"]]]
    let library = try scratch.file("library.plist", list.data(format: .xml))

    var tracks = try PlistDecoder().elements(of: Track.self, contentsOf: library, at: "Tracks")
    while let track = try tracks.next() { print(track.name) }

    #expect(scratch.lines == ["One", "Two"])
  }

  @Test func pairsOfFiles() throws {
    struct Track: Decodable { var name: String }
    let list: PropertyList = ["Tracks": ["1": ["name": "One"], "2": ["name": "Two"]]]
    let library = try scratch.file("library.plist", list.data(format: .xml))

    var tracks = try PlistDecoder().pairs(of: Track.self, contentsOf: library, at: "Tracks")
    while let (id, track) = try tracks.next() { print(id, track.name) }

    #expect(scratch.lines == ["1 One", "2 Two"])
  }

  @Test func encoders() throws {
    struct Server: Codable {
      var host: String
      var ports: [Int]
    }

    let encoder = PlistEncoder(outputFormat: .xml, options: PlistWriteOptions(sortedKeys: true))
    let data = try encoder.encode(Server(host: "localhost", ports: [80, 443]))

    #expect(try PropertyList(parsing: data) == ["host": "localhost", "ports": [80, 443]])
    #expect(PlistFormat(detecting: data) == .xml)
  }

  @Test func keyEncodingStrategies() throws {
    struct Server: Encodable { var hostName: String }
    var encoder = PlistEncoder(outputFormat: .xml)
    encoder.keyEncodingStrategy = .convertToSnakeCase
    let data = try encoder.encode(Server(hostName: "localhost"))  // <key>host_name</key>
    #expect(String(decoding: data, as: UTF8.self).contains("<key>host_name</key>"))
  }

  @Test func unorderedEncodingStrategies() throws {
    var encoder = PlistEncoder(outputFormat: .xml)
    encoder.unorderedEncodingStrategy = .iterationOrder
    let data = try encoder.encode(["b": 2, "a": 1])  // the keys are in any order
    #expect(try PropertyList(parsing: data) == ["a": 1, "b": 2])
  }

  @Test func nilEncodingStrategies() throws {
    var encoder = PlistEncoder(outputFormat: .json)
    encoder.nilEncodingStrategy = .nullObject
    let data = try encoder.encode(["Ada", nil])  // ["Ada", null]
    let text = String(decoding: data, as: UTF8.self)
    #expect(text.filter { !$0.isWhitespace } == #"["Ada",null]"#)
  }
}
