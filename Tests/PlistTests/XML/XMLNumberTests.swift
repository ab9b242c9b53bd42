import Foundation
import Plist
import Testing

struct XMLNumberTests {
  @Test(
    "A byte that is not UTF-8 makes a number malformed; only strings and keys have invalid text",
    arguments: [
      ("integer", .invalidInteger), ("real", .invalidReal), ("date", .invalidDate), ("string", .invalidText),
    ] as [(String, PlistError.Code)])
  func invalidBytes(_ element: String, _ code: PlistError.Code) throws {
    let document = Data("<plist><\(element)>1".utf8) + [0xFF] + Data("</\(element)></plist>".utf8)
    let error = #expect(throws: PlistError.self) { try PropertyList(parsing: document) }
    #expect(error?.code == code)
  }
}
