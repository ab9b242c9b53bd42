import Foundation
import Plist
import PlistFuzzTargets
import Testing

struct FoundationDifferenceTests {
  private static func xml(_ value: some Encodable) throws -> String {
    var encoder = PlistEncoder()
    encoder.outputFormat = .xml
    return try String(decoding: encoder.encode(value), as: UTF8.self)
  }

  /// Dates in XML are Gregorian in all years, as in files written by Apple's systems.
  @Test func datesBeforeTheGregorianCalendar() throws {
    let dates = [Date.distantPast, Date(timeIntervalSinceReferenceDate: -13_197_686_400)]
    let text = try Self.xml(dates)
    #expect(text.contains("<date>0000-12-30T00:00:00Z</date>") && text.contains("<date>1582-10-14T00:00:00Z</date>"))
    #expect(try PlistDecoder().decode([Date].self, from: Data(text.utf8)) == dates)
    let serialized = try PropertyListSerialization.data(fromPropertyList: dates, format: .xml, options: 0)
    #expect(try PlistDecoder().decode([Date].self, from: serialized) == dates)
    #expect(try PropertyListDecoder().decode([Date].self, from: PlistEncoder().encode(dates)) == dates)
    let foundation = PropertyListEncoder()
    foundation.outputFormat = .binary
    #expect(try PlistDecoder().decode([Date].self, from: foundation.encode(dates)) == dates)
    #if os(Linux)
    foundation.outputFormat = .xml
    let theirs = try String(decoding: foundation.encode(dates), as: UTF8.self)
    #expect(
      theirs.contains("<date>0001-01-01T00:00:00Z</date>") && theirs.contains("<date>1582-10-04T00:00:00Z</date>"))
    #expect(try PropertyListDecoder().decode([Date].self, from: Data(text.utf8)) != dates)
    #endif
  }

  @Test func escapesOfOpenStep() throws {
    let text = Data(#"("\f\v")"#.utf8)
    #expect(try PlistDecoder().decode([String].self, from: text) == ["\u{C}\u{B}"])
    #if os(Linux)
    #expect(try PropertyListDecoder().decode([String].self, from: text) == ["\u{12}\u{11}"])
    #endif
    let byNumber = Data(#"("\U000c\U000b")"#.utf8)
    #expect(try PlistDecoder().decode([String].self, from: byNumber) == ["\u{C}\u{B}"])
    #expect(try PropertyListDecoder().decode([String].self, from: byNumber) == ["\u{C}\u{B}"])
    var options = PlistWriteOptions()
    options.unrepresentable = .convert
    let written = try PropertyList.string("\u{C}\u{B}").data(format: .openStep, options: options)
    #expect(try PropertyList(parsing: written) == "\u{C}\u{B}")
  }

  @Test func dayThirtyTwo() throws {
    let text = Data("<plist><date>2001-01-32T00:00:00Z</date></plist>".utf8)
    let error = #expect(throws: PlistError.self) { try PropertyList(parsing: text) }
    #expect(error?.code == .invalidDate && error?.line == 1 && error?.column == 14)
    for date in ["2001-02-30T00:00:00Z", "2001-01-01T24:00:00Z", "2001-13-01T00:00:00Z"] {
      let text = Data("<plist><date>\(date)</date></plist>".utf8)
      let error = #expect(throws: PlistError.self) { try PropertyList(parsing: text) }
      #expect(error?.code == .invalidDate)
    }
    let theirs = try unsafe PropertyListSerialization.propertyList(from: text, options: [], format: nil)
    #expect(theirs as? Date == Date(timeIntervalSinceReferenceDate: 31 * 86_400))
  }

  @Test(arguments: [("<array>", "</array>"), ("[", "]"), ("(", ")")])
  func depth(_ open: String, _ close: String) throws {
    func document(_ depth: Int) -> Data {
      Data((String(repeating: open, count: depth) + String(repeating: close, count: depth)).utf8)
    }
    #expect(try PropertyList(parsing: document(512)).array != nil)
    let error = #expect(throws: PlistError.self) { try PropertyList(parsing: document(513)) }
    #expect(error?.code == .depthLimit && error?.message == "containers nest deeper than the limit of 512 levels")
    let options = PlistReadOptions(limits: PlistLimits(maximumDepth: 10_000))
    #expect(try PropertyList(parsing: document(2_000), options: options).array != nil)
    let deeper = #expect(throws: PlistError.self) { try PropertyList(parsing: document(2_001), options: options) }
    #expect(deeper?.message == "containers nest deeper than the limit of 2000 levels")
  }

  @Test func depthOfCoders() throws {
    struct Deep: Codable {
      var levels: Int
      init(levels: Int) { self.levels = levels }
      init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        levels = container.isAtEnd ? 1 : try container.decode(Deep.self).levels + 1
      }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        if levels > 1 { try container.encode(Deep(levels: levels - 1)) }
      }
    }
    let document = Data((String(repeating: "(", count: 2_000) + String(repeating: ")", count: 2_000)).utf8)
    var decoder = PlistDecoder()
    #expect(throws: DecodingError.self) { try decoder.decode(Deep.self, from: document) }
    decoder.readOptions.limits.maximumDepth = PlistLimits.maximumSupportedDepth
    let options = decoder
    #expect(
      SmallStack.run(kibibytes: 64 * 1024) { (try? options.decode(Deep.self, from: document).levels) == 2_000 })
    #expect(
      SmallStack.run {
        do { return try options.decode(Deep.self, from: document).levels == 2_000 } catch {
          return (error as? DecodingError)?.plistError?.code == .depthLimit
        }
      })
  }
}
