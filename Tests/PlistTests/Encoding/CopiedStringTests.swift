import Foundation
import Plist
import Testing

/// Tests of strings around the length up to which the encoder copies them.
struct CopiedStringTests {
  private static let lengths = Array(0...17) + [63, 64, 65, 254, 255, 256, 257, 258, 5000]

  private static let strings = lengths.flatMap { length in
    ["a", "é", "<"].map { String(repeating: $0, count: length) + String(length) }
  }

  private struct Strings: Codable, Equatable {
    var direct: String
    var array: [String]
    var wrapped: [Wrapped]
    var dictionary: [String: String]

    struct Wrapped: Codable, Equatable {
      let text: String

      init(_ text: String) { self.text = text }

      init(from decoder: any Decoder) throws { text = try decoder.singleValueContainer().decode(String.self) }

      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
      }
    }
  }

  @Test(arguments: EncodingForm.all)
  func stringsOfEachLengthAreWritten(form: EncodingForm) throws {
    let encoder = form.encoder()
    for string in Self.strings {
      let value = Strings(
        direct: string, array: [string, "b"], wrapped: [.init(string), .init("c"), .init(string)],
        dictionary: [string: string])
      let list = try form.encode(value, encoder)
      #expect(list["direct"]?.string == string)
      #expect(try PlistDecoder().decode(Strings.self, from: list) == value)
    }
  }

  @Test(arguments: [0, 1, 15, 16, 255, 256, 257])
  func anErrorContainsTheString(count: Int) throws {
    let text = String(repeating: "é", count: count / 2) + "\0"
    let error = #expect(throws: EncodingError.self) { try PlistEncoder(format: .xml).encode(["a": ["b", text]]) }
    guard case .invalidValue(let value, let context) = error else { throw try #require(error) }
    #expect(value as? String == text)
    #expect(context.codingPath.map(\.stringValue) == ["a", "Index 1"])
    let keyed = #expect(throws: EncodingError.self) { try PlistEncoder(format: .xml).encode([Keyed(text: text)]) }
    guard case .invalidValue(let value, let context) = keyed else { throw try #require(keyed) }
    #expect(value as? String == text)
    #expect(context.codingPath.map(\.stringValue) == ["Index 0", "text"])
  }

  private struct Keyed: Encodable {
    let text: String
  }
}
