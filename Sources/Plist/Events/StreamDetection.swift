#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Detects the format and, for XML, the encoding from the first bytes.
struct StreamDetection: Sendable {
  enum Result {
    /// Any format that needs the whole document.
    case whole(PlistFormat)
    case xml(TextEncoding, markLength: Int)
  }

  /// The format given in the options, or nil to detect it.
  private let format: PlistFormat?
  private(set) var head = Data()
  // The number of bytes needed for the next attempt.
  private var requiredCount = leastCount

  /// The length of a binary property list's magic bytes; with fewer bytes, no format is detected.
  private static let leastCount = 6
  /// The number of bytes up to which every new chunk leads to an attempt.
  ///
  /// Beyond it, an attempt is made only when the number of bytes has doubled, because a lot of white space or an
  /// incomplete declaration can delay the answer.
  private static let eagerCount = 1024

  init(format: PlistFormat?) { self.format = format }

  mutating func append(_ data: Data) { head.append(data) }

  /// Returns the format and encoding, or nil if more bytes are needed.
  ///
  /// - Throws: The error that a reader of the whole document in memory would throw.
  mutating func result(isWhole: Bool) throws(PlistError) -> Result? {
    guard isWhole || isDecided else { return nil }
    // A signed document is read once all of it has arrived, so any format other than XML will do.
    guard let format = format ?? PlistFormatDetection(head.bytes).format else {
      throw OpenedDocument.unknownFormat(head)
    }
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
