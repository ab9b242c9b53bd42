#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The first bytes of a document, from which the format and, for XML, the encoding are detected.
struct StreamDetection: Sendable {
  enum Result {
    /// A format that can be read only when the whole document is available.
    case whole(PlistFormat)
    case xml(TextEncoding, markLength: Int)
  }

  /// The format that the options specify, or nil if the format must be detected.
  private let format: PlistFormat?
  private(set) var head = Data()
  // The minimum number of bytes at which the format is detected again.
  private var requiredCount = leastCount

  /// The length of the magic bytes of binary property lists.
  ///
  /// The magic bytes are the longest sequence of bytes that must be complete before the format is detected.
  private static let leastCount = 6
  /// The number of bytes up to which the format is detected again after each chunk.
  ///
  /// The format of some documents depends on later bytes, because these documents begin with much white space or a
  /// declaration without an end. Beyond `eagerCount` bytes, the format is detected again each time the number of bytes
  /// has doubled.
  private static let eagerCount = 1024

  init(format: PlistFormat?) { self.format = format }

  mutating func append(_ data: Data) { head.append(data) }

  /// Returns the format and encoding of the document, or nil if more bytes are needed.
  ///
  /// - Throws: The error that opening the whole document would throw.
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
