import Foundation
import Plist
import Testing

/// An object that a binary document refers to several times has the same value everywhere.
@Suite struct SharedObjectTests {
  @Test(arguments: [
    (BinaryDocument([[0xA3, 1, 2, 1], [0x51, 0x61], [0xD1, 1, 1]]), #"["a",{"a":"a"},"a"]"#),
    (BinaryDocument([[0xA2, 2, 1], [0x51, 0x61], [0xD1, 1, 1]]), #"[{"a":"a"},"a"]"#),
    (
      BinaryDocument([[0xA8, 1, 1, 2, 2, 3, 3, 4, 4], [0x61, 0x00, 0xE9], [0x41, 0x07], [0xA0], [0x10, 0x05]]),
      #"["\u{e9}","\u{e9}",<07>,<07>,[],[],int(5),int(5)]"#
    ),
    (BinaryDocument([[0xA3, 1, 2, 1], [0xA1, 3], [0xA1, 1], [0x09]]), "[[true],[[true]],[true]]"),
  ])
  func valuesAreRepeated(_ document: BinaryDocument, value: String) throws {
    #expect(ValueNotation.text(try PropertyList(parsing: document.data)) == value)
    #expect(Reading.eventsError(document.data) == nil)
  }

  @Test(arguments: [[0xA0], [0xD0], [0x41, 0x07], [0x09], [0x10, 0x05], [0x80, 0x05]] as [[UInt8]])
  func keysAreStrings(_ key: [UInt8]) {
    let document = BinaryDocument([[0xA3, 1, 1, 2], key, [0xD1, 1, 1]]).data
    let error = #expect(throws: PlistError.self) { try PropertyList(parsing: document) }
    #expect(error?.code == .invalidKey)
    #expect(Reading.eventsError(document)?.code == .invalidKey)
  }

  /// The third record has the keys of the second, which are not read again.
  @Test(arguments: [[0x70], [0xA1, 9], [0xD1, 0, 6], [0xA1, 0]] as [[UInt8]])
  func faultsBehindRepeatedKeys(_ fault: [UInt8]) {
    let document = BinaryDocument([
      [0xA3, 1, 2, 3], [0xD2, 4, 5, 6, 6], [0xD2, 4, 5, 6, 6], [0xD2, 4, 5, 6, 7], [0x51, 0x61], [0x51, 0x62], [0x08],
      fault,
    ]).data
    let error = #expect(throws: PlistError.self) { try PropertyList(parsing: document) }
    #expect(error?.path?.components.starts(with: ["2", "b"]) == true, "\(String(describing: error))")
    let refusing = #expect(throws: PlistError.self) {
      try PropertyList(parsing: document, options: PlistReadOptions(duplicateKeys: .refuse))
    }
    #expect(error?.description == refusing?.description)
    #expect(error?.offset == Reading.eventsError(document)?.offset)
  }

  @Test func keysAtOneDepth() throws {
    let records = [
      #"{"a":{"b":false}}"#, #"{"a":{"b":true}}"#, #"{"b":{"a":true}}"#, #"{"b":{"b":true}}"#, #"{"a":{"b":true}}"#,
      #"{"a":true,"b":true}"#, #"{"a":true,"b":true}"#, "{}", #"{"a":true,"b":true}"#,
    ]
    let (a, b, no, yes): (UInt8, UInt8, UInt8, UInt8) = (1, 2, 3, 4)
    let document = BinaryDocument([
      [0xA9, 7, 8, 9, 10, 8, 11, 12, 13, 11], [0x51, 0x61], [0x51, 0x62], [0x08], [0x09],
      [0xD1, b, no], [0xD1, b, yes],
      [0xD1, a, 5], [0xD1, a, 6], [0xD1, b, 14], [0xD1, b, 6], [0xD2, a, b, yes, yes], [0xD2, b, a, yes, yes], [0xD0],
      [0xD1, a, yes],
    ]).data
    let value = try PropertyList(parsing: document)
    #expect(ValueNotation.text(value) == "[\(records.joined(separator: ","))]")
    #expect([5, 6, 8].map { value[$0]?.dictionary.map { Array($0.keys) } } == [["a", "b"], ["b", "a"], ["a", "b"]])
  }

  /// Reading the inner value exceeds the limit unless the string is read only once.
  @Test func anInnerValueThatContainsItself() throws {
    let document = BinaryDocument([
      [0xA1, 1], [0xA1, 2], [0xA3, 3, 3, 1], [0x5F, 0x10, 100] + [UInt8](repeating: 0x61, count: 100),
    ]).data
    let options = PlistReadOptions(limits: PlistLimits(maximumExpansion: 0))
    let inner = try #require(try PlistDocument(parsing: document, options: options).root[0]?[0])
    let error = #expect(throws: PlistError.self) { try inner.propertyList() }
    #expect(error?.code == .cycle && error?.offset == 12, "\(String(describing: error))")
  }
}
