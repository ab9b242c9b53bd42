import Foundation
import Plist
import Testing

@Suite struct PropertyListCodableTests {
  static let date = Date(timeIntervalSinceReferenceDate: 700_000_000)

  static let common: PropertyList = [
    "string": "text", "empty": "", "int": -5, "max": 18_446_744_073_709_551_615, "real": 1.5, "yes": true, "no": false,
    "one": 1, "zero": 0, "array": [1, [], [:], "x"], "uid": .uid(7), "notUID": ["CF$UID": -1],
    "alsoNot": ["CF$UID": 1, "b": 2],
  ]

  @Test func json() throws {
    var list = Self.common
    list["null"] = .null
    list["nulls"] = [.null, 1, .null]
    let json = try JSONEncoder().encode(list)
    #expect(try JSONDecoder().decode(PropertyList.self, from: json) == list)
  }

  @Test(arguments: ["5", "true", "\"x\"", "null", "[]", "{}", "1.5", "[[null]]"])
  func jsonRoots(text: String) throws {
    let list = try JSONDecoder().decode(PropertyList.self, from: Data(text.utf8))
    #expect(String(decoding: try JSONEncoder().encode(list), as: UTF8.self) == text)
  }

  @Test func jsonKeepsNumbersFromBecomingDates() throws {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .secondsSince1970
    #expect(try decoder.decode([PropertyList].self, from: Data("[0, 1.5, \"YWJj\"]".utf8)) == [0, 1.5, "YWJj"])
  }

  @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
  func foundationPropertyLists(format: PropertyListSerialization.PropertyListFormat) throws {
    var list = Self.common
    list["uid"] = nil  // Foundation's decoder has its own type for UIDs, so the UID is removed.
    list["notUID"] = nil
    list["alsoNot"] = nil
    list["date"] = .date(Self.date)
    list["data"] = .data(Data([1, 2, 3]))
    list["dates"] = [.date(Self.date), .data(Data())]
    let encoder = PropertyListEncoder()
    encoder.outputFormat = format
    let bytes = try encoder.encode(list)
    #expect(try PropertyListDecoder().decode(PropertyList.self, from: bytes) == list)
  }

  @Test func dictionaries() throws {
    let dictionary: PropertyListDictionary = ["a": 1, "b": ["c": .null]]
    let json = try JSONEncoder().encode(dictionary)
    #expect(try JSONDecoder().decode(PropertyListDictionary.self, from: json) == dictionary)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(PropertyListDictionary.self, from: Data("[1]".utf8))
    }
  }

  /// Null inside every type that can hold a `PropertyList`.
  private struct Nulls: Encodable {
    let value = PropertyList.null
    let values: [PropertyList] = [.null, 1]
    let pairs: [String: PropertyList] = ["k": .null]
    let dictionary: PropertyListDictionary = ["k": [.null]]
    let optional: PropertyList? = .some(.null)
    let wrapped = Wrapped()
    let direct = Direct()

    struct Wrapped: Encodable {
      func encode(to encoder: any Encoder) throws { try PropertyList.null.encode(to: encoder) }
    }

    struct Direct: PlistEncodable, Encodable {
      func encode(to encoder: inout PlistValueEncoder) throws {
        try encoder.encodeArray { array in
          try array.encode(PropertyList.null)
          try array.encode(codable: PropertyList.null)
          try array.encode(codable: [PropertyList.null])
        }
      }

      func encode(to encoder: any Encoder) throws {
        var array = encoder.unkeyedContainer()
        for _ in 0..<2 { try array.encode(PropertyList.null) }
        try array.encode([PropertyList.null])
      }
    }

    static func list(_ null: PropertyList) -> PropertyList {
      [
        "value": null, "values": [null, 1], "pairs": ["k": null], "dictionary": ["k": [null]], "optional": null,
        "wrapped": null, "direct": [null, null, [null]],
      ]
    }
  }

  @Test("The encoder keeps null where the format has it, and otherwise writes it like nil")
  func nullInOwnCoders() throws {
    for format in [PlistFormat.binary, .json, .xml, .openStep, .gnuStep] {
      let null: PropertyList = format == .binary || format == .json ? .null : "$null"
      let encoder = PlistEncoder(outputFormat: format)
      func expect(_ value: some Encodable, _ list: PropertyList) throws {
        #expect(try PropertyList(parsing: encoder.encode(value)) == list, "\(format)")
      }
      let list: PropertyList = ["a": .null, "b": [.null]]
      try expect(list, ["a": null, "b": [null]])
      try expect([PropertyList.null], [null])
      try expect([["k": PropertyList.null]], [["k": null]])
      let direct = try encoder.encode([Nulls.Direct()])
      #expect(try PropertyList(parsing: direct) == [[null, null, [null]]], "\(format)")
      if format != .openStep { try expect(Nulls(), Nulls.list(null)) }
      if null == .null { #expect(try PropertyList(parsing: encoder.encode(list)) == list) }
    }
    #expect(try PlistEncoder(outputFormat: .json).encode(PropertyList.null) == PropertyList.null.data(format: .json))
    #expect(try PlistEncoder().encodeToPropertyList(Nulls()) == Nulls.list(.null))
    #expect(try PlistEncoder().encodeToPropertyList(PropertyList.null) == .null)
  }

  @Test("The strategies for nil apply to null only in formats without null")
  func nullAndStrategies() throws {
    var encoder = PlistEncoder(outputFormat: .xml)
    encoder.nilEncodingStrategy = .string("none")
    #expect(try PropertyList(parsing: encoder.encode([PropertyList.null])) == ["none"])
    encoder.nilEncodingStrategy = .nullObject
    #expect(throws: EncodingError.self) { try encoder.encode([PropertyList.null]) }
    encoder.outputFormat = .binary
    #expect(try PropertyList(parsing: encoder.encode([PropertyList.null])) == [.null])
    encoder.nilEncodingStrategy = .omit
    #expect(try PropertyList(parsing: encoder.encode(["k": PropertyList.null])) == ["k": .null])
    encoder.nilEncodingStrategy = .foundation
    #expect(try PropertyList(parsing: encoder.encode([Int?.none])) == ["$null"])
  }

  @Test func paths() throws {
    let paths: [PropertyListPath] = ["", "a.b", #"\"#, #"a\.b.0"#]
    let json = try JSONEncoder().encode(paths)
    #expect(try JSONDecoder().decode([PropertyListPath].self, from: json) == paths)
  }

  @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
  func wholeRealsComeBackAsIntegers(format: PropertyListSerialization.PropertyListFormat) throws {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = format
    let bytes = try encoder.encode([PropertyList.real(2)])
    #expect(try PropertyListDecoder().decode([PropertyList].self, from: bytes) == [2])
  }
}
