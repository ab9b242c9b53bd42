import Foundation
import Plist
import Testing

/// Dates that are NaN, infinite, too far away for a calendar, or have fields out of range.
struct UnusualDateTests {
  private static let distances = [Double.nan, .infinity, -.infinity, 1e20, -1e20, 6.7768e16, 1e300]

  private struct Model: Codable {
    var name = "x"
    var when: Date
  }

  /// Foundation traps when it describes such a date, so nothing printed may use its description.
  @Test(arguments: distances)
  func whatCarriesADateCanBePrinted(_ seconds: Double) throws {
    let date = Date(timeIntervalSinceReferenceDate: seconds)
    let value = PropertyList.date(date)
    #expect("\(value) \(PlistEvent.date(date)) \(String(reflecting: [value]))".contains("date("))
    for format in [PlistFormat.xml, .json, .openStep] {
      for models in [[Model(when: date)], [Model(name: "a\0", when: date)]] {
        let error = #expect(throws: EncodingError.self) { try PlistEncoder(outputFormat: format).encode(models) }
        #expect(error.map { "\($0)" }?.isEmpty == false)
      }
      let error = #expect(throws: EncodingError.self) { try PlistEncoder(outputFormat: format).encode(date) }
      #expect(error.map { "\($0)" }?.isEmpty == false)
    }
  }

  @Test(arguments: [PlistFormat.xml, .json, .openStep, .gnuStep], distances)
  func conversionWithLossClamps(_ format: PlistFormat, _ seconds: Double) throws {
    let options = PlistWriteOptions(unrepresentable: .convert)
    let list: PropertyList = [.date(Date(timeIntervalSinceReferenceDate: seconds))]
    let text = try String(decoding: list.data(format: format, options: options), as: UTF8.self)
    let expected = seconds.isNaN ? "2001-01-01" : seconds > 0 ? "2147483647-12-31" : "-2147479646-01-02"
    #expect(text.contains(expected), "\(text)")
  }

  @Test func theLastYearOfFoundation() throws {
    for text in ["2147483647-07-28T00:00:00Z", "2147483647-12-31T23:59:59Z", "-2147479645-01-01T00:00:00Z"] {
      let list = try PropertyList(parsing: Data("<date>\(text)</date>".utf8))
      let date = try #require(list.date)
      #expect(try PropertyList(parsing: list.data(format: .xml)) == list)
      #expect(try PropertyList(parsing: PropertyList.array([list]).data(format: .gnuStep))[0] == list)
      guard !text.contains("12-31") else { continue }
      #expect(try String(decoding: list.data(format: .xml), as: UTF8.self).contains(text))
      let foundation = try unsafe PropertyListSerialization.propertyList(from: list.data(format: .xml), format: nil)
      if !text.hasPrefix("-") { #expect(foundation as? Date == date) }
    }
    let tooFar = [
      "2147483648-01-01", "21474836470-01-01", "21474836479-01-01", "-2147479646-01-01", "-21474796460-01-01",
      "99999999999999999999-01-01",
    ]
    for day in tooFar {
      for text in ["<date>\(day)T00:00:00Z</date>", "<*D\(day) 00:00:00 +0000>"] {
        let error = #expect(throws: PlistError.self) { try PropertyList(parsing: Data(text.utf8)) }
        #expect(error?.code == .invalidDate, "\(text)")
      }
    }
    // The time zone can push it past the end, too.
    #expect(throws: PlistError.self) {
      try PropertyList(parsing: Data("<*D2147483647-12-31 23:59:59 -2300>".utf8))
    }
  }

  /// Every reader can read what the lossy option writes.
  @Test(arguments: [PlistFormat.xml, .gnuStep], distances)
  func clampedDatesAreRead(_ format: PlistFormat, _ seconds: Double) throws {
    let list = PropertyList.array([.date(Date(timeIntervalSinceReferenceDate: seconds))])
    let written = try list.data(format: format, options: PlistWriteOptions(unrepresentable: .convert))
    let read = try PropertyList(parsing: written)
    #expect(try read.data(format: format) == written)
    let foundation =
      try unsafe PropertyListSerialization.propertyList(
        from: read.data(format: .xml), format: nil) as? [Date]
    if seconds.isNaN || seconds > 0 { #expect(foundation?.first == read[0]?.date) }
  }

  /// With Foundation's dates, every way to read gives Foundation's value.
  @Test(arguments: ["2024-01-32", "2024-00-00", "2024-99-99", "2023-02-29"])
  func datesAsFoundation(_ day: String) throws {
    let data = Data("<array><date>\(day)T25:61:61Z</date></array>".utf8)
    let options = PlistReadOptions(invalidDates: .foundation)
    let foundation = try unsafe PropertyListSerialization.propertyList(
      from: Data("<plist>\(String(decoding: data, as: UTF8.self))</plist>".utf8), format: nil)
    let date = try #require((foundation as? [Date])?.first)
    #expect(try PropertyList(parsing: data, options: options) == [.date(date)])
    #expect(try PlistDocument(parsing: data, options: options).root[0]?.date == date)
    #expect(try PlistDecoder(options: options).decode([Date].self, from: data) == [date])
    var reader = try PlistEventReader(parsing: data, options: options)
    _ = try reader.next()
    #expect(try reader.next() == .date(date))
    var stream = PlistStreamReader(options: options)
    stream.feed(data)
    stream.finish()
    _ = try stream.next()
    #expect(try stream.next() == .date(date))
    var editor = try PlistEditor(parsing: data, options: options)
    try editor.insert("x", at: "0")
    #expect(try PropertyList(parsing: editor.data, options: options) == ["x", .date(date)])
    #expect(throws: PlistError.self) { try PropertyList(parsing: data) }
  }

  /// Many elements at once are read with an index of their own.
  @Test func datesAsFoundationInElements() throws {
    let count = 5_000
    let text = String(repeating: "<date>2024-01-32T00:00:00Z</date>", count: count)
    let pairs = (0..<count).map { "<key>k\($0)</key><date>2024-01-32T00:00:00Z</date>" }.joined()
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("dates-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: url) }
    let decoder = PlistDecoder(options: PlistReadOptions(invalidDates: .foundation))
    let date = Date(timeIntervalSinceReferenceDate: 728_438_400)
    try Data("<array>\(text)</array>".utf8).write(to: url)
    var elements = try decoder.elements(of: Date.self, contentsOf: url)
    for _ in 0..<count { #expect(try elements.next() == date) }
    #expect(try elements.next() == nil)
    try Data("<dict>\(pairs)</dict>".utf8).write(to: url)
    var values = try decoder.pairs(of: Date.self, contentsOf: url)
    for number in 0..<count {
      let pair = try #require(try values.next())
      #expect(pair == ("k\(number)", date))
    }
  }

  /// A real too large for `Float` is an error, except in XML.
  @Test func realsBeyondFloat() throws {
    let list: PropertyList = [1e300]
    #expect(throws: DecodingError.self) { try PlistDecoder().decode([Float].self, from: list) }
    for format in [PlistFormat.binary, .json] {
      #expect(throws: DecodingError.self) { try PlistDecoder().decode([Float].self, from: list.data(format: format)) }
    }
    #expect(try PlistDecoder().decode([Float].self, from: list.data(format: .xml)) == [.infinity])
    #expect(
      try PlistDecoder().decode([Float].self, from: [.real(.infinity), 0.1] as PropertyList) == [.infinity, 0.1])
  }

  @Test(arguments: ["1", "yes", "YES", "True", "on", "0", "No", "false", "OFF"])
  func booleansInText(_ text: String) throws {
    var decoder = PlistDecoder()
    decoder.textDecodingStrategy = .lenient
    let isTrue = ["1", "yes", "true", "on"].contains(text.lowercased())
    let list: PropertyList = [.string(text)]
    for format in [PlistFormat.xml, .binary, .json, .openStep] {
      #expect(try decoder.decode([Bool].self, from: list.data(format: format)) == [isTrue])
      #expect(throws: DecodingError.self) { try PlistDecoder().decode([Bool].self, from: list.data(format: format)) }
    }
    #expect(throws: DecodingError.self) { try decoder.decode(Bool.self, from: "truely" as PropertyList) }
  }
}
