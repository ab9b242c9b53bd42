#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A reader of one format, as the consumers of tokens see it.
///
/// It is handed the window it reads from with each call, so that it holds no pointers.
protocol PlistTokenReader {
  /// A failure with its place in the window, cheap to throw; ``error(for:in:)`` makes it readable.
  associatedtype Failure: Error

  /// The format it reads.
  static var format: PlistFormat { get }

  /// The next token, and ``PlistToken/Kind/end`` ever after the last.
  mutating func next(in bytes: RawSpan) throws(Failure) -> PlistToken

  /// The object of the last value or end token, if it may come as ``PlistToken/Kind/shared`` later; else −1.
  var sharedObject: Int { get }

  /// The error to report for `failure`, with its path and place.
  func error(for failure: Failure, in source: PlistSource) -> PlistError

  /// An error about the value or key that was read last.
  func error(_ code: PlistError.Code, _ message: String, in source: PlistSource) -> PlistError
}

extension PlistTokenReader {
  /// The next token of `source`, with failures as the errors to report.
  @inline(__always)
  mutating func nextToken(in source: PlistSource) throws(PlistError) -> PlistToken {
    do { return try source.withBytes { bytes throws(Failure) in try next(in: bytes) } } catch {
      throw self.error(for: error, in: source)
    }
  }
}
