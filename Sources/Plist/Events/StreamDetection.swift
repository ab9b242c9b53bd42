#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A detector of the format and, for XML, the encoding of a document from its first bytes.
struct StreamDetection: Sendable {
  enum Result {
    /// A format that can be read only when the whole document is available.
    case whole(PlistFormat)
    case xml(TextEncoding, markLength: Int)
  }

  /// The format that the options specify, or nil if the format must be detected.
  private let format: PlistFormat?
  private(set) var head = Data()
  // The number of bytes that are necessary for the next attempt to detect the format.
  private var requiredCount = leastCount

  /// The length of the magic bytes of binary property lists.
  ///
  /// The format is not detected before `leastCount` bytes of the document have arrived.
  private static let leastCount = 6
  /// The number of available bytes below which each new chunk leads to a new attempt to detect the format.
  ///
  /// If a document begins with much white space or with a declaration whose end has not arrived, later bytes determine
  /// the format. Beyond `eagerCount` bytes, a new attempt to detect the format is made each time the number of bytes
  /// has doubled.
  private static let eagerCount = 1024

  init(format: PlistFormat?) { self.format = format }

  mutating func append(_ data: Data) { head.append(data) }

  /// Returns the format and encoding of the document, or nil if more bytes are needed.
  ///
  /// - Throws: The error that a reader of the whole document in memory would throw.
  mutating func result(isWhole: Bool) throws(PlistError) -> Result? {
    guard isWhole || isDecided else { return nil }
    // A signed document is read when all of it is there, so any format but XML will do.
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
