#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct TextContainers {
  struct Container {
    let isDictionary: Bool
    /// The offset of the container's opening character.
    let opened: Int
    /// Whether the key of the next value has been read.
    var hasKey = false
    var count = 0
    /// The token of the current key if `hasKey` is true, or of the last key if `hasKey` is false.
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

  /// The value to which the path in an error leads: the current value, the last complete value, or the innermost
  /// container.
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
