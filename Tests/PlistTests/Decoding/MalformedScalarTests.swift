import Foundation
import Plist
import Testing

/// A malformed scalar is an error for those who read it, and for nobody else.
struct MalformedScalarTests {
  struct Damage: Sendable, CustomTestStringConvertible {
    let value: String
    let message: String
    /// Whether the damage spoils the whole document, since it could hide other values.
    var isFatal = false

    var testDescription: String { value }
  }

  static let all: [Damage] = [
    Damage(value: "<integer>12x</integer>", message: "\"12x\" is not an integer"),
    Damage(value: "<integer></integer>", message: "expected an integer, but <integer> is empty"),
    Damage(value: "<integer/>", message: "expected an integer, but <integer> is empty"),
    Damage(
      value: "<integer>99999999999999999999</integer>",
      message: "\"99999999999999999999\" is not in the range of -2^63 to 2^64 - 1"),
    Damage(value: "<integer a='b'>x</integer>", message: "\"x\" is not an integer"),
    Damage(value: "<real>1.2.3</real>", message: "\"1.2.3\" is not a real number"),
    Damage(value: "<real/>", message: "expected a real number, but <real> is empty"),
    Damage(value: "<date>yesterday</date>", message: "\"yesterday\" is not a date of the form 2001-01-01T00:00:00Z"),
    Damage(value: "<date>2001-02-30T00:00:00Z</date>", message: "\"2001-02-30T00:00:00Z\" is not a valid date"),
    Damage(
      value: "<date/>", message: "expected a date of the form 2001-01-01T00:00:00Z, but <date> is empty"),
    Damage(value: "<data>AAA*</data>", message: "'*' is not a base64 digit"),
    Damage(value: "<data>AAA</data>", message: "the last group of base64 digits is incomplete; pad it with '='"),
    Damage(value: "<data>A=AA</data>", message: "found a '=' where base64 needs no padding"),
    Damage(value: "<data/>", message: "<data/> is not allowed; write <data></data> for empty data"),
    Damage(value: "<string>caf\u{0}</string>", message: "byte 0xE9 is not valid UTF-8 here"),
    Damage(value: "<string>&amp; caf\u{0}<![CDATA[<x>]]></string>", message: "byte 0xE9 is not valid UTF-8 here"),
    Damage(
      value: "<dict><key>CF$UID</key><integer>-1</integer></dict>",
      message: "the value of the key CF$UID must be an integer from 0 to 4294967295"),
    Damage(value: "<string>a &bogus; b</string>", message: "unknown", isFatal: true),
    Damage(value: "<string>\u{0} &bogus;</string>", message: "unknown", isFatal: true),
    Damage(value: "<true>x</true>", message: "must be empty", isFatal: true),
    Damage(value: "<integer>1<b/></integer>", message: "is not allowed inside", isFatal: true),
    Damage(value: "<integer>x<!-- --></integer>", message: "\"x", isFatal: true),
    Damage(value: "<integer>x</real>", message: "\"x\" is not an integer", isFatal: true),
    Damage(value: "<dict><key>a\u{0}</key><true/></dict>", message: "not valid UTF-8", isFatal: true),
  ]

  /// A NUL stands for the byte E9, which is not UTF-8 here.
  private static func document(_ text: String) -> Data { Data(text.utf8.map { $0 == 0 ? 0xE9 : $0 }) }

  private static func document(_ damage: Damage, key: String = "bad") -> Data {
    document("<dict><key>good</key><integer>1</integer>\n<key>\(key)</key>\(damage.value)<key>last</key><true/></dict>")
  }

  struct Others: Decodable { var good: Int, last: Bool }

  struct Tried: Decodable {
    var good: Int
    var bad: String?
    var isNil: Bool
    var last: Bool

    enum CodingKeys: CodingKey { case good, bad, last }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      isNil = try container.decodeNil(forKey: .bad)
      bad = try? container.decode(String.self, forKey: .bad)
      if bad == nil { bad = (try? container.decode(Int.self, forKey: .bad)).map { "\($0)" } }
      if bad == nil { bad = (try? container.decodeIfPresent(Date.self, forKey: .bad)).flatMap { $0 }.map { "\($0)" } }
      good = try container.decode(Int.self, forKey: .good)
      last = try container.decode(Bool.self, forKey: .last)
    }
  }

  struct Reader: Decodable {
    var good: Int
    var bad: PropertyList
  }

  @Test(arguments: all)
  func decoding(_ damage: Damage) throws {
    let data = Self.document(damage)
    if damage.isFatal {
      let error = #expect(throws: DecodingError.self) { try PlistDecoder().decode(Others.self, from: data) }
      #expect(error?.plistError?.message.contains(damage.message) == true)
      return
    }
    let others = try PlistDecoder().decode(Others.self, from: data)
    #expect(others.good == 1 && others.last)
    let tried = try PlistDecoder().decode(Tried.self, from: data)
    #expect(tried.good == 1 && tried.bad == nil && !tried.isNil && tried.last)
    let read = #expect(throws: DecodingError.self) { try PlistDecoder().decode(Reader.self, from: data) }
    let error = try #require(read?.plistError)
    #expect(error.message == damage.message && error.line == 2)
    #expect(error.path?.components.first == "bad")
    // The same error as for a value.
    let whole = #expect(throws: PlistError.self) { try PropertyList(parsing: data) }
    #expect(whole?.message == error.message && whole?.offset == error.offset)
  }

  @Test(arguments: all.filter { !$0.isFatal })
  func nodes(_ damage: Damage) throws {
    let document = try PlistDocument(parsing: Self.document(damage))
    let node = try #require(document.root["bad"])
    #expect(document.root.count == 3 && document.root["last"]?.bool == true)
    #expect(node.kind == .null && node.isNull && node.line == 2)
    #expect(node.string == nil && node.int == nil && node.double == nil && node.date == nil && node.data == nil)
    #expect(node.array == nil && node.dictionary == nil && node.uid == nil && node["a"] == nil)
    let error = #expect(throws: PlistError.self) { try node.propertyList() }
    #expect(error?.message == damage.message)
    let all = #expect(throws: PlistError.self) { try document.root.propertyList() }
    #expect(all?.message == damage.message)
    let validation = #expect(throws: PlistError.self) { try document.validate() }
    #expect(validation?.message == damage.message && validation?.path == "bad")
  }

  @Test(arguments: all)
  func everybodyElseRefusesTheDocument(_ damage: Damage) throws {
    let data = Self.document(damage)
    #expect(throws: PlistError.self) { try PropertyList(parsing: data) }
    #expect(throws: PlistError.self) { try PlistEditor(parsing: data) }
    #expect(throws: PlistError.self) {
      var reader = try PlistEventReader(parsing: data)
      while try reader.next() != nil {}
    }
  }

  /// If a key has several values, the last counts, whichever of them is malformed.
  @Test func repeatedKeys() throws {
    let bad = "<key>good</key><integer>x</integer>"
    let good = "<key>good</key><integer>1</integer>"
    let last = "<key>last</key><true/>"
    #expect(try PlistDecoder().decode(Others.self, from: Data("<dict>\(bad)\(good)\(last)</dict>".utf8)).good == 1)
    #expect(throws: DecodingError.self) {
      try PlistDecoder().decode(Others.self, from: Data("<dict>\(good)\(bad)\(last)</dict>".utf8))
    }
  }

  @Test func rootsAndElements() throws {
    let root = #expect(throws: DecodingError.self) {
      try PlistDecoder().decode(Int.self, from: Data("<plist><integer>x</integer></plist>".utf8))
    }
    #expect(root?.plistError?.message == "\"x\" is not an integer")
    let array = Data("<array><integer>1</integer><integer>x</integer><integer>3</integer></array>".utf8)
    let second = #expect(throws: DecodingError.self) { try PlistDecoder().decode([Int].self, from: array) }
    #expect(second?.plistError?.path == "1")
    #expect(try PlistDecoder().decode(Int.self, from: PlistDocument(parsing: array), at: "2") == 3)
    #expect(try PlistDocument(parsing: array).root[2]?.int == 3)
  }
}
