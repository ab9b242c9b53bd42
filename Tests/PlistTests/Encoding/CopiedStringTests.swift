import Foundation
import Plist
import Testing

/// Strings short enough for the encoder to copy, and longer ones.
struct CopiedStringTests {
  private static let lengths = Array(0...17) + [63, 64, 65, 254, 255, 256, 257, 258, 5000]

  /// A string of each length in bytes, with different first and last characters.
  private static let strings = lengths.flatMap { length in
    ["a", "é", "<"].compactMap { character in
      let count = max(0, length - 1) / character.utf8.count
      let string = String(repeating: character, count: count)
      return string + String(repeating: "z", count: length - string.utf8.count)
    }
  }

  @Test func theStringsHaveTheirLengths() {
    #expect(Set(Self.strings.map(\.utf8.count)) == Set(Self.lengths))
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

  @Test(arguments: [1, 2, 15, 16, 254, 255, 256, 257, 258])
  func anErrorContainsTheString(length: Int) throws {
    let text = String(repeating: "x", count: length - 1) + "\0"
    let error = #expect(throws: EncodingError.self) {
      try PlistEncoder(outputFormat: .xml).encode(["a": [Optional(text)]])
    }
    guard case .invalidValue(let value, let context) = error else { throw try #require(error) }
    #expect(value as? String == text)
    #expect(context.codingPath.map(\.stringValue) == ["a", "Index 0"])
    let keyed = #expect(throws: EncodingError.self) { try PlistEncoder(outputFormat: .xml).encode([Keyed(text: text)]) }
    guard case .invalidValue(let value, let context) = keyed else { throw try #require(keyed) }
    #expect(value as? String == text)
    #expect(context.codingPath.map(\.stringValue) == ["Index 0", "text"])
  }

  private struct Keyed: Encodable {
    let text: String
  }

  /// More than a megabyte of strings, which stay on the tape until all values are encoded.
  @Test(arguments: EncodingForm.few)
  func manyStringsAreWritten(form: EncodingForm) throws {
    let values = Dictionary(uniqueKeysWithValues: (0..<6000).map { ("\($0)", String(repeating: "\($0) ", count: 40)) })
    let list = try form.encode(["values": values])
    #expect(try PlistDecoder().decode([String: [String: String]].self, from: list) == ["values": values])
  }
}
