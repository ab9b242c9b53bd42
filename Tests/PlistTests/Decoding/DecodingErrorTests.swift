import Foundation
import Plist
import Testing

struct DecodingErrorTests {
  struct Server: Codable {
    var host: String
    var port: Int
  }
  struct Configuration: Codable {
    var servers: [Server]
    var level: Level?
  }
  enum Level: String, Codable { case low, high }

  static let text = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0">
    <dict>
    	<key>servers</key>
    	<array>
    		<dict><key>host</key><string>a</string><key>port</key><integer>80</integer></dict>
    		<dict>
    			<key>host</key><string>é</string> <key>port</key><string>http</string>
    		</dict>
    	</array>
    </dict>
    </plist>
    """

  private func details(_ error: (any Error)?) -> DecodingError.Context? {
    switch error as? DecodingError {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
      .dataCorrupted(let context):
      return context
    default: return nil
    }
  }

  private func failure<Value: Decodable>(
    _ type: Value.Type, _ text: String, _ decoder: PlistDecoder = PlistDecoder()
  ) throws -> (DecodingError.Context, PlistError) {
    let error = #expect(throws: DecodingError.self) { try decoder.decode(type, from: Data(text.utf8)) }
    return (try #require(details(error)), try #require(error?.plistError))
  }

  @Test func sayWhere() throws {
    let (context, error) = try failure(Configuration.self, Self.text)
    #expect(context.debugDescription == "expected an integer")
    #expect(
      error.description
        == "line 8, column 53: expected an integer, found the string \"http\" (key path: servers.1.port)")
    #expect(context.codingPath.map(\.stringValue) == ["servers", "Index 1", "port"])
    #expect(error.line == 8 && error.column == 53 && error.path == "servers.1.port")
    #expect(error.code == .typeMismatch && error.category == .data && error.format == .xml)
    #expect(Array(Self.text.utf8)[error.offset...].starts(with: "<string>http".utf8))
  }

  @Test func ofBinaryDocumentsSayTheByte() throws {
    let data = try PropertyList(parsing: Data(Self.text.utf8)).data(format: .binary)
    let error = #expect(throws: DecodingError.self) { try PlistDecoder().decode(Configuration.self, from: data) }
    let plistError = try #require(error?.plistError)
    #expect(plistError.path == "servers.1.port" && plistError.line == nil)
    #expect(data[plistError.offset...].starts(with: [0x54] + Array("http".utf8)))
  }

  @Test func ofMissingKeysAreAtTheDictionary() throws {
    let text = "<dict>\n<key>servers</key><array>\n<dict><key>host</key><string>h</string></dict></array></dict>"
    let (context, error) = try failure(Configuration.self, text)
    #expect(context.codingPath.map(\.stringValue) == ["servers", "Index 0"])
    #expect(error.description == "line 3, column 1: the dictionary has no key \"port\" (key path: servers.0)")
    #expect(error.code == .missingProperty)
  }

  @Test(arguments: [true, false])
  func ofTypesAreAtTheirValue(_ isXML: Bool) throws {
    let text = "<dict><key>servers</key><array/>\n<key>level</key><string>middle</string></dict>"
    let list = try PropertyList(parsing: Data(text.utf8))
    let data = try isXML ? Data(text.utf8) : list.data(format: .binary)
    let error = #expect(throws: DecodingError.self) { try PlistDecoder().decode(Configuration.self, from: data) }
    let plistError = try #require(error?.plistError)
    #expect(plistError.path == "level" && plistError.code == .invalidValue)
    if isXML {
      #expect(plistError.line == 2 && plistError.column == 17)
    } else {
      #expect(data[plistError.offset...].starts(with: [0x56] + Array("middle".utf8)))
    }
  }

  @Test func ofInvalidDocumentsAreTheReaders() throws {
    let (context, error) = try failure(Configuration.self, "<dict><key>a</key></dict>")
    let expected = #expect(throws: PlistError.self) {
      try PropertyList(parsing: Data("<dict><key>a</key></dict>".utf8))
    }
    #expect(error.description == expected?.description)
    #expect(context.codingPath.isEmpty)
  }

  @Test func numbersThatDoNotFit() throws {
    let (context, error) = try failure([UInt8].self, "<array>\n <integer>1</integer>\n <integer>256</integer></array>")
    #expect(context.debugDescription == "the number is not a value of UInt8")
    #expect(
      error.description == "line 3, column 2: the integer 256 is not a value of UInt8, which holds the integers from 0 "
        + "to 255 (key path: 1)")
    #expect(error.code == .numberOutOfRange)
  }

  @Test func keyStrategiesNameTheDocumentsKeys() throws {
    struct Model: Codable { var firstName: String }
    var decoder = PlistDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let (context, error) = try failure(Model.self, "<dict><key>first_name</key>\n<true/></dict>", decoder)
    #expect(error.path == "first_name" && error.line == 2)
    #expect(context.codingPath.map(\.stringValue) == ["firstName"])
  }

  @Test func placesOfManyErrors() throws {
    struct Town: Decodable {
      var line: Int?
      init(from decoder: any Decoder) throws {
        do { _ = try Int(from: decoder) } catch DecodingError.typeMismatch(_, let context) {
          line = (context.underlyingError as? PlistError)?.line
        }
      }
    }
    let lines = 3_000
    let text = "<array>" + String(repeating: "\r\n<string>é日</string>", count: lines) + "</array>"
    let places = try PlistDecoder().decode([Town].self, from: Data(text.utf8))
    #expect(places.map(\.line) == (2..<lines + 2).map { $0 })
  }

  @Test func unreadKeysAreReported() throws {
    struct Model: Codable { var a: Int }
    var decoder = PlistDecoder()
    decoder.unreadKeyStrategy = .refuse
    let text = """
      <array><dict><key>a</key><integer>1</integer></dict>
      <dict><key>b</key><integer>1</integer><key>a</key><integer>1</integer><key>c</key><true/></dict></array>
      """
    #expect(try PlistDecoder().decode([Model].self, from: Data(text.utf8)).count == 2)
    let (context, error) = try failure([Model].self, text, decoder)
    #expect(error.code == .unreadKey && error.path == "1.b" && error.line == 2 && error.column == 7)
    #expect(
      error.description == "line 2, column 7: the key \"1.b\" is unknown; "
        + "line 2, column 71: the key \"1.c\" is unknown (key path: 1.b)")
    #expect(context.debugDescription == "2 keys are unknown")
    let binary = try PropertyList(parsing: Data(text.utf8)).data(format: .binary)
    #expect(throws: DecodingError.self) { try decoder.decode([Model].self, from: binary) }
    #expect(throws: DecodingError.self) { try decoder.decode([Model].self, from: PropertyList(parsing: binary)) }
    #expect(
      try decoder.decode([String: Int].self, from: Data("<dict><key>x</key><integer>1</integer></dict>".utf8)) == [
        "x": 1
      ])
    #expect(try decoder.decode([PropertyList].self, from: binary).count == 2)
  }
}

/// The text of an error is made when somebody looks at it, and the decoding may be over by then.
struct DeferredErrorTests {
  /// Any value, the way such types are usually written: try one type after the other.
  enum AnyValue: Decodable, Equatable {
    case bool(Bool), int(Int), double(Double), string(String), array([AnyValue]), dictionary([String: AnyValue])

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let value = try? container.decode(Bool.self) {
        self = .bool(value)
      } else if let value = try? container.decode(Int.self) {
        self = .int(value)
      } else if let value = try? container.decode(Double.self) {
        self = .double(value)
      } else if let value = try? container.decode(String.self) {
        self = .string(value)
      } else if let value = try? container.decode([AnyValue].self) {
        self = .array(value)
      } else {
        self = .dictionary(try container.decode([String: AnyValue].self))
      }
    }
  }

  @Test(arguments: [PlistFormat.xml, .binary, .json, .gnuStep])
  func anyValue(_ format: PlistFormat) throws {
    let list: PropertyList = ["a": [true, 1, "x"], "b": ["c": 2.5]]
    let value = try PlistDecoder().decode(AnyValue.self, from: try list.data(format: format))
    let array = AnyValue.array([.bool(true), .int(1), .string("x")])
    #expect(value == .dictionary(["a": array, "b": .dictionary(["c": .double(2.5)])]))
  }

  /// Errors kept for later, by many threads, say what they would have said at once.
  @Test(arguments: [PlistFormat.xml, .binary])
  func keptErrors(_ format: PlistFormat) async throws {
    struct Kept: Decodable, @unchecked Sendable {
      var errors: [any Error] = []
      init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd {
          do { _ = try container.decode(Int.self) } catch {
            errors.append(error)
            _ = try container.decode(PropertyList.self)
          }
        }
      }
    }
    let list = PropertyList.array((0..<200).map { .string("value \($0)") })
    let errors = try PlistDecoder().decode(Kept.self, from: try list.data(format: format)).errors
    #expect(errors.count == 200)
    let messages = await withTaskGroup(of: [String].self) { group in
      let described = errors.compactMap { ($0 as? DecodingError)?.plistError }
      for _ in 0..<4 { group.addTask { described.map { "\($0.path ?? "") \($0.message)" } } }
      var all: [[String]] = []
      for await some in group { all.append(some) }
      return all
    }
    let expected = (0..<200).map { "\($0) expected an integer, found the string \"value \($0)\"" }
    #expect(messages == Array(repeating: expected, count: 4))
  }

  @Test func keptErrorsUnderAKeyStrategy() throws {
    struct Model: Decodable { var firstName: Int? }
    var decoder = PlistDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let data = Data("<array><dict><key>first_name</key>\n<string>a</string></dict></array>".utf8)
    let error = #expect(throws: DecodingError.self) { try decoder.decode([Model].self, from: data) }
    #expect(
      error.map { "\($0.plistError ?? PlistError(code: .typeMismatch, message: ""))" }
        == "line 2, column 1: expected an integer, found the string \"a\" (key path: 0.first_name)")
  }
}
