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

  @Test("The strategy `nullObject` of the encoder keeps null; by default, null becomes $null but in JSON")
  func nullInOwnCoders() throws {
    let list: PropertyList = ["a": .null, "b": [.null]]
    for format in [PlistFormat.binary, .json] {
      var encoder = PlistEncoder(format: format)
      #expect(
        try PlistDecoder().decode(PropertyList.self, from: encoder.encode(list))
          == (format == .json ? list : ["a": "$null", "b": ["$null"]]))
      encoder.nilEncodingStrategy = .nullObject
      #expect(try PlistDecoder().decode(PropertyList.self, from: encoder.encode(list)) == list)
    }
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
