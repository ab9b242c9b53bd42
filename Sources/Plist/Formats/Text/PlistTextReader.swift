#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A reader of OpenStep or JSON text that has been validated as UTF-8.
protocol PlistTextReader: PlistTokenReader where Failure == TextFailure {
  var containers: TextContainers { get set }
  var expected: TextExpectation { get set }
  /// The offset at which to continue reading.
  var offset: Int { get set }
  var tokenStart: Int { get set }

  var expectation: String { get }

  /// Whether the innermost container is a dictionary without braces.
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

  /// Ends the innermost container, which is closed by the `length` bytes at `start`.
  mutating func end(at start: Int, length: Int = 1) -> PlistToken {
    tokenStart = start
    offset = start + length
    let token = containers.end()
    expected = containers.expectedAfterValue
    return token
  }

  func path(in source: PlistSource) -> PropertyListPath { containers.path(in: source) }
}

/// What may come next in the text.
enum TextExpectation: UInt8 {
  case value
  /// An element, or the end of the array.
  case firstElement
  /// The comma after an element, or the end of the array.
  case elementEnd
  /// A key, or the end of the dictionary.
  case firstKey
  case key
  /// The separator between a key and its value.
  case keyEnd
  /// The separator after the value of a key.
  case pairEnd
  /// The end of the document, after any white space.
  case end
}

struct TextContainers {
  struct Container {
    let isDictionary: Bool
    /// Where the container begins.
    let opened: Int
    /// Whether the key of the next value has been read.
    var hasKey = false
    var count = 0
    /// The current key, or the last one if `hasKey` is false.
    var key = PlistToken(.key, .ascii, 0..<0)
  }

  private(set) var open: [Container] = []
  private var values = 0
  let depthLimit: Int
  let valueLimit: Int

  init(limits: PlistLimits) {
    depthLimit = limits.effectiveDepth
    valueLimit = limits.maximumValueCount
  }

  mutating func countValue(at offset: Int) throws(TextFailure) {
    guard values < valueLimit else { throw TextFailure(.tooManyValues, at: offset) }
    values += 1
  }

  mutating func begin(isDictionary: Bool, at offset: Int) throws(TextFailure) {
    guard open.count < depthLimit else { throw TextFailure(.depth, at: offset) }
    try countValue(at: offset)
    open.append(Container(isDictionary: isDictionary, opened: offset))
  }

  mutating func end() -> PlistToken {
    let container = open.removeLast()
    let token = PlistToken(container.isDictionary ? .endDictionary : .endArray, bits: UInt64(container.count))
    completeValue()
    return token
  }

  mutating func take(_ key: PlistToken) {
    open[open.count - 1].key = key
    open[open.count - 1].hasKey = true
  }

  mutating func completeValue() {
    guard !open.isEmpty else { return }
    open[open.count - 1].hasKey = false
    open[open.count - 1].count += 1
  }

  var expectedAfterValue: TextExpectation {
    guard let last = open.last else { return .end }
    return last.isDictionary ? .pairEnd : .elementEnd
  }

  /// What an error's path leads to: the current value, the last complete one, or the innermost container.
  enum Target { case value, lastValue, container }

  func path(in source: PlistSource, to target: Target = .value) -> PropertyListPath {
    var components: [String] = []
    for (level, container) in open.enumerated() {
      let isInnermost = level == open.count - 1
      let isLast = isInnermost && target == .lastValue && container.count > 0
      if container.isDictionary {
        if container.hasKey || isLast { components.append(source.data.bytes.decodedText(container.key)) }
      } else if !isInnermost || target != .container {
        components.append(String(isLast ? container.count - 1 : container.count))
      }
    }
    return PropertyListPath(components: components)
  }
}
