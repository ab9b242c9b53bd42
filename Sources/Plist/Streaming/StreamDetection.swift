#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The beginning of a document, up to where it shows its format and, for XML, its encoding.
///
/// Every byte is looked at once, however the chunks are cut.
struct StreamDetection: Sendable {
  /// What is known then.
  enum Result {
    case binary
    case xml(TextEncoding, markLength: Int)
  }

  /// The bytes so far.
  private(set) var head = Data()
  // Up to where nothing but white space has been found, and whether it ends there.
  private var blankEnd = 0
  private var isVisible = false
  // Up to where the end of an XML declaration has been looked for.
  private var searched = 0

  /// The longest of what must not be cut off: the magic of binary property lists.
  private static let leastCount = 6

  mutating func append(_ data: Data) { head.append(data) }

  /// The format and encoding, or nil while more bytes are needed.
  ///
  /// - Throws: What opening the document as a whole would.
  mutating func result(isWhole: Bool) throws(PlistError) -> Result? {
    guard isWhole || isDecidable else { return nil }
    switch PlistFormat(detecting: head) {
    case nil: throw OpenedDocument.unknownFormat(head)
    case .binary: return .binary
    default:
      let (encoding, markLength) = try XMLEncoding.detect(head)
      return .xml(encoding, markLength: markLength)
    }
  }

  private var isDecidable: Bool {
    mutating get {
      let bytes = head.bytes
      guard bytes.byteCount >= Self.leastCount else { return false }
      // Zeros are white space's other halves where code units are wide.
      while !isVisible, blankEnd < bytes.byteCount {
        let byte = bytes.byte(at: blankEnd)
        if blankEnd == 0, let mark = XMLEncoding.mark(of: bytes) {
          blankEnd = mark.markLength
        } else if XMLScanner.isSpace(byte) || byte == 0 {
          blankEnd += 1
        } else {
          isVisible = true
        }
      }
      guard isVisible else { return false }
      let declaration: StaticString = "<?xml"
      guard XMLEncoding.mark(of: bytes) == nil, blankEnd < bytes.byteCount else { return true }
      if bytes.isPrefix(of: declaration, from: blankEnd) { return false }
      guard bytes.hasBytes(declaration, at: blankEnd) else { return true }
      // The encoding may stand anywhere in the declaration.
      searched = max(searched, blankEnd + 2)
      while true {
        let end = bytes.firstOffset(of: 0x3E, from: searched)
        searched = end
        guard end < bytes.byteCount else { return false }
        if bytes.byte(at: end - 1) == 0x3F { return true }
        searched += 1
      }
    }
  }
}
