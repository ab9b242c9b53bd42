#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A reader of one format, which returns tokens.
///
/// Each call gets the document's bytes, so that the reader need not store a pointer to them.
protocol PlistTokenReader {
  /// A failure with its position, which ``error(for:in:)`` turns into a ``PlistError``.
  associatedtype Failure: Error

  static var format: PlistFormat { get }

  /// Reads the next token, and after the last one always ``PlistToken/Kind/end``.
  mutating func next(in bytes: RawSpan) throws(Failure) -> PlistToken

  /// Hands over many tokens at once, at most to the end of the root.
  ///
  /// It never fails: ``next(in:)`` continues after the last of these tokens, and throws the error of an invalid one.
  /// XML has a fast path here, which ends before any unusual spelling. OpenStep and JSON hand over nothing.
  mutating func run<Consumer: PlistTokenConsumer & ~Copyable>(in bytes: RawSpan, into consumer: inout Consumer)

  /// The offset of the last token, from which it can be read again.
  var tokenStart: Int { get }

  /// The object of the last token, if it can come again as ``PlistToken/Kind/shared``, otherwise −1.
  var sharedObject: Int { get }

  /// The object of the last token in a binary document with a table of objects, otherwise −1.
  var object: Int { get }

  func error(for failure: Failure, in source: PlistSource) -> PlistError

  /// Moves past a scalar that an index keeps although its content is malformed, and returns its token; nil if the whole
  /// document is refused.
  mutating func passMalformed(_ failure: Failure, in bytes: RawSpan) -> PlistToken?

  /// Returns the path of the last value or key.
  func path(in source: PlistSource) -> PropertyListPath

  /// Moves past the value that caused `failure`, so that lint can find later faults; false if its end is unclear.
  mutating func recover(from failure: Failure, in bytes: RawSpan) -> Bool
}

extension PlistTokenReader {
  mutating func run<Consumer: PlistTokenConsumer & ~Copyable>(in bytes: RawSpan, into consumer: inout Consumer) {}

  var sharedObject: Int { -1 }

  var object: Int { -1 }

  mutating func passMalformed(_ failure: Failure, in bytes: RawSpan) -> PlistToken? { nil }

  /// After a fault in OpenStep or JSON text, brackets and quotation marks cannot be matched reliably.
  mutating func recover(from failure: Failure, in bytes: RawSpan) -> Bool { false }

  /// Returns an error about the last value or key.
  ///
  /// After a scalar, the reader's path is that of the next value; `before` is the reader before the scalar.
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

  /// Reads and checks a key, or a value with its contents.
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
  /// Whether the consumer uses the values of numbers and dates; if not, these are only checked, and their tokens have
  /// none.
  static var readsScalars: Bool { get }

  /// Whether the consumer can take another key and its value.
  var acceptsTokens: Bool { get }

  /// Takes a token that begins at `start` in `bytes`, such as at an XML tag.
  ///
  /// At the end of a container, ``PlistToken/first`` is the number of its values.
  mutating func take(_ token: PlistToken, at start: Int, in bytes: RawSpan)

  /// Takes a token that completes an object of a binary document; later tokens can refer to it by number.
  mutating func take(_ token: PlistToken, asShared object: Int, at start: Int, in bytes: RawSpan)

  /// Whether the consumer knows the keys of the dictionary that has just begun, and needs no tokens for them.
  ///
  /// In a binary document, `references` is where the numbers of the keys' objects are: dictionaries with the same
  /// numbers have the same keys. Long keys are charged for each time, so the consumer must not claim to know them.
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
