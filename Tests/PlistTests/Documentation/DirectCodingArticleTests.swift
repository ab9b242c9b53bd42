import Foundation
import Plist
import Testing

struct DirectCodingArticleTests {
  enum Level: String, PlistCodable { case low, high }

  @Test func servers() throws {
    let data = try ([["host": "a", "port": 80], ["host": "b"]] as PropertyList).data(format: .binary)

    struct Server: PlistDecodable {
      var host: String
      var port: Int?

      private static let keys: PlistKeys = ["host", "port"]

      init(from decoder: inout PlistValueDecoder) throws {
        var host: String?
        var port: Int?
        try decoder.decodeDictionary(Self.keys) { key, value in
          switch key {
          case 0: host = try value.decode(String.self)
          default: port = try value.decode(Int?.self)
          }
        }
        self.host = try decoder.require(host, 0, of: Self.keys)
        self.port = port
      }
    }

    let servers = try PlistDecoder().decode([Server].self, from: data)

    #expect(servers.map(\.host) == ["a", "b"] && servers.map(\.port) == [80, nil])
    #expect(throws: DecodingError.self) { try PlistDecoder().decode(Server.self, from: ["port": 80]) }
  }

  @Test func totals() throws {
    struct Total: PlistDecodable {
      let total: Int

      init(from decoder: inout PlistValueDecoder) throws {
        var total = 0
        try decoder.decodeArray { _, element in total += try element.decode(Int.self) }
        self.total = total
      }
    }
    #expect(try PlistDecoder().decode(Total.self, from: [1, 2, 3]).total == 6)
  }

  @Test func ownErrors() throws {
    struct Port {
      let number: UInt16
      init?(_ text: String) {
        guard let number = UInt16(text) else { return nil }
        self.number = number
      }
    }
    struct Listener: PlistDecodable {
      let port: UInt16
      init(from decoder: inout PlistValueDecoder) throws {
        let text = try decoder.decode(String.self)
        guard let port = Port(text) else { throw decoder.makeError("the port must be below 65,536") }
        self.port = port.number
      }
    }
    let error = #expect(throws: DecodingError.self) { try PlistDecoder().decode(Listener.self, from: "70000") }
    #expect(error?.plistError?.message == "the port must be below 65,536")
  }

  @Test func members() throws {
    struct Owner: Codable, Equatable {
      var name: String
    }
    struct Project: PlistDecodable {
      var owners: [String: Owner] = [:]
      var created: Date?

      private static let keys: PlistKeys = ["owners", "created"]

      init(from decoder: inout PlistValueDecoder) throws {
        try decoder.decodeDictionary(Self.keys) { key, value in
          switch key {
          case 0: try value.decodeDictionary { name, owner in owners[name] = try owner.decode(codable: Owner.self) }
          default: created = try value.decode(Date?.self)
          }
        }
      }
    }
    let project = try PlistDecoder().decode(Project.self, from: ["owners": ["a": ["name": "Ada"]]])
    #expect(project.owners == ["a": Owner(name: "Ada")] && project.created == nil)
  }

  @Test func paths() throws {
    struct Path: PlistEncodable {
      var points: [Double]

      func encode(to encoder: inout PlistValueEncoder) throws {
        try encoder.encodeArray { array in
          for point in points { try array.encode(point) }
        }
      }
    }
    #expect(try PlistEncoder().encodeToPropertyList(Path(points: [0.5, 2.5])) == [0.5, 2.5])
  }

  @Test func levels() throws {
    let encoder = PlistEncoder(outputFormat: .json)
    #expect(try encoder.encode([Level.high]) == encoder.encode(["high"]))
    #expect(try PlistDecoder().decode([Level].self, from: ["low"]) == [.low])
  }

  @Test func encodesServers() throws {
    struct Server: PlistEncodable {
      var host: String
      var port: Int?

      private static let keys: PlistKeys = ["host", "port"]

      func encode(to encoder: inout PlistValueEncoder) throws {
        try encoder.encodeDictionary(Self.keys) { server in
          try server.encode(host, forKey: 0)
          try server.encode(port, forKey: 1)
        }
      }
    }

    let data = try PlistEncoder(outputFormat: .xml).encode([Server(host: "localhost", port: 80)])

    #expect(try PropertyList(parsing: data) == [["host": "localhost", "port": 80]])
  }

  @Test func refusesPorts() throws {
    struct Port: PlistEncodable {
      var port: Int
      func encode(to encoder: inout PlistValueEncoder) throws {
        guard port < 65_536 else { throw encoder.makeError("the port must be below 65,536") }
        try encoder.encode(port)
      }
    }
    let error = #expect(throws: EncodingError.self) { try PlistEncoder(outputFormat: .json).encode(Port(port: 70_000)) }
    guard case .invalidValue(_, let context) = error else { return }
    #expect(context.debugDescription == "the port must be below 65,536")
  }

  @Test func otherPairs() throws {
    struct Copy: PlistEncodable {
      var otherKeys: PropertyListDictionary
      func encode(to encoder: inout PlistValueEncoder) throws {
        try encoder.encodeDictionary { encoder in
          try encoder.encode(contentsOf: otherKeys)
        }
      }
    }
    #expect(try PlistEncoder().encodeToPropertyList(Copy(otherKeys: ["a": 1])) == ["a": 1])
    struct Settings: PlistEncodable {
      var volume: Int
      var otherKeys: PropertyListDictionary

      private static let keys: PlistKeys = ["volume"]

      func encode(to encoder: inout PlistValueEncoder) throws {
        try encoder.encodeDictionary(Self.keys) { settings in
          try settings.encode(volume, forKey: 0)
          try settings.encode(contentsOf: otherKeys)
        }
      }
    }
    let settings = Settings(volume: 3, otherKeys: ["theme": "dark"])
    #expect(try PlistEncoder().encodeToPropertyList(settings) == ["volume": 3, "theme": "dark"])
  }
}
