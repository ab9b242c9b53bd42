import Foundation
import Plist
import Testing

/// Layouts that Apple's tools do not write.
struct LayoutOptionTests {
  private let list: PropertyList = [
    "b": .data(Data(repeating: 7, count: 60)), "a": [1, ["c": .dictionary([:]), "d": .array([])]], "e": .data(Data()),
  ]

  /// The examples in the documentation.
  @Test func examples() throws {
    let list: PropertyList = ["b": 1, "a": .data(Data("abc".utf8))]
    do {
      let options = PlistWriteOptions(layout: .spaces(4))
      let data = try list.data(format: .xml, options: options)
      #expect(
        String(decoding: data, as: UTF8.self).contains("\n    <key>b</key>\n    <integer>1</integer>\n    <key>a"))
    }
    do {
      let xml = PlistWriteOptions.XMLOptions(dataLines: .single)
      let data = try list.data(format: .xml, options: PlistWriteOptions(xml: xml))  // <data>YWJj</data>
      #expect(String(decoding: data, as: UTF8.self).contains("\n\t<data>YWJj</data>\n</dict>\n</plist>\n"))
    }
    do {
      let list: PropertyList = ["b": 1, "a": .array([])]
      let options = PlistWriteOptions(sortedKeys: true, layout: .xcode)
      let data = try list.data(format: .json, options: options)
      #expect(String(decoding: data, as: UTF8.self) == "{\n  \"a\" : [\n\n  ],\n  \"b\" : 1\n}")
    }
  }

  @Test func xmlLines() throws {
    let spaces = try list.data(format: .xml, options: PlistWriteOptions(layout: .spaces(2)))
    let standard = try list.data(format: .xml)
    let lines = String(decoding: standard, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    func trimmed(_ data: Data) -> String { String(decoding: data, as: UTF8.self).filter { !$0.isWhitespace } }
    // The same text apart from white space, with two spaces for each tab.
    #expect(trimmed(spaces) == trimmed(standard))
    let keys = lines.filter { $0.contains("<key>") }.map { $0.replacing("\t", with: "  ") }
    let written = String(decoding: spaces, as: UTF8.self).split(separator: "\n")
    #expect(written.filter { $0.contains("<key>") } == keys)
    let single = try list.data(format: .xml, options: PlistWriteOptions(xml: .init(dataLines: .single)))
    #expect(String(decoding: single, as: UTF8.self).contains("\t<data>BwcH"))
    #expect(String(decoding: single, as: UTF8.self).contains("\t<data></data>\n"))
  }

  @Test func tabIsTheStandard() throws {
    #expect(try list.data(format: .xml, options: PlistWriteOptions(layout: .tabs)) == list.data(format: .xml))
  }

  @Test(arguments: [PlistFormat.xml, .openStep, .gnuStep, .json], [PlistWriteOptions.Layout.spaces(3), .xcode])
  func everyWriterHasTheLayout(format: PlistFormat, layout: PlistWriteOptions.Layout) throws {
    let options = PlistWriteOptions(unrepresentable: .convert, layout: layout, xml: .init(dataLines: .single))
    let data = try list.data(format: format, options: options)
    if layout == .xcode {
      #expect(String(decoding: data, as: UTF8.self).contains("\"b\" : ") == (format == .json))
    } else {
      #expect(String(decoding: data, as: UTF8.self).contains("\n   "))
      #expect(!String(decoding: data, as: UTF8.self).contains("\t"))
    }
    let read = try PropertyList(parsing: data, options: PlistReadOptions(format: format))
    #expect(try read.data(format: format, options: options) == data)
    var encoder = PlistEncoder()
    encoder.outputFormat = format
    encoder.writeOptions = options
    #expect(try encoder.encode(list) == data)
    var writer = PlistEventWriter(to: Data(), format: format, options: options)
    var reader = try PlistEventReader(parsing: data, options: PlistReadOptions(format: format))
    while let event = try reader.next() { try writer.write(event) }
    #expect(try writer.finish() == data)
  }

  @Test func largeDocumentsAndUIDs() throws {
    let options = PlistWriteOptions(layout: .spaces(1))
    let many = PropertyList.array(
      (0..<20_000).map { number -> PropertyList in
        ["n": .integer(PropertyListInteger(number)), "u": .uid(PropertyListUID(5)), "e": [:]]
      })
    let data = try many.data(format: .xml, options: options)
    #expect(try PropertyList(parsing: data) == many)
    var writer = PlistEventWriter(to: Data(), format: .xml, options: options)
    var reader = try PlistEventReader(parsing: data)
    while let event = try reader.next() { try writer.write(event) }
    #expect(try writer.finish() == data)
    #expect(throws: PlistError.self) { try PropertyList(["CF$UID": -1]).data(format: .xml, options: options) }
    let controls = PlistWriteOptions(layout: .spaces(1), xml: .init(controlCharacters: .omit))
    #expect(try PropertyList(parsing: PropertyList("a\u{1}b").data(format: .xml, options: controls)) == "ab")
    let copy = PlistWriteOptions(layout: .spaces(-3))
    #expect(try PropertyList(["a": true]).data(format: .json, options: copy) == Data("{\n\"a\": true\n}\n".utf8))
  }
}
