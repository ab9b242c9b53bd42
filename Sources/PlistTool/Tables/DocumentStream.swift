#if CommandLineTool
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A stream of documents, with only one in memory at a time.
///
/// An XML document ends with its outermost element, and JSON and OpenStep text with the outermost container. In other
/// formats, such as binary, the end can't be recognized, so such a document must come last.
struct DocumentStream {
  private let file: FileDescriptor
  private var chunk = Data()
  private let limit: Int

  init(_ file: FileDescriptor, limit: Int) {
    self.file = file
    self.limit = limit
  }

  /// Returns the bytes of the next document, or an error if it is larger than the limit; nil after the last.
  ///
  /// - Throws: `PlistError` if the stream cannot be read.
  mutating func next() throws(PlistError) -> Result<Data, PlistError>? {
    var document = Data()
    var scan: DocumentScan?
    var isTooLarge = false
    while true {
      if chunk.isEmpty {
        let file = file
        chunk = try InputFile.reading { () throws(SystemFailure) in try file.readSome(upTo: 1 << 16) }
        if chunk.isEmpty { break }
      }
      if scan == nil {
        chunk = chunk.drop { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
        guard let first = chunk.first else { continue }
        scan = DocumentScan(first)
      }
      let end = scan?.end(in: chunk)
      let piece = end.map { chunk[..<$0] } ?? chunk
      isTooLarge = isTooLarge || document.count + piece.count > limit
      if isTooLarge { document = Data() } else { document.append(piece) }
      chunk = end.map { chunk[$0...] } ?? Data()
      if end != nil { break }
    }
    if isTooLarge { return .failure(.largerThan(limit)) }
    return scan == nil ? nil : .success(document)
  }
}

/// Looks for the end of a document that is read in pieces.
private struct DocumentScan {
  private enum Kind { case xml, text, other }

  private enum Place {
    case content
    /// After `<`; `beginning` has up to eight of the bytes that follow it.
    case tag
    case comment, cdata, instruction
    case string
  }

  private let kind: Kind
  private var place = Place.content
  private var depth = 0
  /// The first bytes of the tag.
  private var beginning: [UInt8] = []
  /// The last two bytes read.
  private var last: (UInt8, UInt8) = (0, 0)
  private var quote: UInt8?
  private var isEscaped = false
  /// How many brackets are open in a document type declaration.
  private var brackets = 0

  init(_ first: UInt8) {
    switch first {
    case UInt8(ascii: "<"): kind = .xml
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "("): kind = .text
    default: kind = .other
    }
  }

  /// Returns the index after the document's last byte, or nil if the document continues after `piece`.
  mutating func end(in piece: Data) -> Data.Index? {
    if kind == .other { return nil }
    for (index, byte) in zip(piece.indices, piece) {
      let ends = kind == .xml ? endsXML(byte) : endsText(byte)
      last = (last.1, byte)
      if ends { return index + 1 }
    }
    return nil
  }

  private mutating func endsText(_ byte: UInt8) -> Bool {
    if place == .string {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        place = .content
      }
      return false
    }
    switch byte {
    case UInt8(ascii: "\""):
      place = .string
      isEscaped = false
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "("): depth += 1
    case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ")"):
      depth -= 1
      return depth == 0
    default: break
    }
    return false
  }

  private mutating func endsXML(_ byte: UInt8) -> Bool {
    switch place {
    case .content, .string:
      if byte == UInt8(ascii: "<") {
        place = .tag
        beginning = []
        (quote, brackets) = (nil, 0)
      }
      return false
    case .comment:
      if byte == UInt8(ascii: ">"), last == (UInt8(ascii: "-"), UInt8(ascii: "-")) { place = .content }
      return false
    case .cdata:
      if byte == UInt8(ascii: ">"), last == (UInt8(ascii: "]"), UInt8(ascii: "]")) { place = .content }
      return false
    case .instruction:
      if byte == UInt8(ascii: ">"), last.1 == UInt8(ascii: "?") { place = .content }
      return false
    case .tag: return endsTag(byte)
    }
  }

  private mutating func endsTag(_ byte: UInt8) -> Bool {
    if let quote {
      if byte == quote { self.quote = nil }
      return false
    }
    if byte == UInt8(ascii: ">"), brackets <= 0 {
      place = .content
      if beginning.first == UInt8(ascii: "!") { return false }
      if beginning.first == UInt8(ascii: "/") { depth -= 1 } else if last.1 != UInt8(ascii: "/") { depth += 1 }
      return depth <= 0
    }
    if beginning.count < 8 {
      beginning.append(byte)
      if beginning == [UInt8(ascii: "?")] { place = .instruction }
      if beginning.elementsEqual("!--".utf8) { place = .comment }
      if beginning.elementsEqual("![CDATA[".utf8) { place = .cdata }
    }
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
    case UInt8(ascii: "["): brackets += 1
    case UInt8(ascii: "]"): brackets -= 1
    default: break
    }
    return false
  }
}
#endif
