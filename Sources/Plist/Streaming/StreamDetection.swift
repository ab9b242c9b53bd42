#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The beginning of a document, up to where it shows its format and, for XML, its encoding.
struct StreamDetection: Sendable {
  /// What is known then.
  enum Result {
    /// A format that is read once all of it is there.
    case whole(PlistFormat)
    case xml(TextEncoding, markLength: Int)
  }

  /// The format, where it need not be looked for.
  private let format: PlistFormat?
  /// The bytes so far.
  private(set) var head = Data()
  // How many there must be before they are looked at again.
  private var requiredCount = leastCount

  /// The longest of what must not be cut off: the magic of binary property lists.
  private static let leastCount = 6
  /// Up to here each byte may be the one that decides; documents that take more, because of white space before
  /// anything else or a declaration without an end, are looked at again when they have doubled.
  private static let eagerCount = 1024

  init(format: PlistFormat?) { self.format = format }

  mutating func append(_ data: Data) { head.append(data) }

  /// The format and encoding, or nil while more bytes are needed.
  ///
  /// - Throws: What opening the document as a whole would.
  mutating func result(isWhole: Bool) throws(PlistError) -> Result? {
    guard isWhole || isDecided else { return nil }
    guard let format = format ?? PlistFormat(detecting: head) else { throw OpenedDocument.unknownFormat(head) }
    guard format == .xml else { return .whole(format) }
    let (encoding, markLength) = try XMLEncoding.detect(head)
    return .xml(encoding, markLength: markLength)
  }

  private var isDecided: Bool {
    mutating get {
      let bytes = head.bytes
      guard bytes.byteCount >= requiredCount else { return false }
      requiredCount = bytes.byteCount < Self.eagerCount ? bytes.byteCount + 1 : 2 * bytes.byteCount
      if let format { return format != .xml || !XMLEncoding.isUndecided(bytes) }
      let detection = PlistFormatDetection(bytes)
      if detection.isTentative { return false }
      return detection.format != .xml || !XMLEncoding.isUndecided(bytes)
    }
  }
}
