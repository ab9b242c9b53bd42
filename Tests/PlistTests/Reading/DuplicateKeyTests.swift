import Foundation
import Plist
import Testing

@Suite struct DuplicateKeyTests {
  static let xml = Data(
    """
    <plist>
    <dict>
      <key>outer</key>
      <dict>
        <key>a</key> <integer>1</integer>
        <key>b</key> <integer>2</integer>
        <key>a</key> <integer>3</integer>
      </dict>
    </dict>
    </plist>
    """.utf8)

  static let binary = BinaryDocument([[0xD2, 1, 2, 3, 4], [0x51, 0x61], [0x51, 0x61], [0x09], [0x08]]).data

  static let sharedKey = BinaryDocument([[0xD2, 1, 1, 2, 3], [0x51, 0x61], [0x09], [0x08]]).data

  static let refusing = PlistReadOptions(duplicateKeys: .refuse)

  @Test func lastWinsInXML() throws {
    let value = try PropertyList(parsing: Self.xml)
    #expect(ValueNotation.text(value) == #"{"outer":{"a":int(3),"b":int(2)}}"#)
  }

  @Test(arguments: [binary, sharedKey])
  func firstWinsInBinary(_ document: Data) throws {
    #expect(ValueNotation.text(try PropertyList(parsing: document)) == #"{"a":true}"#)
  }

  @Test(arguments: [63, 64, 65, 200])
  func amongManyKeys(_ count: Int) throws {
    let names = (0..<count).map { "k\(($0 &* 37) % 211)" }
    let pairs = names.map { "<key>\($0)</key><false/>" }.joined()
    let again = "<key>\(names[0])</key><true/>"
    let xml = Data("<array><dict>\(pairs)\(again)</dict><dict>\(pairs)</dict><dict>\(pairs)</dict></array>".utf8)
    let array = try #require(try PropertyList(parsing: xml).array)
    #expect(array.map { $0.dictionary.map { Array($0.keys) } } == [names, names, names])
    #expect(array.map { $0[names[0]]?.bool } == [true, false, false])

    let keys = names.map { [0x50 | UInt8($0.utf8.count)] + Array($0.utf8) }
    let references = (0..<count).map { UInt8(5 + $0) }
    let (no, yes, firstAgain): (UInt8, UInt8, UInt8) = (1, 2, 5)
    func dictionary(_ references: [UInt8], _ values: [UInt8]) -> [UInt8] {
      [0xDF, 0x10, UInt8(values.count)] + references + values
    }
    let values = [UInt8](repeating: no, count: count)
    let one = dictionary(references + [firstAgain], values + [yes])
    let document = BinaryDocument([[0xA2, 3, 4], [0x08], [0x09], one, one] + keys)
    let same = try #require(try PropertyList(parsing: document.data).array)
    #expect(same.map { $0.dictionary.map { Array($0.keys) } } == [names, names])
    #expect(same.map { $0[names[0]]?.bool } == [false, false])
  }

  @Test func refusedAtTheSecondKeyInXML() throws {
    let error = try #require(throws: PlistError.self) {
      try PropertyList(parsing: Self.xml, options: Self.refusing)
    }
    #expect(error.code == .duplicateKey)
    #expect(error.line == 7 && error.column == 5)
    #expect(error.path == "outer.a")
    #expect(error.message.contains("\"a\""))
  }

  @Test(arguments: [(binary, 15), (sharedKey, 13)])
  func refusedAtTheSecondKeyInBinary(_ document: Data, offset: Int) throws {
    let error = try #require(throws: PlistError.self) {
      try PropertyList(parsing: document, options: Self.refusing)
    }
    #expect(error.code == .duplicateKey)
    #expect(error.offset == offset)
    #expect(error.path == "a")
  }

  @Test func sameKeyInDifferentDictionariesIsFine() throws {
    let xml = Data("<dict><key>a</key><dict><key>a</key><true/></dict><key>b</key><true/></dict>".utf8)
    #expect(throws: Never.self) { try PropertyList(parsing: xml, options: Self.refusing) }
    let canonicallyEqual = Data("<dict><key>\u{E9}</key><true/><key>e\u{301}</key><true/></dict>".utf8)
    #expect(throws: Never.self) { try PropertyList(parsing: canonicallyEqual, options: Self.refusing) }
  }

  @Test func eventsReportEveryKey() throws {
    let options = Self.refusing
    #expect(try EventTranscript.text(of: Self.sharedKey, options: options).contains("boolean false"))
  }
}
