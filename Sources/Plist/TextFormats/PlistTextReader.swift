#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A reader of OpenStep or JSON text that has already been validated as UTF-8.
protocol PlistTextReader: PlistTokenReader where Failure == TextFailure {
  var containers: TextContainers { get set }
  var expected: TextExpectation { get set }
  /// The offset at which reading continues.
  var offset: Int { get set }
  var tokenStart: Int { get set }

  var expectation: String { get }

  /// Whether the innermost open container is a dictionary without braces.
  var isInStringsTable: Bool { get }
}

extension PlistTextReader {
  mutating func begin(isDictionary: Bool, at start: Int) throws(TextFailure) -> PlistToken {
    try containers.begin(isDictionary: isDictionary, at: start)
    tokenStart = start
    offset = start + 1
    expected = isDictionary ? .firstKey : .firstElement
    return PlistToken(isDictionary ? .beginDictionary : .beginArray)
  }

  /// Ends the innermost container; the bytes that close it begin at `start`, and their number is `length`.
  mutating func end(at start: Int, length: Int = 1) -> PlistToken {
    tokenStart = start
    offset = start + length
    let token = containers.end()
    expected = containers.expectedAfterValue
    return token
  }

  func path(in source: PlistSource) -> PropertyListPath { containers.path(in: source) }

  func error(for failure: TextFailure, in source: PlistSource) -> PlistError {
    let explanation = TextExplanation(failure, reader: self, source: source)
    // If the document ends between two values, no value is invalid, so the error has the path of the container.
    let isBetween = failure.reason == .endOfInput && failure.detail == containers.open.last?.opened
    let isBehind = expected == .elementEnd || expected == .pairEnd
    let path = containers.path(in: source, to: isBetween ? .container : isBehind ? .lastValue : .value)
    let error = PlistError(
      code: explanation.code, message: explanation.message, format: Self.format, offset: failure.offset,
      path: path, source: source)
    return explanation.isFormatDoubtful ? error.with(\.doubtfulFormat, Self.format) : error
  }
}
