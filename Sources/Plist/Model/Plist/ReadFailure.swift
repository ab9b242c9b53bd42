#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The reason why a document cannot be read, and where reading failed.
///
/// Each format has its own `Reason`, with a table of codes and messages. A message is created only when the failure
/// becomes a ``PlistError``.
struct ReadFailure<Reason: Sendable>: Error {
  var reason: Reason
  /// The position in bytes from the start of what the reader received.
  var offset: Int
  /// A number whose meaning depends on ``reason``, such as a second offset.
  var detail: Int

  init(_ reason: Reason, at offset: Int, detail: Int = 0) {
    self.reason = reason
    self.offset = offset
    self.detail = detail
  }

  /// Returns an error that combines the position and path with the format's explanation of this failure.
  func error(
    _ explanation: (code: PlistError.Code, message: String), format: PlistFormat, path: PropertyListPath?,
    in source: PlistSource, isFormatDoubtful: Bool = false
  ) -> PlistError {
    let conflict = format == .binary ? nil : source.mergeConflict(at: offset)
    let message = conflict ?? explanation.message
    let error = PlistError(
      code: explanation.code, message: message, format: format, offset: offset, path: path, source: source)
    return isFormatDoubtful ? error.with(\.doubtfulFormat, format) : error
  }

  /// Returns the offending text, if ``detail`` is the offset of its end.
  func quotation(in source: PlistSource) -> String { source.quotation(offset..<max(offset, detail)) }
}

extension PlistSource {
  /// Returns a message if the failure at `offset` is in a merge-conflict marker, such as `<<<<<<< HEAD`.
  fileprivate func mergeConflict(at offset: Int) -> String? {
    let bytes = data.bytes
    guard offset >= 0, offset < bytes.byteCount else { return nil }
    var start = offset
    while start > 0, offset - start < 8, bytes.byte(at: start - 1) != 0x0A { start -= 1 }
    // The window of a stream can begin in the middle of a line.
    guard start == 0 ? self.start.column == 1 : bytes.byte(at: start - 1) == 0x0A else { return nil }
    for mark: StaticString in ["<<<<<<<", "=======", ">>>>>>>", "|||||||"] where bytes.hasBytes(mark, at: start) {
      return "found \"\(mark)\", the mark of a merge conflict that is not resolved"
    }
    return nil
  }
}

/// Messages that several readers share.
extension PlistError {
  package static func depthMessage(_ limit: Int) -> String {
    "containers nest deeper than the limit of \(limit) levels"
  }

  static func valueCountMessage(_ limit: Int) -> String {
    "the document has more values than the limit of \(limit)"
  }

  static func duplicateKeyMessage(_ key: String) -> String {
    "the key \"\(key.shownInMessages())\" occurs twice in one dictionary"
  }
}
