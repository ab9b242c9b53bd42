import Foundation
import Plist
import Testing

struct DirectDecodingArticleTests {
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
        guard let port = Port(text) else { throw decoder.error("the port must be below 65,536") }
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
}
