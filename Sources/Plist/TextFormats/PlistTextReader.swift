#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A reader of OpenStep or JSON text that has already been validated as UTF-8.
protocol PlistTextReader: PlistTokenReader where Failure == TextFailure {
  var containers: TextContainers { get }
  var expected: TextExpectation { get }

  var expectation: String { get }

  /// Whether the innermost open container is a dictionary without braces.
  var isInStringsTable: Bool { get }
}

extension PlistTextReader {
  /// Text formats have no shared objects, so ``sharedObject`` is always −1.
  var sharedObject: Int { -1 }

  func error(_ code: PlistError.Code, _ message: String, in source: PlistSource) -> PlistError {
    PlistError(
      code: code, message: message, format: Self.format, offset: tokenStart, path: containers.path(in: source),
      source: source)
  }

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
