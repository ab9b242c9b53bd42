#if Macros
import Testing

@Suite("The code that the coding macros generate")
struct CodingExpansionTests {
  @Test func structs() {
    expectExpansion(
      of: """
        @PlistCodable
        public struct Server {
          @CodingKey("Host") public var host: String
          @DecodableAlias("port-number") var port = 80
          @CodingDefault(0.5) let ratio: Double
          var tags: [String]?
          @CodingFlattened var size: Size
          @CodingIgnored var cache = 1
        }
        """,
      is: #"""
        public struct Server {
          public var host: String
          var port = 80
          let ratio: Double
          var tags: [String]?
          var size: Size
          var cache = 1
        }

        extension Server: PlistDecodable, PlistEncodable {
          nonisolated private enum _PlistKeys {
            static let root: PlistKeys = ["Host", "port", "ratio", "tags", "port-number"]
          }
          public init(from decoder: inout PlistValueDecoder) throws {
            var _host: String?
            var _port = PlistValueDecoder._none(\Self.port)
            var _ratio: Double?
            var _tags: [String]??
            try decoder.decodeDictionary(_PlistKeys.root) { key, value in
              switch key {
              case 0:
                try value._read(&_host)
              case 1:
                if !value.isNil {
                  try value._read(&_port)
                }
              case 4:
                if _port == nil {
                  if !value.isNil {
                    try value._read(&_port)
                  }
                }
              case 2:
                if !value.isNil {
                  try value._read(&_ratio)
                }
              case 3:
                try value._read(&_tags)
              default:
                break
              }
            }
            self.host = try decoder._require(&_host, 0, of: _PlistKeys.root)
            if let _port {
              self.port = _port
            }
            self.ratio = _ratio ?? (0.5)
            self.tags = _tags ?? nil
            self.size = try decoder._decode()
          }
          public func encode(to encoder: inout PlistValueEncoder) throws {
            try encoder.encodeDictionary(_PlistKeys.root) { dictionary in
              try dictionary._write(self.host, forKey: 0)
              try dictionary._write(self.port, forKey: 1)
              try dictionary._write(self.ratio, forKey: 2)
              try dictionary._write(self.tags, forKey: 3)
              try dictionary.encode(contentsOf: self.size)
            }
          }
        }
        """#)
  }

  @Test func classes() {
    expectExpansion(
      of: """
        @PlistDecodable
        final class Node {
          let name: String
          @CodingUnknown var otherKeys: PropertyListDictionary
        }
        """,
      is: #"""
        final class Node {
          let name: String
          var otherKeys: PropertyListDictionary

          init(from decoder: inout PlistValueDecoder) throws {
            var _name: String?
            try decoder.decodeDictionary(_PlistKeys.root) { key, value in
              switch key {
              case 0:
                try value._read(&_name)
              default:
                break
              }
            }
            let _0 = try decoder._require(&_name, 0, of: _PlistKeys.root)
            let _1 = try decoder.decodeOtherPairs(besides: _PlistKeys.root)
            self.name = _0
            self.otherKeys = _1
          }
        }

        extension Node: PlistDecodable {
          nonisolated private enum _PlistKeys {
            static let root: PlistKeys = ["name"]
          }
        }
        """#)
  }

  @Test func enums() {
    expectExpansion(
      of: """
        @PlistCodable
        enum Command {
          case load(key: String, Int?)
          @DecodableAlias("halt") case stop
        }
        """,
      is: #"""
        enum Command {
          case load(key: String, Int?)
          case stop
        }

        extension Command: PlistDecodable, PlistEncodable {
          nonisolated private enum _PlistKeys {
            static let root: PlistKeys = ["load", "stop", "halt"]
            static let case0: PlistKeys = ["key", "_1"]
            static let case1: PlistKeys = []
          }
          init(from decoder: inout PlistValueDecoder) throws {
            try decoder._requireOneKey(of: _PlistKeys.root, Self.self)
            var result: Self?
            try decoder.decodeDictionary(_PlistKeys.root) { key, value in
              switch key {
              case 0:
                var value0: String?
                var value1: Int??
                try value.decodeDictionary(_PlistKeys.case0) { key, value in
                  switch key {
                  case 0:
                    try value._read(&value0)
                  case 1:
                    try value._read(&value1)
                  default:
                    break
                  }
                }
                result = Self.load(key: try value._require(&value0, 0, of: _PlistKeys.case0), value1 ?? nil)
              case 1, 2:
                try value.decodeDictionary(_PlistKeys.case1) { _, _ in
                }
                result = Self.stop
              default:
                break
              }
            }
            self = try decoder.require(result, 0, of: _PlistKeys.root)
          }
          func encode(to encoder: inout PlistValueEncoder) throws {
            try encoder.encodeDictionary(_PlistKeys.root) { dictionary in
              switch self {
              case let .load(value0, value1):
                try dictionary.encodeDictionary(_PlistKeys.case0, forKey: 0) { dictionary in
                  try dictionary._write(value0, forKey: 0)
                  try dictionary._write(value1, forKey: 1)
                }
              case .stop:
                try dictionary.encodeDictionary(_PlistKeys.case1, forKey: 1) { _ in
                }
              }
            }
          }
        }
        """#)
    expectExpansion(
      of: """
        @PlistEncodable
        enum Mode: String {
          case fast, slow
        }
        """,
      is: #"""
        enum Mode: String {
          case fast, slow
        }

        extension Mode: PlistEncodable {
        }
        """#)
  }

  @Test func genericTypes() {
    expectExpansion(
      of: """
        struct Page<Item: PlistCodable> {
          @PlistEncodable
          struct Mark {
            var item: Item
          }
        }
        """,
      is: #"""
        struct Page<Item: PlistCodable> {
          struct Mark {
            var item: Item
          }
        }

        extension Page.Mark: PlistEncodable {
          nonisolated private enum _PlistKeys {
            static var root: PlistKeys {
              PlistKeys._shared(by: Self.self, "root") {
                ["item"]
              }
            }
          }
          func encode(to encoder: inout PlistValueEncoder) throws {
            try encoder.encodeDictionary(_PlistKeys.root) { dictionary in
              try dictionary._write(self.item, forKey: 0)
            }
          }
        }
        """#)
  }
}
#endif
