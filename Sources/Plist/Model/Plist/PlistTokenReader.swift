#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A reader that turns a document in one format into tokens.
///
/// Each call takes the document's bytes, so that the reader does not have to store a pointer to them.
protocol PlistTokenReader {
  /// A failure with its position, which ``error(for:in:)`` turns into a ``PlistError``.
  associatedtype Failure: Error

  static var format: PlistFormat { get }

  /// Reads the next token, or returns ``PlistToken/Kind/end`` after the last one.
  mutating func next(in bytes: RawSpan) throws(Failure) -> PlistToken

  /// Passes many tokens to the consumer at once, up to the end of the root at most.
  ///
  /// This never fails: it stops before an invalid token, for which the following call to ``next(in:)`` throws the
  /// error. XML has a fast path here, which stops at the first unusual construct. OpenStep and JSON have no fast path.
  mutating func run<Consumer: PlistTokenConsumer & ~Copyable>(in bytes: RawSpan, into consumer: inout Consumer)

  /// The offset from which the last token can be read again.
  var tokenStart: Int { get }

  /// The object of the last token if it can be repeated as ``PlistToken/Kind/shared``, otherwise −1.
  var sharedObject: Int { get }

  /// The object of the last token in a binary document with an object table, otherwise −1.
  var object: Int { get }

  func error(for failure: Failure, in source: PlistSource) -> PlistError

  /// Moves past a scalar that an index keeps despite its malformed content, and returns its token, or nil if the whole
  /// document must be refused.
  mutating func passMalformed(_ failure: Failure, in bytes: RawSpan) -> PlistToken?

  /// Returns the path of the last value or key.
  func path(in source: PlistSource) -> PropertyListPath

  /// Moves past the value that caused `failure` so that lint can find later faults, or returns false if the value's end
  /// is unclear.
  mutating func recover(from failure: Failure, in bytes: RawSpan) -> Bool
}

extension PlistTokenReader {
  mutating func run<Consumer: PlistTokenConsumer & ~Copyable>(in bytes: RawSpan, into consumer: inout Consumer) {}

  var sharedObject: Int { -1 }

  var object: Int { -1 }

  mutating func passMalformed(_ failure: Failure, in bytes: RawSpan) -> PlistToken? { nil }

  /// Returns false, because brackets and quotation marks cannot be matched reliably after a fault in OpenStep or JSON
  /// text.
  mutating func recover(from failure: Failure, in bytes: RawSpan) -> Bool { false }

  /// Returns an error about the last value or key.
  ///
  /// After a scalar, the reader's path is already that of the next value, so `before` must be the reader before the
  /// scalar.
  func error(
    _ code: PlistError.Code, _ message: String, in source: PlistSource, before: Self? = nil
  ) -> PlistError {
    PlistError(
      code: code, message: message, format: Self.format, offset: tokenStart, path: (before ?? self).path(in: source),
      source: source)
  }

  mutating func nextToken(in source: PlistSource) throws(PlistError) -> PlistToken {
    do { return try source.withBytes { bytes throws(Failure) in try next(in: bytes) } } catch {
      throw self.error(for: error, in: source)
    }
  }

  /// Reads and checks a key, or a value and its contents.
  mutating func readItem(in source: PlistSource) throws(PlistError) {
    do {
      try source.withBytes { bytes throws(Failure) in
        var depth = 0
        repeat {
          switch try next(in: bytes).kind {
          case .beginArray, .beginDictionary: depth += 1
          case .endArray, .endDictionary: depth -= 1
          default: break
          }
        } while depth > 0
      }
    } catch { throw self.error(for: error, in: source) }
  }

  /// Reads and checks the rest of the document.
  mutating func readToEnd(in source: PlistSource) throws(PlistError) {
    do {
      try source.withBytes { bytes throws(Failure) in while try next(in: bytes).kind != .end {} }
    } catch { throw self.error(for: error, in: source) }
  }
}

protocol PlistTokenConsumer: ~Copyable {
  /// Whether the consumer uses the values of numbers and dates; if not, they are only checked, and their tokens contain
  /// no value.
  static var readsScalars: Bool { get }

  /// Whether the consumer can take another key and its value.
  var acceptsTokens: Bool { get }

  /// Takes a token that begins at `start` in `bytes`, for example at an XML tag.
  ///
  /// At the end of a container, ``PlistToken/first`` is the number of its values.
  mutating func take(_ token: PlistToken, at start: Int, in bytes: RawSpan)

  /// Takes a token that completes an object in a binary document; later tokens can refer to the object by its number.
  mutating func take(_ token: PlistToken, asShared object: Int, at start: Int, in bytes: RawSpan)

  /// Whether the consumer already has the keys of the dictionary that has just begun, and needs no tokens for them.
  ///
  /// In a binary document, the object numbers of the keys are at `references`, and dictionaries with the same numbers
  /// have the same keys. Long keys must be charged each time, so the consumer must return false for them.
  mutating func knowsKeys(at references: Range<Int>, in bytes: RawSpan) -> Bool
}

extension PlistTokenConsumer where Self: ~Copyable {
  /// Takes the token that `reader` has just read.
  @inline(__always)
  mutating func take(_ token: PlistToken, of reader: borrowing some PlistTokenReader, in bytes: RawSpan) {
    if reader.sharedObject < 0 {
      take(token, at: reader.tokenStart, in: bytes)
    } else {
      take(token, asShared: reader.sharedObject, at: reader.tokenStart, in: bytes)
    }
  }

  @inline(__always)
  mutating func take(_ token: PlistToken, asShared object: Int, at start: Int, in bytes: RawSpan) {
    take(token, at: start, in: bytes)
  }

  func knowsKeys(at references: Range<Int>, in bytes: RawSpan) -> Bool { false }
}
