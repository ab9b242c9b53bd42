import Foundation
import Plist
import PlistFuzzTargets

extension PropertyList {
  static func random(using generator: inout SeededGenerator, depth: Int = 4) -> PropertyList {
    switch Int.random(in: 0..<(depth > 0 ? 12 : 8), using: &generator) {
    case 0, 1: return .string(randomText(using: &generator))
    case 2: return .integer(randomInteger(using: &generator))
    case 3: return .real(randomReal(using: &generator))
    case 4: return .boolean(Bool.random(using: &generator))
    case 5:
      let seconds = Double(Int.random(in: -70_000_000_000...300_000_000_000, using: &generator))
      return .date(Date(timeIntervalSinceReferenceDate: seconds))
    case 6: return .data(Data((0..<Int.random(in: 0..<120, using: &generator)).map { UInt8(truncatingIfNeeded: $0) }))
    case 7: return .uid(PropertyListUID(UInt32.random(in: 0...(.max), using: &generator)))
    case 8, 9:
      return .array(
        (0..<Int.random(in: 0..<20, using: &generator)).map { _ in random(using: &generator, depth: depth - 1) })
    default:
      var dictionary = PropertyListDictionary()
      for _ in 0..<Int.random(in: 0..<20, using: &generator) {
        dictionary[randomText(using: &generator)] = random(using: &generator, depth: depth - 1)
      }
      // A dictionary with only this key would be read back as a UID.
      dictionary["CF$UID"] = nil
      return .dictionary(dictionary)
    }
  }

  private static func randomText(using generator: inout SeededGenerator) -> String {
    let alphabet = [
      "a", "B", "7", " ", "&", "<", ">", "\"", "é", "e\u{301}", "\n", "\r\n", "\t", "𝄞", "日", "\u{FFFE}", "\u{1}",
    ]
    let isPlain = Bool.random(using: &generator)
    return (0..<Int.random(in: 0..<24, using: &generator)).map { _ in
      isPlain ? alphabet[Int.random(in: 0..<4, using: &generator)] : alphabet.randomElement(using: &generator) ?? ""
    }.joined()
  }

  private static func randomInteger(using generator: inout SeededGenerator) -> PropertyListInteger {
    let bits = UInt64.random(in: .min ... .max, using: &generator) >> UInt64.random(in: 0..<64, using: &generator)
    return Bool.random(using: &generator) ? PropertyListInteger(bits) : PropertyListInteger(0 - Int64(bits >> 1))
  }

  private static func randomReal(using generator: inout SeededGenerator) -> Double {
    switch Int.random(in: 0..<6, using: &generator) {
    case 0:
      return [0, -0.0, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude].randomElement(
        using: &generator) ?? 0
    case 1: return Double(Int.random(in: -1000...1000, using: &generator))
    case 2: return Double.random(in: -1...1, using: &generator)
    default:
      let real = Double(bitPattern: UInt64.random(in: .min ... .max, using: &generator))
      return real.isNaN ? .nan : real
    }
  }
}
