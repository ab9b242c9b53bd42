import Foundation
import Plist
import Testing

/// Tests that an object has the same value in every position if a binary document refers to the object more than once.
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
}
