#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A reader of OpenStep or JSON text, which is UTF-8 that has been found to be valid.
protocol PlistTextReader: PlistTokenReader where Failure == TextFailure {
  /// The containers that are open.
  var containers: TextContainers { get }
  /// What may come next.
  var expected: TextExpectation { get }
  /// The offset at which the last token began.
  var tokenStart: Int { get }

  /// What stands for ``expected`` in messages.
  var expectation: String { get }

  /// Whether the innermost container is a dictionary without braces.
  var isInStringsTable: Bool { get }
}

extension PlistTextReader {
  /// No text format has shared objects.
  var sharedObject: Int { -1 }

  func error(_ code: PlistError.Code, _ message: String, in source: PlistSource) -> PlistError {
    PlistError(
      code: code, message: message, format: Self.format, offset: tokenStart, path: containers.path(in: source),
      source: source)
  }

  func error(for failure: TextFailure, in source: PlistSource) -> PlistError {
    let explanation = TextExplanation(failure, reader: self, source: source)
    // Where the document ends between values, none of them is at fault.
    let isBetween = failure.reason == .endOfInput && failure.detail == containers.open.last?.opened
    let isBehind = expected == .elementEnd || expected == .pairEnd
    let path = containers.path(in: source, to: isBetween ? .container : isBehind ? .lastValue : .value)
    return PlistError(
      code: explanation.code, message: explanation.message, format: Self.format, offset: failure.offset,
      path: path, source: source)
  }
}
