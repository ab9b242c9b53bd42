import Foundation
import Plist

/// Generates property lists from a fuzz input, with a preference for values at the limits of formats and number types.
struct ValueGenerator {
  enum Range {
    case everything
    case xml
    case openStep
    case json
  }

  var choices: Choices
  let range: Range
  private var budget: Int

  init(_ choices: Choices, range: Range, budget: Int = 60) {
    self.choices = choices
    self.range = range
    self.budget = budget
  }

  mutating func value(depth: Int = 6) -> PropertyList {
    budget -= 1
    let isLeaf = depth == 0 || budget <= 0
    switch choices.below(isLeaf ? 10 : 14) {
    case 0, 1: return .string(text())
    case 2: return range == .openStep ? .string(text()) : .integer(integer())
    case 3: return range == .openStep ? .string(text()) : .real(real())
    case 4: return range == .openStep ? .string(text()) : .boolean(choices.flag())
    case 5: return range == .openStep || range == .json ? .string(text()) : .date(date())
    case 6: return range == .json ? .string(text()) : .data(data())
    case 7: return range == .openStep || range == .json ? .string(text()) : .uid(PropertyListUID(uid()))
    case 8: return range == .everything || range == .json ? .null : .string(text())
    case 9: return choices.flag() ? .array([]) : .dictionary([:])
    case 10, 11: return .array((0..<count()).map { _ in value(depth: depth - 1) })
    default: return .dictionary(dictionary(depth: depth - 1))
    }
  }

  private mutating func dictionary(depth: Int) -> PropertyListDictionary {
    var dictionary = PropertyListDictionary()
    for _ in 0..<count() {
      let key = text()
      dictionary[key] = value(depth: depth)
    }
    if dictionary.count == 1, range == .xml { dictionary["CF$UID"] = nil }
    return dictionary
  }

  private mutating func count() -> Int {
    guard budget > 0 else { return 0 }
    let count = choices.below(20)
    // Make a few containers long: binary stores large counts separately, and look-ups in large containers use an index.
    return min(count < 18 ? count % 6 : 15 + 3 * (count - 18), budget)
  }

  mutating func text() -> String {
    let count = choices.below(24)
    var text = ""
    for _ in 0..<(count < 20 ? count % 8 : count) {
      let byte = choices.byte()
      switch byte {
      case 0x20..<0x7F: text.unicodeScalars.append(Unicode.Scalar(byte))
      case 0x80...: text += Self.special[Int(byte) % Self.special.count]
      case 1..<0x20 where range != .json || byte > 8: text.unicodeScalars.append(Unicode.Scalar(byte))
      default: text += "k"
      }
    }
    return text
  }

  private static let special = [
    "é", "e\u{301}", "\u{7F}", "\u{80}", "\u{7FF}", "\u{800}", "日", "\u{D7FF}", "\u{E000}", "\u{FEFF}", "\u{FFFE}",
    "\u{FFFF}", "𝄞", "\u{10FFFF}", "\u{2028}", "\u{A0}", "CF$UID", "$null", "]]>", "-->", "&amp;", "\r\n", "\\U0041",
    "/*", "//", "12345678",
  ]

  mutating func integer() -> PropertyListInteger {
    let width = 1 + choices.below(8)
    let bits = choices.bits(bytes: width)
    switch choices.below(6) {
    case 0: return PropertyListInteger(bits)
    case 1: return PropertyListInteger(Int64(truncatingIfNeeded: bits))
    case 2: return PropertyListInteger(Int64.min + Int64(bits & 0xFF))
    case 3: return PropertyListInteger(UInt64.max - bits & 0xFF)
    case 4: return PropertyListInteger(Int64.max - Int64(bits & 1))
    default: return PropertyListInteger(0 - Int64(bits >> 1))
    }
  }

  mutating func real() -> Double {
    switch choices.below(6) {
    case 0: return Double(Int(choices.bits(bytes: 2)) - 1000) / 8
    case 1:
      return choices.element(of: [
        0, -0.0, .infinity, -.infinity, .leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude, 0.1,
        1e21, 1e-7, 123_456_789_012_345_680, 9_007_199_254_740_992, .pi,
      ]).limited(to: range)
    case 2: return Double(choices.bits(bytes: 3)) * 1e-3
    default: return Double(bitPattern: choices.bits()).limited(to: range)
    }
  }

  mutating func date() -> Date {
    let seconds: Double
    switch choices.below(4) {
    case 0: seconds = Double(Int32(truncatingIfNeeded: choices.bits(bytes: 4)))
    case 1: seconds = Double(Int64(truncatingIfNeeded: choices.bits(bytes: 6) << 16) >> 16)
    case 2: seconds = Double(Int16(truncatingIfNeeded: choices.bits(bytes: 2))) / 16
    default: seconds = Double(bitPattern: choices.bits())
    }
    return Date(timeIntervalSinceReferenceDate: range == .xml ? Self.xmlSeconds(seconds) : seconds)
  }

  private static func xmlSeconds(_ seconds: Double) -> Double {
    guard seconds.isFinite, abs(seconds) < 1e13 else { return 0 }
    return seconds.rounded(.down) + 0
  }

  mutating func data() -> Data {
    let count = choices.below(40)
    let first = choices.byte()
    return Data((0..<(count < 30 ? count % 10 : 5 * count)).map { first &+ UInt8(truncatingIfNeeded: $0 &* 37) })
  }

  private mutating func uid() -> UInt32 { UInt32(truncatingIfNeeded: choices.bits(bytes: 1 + choices.below(4))) }
}

extension Double {
  fileprivate func limited(to range: ValueGenerator.Range) -> Double {
    switch range {
    case .everything: self
    case .xml, .openStep: isNaN ? .nan : self
    case .json: isFinite ? self : 0.5
    }
  }
}
