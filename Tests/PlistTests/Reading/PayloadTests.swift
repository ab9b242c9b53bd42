import Foundation
import Plist
import Testing

/// Unless they overlap, the strings and data of a binary document have at most as many bytes as the document.
@Suite struct PayloadTests {
  static func overlapping(_ kind: UInt8, count: Int) -> Data {
    let stride = 8
    var bytes = Array("bplist00".utf8) + [0xAF, 0x11] + BinaryDocument.bigEndian(count, width: 2)
    bytes += (1...count).flatMap { BinaryDocument.bigEndian($0, width: 2) }
    let start = bytes.count
    for index in 0..<count {
      let length = min(stride * (count - index), 0x7F00) & 0x7F7F
      bytes += [kind | 0x0F, 0x11] + BinaryDocument.bigEndian(length, width: 2) + [0x61, 0x61, 0x61, 0x61]
    }
    bytes += [UInt8](repeating: 0x61, count: 8)
    let table = bytes.count
    for offset in [8] + (0..<count).map({ start + stride * $0 }) {
      bytes += BinaryDocument.bigEndian(offset, width: 4)
    }
    bytes += [0, 0, 0, 0, 0, 0, 4, 2] + BinaryDocument.bigEndian(count + 1, width: 8)
    return Data(bytes + BinaryDocument.bigEndian(0, width: 8) + BinaryDocument.bigEndian(table, width: 8))
  }

  static let limits = PlistReadOptions(limits: PlistLimits(maximumExpansion: 100_000))

  @Test(arguments: [0x50, 0x40] as [UInt8])
  func overlapsAreRefused(_ kind: UInt8) throws {
    let document = Self.overlapping(kind, count: 2_000)
    let code = PlistError.Code.expandedObjectsLimit
    let error = try #require(throws: PlistError.self) { try PropertyList(parsing: document, options: Self.limits) }
    #expect(error.code == code && error.message.contains("share bytes"), "\(error)")
    #expect(Reading.eventsError(document, options: Self.limits)?.code == code)
    let opened = try PlistDocument(parsing: document, options: Self.limits)
    #expect(throws: PlistError.self) { try opened.validate() }
    #expect(throws: PlistError.self) { try opened.root.propertyList() }
    let decoder = PlistDecoder(options: Self.limits)
    #expect(throws: DecodingError.self) {
      if kind == 0x50 {
        _ = try decoder.decode([String].self, from: document)
      } else {
        _ = try decoder.decode([Data].self, from: document)
      }
    }
  }

  @Test func fewOverlapsAreRead() throws {
    let document = Self.overlapping(0x50, count: 20)
    let value = try PropertyList(parsing: document, options: Self.limits)
    #expect(value.array?.count == 20)
    #expect(value[0]?.string?.utf8.count == 160 & 0x7F7F)
    #expect(Reading.eventsError(document, options: Self.limits) == nil)
  }

  @Test func repeatedTextIsRead() throws {
    let text: [UInt8] = [0x5F, 0x11, 0x10, 0x00] + [UInt8](repeating: 0x61, count: 0x1000)
    let list: [UInt8] = [0xAF, 0x11, 0x10, 0x00] + [UInt8](repeating: 1, count: 0x1000)
    let document = BinaryDocument([list, text]).data
    let value = try PropertyList(parsing: document, options: Self.limits)
    #expect(value.array?.count == 0x1000)
    #expect(Reading.eventsError(document, options: Self.limits) == nil)
    let opened = try PlistDocument(parsing: document, options: Self.limits)
    #expect(try opened.root.propertyList() == value)
    #expect(try PlistDecoder(options: Self.limits).decode([String].self, from: document).count == 0x1000)
  }
}
