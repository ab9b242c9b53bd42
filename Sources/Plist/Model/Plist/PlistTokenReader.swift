#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A reader of one format, which returns tokens to its consumers.
///
/// Each call passes the document's bytes to the reader, so the reader need not store a pointer to the bytes.
protocol PlistTokenReader {
  /// A failure with its position, which ``error(for:in:)`` converts to a ``PlistError`` with a message.
  associatedtype Failure: Error

  static var format: PlistFormat { get }

  /// Reads the next token; after the last token, the result is always ``PlistToken/Kind/end``.
  mutating func next(in bytes: RawSpan) throws(Failure) -> PlistToken

  /// Hands over many tokens at once, at most to the end of the top-level value.
  ///
  /// It never fails: ``next(in:)`` goes on after the last of these tokens, and throws the error of an invalid one. XML
  /// has a fast path here, which ends before any unusual spelling. OpenStep and JSON hand over nothing.
  mutating func run<Consumer: PlistTokenConsumer & ~Copyable>(in bytes: RawSpan, into consumer: inout Consumer)

  /// The offset of the most recently read token, from which the token can be read again.
  var tokenStart: Int { get }

  /// The object number of the most recently read token's object if the object can occur later as
  /// ``PlistToken/Kind/shared``, else −1.
  var sharedObject: Int { get }

  /// The object number of the most recently read token's object in a binary document with a table of objects, else −1.
  var object: Int { get }

  func error(for failure: Failure, in source: PlistSource) -> PlistError

  /// Moves past a scalar that an index keeps although its content is malformed, and returns its token, or nil if the
  /// failure refuses the whole document.
  mutating func passMalformed(_ failure: Failure, in bytes: RawSpan) -> PlistToken?

  /// Returns the path of the most recently read value or key.
  func path(in source: PlistSource) -> PropertyListPath

  /// Moves to the end of the value that caused `failure`, so that lint can find later faults, or returns false if that
  /// end cannot be found.
  mutating func recover(from failure: Failure, in bytes: RawSpan) -> Bool
}

extension PlistTokenReader {
  mutating func run<Consumer: PlistTokenConsumer & ~Copyable>(in bytes: RawSpan, into consumer: inout Consumer) {}

  var sharedObject: Int { -1 }

  var object: Int { -1 }

  mutating func passMalformed(_ failure: Failure, in bytes: RawSpan) -> PlistToken? { nil }

  /// After a fault in OpenStep or JSON text, brackets and quotation marks cannot be matched reliably.
  mutating func recover(from failure: Failure, in bytes: RawSpan) -> Bool { false }

  /// Returns an error about the most recently read value or key.
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
  /// Whether the consumer of tokens uses the values of numbers and dates.
  ///
  /// If `readsScalars` is false, numbers and dates are only checked, and tokens of numbers and dates have no value.
  static var readsScalars: Bool { get }

  /// Whether the consumer can take at least one more key and its value.
  var acceptsTokens: Bool { get }

  /// Consumes a token; `start` is the offset at which the token begins in `bytes`, such as the offset of an XML tag.
  ///
  /// In the end token of a container, ``PlistToken/first`` is the number of values in the container.
  mutating func take(_ token: PlistToken, at start: Int, in bytes: RawSpan)

  /// Consumes a token that completes an object of a binary document, to which later tokens can refer by its number.
  mutating func take(_ token: PlistToken, asShared object: Int, at start: Int, in bytes: RawSpan)

  /// Returns whether the consumer knows the keys of the dictionary that has just begun, and needs no tokens for them.
  ///
  /// In a binary document, `references` is the range of the numbers of the keys' objects. Dictionaries with the same
  /// numbers have the same keys. Long keys are charged for each time, so the consumer must not claim to know them.
  mutating func knowsKeys(at references: Range<Int>, in bytes: RawSpan) -> Bool
}

extension PlistTokenConsumer where Self: ~Copyable {
  /// Consumes the token that `reader` has just read.
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
