import Foundation
import Plist
import Testing

private func url(_ text: String) -> URL { URL(string: text) ?? URL(filePath: "/nowhere") }
private func decimal(_ text: String) -> Decimal { Decimal(string: text) ?? .nan }

/// Models in JSON, compared with Foundation's JSON coders.
struct JSONModelTests {
  private struct Item: Codable, Equatable {
    var url: URL
    var price: Decimal
    var sizes: [Int?]
    var links: [String: URL] = [:]
    var prices: [Decimal] = []
    var note: String?
  }

  private static let items = [
    Item(url: url("https://a.b/c?d=%20e#f"), price: 0, sizes: [1, nil, 3]),
    Item(
      url: url("file:///a/b/d.txt"),
      price: decimal("12345678901234567890123456789.012345678"), sizes: [nil],
      links: ["home": url("/")], prices: [decimal("-0.1"), Decimal(UInt64.max), 1e30], note: "n"),
    Item(url: url("mailto:x@y.z"), price: decimal("-18446744073709551616"), sizes: []),
  ]

  private func encoder(_ format: PlistFormat = .json) -> PlistEncoder {
    PlistEncoder(outputFormat: format, options: PlistWriteOptions(sortedKeys: true, layout: .compact))
  }

  private func text(_ value: some Encodable) throws -> String {
    String(decoding: try encoder().encode(value), as: UTF8.self)
  }

  @Test func modelsAreWrittenAsByJSONEncoder() throws {
    let foundation = JSONEncoder()
    foundation.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    for item in Self.items {
      #expect(try text(item) == String(decoding: foundation.encode(item), as: UTF8.self))
      #expect(try JSONDecoder().decode(Item.self, from: encoder().encode(item)) == item)
      #expect(try PlistDecoder().decode(Item.self, from: foundation.encode(item)) == item)
    }
    #expect(try text(Self.items[0].url) == #""https://a.b/c?d=%20e#f""#)
    #expect(try text([URL(string: "x", relativeTo: URL(string: "https://a.b/"))]) == #"["https://a.b/x"]"#)
    var stream = try PlistStreamEncoder(to: Data(), encoder: encoder())
    for item in Self.items { try stream.encode(item) }
    #expect(try stream.finish() == encoder().encode(Self.items))
  }

  @Test func floatsHaveTheirOwnDigits() throws {
    let floats: [Float] = [
      0.1, -0.3, 1 / 3, 16_777_216, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .leastNormalMagnitude,
    ]
    let foundation = try JSONEncoder().encode(floats)
    #expect(try JSONDecoder().decode([Float].self, from: encoder().encode(floats)) == floats)
    #expect(try PlistDecoder().decode([Float].self, from: foundation) == floats)
    #expect(try text([Float(0.1)]) == "[0.1]")
    #expect(try text(["k": Float(0.1)]) == #"{"k":0.1}"#)
    let foundationXML = PropertyListEncoder()
    foundationXML.outputFormat = .xml
    #expect(try PlistEncoder(outputFormat: .xml).encode([Float(0.1)]) == foundationXML.encode([Float(0.1)]))
    // As a `Double`, these digits are halfway between 1 and the next `Float`.
    let digits = ["1.000000059604644775390625", "1.00000005960464477539063", "1.00000005960464477539062"]
    for text in digits {
      let data = Data("[\(text)]".utf8)
      #expect(try PlistDecoder().decode([Float].self, from: data) == JSONDecoder().decode([Float].self, from: data))
    }
    #expect(try PlistDecoder().decode([Float].self, from: Data("[\(digits[1])]".utf8)) == [Float(1).nextUp])
  }

  /// The lenient strategy reads the text that the lossy option writes for numbers JSON does not have.
  @Test func numbersThatJSONDoesNotHave() throws {
    let numbers = [Double.infinity, -.infinity, .nan]
    for format in [PlistFormat.json, .openStep] {
      #expect(throws: EncodingError.self) { try PlistEncoder(outputFormat: .json).encode(numbers) }
      let data = try PlistEncoder(
        outputFormat: format, options: PlistWriteOptions(unrepresentable: .convert)
      ).encode(numbers)
      var decoder = PlistDecoder()
      decoder.textDecodingStrategy = .lenient
      let read = try decoder.decode([Double].self, from: data)
      #expect(read[0] == .infinity && read[1] == -.infinity && read[2].isNaN)
    }
  }

  @Test(arguments: [PlistFormat.xml, .binary, .json, .gnuStep]) func allFormatsReadBack(format: PlistFormat) throws {
    let options = PlistWriteOptions(unrepresentable: .convert)
    for item in Self.items {
      let data = try PlistEncoder(outputFormat: format, options: options).encode(item)
      var decoder = PlistDecoder()
      decoder.readOptions.format = format
      #expect(try decoder.decode(Item.self, from: data) == item)
    }
  }

  @Test func propertyListsForJSONHaveTheSameForms() throws {
    let list = try encoder().encodeToPropertyList(Self.items[0])
    #expect(list["url"] == "https://a.b/c?d=%20e#f" && list["price"] == 0)
    #expect(list["sizes"] == [1, .null, 3])
    #expect(
      try encoder().encodeToPropertyList([decimal("0.5"), decimal("1e25")]) == [0.5, .real(1e25)])
    #expect(try encoder(.xml).encodeToPropertyList(Self.items[0])["url"]?["relative"] == "https://a.b/c?d=%20e#f")
  }

  /// As a drop-in, this writes what Foundation's decoder of property lists expects.
  @Test(arguments: [PlistFormat.xml, .binary]) func otherFormatsKeepFoundationsForms(format: PlistFormat) throws {
    for item in Self.items {
      #expect(try PropertyListDecoder().decode(Item.self, from: encoder(format).encode(item)) == item)
    }
  }

  @Test func decodesBothForms() throws {
    struct Link: Codable, Equatable {
      var url: URL
      var price: Decimal
    }
    let link = Link(url: url("https://a.b"), price: decimal("1.25"))
    let documents: [String] = [
      #"{"url": "https://a.b", "price": 1.25}"#,
      #"{"url": {"relative": "https://a.b"}, "price": 125e-2}"#,
      "<dict><key>url</key><string>https://a.b</string><key>price</key><real>1.25</real></dict>",
    ]
    for document in documents {
      #expect(try PlistDecoder().decode(Link.self, from: Data(document.utf8)) == link, "\(document)")
      let list = try PropertyList(parsing: Data(document.utf8))
      #expect(try PlistDecoder().decode(Link.self, from: list) == link)
      #expect(try PlistDecoder().decode(Link.self, from: list.data(format: .binary)) == link)
    }
    let old = try encoder(.xml).encodeToPropertyList(link)
    for format in [PlistFormat.xml, .binary, .json] {
      #expect(try PlistDecoder().decode(Link.self, from: old.data(format: format)) == link)
    }
    var lenient = PlistDecoder()
    lenient.textDecodingStrategy = .lenient
    #expect(try lenient.decode(Link.self, from: Data(#"{url = "https://a.b"; price = 1.25;}"#.utf8)) == link)
    #expect(throws: DecodingError.self) {
      try PlistDecoder().decode(Link.self, from: Data(#"{url = "https://a.b"; price = 1.25;}"#.utf8))
    }
    #expect(throws: DecodingError.self) { try lenient.decode([Decimal].self, from: Data("(1.2x)".utf8)) }
    #expect(try lenient.decode([Decimal].self, from: Data("(17)".utf8)) == [17])
  }

  @Test func directCodingHasTheSameForms() throws {
    struct Link: PlistCodable, Equatable {
      var url: URL
      var price: Decimal?
      init(url: URL, price: Decimal?) { (self.url, self.price) = (url, price) }
      init(from decoder: inout PlistValueDecoder) throws {
        var (url, price) = (URL?.none, Decimal?.none)
        try decoder.decodeDictionary(["url", "price"]) { key, decoder in
          if key == 0 { url = try decoder.decode(URL.self) } else { price = try decoder.decode(codable: Decimal.self) }
        }
        self.init(url: url ?? URL(filePath: "/"), price: price)
      }
      func encode(to encoder: inout PlistValueEncoder) throws {
        try encoder.encodeDictionary(["url", "price"]) { pairs in
          try pairs.encode(url, forKey: 0)
          try pairs.encode(codable: price, forKey: 1)
        }
      }
    }
    let link = Link(url: url("https://a.b"), price: Decimal(string: "12345678901234567890.5"))
    let data = try PlistEncoder(outputFormat: .json, options: PlistWriteOptions(layout: .compact)).encode(link)
    #expect(String(decoding: data, as: UTF8.self) == #"{"url":"https://a.b","price":12345678901234567890.5}"#)
    #expect(try PlistDecoder().decode(Link.self, from: data) == link)
  }

  @Test func anErrorNamesWhatIsNoURL() throws {
    #expect {
      try PlistDecoder().decode([String: [URL]].self, from: Data(#"{"links": ["https://a.b", ""]}"#.utf8))
    } throws: { error in
      guard let error = (error as? DecodingError)?.plistError else { return false }
      return error.message == #"the string "" is not a URL"# && error.path?.description == "links.1" && error.line == 1
        && error.code == .invalidValue
    }
  }

  // MARK: Numbers that are not finite

  @Test func numbersThatAreNotFiniteAreRefusedOrConverted() throws {
    for number in [Double.nan, .infinity, -.infinity] {
      #expect(throws: EncodingError.self) { try text([number]) }
      #expect(throws: (any Error).self) { try JSONEncoder().encode([number]) }
    }
    #expect(throws: EncodingError.self) { try text([Decimal.nan]) }
    var converting = encoder()
    converting.writeOptions.unrepresentable = .convert
    let data = try converting.encode([Double.nan, .infinity, -.infinity])
    #expect(String(decoding: data, as: UTF8.self) == #"["nan","+infinity","-infinity"]"#)
    var lenient = PlistDecoder()
    lenient.textDecodingStrategy = .lenient
    let numbers = try lenient.decode([Double].self, from: data)
    #expect(numbers[0].isNaN && numbers[1...] == [.infinity, -.infinity])
  }

  @Test func nilIsNull() throws {
    struct Explicit: Codable, Equatable {
      var note: String?
      init() {}
      enum CodingKeys: CodingKey { case note }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(note, forKey: .note)
      }
    }
    #expect(try text([1, nil]) == "[1,null]")
    #expect(try text(["a": Int?.none]) == #"{"a":null}"#)
    #expect(try text(Explicit()) == #"{"note":null}"#)
    #expect(try PlistDecoder().decode([Explicit].self, from: encoder().encode([Explicit()])) == [Explicit()])
    #expect(try PlistDecoder().decode([Int?].self, from: Data("[1,null]".utf8)) == [1, nil])
    for format in [PlistFormat.xml, .binary, .openStep] {
      #expect(try PropertyList(parsing: encoder(format).encode([String?.none])) == ["$null"])
    }
    var encoder = encoder()
    encoder.nilEncodingStrategy = .string("none")
    #expect(try encoder.encode([Int?.none]) == Data(#"["none"]"#.utf8))
    encoder.nilEncodingStrategy = .omit
    #expect(try encoder.encode([Int?.none]) == Data("[null]".utf8))
  }

  // MARK: Large integers

  private static let large = #"{"count": 3, "size": 123456789012345678901234567890, "less": -9223372036854775809}"#

  private static let rounded = 1.2345678901234568e29

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func integersBeyond64BitsAreReadAsReals() throws {
    struct Sizes: Decodable {
      var count: Int
      var size: Double
      var less: Float
    }
    let data = Data(Self.large.utf8)
    let sizes = try PlistDecoder().decode(Sizes.self, from: data)
    #expect(sizes.count == 3 && sizes.size == Self.rounded && sizes.less == -0x1p63)
    struct Exact: Decodable, Equatable {
      var size: Decimal
      var less: Int128
    }
    let exact = try PlistDecoder().decode(Exact.self, from: data)
    #expect(exact.size == Decimal(string: "123456789012345678901234567890") && exact.less == -9_223_372_036_854_775_809)
    #expect(try PlistDecoder().decode([String: Double].self, from: data)["size"] == Self.rounded)
    #expect(try PlistDecoder().decode([Double].self, from: Data("[1, 18446744073709551616]".utf8)) == [1, 0x1p64])
    #expect(try PlistDecoder().decode([String: Int].self, from: Data(#"{"a": 1}"#.utf8)) == ["a": 1])
  }

  @Test func integersBeyond64BitsHaveLocatedErrors() throws {
    struct Other: Decodable {
      var size: Int?
      var isSmall: Bool?
      enum CodingKeys: CodingKey { case size, less, count }
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        #expect(try !container.decodeNil(forKey: .size))
        #expect(throws: DecodingError.self) { try container.decode(Bool.self, forKey: .size) }
        #expect(throws: DecodingError.self) { try container.decode(String.self, forKey: .size) }
        #expect(throws: DecodingError.self) { try container.decode(UInt64.self, forKey: .size) }
        #expect(throws: DecodingError.self) { try container.decode(Int64.self, forKey: .less) }
        #expect(throws: DecodingError.self) { try container.decode(PropertyListInteger.self, forKey: .less) }
        #expect(throws: DecodingError.self) { try container.decode(PropertyList.self, forKey: .less) }
        #expect(try container.decode(Int.self, forKey: .count) == 3)
        _ = try container.decode(Int.self, forKey: .size)
      }
    }
    #expect {
      try PlistDecoder().decode(Other.self, from: Data(Self.large.utf8))
    } throws: { error in
      guard let error = (error as? DecodingError)?.plistError else { return false }
      return error.code == .numberOutOfRange && error.path?.description == "size" && error.column == 22
        && error.message.hasPrefix("the integer 123456789012345678901234567890 is not a value of Int")
    }
    #expect(throws: DecodingError.self) {
      try PlistDecoder().decode([Int].self, from: Data("[1, 18446744073709551616]".utf8))
    }
  }

  @Test func aValueStillHasOnlyWhatItCanHold() throws {
    let data = Data(Self.large.utf8)
    #expect(throws: PlistError.self) { try PropertyList(parsing: data) }
    let document = try PlistDocument(parsing: data)
    #expect(throws: PlistError.self) { try document.validate() }
    #expect(document.root["size"]?.kind == .null && document.root["count"]?.int == 3)
    #expect(throws: PlistError.self) { try document.root["size"]?.propertyList() }
    // A number too large for any real is also an error only for those who read it.
    struct Count: Decodable { var count: Int }
    let far = Data(#"{"count": 3, "far": 1e400}"#.utf8)
    #expect(try PlistDecoder().decode(Count.self, from: far).count == 3)
    #expect(throws: DecodingError.self) { try PlistDecoder().decode([String: Double].self, from: far) }
    #expect(throws: PlistError.self) { try PlistDocument(parsing: Data(#"{"a": 01}"#.utf8)) }
    #expect(throws: PlistError.self) { try PlistDocument(parsing: Data(#"{"a": 1e400, "b"}"#.utf8)) }
  }

  // MARK: Encodings

  @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian])
  func encodingsAreDetectedWithoutAMark(encoding: String.Encoding) throws {
    for text in [#"{"a": "é😀"}"#, "[\"é\"]", " \n[1]", "[]", "{ \"b\" : [ ] }"] {
      let data = try #require(text.data(using: encoding))
      #expect(PlistFormat(detecting: data) == .json, "\(text)")
      #expect(try PropertyList(parsing: data) == PropertyList(parsing: Data(text.utf8)))
      var reader = PlistStreamReader()
      for byte in data { reader.feed(Data([byte])) }
      reader.finish()
      var count = 0
      while try reader.next() != nil { count += 1 }
      #expect(count > 1)
    }
    var decoder = PlistDecoder()
    decoder.readOptions.format = .json
    #expect(try decoder.decode(Int.self, from: #require("17".data(using: encoding))) == 17)
    // OpenStep property lists, and strings that contain no JSON, are read as before.
    #expect(PlistFormat(detecting: try #require("(a)".data(using: encoding))) != .json)
  }
}
