import Foundation
import Plist
import Testing

@Suite struct PropertyListDescriptionTests {
  static let samples: [(PropertyList, String)] = [
    ("a \"b\" \\ \n\r\t\0 é🙂", #""a \"b\" \\ \n\r\t\u{0} é🙂""#),
    ("\u{7F}\u{2028}\u{202E}\u{200D}\u{FEFF}", #""\u{7F}\u{2028}\u{202E}\u{200D}\u{FEFF}""#),
    ("e\u{301}", "\"e\u{301}\""),
    (-5, "-5"), (18_446_744_073_709_551_615, "18446744073709551615"),
    (1.0, "1.0"), (.real(-0.0), "-0.0"), (.real(.nan), "nan"), (.real(-.infinity), "-inf"), (1e300, "1e+300"),
    (true, "true"), (false, "false"), (.null, "null"), (.uid(5), "uid(5)"),
    (.data(Data()), "<>"), (.data(Data("abc".utf8)), "<616263>"),
    (.data(Data(repeating: 0xFF, count: 32)), "<" + String(repeating: "ff", count: 32) + ">"),
    (.data(Data(repeating: 0x0A, count: 33)), "<" + String(repeating: "0a", count: 16) + "… 33 bytes>"),
    ([], "[]"), ([:], "[:]"), ([[], [:]], "[[], [:]]"),
    (["a": [1, ["b": .null]], "c": []], #"["a": [1, ["b": null]], "c": []]"#),
  ]

  @Test(arguments: samples)
  func describes(list: PropertyList, text: String) {
    #expect(list.description == text)
  }

  @Test("Control characters, line separators and bidirectional marks are escaped, and their neighbours are not")
  func invisibleCharacters() {
    for scalar in "\u{1}\u{1F}\u{7F}\u{80}\u{9F}\u{200B}\u{200F}\u{2028}\u{202E}\u{2066}\u{2069}".unicodeScalars {
      let digits = String(scalar.value, radix: 16, uppercase: true)
      #expect(PropertyList.string(String(scalar)).description == "\"\\u{\(digits)}\"")
    }
    for scalar in " ~\u{A0}\u{200A}\u{2010}\u{2027}\u{202F}".unicodeScalars {
      #expect(PropertyList.string(String(scalar)).description == "\"\(scalar)\"")
    }
  }

  @Test(
    arguments: [
      (0, "2001-01-01T00:00:00Z"), (0.5, "2001-01-01T00:00:00.5Z"), (-1, "2000-12-31T23:59:59Z"),
      (-0.25, "2000-12-31T23:59:59.75Z"), (-978_307_200, "1970-01-01T00:00:00Z"), (5_097_599, "2001-02-28T23:59:59Z"),
      (-26_524_800, "2000-02-29T00:00:00Z"), (803_347_445, "2026-06-17T00:04:05Z"),
      (-13_197_686_400, "1582-10-14T00:00:00Z"), (-63_113_904_000, "0001-01-01T00:00:00Z"),
      (-63_145_526_400, "0000-01-01T00:00:00Z"), (-63_145_526_401, "-0001-12-31T23:59:59Z"),
      (252_423_993_600, "10000-01-01T00:00:00Z"), (252_423_993_599, "9999-12-31T23:59:59Z"),
    ] as [(TimeInterval, String)])
  func describesDates(interval: TimeInterval, text: String) {
    #expect(PropertyList.date(Date(timeIntervalSinceReferenceDate: interval)).description == text)
  }

  /// A date that cannot be shown exactly appears as `date(…)` with its interval.
  @Test(
    arguments: [
      .nan, .infinity, -.infinity, 1e13, -1e13, 1e300, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, -0.0, -0.1,
      .greatestFiniteMagnitude,
    ] as [TimeInterval])
  func describesOddDates(interval: TimeInterval) {
    #expect(PropertyList.date(Date(timeIntervalSinceReferenceDate: interval)).description == "date(\(interval))")
  }

  @Test func datesAgreeWithFoundation() throws {
    var random = Seeded(state: 3)
    for _ in 0..<2_000 {
      let date = Date(
        timeIntervalSinceReferenceDate: Double(Int.random(in: -13_000_000_000...250_000_000_000, using: &random)))
      #expect(PropertyList.date(date).description == date.formatted(.iso8601))
    }
  }

  @Test func debugDescriptions() {
    #expect((5 as PropertyList).debugDescription == "PropertyList.integer(5)")
    #expect(("a" as PropertyList).debugDescription == #"PropertyList.string("a")"#)
    #expect(PropertyList.null.debugDescription == "PropertyList.null")
    #expect(PropertyList.uid(5).debugDescription == "PropertyList.uid(5)")
    #expect((["a": 1] as PropertyList).debugDescription == #"PropertyList.dictionary(["a": 1])"#)
    #expect(PropertyList.Kind.allCases.map(\.description).contains("dictionary"))
  }

  struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 31)
    }
  }
}
