import Foundation
import Plist
import Testing

/// Reading a truncated document throws a truncation error, and neither traps nor returns a value.
@Suite struct TruncationTests {
  static let xml = [
    "Valid/every-kind.xml.plist", "Valid/comments.xml.plist", "Valid/cdata.xml.plist", "Valid/entities.xml.plist",
    "Valid/attributes.xml.plist", "Valid/uids.xml.plist", "Valid/uid-or-dictionary.xml.plist",
    "Valid/processing-instructions.xml.plist", "Valid/closing-tag-space.xml.plist", "Valid/reals.xml.plist",
    "Valid/data-lengths.xml.plist", "Encodings/utf-8-with-mark.plist", "Encodings/utf-8.plist",
  ]

  @Test(arguments: xml)
  func everyPrefixOfXMLIsTruncated(_ path: String) throws {
    let document = try Data(contentsOf: FixtureFolder.root.appending(path: path))
    let whole = try PropertyList(parsing: document)
    for length in 0..<document.count {
      let prefix = document.prefix(length)
      do {
        let value = try PropertyList(parsing: prefix)
        #expect(value == whole, "\(length) bytes are read as another value")
        #expect(isComplete(prefix), "\(length) bytes are read as a value")
        #expect(Reading.eventsError(prefix) == nil)
      } catch {
        #expect(error.category == .truncated, "\(length) bytes: \(error)")
        #expect(error.offset == length, "\(length) bytes: \(error)")
        #expect(Reading.flaws(of: error, in: prefix) == [])
        #expect(Reading.eventsError(prefix).map { "\($0)" } == "\(error)")
      }
    }
  }

  private func isComplete(_ prefix: Data) -> Bool {
    String(decoding: prefix, as: UTF8.self).contains("</plist")
  }

  @Test(arguments: ["string", "real", "integer", "date", "data", "dict", "array"])
  func everyEndBehindRepetitions(_ element: String) throws {
    let content = ["real": "1.5", "integer": "7", "date": "2001-01-01T00:00:00Z", "data": "AAAA"]
    let item =
      "<dict>\n\t<key>\(String(repeating: "k", count: 70))</key>\n\t<\(element)>\(content[element] ?? "")</\(element)>\n</dict>\n"
    let document = Data(("<plist>\n<array>\n" + String(repeating: item, count: 64)).utf8)
    for length in document.count - 2 * item.utf8.count..<document.count {
      let prefix = document.prefix(length)
      let error = try #require(throws: PlistError.self, "\(length) bytes") { try PlistDocument(parsing: prefix) }
      #expect(error.category == .truncated, "\(length) bytes: \(error)")
      #expect(error.offset == length, "\(length) bytes: \(error)")
      #expect(Reading.flaws(of: error, in: prefix) == [])
      #expect(Reading.eventsError(prefix).map { "\($0)" } == "\(error)")
    }
  }

  @Test(arguments: [
    "utf-16-le-with-mark", "utf-16-be-with-mark", "utf-16-le-declared", "utf-32-be-with-mark", "iso-8859-1",
    "us-ascii",
  ])
  func everyPrefixInOtherEncodings(_ name: String) throws {
    let document = try Data(contentsOf: FixtureFolder.encodings.url.appending(path: name + ".plist"))
    let whole = try PropertyList(parsing: document)
    for length in 0..<document.count {
      let prefix = document.prefix(length)
      do {
        #expect(try PropertyList(parsing: prefix) == whole, "\(length) bytes are read as another value")
        #expect(length > document.count - 16)
      } catch {
        #expect([.truncated, .unknownFormat, .invalidText].contains(error.code), "\(length) bytes: \(error)")
        #expect(Reading.flaws(of: error, in: prefix) == [])
      }
    }
  }

  @Test(arguments: [
    "every-kind", "integers", "root-uid", "uid-widths", "keyed-archive", "offsets-of-3-bytes", "references-of-16-bytes",
  ])
  func everyPrefixOfBinaryIsRefused(_ name: String) throws {
    let document = try Data(contentsOf: FixtureFolder.valid.url.appending(path: name + ".binary.plist"))
    for length in 0..<document.count {
      let prefix = document.prefix(length)
      let error = try #require(throws: PlistError.self, "\(length) bytes") { try PropertyList(parsing: prefix) }
      #expect(Reading.flaws(of: error, in: prefix) == [])
      if length < 41 { #expect(error.category == .truncated, "\(length) bytes: \(error)") }
    }
  }
}
