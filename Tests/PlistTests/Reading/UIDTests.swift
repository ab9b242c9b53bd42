import Foundation
import Plist
import Testing

/// Tests that an XML dictionary is a UID only if its single key is `CF$UID`, and that similar dictionaries stay
/// dictionaries.
@Suite struct UIDTests {
  @Test(arguments: [
    ("<dict><key>CF$UID</key><integer>5</integer></dict>", "uid(5)"),
    ("<dict> <!-- a --> <key>CF$UID</key> <?x?> <integer> 0x10</integer> </dict>", "uid(16)"),
    ("<dict><key>CF&#36;UID</key><integer>5</integer></dict>", "uid(5)"),
    ("<dict><key><![CDATA[CF$UID]]></key><integer>5</integer></dict>", "uid(5)"),
    ("<dict a=\"b\"><key >CF$UID</key ><integer>5</integer></dict>", "uid(5)"),
    ("<dict><key>CF$UID</key><integer>5</integer><key>CF$UID</key><integer>6</integer></dict>", "uid(6)"),
    ("<dict><key>CF$UID</key><plist><integer>5</integer></plist></dict>", "uid(5)"),
    ("<dict><key>CF$UID</key><string>5</string></dict>", #"{"CF$UID":"5"}"#),
    ("<dict><key>CF$UID</key><true/></dict>", #"{"CF$UID":true}"#),
    ("<dict><key>CF$UID</key><array/></dict>", #"{"CF$UID":[]}"#),
    ("<dict><key>CF$UID</key><array><integer>5</integer></array></dict>", #"{"CF$UID":[int(5)]}"#),
    ("<dict><key>CF$UID</key><dict/></dict>", #"{"CF$UID":{}}"#),
    (
      "<dict><key>CF$UID</key><dict><key>CF$UID</key><integer>5</integer></dict></dict>", #"{"CF$UID":uid(5)}"#
    ),
    (
      "<dict><key>CF$UID</key><dict><key>a</key><integer>5</integer></dict></dict>", #"{"CF$UID":{"a":int(5)}}"#
    ),
    (
      "<dict><key>CF$UID</key><integer>5</integer><key>a</key><integer>6</integer></dict>",
      #"{"CF$UID":int(5),"a":int(6)}"#
    ),
    (
      "<dict><key>a</key><integer>6</integer><key>CF$UID</key><integer>5</integer></dict>",
      #"{"CF$UID":int(5),"a":int(6)}"#
    ),
    ("<dict><key>CF$UIDs</key><integer>5</integer></dict>", #"{"CF$UIDs":int(5)}"#),
    ("<dict/>", "{}"),
  ])
  func reads(_ element: String, value: String) throws {
    for document in [element, "<array>\(element)</array>", "<plist>\(element)</plist>"] {
      let data = Data(document.utf8)
      let expected = document.hasPrefix("<array>") ? "[\(value)]" : value
      #expect(Reading.value(data) == .accept(value: expected))
      #expect(FoundationReading(data).verdict == "accept \(expected)")
      #expect(Reading.eventsError(data) == nil)
    }
  }

  @Test(arguments: ["-1", "4294967296", "18446744073709551615"])
  func outOfRange(_ number: String) throws {
    let document = Data("<array><dict><key>CF$UID</key><integer>\(number)</integer></dict></array>".utf8)
    let error = try #require(throws: PlistError.self) { try PropertyList(parsing: document) }
    #expect(error.code == .invalidUID)
    #expect(error.path == "0")
    #expect(error.column == 8)
  }

  @Test func nestedLookalikesAreFast() {
    let depth = 500
    let deep =
      String(repeating: "<dict><key>CF$UID</key>", count: depth) + "<true/>"
      + String(repeating: "</dict>", count: depth)
    #expect(Reading.value(Data(deep.utf8)).isAccepted)
    let long = "<dict><key>CF$UID</key><array>" + String(repeating: "<true/>", count: 50_000) + "</array></dict>"
    #expect(Reading.value(Data(long.utf8)).isAccepted)
    let repeated =
      "<dict>" + String(repeating: "<key>CF$UID</key><integer>1</integer>", count: 10_000)
      + "<key>a</key><true/></dict>"
    #expect(Reading.value(Data(repeated.utf8)).isAccepted)
  }
}
