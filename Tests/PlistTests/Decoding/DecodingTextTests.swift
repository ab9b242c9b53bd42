import Foundation
import Plist
import PlistFuzzTargets
import Testing

struct DecodingTextTests {
  private struct Model: Codable, Equatable {
    enum Size: String, Codable { case small, large }
    var count: Int
    var byte: UInt8
    var wide: UInt64
    var ratio: Double
    var single: Float
    var limits: [Double]
    var isOn: Bool
    var flags: [Bool]
    var date: Date
    var data: Data
    var text: String
    var size: Size
    var missing: Int?
    var inner: [String: [Int]]
    var uid: PropertyListUID
  }

  private static func model(_ generator: inout SeededGenerator) -> Model {
    Model(
      count: Int.random(in: Int.min...Int.max, using: &generator), byte: UInt8.random(in: 0...255, using: &generator),
      wide: UInt64.max - UInt64.random(in: 0...9, using: &generator),
      ratio: Double.random(in: -1...1, using: &generator),
      single: Float.random(in: -1...1, using: &generator), limits: [.infinity, -.infinity, 0, -0.5, 1e300],
      isOn: Bool.random(using: &generator), flags: [true, false],
      date: Date(timeIntervalSinceReferenceDate: Double(Int.random(in: -99_999_999...999_999_999, using: &generator))),
      data: Data((0..<Int.random(in: 0...70, using: &generator)).map { UInt8($0) }), text: "12", size: .large,
      missing: nil, inner: ["é \"": [1, -2], "": []], uid: 7)
  }

  @Test(arguments: [PlistFormat.xml, .binary, .json, .openStep, .gnuStep])
  func roundTrips(_ format: PlistFormat) throws {
    var generator = SeededGenerator(seed: 5)
    var encoder = PlistEncoder()
    encoder.outputFormat = format
    encoder.writeOptions.unrepresentable = .convert
    var decoder = PlistDecoder()
    decoder.textDecodingStrategy = .lenient
    for _ in 0..<50 {
      let model = Self.model(&generator)
      let data = try encoder.encode(model)
      #expect(try decoder.decode(Model.self, from: data) == model)
      #expect(try decoder.decode(Model.self, from: PropertyList(parsing: data)) == model)
    }
  }

  @Test func onlyIfAskedFor() throws {
    let list: PropertyList = ["1", "x", "", " 1", "1 ", "0x10", "2001-02-30T00:00:00Z", "YES!", "=="]
    for index in 0..<9 {
      let element = try #require(list[index])
      #expect(throws: DecodingError.self) { try PlistDecoder().decode(Int.self, from: element) }
      var decoder = PlistDecoder()
      decoder.textDecodingStrategy = .lenient
      if index == 0 {
        #expect(try decoder.decode(Int.self, from: element) == 1)
        #expect(try decoder.decode(Double.self, from: element) == 1)
        #expect(try decoder.decode(String.self, from: element) == "1")
        #expect(try decoder.decode(PropertyList.self, from: element) == "1")
        #expect(try decoder.decode(Bool.self, from: element))
      } else {
        #expect(throws: DecodingError.self) { try decoder.decode(Bool.self, from: element) }
        #expect(throws: DecodingError.self) { try decoder.decode(Int.self, from: element) }
      }
      #expect(throws: DecodingError.self) { try decoder.decode(Date.self, from: element) }
      #expect(throws: DecodingError.self) { try decoder.decode(UInt8.self, from: "256" as PropertyList) }
      #expect(try decoder.decode(Int?.self, from: "$null" as PropertyList) == nil)
    }
  }

  private struct Server: Codable { var host: String; var port: Int }

  @Test func positions() throws {
    let json = "{\n  \"servers\": [\n    {\"host\": \"é\", \"port\": \"http\"}]\n}"
    let openStep = "{\n  servers = (\n    { host = \"é\"; port = http; });\n}"
    for (text, column, format) in [(json, 27, PlistFormat.json), (openStep, 26, .openStep)] {
      let error = #expect(throws: DecodingError.self) {
        try PlistDecoder().decode([String: [Server]].self, from: Data(text.utf8))
      }
      let plistError = try #require(error?.plistError)
      #expect(plistError.line == 3 && plistError.column == column && plistError.format == format)
      #expect(plistError.path == "servers.0.port")
    }
  }

  @Test(arguments: [PlistFormat.xml, .binary, .json, .openStep])
  func keysOfDictionaries(_ format: PlistFormat) throws {
    struct Model: Codable, Equatable {
      var firstNames: [String: String]
      var nested: [String: [String: Inner]]
      struct Inner: Codable, Equatable { var someKey: String }
    }
    let text = #"{"first_names": {"a_b": "c"}, "nested": {"d_e": {"f_g": {"some_key": "h_i"}}}}"#
    let json = JSONDecoder()
    json.keyDecodingStrategy = .convertFromSnakeCase
    let expected = try json.decode(Model.self, from: Data(text.utf8))
    #expect(Array(expected.firstNames.keys) == ["a_b"])
    let data = try PropertyList(parsing: Data(text.utf8)).data(format: format)
    for strategy in 0..<2 {
      var decoder = PlistDecoder()
      decoder.keyDecodingStrategy = .convertFromSnakeCase
      if strategy == 1 {
        decoder.keyDecodingStrategy = .custom { path in
          path.last.map {
            $0.stringValue == "some_key" ? Key("someKey") : $0.stringValue == "first_names" ? Key("firstNames") : $0
          }
            ?? Key("")
        }
      }
      #expect(try decoder.decode(Model.self, from: data) == expected)
    }
  }

  private struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init(_ name: String) { stringValue = name }
    init?(intValue: Int) { nil }
  }

  @Test(arguments: [PlistFormat.xml, .json, .openStep])
  func duplicateKeys(_ format: PlistFormat) throws {
    let texts: [PlistFormat: String] = [
      .xml: "<dict><key>a</key><string>1</string><key>a</key><string>2</string></dict>",
      .json: #"{"a": "1", "a": "2"}"#, .openStep: "{ a = 1; a = 2; }",
    ]
    let data = Data((texts[format] ?? "").utf8)
    #expect(try PlistDecoder().decode([String: String].self, from: data) == ["a": "2"])
    var options = PlistReadOptions()
    options.duplicateKeys = .refuse
    let error = #expect(throws: DecodingError.self) {
      try PlistDecoder(options: options).decode([String: String].self, from: data)
    }
    #expect(error?.plistError?.code == .duplicateKey)
  }
}
