#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The containers that a reader of OpenStep or JSON text has open, with what limits and messages need to know.
struct TextContainers {
  struct Container {
    let isDictionary: Bool
    /// The offset of what opened it.
    let opened: Int
    /// Whether a dictionary has read a key and not yet its value.
    var hasKey = false
    /// How many values have been read completely.
    var count = 0
    /// Where the key stands whose value is being read, while `hasKey`, or was read last.
    var key = PlistToken(.key, .ascii, 0..<0)
  }

  /// The outermost first.
  private(set) var open: [Container] = []
  /// How many values have begun.
  private var values = 0
  /// How many containers may nest.
  let depthLimit: Int
  /// How many values the document may have.
  let valueLimit: Int

  init(limits: PlistLimits) {
    depthLimit = limits.effectiveDepth
    valueLimit = limits.expandedObjects
  }

  /// Counts a value that begins at `offset`.
  mutating func countValue(at offset: Int) throws(TextFailure) {
    guard values < valueLimit else { throw TextFailure(.tooManyValues, at: offset) }
    values += 1
  }

  /// Opens a container at `offset`.
  mutating func begin(isDictionary: Bool, at offset: Int) throws(TextFailure) {
    guard open.count < depthLimit else { throw TextFailure(.depth, at: offset) }
    try countValue(at: offset)
    open.append(Container(isDictionary: isDictionary, opened: offset))
  }

  /// Closes the innermost container, which completes it as a value; returns its token, with the count of its values.
  mutating func end() -> PlistToken {
    let container = open.removeLast()
    let token = PlistToken(container.isDictionary ? .endDictionary : .endArray, bits: UInt64(container.count))
    completeValue()
    return token
  }

  /// Takes note of a key of the innermost container.
  mutating func take(_ key: PlistToken) {
    open[open.count - 1].key = key
    open[open.count - 1].hasKey = true
  }

  /// Takes note that a value has been read.
  @inline(__always)
  mutating func completeValue() {
    guard !open.isEmpty else { return }
    open[open.count - 1].hasKey = false
    open[open.count - 1].count += 1
  }

  /// What comes behind a complete value.
  var expectedAfterValue: TextExpectation {
    guard let last = open.last else { return .end }
    return last.isDictionary ? .pairEnd : .elementEnd
  }

  /// What a path leads to: the value that is being read, the one that was read last, or the innermost container.
  enum Place { case value, lastValue, container }

  /// The path of `place`.
  func path(in source: PlistSource, to place: Place = .value) -> PropertyListPath {
    var components: [String] = []
    for (level, container) in open.enumerated() {
      let isInnermost = level == open.count - 1
      let isLast = isInnermost && place == .lastValue && container.count > 0
      if container.isDictionary {
        if container.hasKey || isLast { components.append(source.data.bytes.decodedText(container.key)) }
      } else if !isInnermost || place != .container {
        components.append(String(isLast ? container.count - 1 : container.count))
      }
    }
    return PropertyListPath(components: components)
  }
}
