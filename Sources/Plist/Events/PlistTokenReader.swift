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

  /// Reads tokens as long as that takes no more than a quick look, and returns before anything else or at the end of
  /// a value that is in no container; does nothing where the format has no such shortcut.
  ///
  /// What it reads counts as read by ``next(in:)``, which goes on from there. It never fails.
  mutating func run<Consumer: PlistTokenConsumer & ~Copyable>(in bytes: RawSpan, into consumer: inout Consumer)

  /// The object of the last value or end token, if it may come as ``PlistToken/Kind/shared`` later; else −1.
  var sharedObject: Int { get }

  /// The error to report for `failure`, with its path and place.
  func error(for failure: Failure, in source: PlistSource) -> PlistError

  /// An error about the value or key that was read last.
  func error(_ code: PlistError.Code, _ message: String, in source: PlistSource) -> PlistError
}

extension PlistTokenReader {
  @inline(__always)
  mutating func run<Consumer: PlistTokenConsumer & ~Copyable>(in bytes: RawSpan, into consumer: inout Consumer) {}

  /// The next token of `source`, with failures as the errors to report.
  @inline(__always)
  mutating func nextToken(in source: PlistSource) throws(PlistError) -> PlistToken {
    do { return try source.withBytes { bytes throws(Failure) in try next(in: bytes) } } catch {
      throw self.error(for: error, in: source)
    }
  }
}

extension PlistTokenReader {
  /// The next token of `source` for an event, which then need not refer to the source where its text is short.
  @inline(__always)
  mutating func nextEventToken(in source: PlistSource) throws(PlistError) -> PlistToken {
    do {
      return try source.withBytes { bytes throws(Failure) in try next(in: bytes).holdingShortText(of: bytes) }
    } catch {
      throw self.error(for: error, in: source)
    }
  }
}

extension PlistTokenConsumer where Self: ~Copyable {
  static var wantsShortText: Bool { false }
}

/// Who takes the tokens of a run.
protocol PlistTokenConsumer: ~Copyable {
  /// Whether numbers and dates are looked at; those that are not are only checked, and come without their value.
  static var readsScalars: Bool { get }

  /// Whether keys may come as tokens that hold their text where that is short, and not where it stands.
  static var wantsShortText: Bool { get }

  /// Whether there is room for another key and its value.
  var hasRoom: Bool { get }

  /// Takes a token whose element begins at `start`; the end of a container has its count as ``PlistToken/first``.
  mutating func take(_ token: PlistToken, at start: Int, in bytes: RawSpan)
}
