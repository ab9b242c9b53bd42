import Foundation
import Plist
import PlistFuzzTargets
import Testing

/// Signed documents: CMS and PKCS #7 messages in BER.
struct SignedDocumentTests {
  private static let list = Data(
    "<plist version=\"1.0\"><dict><key>Name</key><string>Team</string></dict></plist>".utf8)
  private static let allowing = PlistReadOptions(signedDocuments: .readUnverified)

  /// How an element says where it ends.
  enum Length: CaseIterable { case short, long, indefinite }

  private static func element(_ tag: UInt8, _ content: Data, _ length: Length) -> Data {
    switch length {
    case .indefinite where tag & 0x20 != 0: return Data([tag, 0x80]) + content + Data([0, 0])
    case .short where content.count < 0x80: return Data([tag, UInt8(content.count)]) + content
    case .short: return Data([tag, 0x82, UInt8(content.count >> 8), UInt8(content.count & 0xFF)]) + content
    // Leading zeros are allowed in BER.
    default: return Data([tag, 0x84, 0, 0, UInt8(content.count >> 8), UInt8(content.count & 0xFF)]) + content
    }
  }

  private static func identifier(_ number: UInt8) -> Data {
    element(0x06, Data([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, number]), .short)
  }

  /// A message around the element of a string, or without content.
  private static func message(_ string: Data?, _ length: Length, kind: UInt8 = 2) -> Data {
    let content = string.map { element(0xA0, $0, length) } ?? Data()
    // An algorithm of indefinite length, for a reader to skip.
    let algorithms = element(0x31, element(0x30, element(0x30, Data([0x05, 0x00]), length), length), length)
    let signed = element(0x02, Data([1]), .short) + algorithms + element(0x30, identifier(1) + content, length)
    let rest = element(0x31, Data([0x05, 0x00]), length)
    return element(0x30, identifier(kind) + element(0xA0, element(0x30, signed + rest, length), length), length)
  }

  /// The list as a string in one piece, in pieces, and in pieces of pieces.
  private static func strings(_ list: Data, _ length: Length) -> [Data] {
    let pieces = stride(from: 0, to: list.count, by: 7).map { start in
      element(0x04, list[start..<min(list.count, start + 7)], .short)
    }
    let groups = pieces.map { element(0x24, $0 + element(0x04, Data(), .short), length) }
    return [element(0x04, list, length), element(0x24, Data(pieces.joined()), length)]
      + [element(0x24, Data(groups.joined()), length)]
  }

  @Test(arguments: Length.allCases)
  func reading(length: Length) throws {
    for list in [Self.list, try PropertyList(["Name": "Team"]).data(format: .binary)] {
      for string in Self.strings(list, length) {
        let message = Self.message(string, length)
        #expect(PlistFormat(detecting: message) == nil)
        #expect(try PropertyList(parsing: message, options: Self.allowing) == ["Name": "Team"])
        let document = try PlistDocument(parsing: message, options: Self.allowing)
        #expect(document.root["Name"]?.string == "Team")
        var decoder = PlistDecoder()
        decoder.readOptions = Self.allowing
        #expect(try decoder.decode([String: String].self, from: message) == ["Name": "Team"])
        // A slice has other indices than its bytes.
        #expect(
          try PropertyList(parsing: (Data([1, 2, 3]) + message)[3...], options: Self.allowing) == ["Name": "Team"])
        // In pieces.
        for size in [1, 5, 1000] {
          var reader = PlistStreamReader(options: Self.allowing)
          var rest = message[...]
          var keys = 0
          while let event = try reader.next(reading: {
            defer { rest = rest.dropFirst(size) }
            return rest.isEmpty ? nil : Data(rest.prefix(size))
          }) {
            if case .key("Name") = event { keys += 1 }
          }
          #expect(keys == 1)
        }
      }
    }
  }

  /// The example in the documentation of `PlistReadOptions.SignedDocuments`.
  @Test func example() throws {
    let data = Self.message(Self.strings(Self.list, .short)[0], .short)
    let options = PlistReadOptions(signedDocuments: .readUnverified)
    let profile = try PropertyList(parsing: data, options: options)
    #expect(profile["Name"] == "Team")
  }

  @Test func refusedByDefault() throws {
    let message = Self.message(Self.strings(Self.list, .short)[0], .short)
    for format in [nil, PlistFormat.xml, .openStep] {
      let error = #expect(throws: PlistError.self) {
        try PropertyList(parsing: message, options: PlistReadOptions(format: format))
      }
      #expect(error?.code == .signedDocument && error?.category == .syntax)
    }
    // An edit would invalidate the signature, so the option does not help.
    let error = #expect(throws: PlistError.self) { try PlistEditor(parsing: message, options: Self.allowing) }
    #expect(error?.code == .signedDocument)
    #expect(try PropertyList(parsing: Data("0 = 1;".utf8)) == ["0": "1"])
    #expect(try PropertyList(parsing: Data("0".utf8), options: Self.allowing) == "0")
  }

  @Test func positionsAreThoseInside() throws {
    let message = Self.message(Self.element(0x04, Data("<plist>\n<dict>\n<true/></dict></plist>".utf8), .short), .short)
    let error = #expect(throws: PlistError.self) { try PropertyList(parsing: message, options: Self.allowing) }
    #expect(error?.line == 3 && error?.column == 1 && error?.offset == 15)
  }

  @Test(arguments: Length.allCases)
  func cutAnywhere(length: Length) throws {
    for string in Self.strings(Self.list, length) {
      let message = Self.message(string, length)
      // What follows the content is not read.
      let end = try #require(message.lastIndex(of: 0x3E))
      for count in 18..<end {
        let error = #expect(throws: PlistError.self) {
          try PropertyList(parsing: message.prefix(count), options: Self.allowing)
        }
        #expect(error?.category == .truncated, "\(count)")
      }
    }
  }

  @Test func changedBytes() throws {
    var generator = SeededGenerator(seed: 7)
    for length in Length.allCases {
      for string in Self.strings(Self.list, length) {
        let message = Self.message(string, length)
        for offset in 0..<message.count {
          var changed = message
          changed[offset] = UInt8.random(in: 0...255, using: &generator)
          // Anything but a crash is fine; an error must be one of ours.
          do { _ = try PropertyList(parsing: changed, options: Self.allowing) } catch {
            #expect(!error.message.isEmpty)
          }
        }
      }
    }
  }

  @Test func otherMessages() throws {
    let string = Self.strings(Self.list, .short)[0]
    func error(_ data: Data) -> PlistError? {
      #expect(throws: PlistError.self) { try PropertyList(parsing: data, options: Self.allowing) }
    }
    #expect(error(Self.message(string, .short, kind: 3))?.message.contains("encrypted") == true)
    #expect(error(Self.message(string, .short, kind: 1))?.code == .unsupportedFormat)
    #expect(error(Self.message(nil, .short))?.message.contains("detached") == true)
    #expect(error(Self.message(nil, .indefinite))?.message.contains("detached") == true)
    #expect(error(Self.message(Self.element(0x13, Self.list, .short), .short))?.code == .malformedEnvelope)
    // A signed document inside another is not opened.
    let twice = Self.message(Self.element(0x04, Self.message(string, .short), .short), .short)
    #expect(error(twice)?.code == .signedDocument)
    // More than any memory holds.
    let huge = Self.identifier(2) + Data([0xA0, 0x88] + [UInt8](repeating: 0xFF, count: 8))
    #expect(error(Data([0x30, 0x80]) + huge)?.code == .truncated)
    #expect(error(Data([0x30, 0x80]) + Self.identifier(2) + Data([0xA0, 0xFE]))?.code == .truncated)
  }

  @Test func deepEnvelopes() throws {
    func nested(_ tag: UInt8, _ levels: Int) -> Data {
      Data((0..<levels).flatMap { _ in [tag, 0x80] }) + Self.element(0x04, Self.list, .short)
        + Data(repeating: 0, count: 2 * levels)
    }
    #expect(
      try PropertyList(parsing: Self.message(nested(0x24, 50), .indefinite), options: Self.allowing) == ["Name": "Team"]
    )
    let error = #expect(throws: PlistError.self) {
      try PropertyList(parsing: Self.message(nested(0x24, 100_000), .indefinite), options: Self.allowing)
    }
    #expect(error?.code == .malformedEnvelope)
  }

  @Test func limits() throws {
    var options = Self.allowing
    options.limits.maximumByteCount = 100
    let message = Self.message(Self.strings(Self.list, .short)[1], .short)
    let error = #expect(throws: PlistError.self) { try PropertyList(parsing: message, options: options) }
    #expect(error?.code == .documentSizeLimit)
    options = Self.allowing
    options.limits.maximumDepth = 0
    #expect(throws: PlistError.self) { try PropertyList(parsing: message, options: options) }
  }
}
