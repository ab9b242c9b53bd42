import Foundation
import Plist
import Testing

struct EncodingDifferentialTests {
  @Test(arguments: EncodingCase.encodable)
  func sortedXMLHasTheSameBytes(_ test: EncodingCase) throws {
    let value = test.make()
    var encoder = PlistEncoder()
    encoder.outputFormat = .xml
    encoder.writeOptions.sortedKeys = true
    encoder.writeOptions.xml.carriageReturns = .raw
    #expect(
      String(decoding: try encoder.encode(value), as: UTF8.self)
        == String(decoding: try foundation(value, .xml), as: UTF8.self))
  }

  @Test(arguments: EncodingCase.encodable)
  func documentsHoldTheSameValue(_ test: EncodingCase) throws {
    let value = test.make()
    var encoder = PlistEncoder()
    let expected = try PropertyList(parsing: foundation(value, .xml))
    encoder.outputFormat = .xml
    let xml = try encoder.encode(value)
    #expect(try PropertyList(parsing: xml) == expected)
    #expect(try PropertyList(parsing: xml, options: PlistReadOptions(duplicateKeys: .refuse)) == expected)

    let theirs = try foundation(value, .binary)
    for sortsKeys in [false, true] {
      encoder.outputFormat = .binary
      encoder.writeOptions.sortedKeys = sortsKeys
      let ours = try encoder.encode(value)
      #expect(ours.count <= theirs.count)
      #expect(try PropertyList(parsing: ours) == PropertyList(parsing: theirs))
      #expect(try foundationReads(ours) == foundationReads(theirs))
    }
    #expect(try encoder.encodeToPropertyList(value) == PropertyList(parsing: theirs))
  }

  @Test(arguments: [
    EncodingCase("integer") { 1 }, EncodingCase("string") { "x" }, EncodingCase("date") { Date() },
    EncodingCase("boolean") { true }, EncodingCase("double") { 1.5 }, EncodingCase("nil") { Int?.none },
    EncodingCase("UUID") { UUID() }, EncodingCase("raw value") { RawLevel.low }, EncodingCase("nothing") { Silent() },
    EncodingCase("a value that throws") { [Box(value: Throwing())] },
    EncodingCase("a value that throws an encoding error") {
      [
        Box(
          value: ByHand { encoder in
            throw EncodingError.invalidValue(1, .init(codingPath: encoder.codingPath, debugDescription: "no"))
          })
      ]
    },
  ])
  func refusals(_ test: EncodingCase) throws {
    let value = test.make()
    for format in [PlistFormat.xml, .binary] {
      var encoder = PlistEncoder()
      encoder.outputFormat = format
      for sortsKeys in [false, true] {
        encoder.writeOptions.sortedKeys = sortsKeys
        #expect(throws: EncodingError.self) { try encoder.encode(value) }
      }
      #expect(throws: EncodingError.self) { try foundation(value, format == .xml ? .xml : .binary) }
    }
  }

  private func foundation(_ value: some Encodable, _ format: PropertyListSerialization.PropertyListFormat) throws
    -> Data
  {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = format
    return try encoder.encode(value)
  }

  private func foundationReads(_ data: Data) throws -> Data {
    let tree = try unsafe PropertyListSerialization.propertyList(from: data, options: [], format: nil)
    return try PropertyListSerialization.data(fromPropertyList: tree, format: .xml, options: 0)
  }
}
