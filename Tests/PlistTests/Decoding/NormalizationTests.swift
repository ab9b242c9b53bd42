import Foundation
import Plist
import Testing

/// Keys that look the same, but differ in their Unicode normalization.
struct NormalizationTests {
  private struct Menu: Decodable {
    var café: Int
  }

  private struct Cases: Decodable {
    enum CodingKeys: String, CodingKey, CaseIterable { case café, name }
    var café: Int
    var name: String?
  }

  private static let document = Data("<dict><key>cafe\u{301}</key><integer>1</integer></dict>".utf8)
  private static let hint =
    #"the dictionary has no key "café" (there is "cafe\u{301}", the same text in another Unicode normalization)"#

  @Test func aMissingKeyIsExplained() throws {
    for data in [Self.document, try PropertyList(parsing: Self.document).data(format: .binary)] {
      let error = #expect(throws: DecodingError.self) { try PlistDecoder().decode(Menu.self, from: data) }
      #expect(error?.plistError?.message == Self.hint)
    }
  }

  @Test func mistakesListTheKey() throws {
    var decoder = PlistDecoder()
    decoder.keyErrorStrategy = .collectAll
    let error = #expect(throws: DecodingError.self) { try decoder.decode(Cases.self, from: Self.document) }
    let message = try #require(error?.plistError?.message)
    #expect(message.hasPrefix(Self.hint) && message.contains("no property has the key"), "\(message)")
  }

  @Test func unreadKeys() throws {
    struct Optional: Decodable { var café: Int? }
    var decoder = PlistDecoder()
    decoder.unreadKeyStrategy = .refuse
    let error = #expect(throws: DecodingError.self) { try decoder.decode(Optional.self, from: Self.document) }
    #expect(error?.plistError?.message.contains("the same text in another Unicode normalization") == true)
  }
}
