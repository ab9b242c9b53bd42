#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Detects the format and, for XML, the encoding from the first bytes.
struct StreamDetection: Sendable {
  enum Result {
    /// Any format that takes the whole document.
    case whole(PlistFormat)
    case xml(TextEncoding, markLength: Int)
  }

  /// The format that the options name, or nil to detect it.
  private let format: PlistFormat?
  private(set) var head = Data()
  // How many bytes the next attempt needs.
  private var requiredCount = leastCount

  /// The length of the magic bytes of binary property lists; nothing is detected before.
  private static let leastCount = 6
  /// Up to this count, every new chunk leads to an attempt, beyond it only every doubling, since much white space, or a
  /// declaration whose end has not arrived, can delay the answer.
  private static let eagerCount = 1024

  init(format: PlistFormat?) { self.format = format }

  mutating func append(_ data: Data) { head.append(data) }

  /// Returns the format and encoding, or nil if more bytes are needed.
  ///
  /// - Throws: What a reader of the whole document in memory would throw.
  mutating func result(isWhole: Bool) throws(PlistError) -> Result? {
    guard isWhole || isDecided else { return nil }
    // A signed document is read once all of it is there, so any format but XML will do.
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
