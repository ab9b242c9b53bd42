import Testing

@testable import Plist
import PlistFuzzTargets

struct DecimalNumberTests {
  @Test(arguments: UInt64(0)..<8)
  func randomNumbers(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<3_000 {
      let whole = digits(0...22, using: &generator)
      let fraction = digits(whole.isEmpty ? 1...22 : 0...22, using: &generator)
      let exponent = Int.random(in: -345...330, using: &generator)
      let text =
        ["", "-", "+"].randomElement(using: &generator).map { $0 + whole } ?? whole
      check(fraction.isEmpty && Bool.random(using: &generator) ? "\(text)" : "\(text).\(fraction)")
      check("\(text).\(fraction)e\(exponent)")
    }
  }

  @Test(arguments: UInt64(100)..<104)
  func shortestForms(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<5_000 {
      let real = Double(bitPattern: UInt64.random(in: .min ... .max, using: &generator))
      if real.isFinite { check(real.description) }
    }
  }

  @Test(arguments: [
    "9007199254740993", "9007199254740992.5", "9007199254740993.00000000000000000001", "1e23", "8.98846567431158e307",
    "1.7976931348623158e308", "1.7976931348623159e308", "2.2250738585072011e-308", "2.2250738585072014e-308",
    "4.9406564584124654e-324", "2.4703282292062327e-324", "2.4703282292062328e-324", "0e400", "0.0e-400", "1e400",
    "1e-400",
    "00000000000000000000000000000012345678901234567890",
    "0.000000000000000000000000000000012345678901234567890123456789",
    "6.8985865317742005e-310",
    "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017",
    "0.500000000000000166533453693773481063544750213623046875", "3.0e-999999999999999999999", "123456789012345678",
  ])
  func corners(_ text: String) { check(text) }

  @Test(arguments: [
    "", ".", "-", "+.", "e5", "1e", "1e+", "1.5.5", "1 ", " 1", "0x10", "1_000", "inf", "nan", "1e5.5", "--1",
  ])
  func malformed(_ text: String) { #expect(value(text) == nil) }

  @Test(arguments: UInt64(200)..<204)
  func plainNumbers(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<3_000 {
      let sign = Bool.random(using: &generator) ? "-" : ""
      check("\(sign)\(digits(1...10, using: &generator)).\(digits(1...26, using: &generator))")
    }
    for text in ["0.08765775984858892", "0.0012345678901234567891", "-7.1234567890123456"] { check(text) }
  }

  private func check(_ text: String) {
    #expect(value(text)?.bitPattern == Double(text)?.bitPattern, "\(text)")
  }

  private func value(_ text: String) -> Double? {
    text.withByteSpan { DecimalNumber($0, in: 0..<$0.byteCount)?.value }
  }

  private func digits(_ count: ClosedRange<Int>, using generator: inout SeededGenerator) -> String {
    (0..<Int.random(in: count, using: &generator)).map { _ in
      String(Int.random(in: 0...9, using: &generator))
    }.joined()
  }
}
