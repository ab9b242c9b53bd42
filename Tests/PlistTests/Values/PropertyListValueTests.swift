import Foundation
import Plist
import Testing

@Suite struct PropertyListValueTests {
  enum Mode: String, PropertyListValue, CaseIterable { case light, dark }
  enum Level: UInt8, PropertyListValue { case low = 1, high }
  struct Options: OptionSet, PropertyListValue { let rawValue: Int }

  static func expectRoundTrip<Value: PropertyListValue & Equatable>(
    _ value: Value, as list: PropertyList, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(PropertyList(value) == list, sourceLocation: sourceLocation)
    #expect(list.value(as: Value.self) == value, sourceLocation: sourceLocation)
  }

  @Test func leaves() throws {
    Self.expectRoundTrip("text", as: "text")
    Self.expectRoundTrip(true, as: true)
    Self.expectRoundTrip(1.5, as: 1.5)
    Self.expectRoundTrip(Float(0.1), as: .real(Double(Float(0.1))))
    Self.expectRoundTrip(
      Date(timeIntervalSinceReferenceDate: 1.5), as: .date(Date(timeIntervalSinceReferenceDate: 1.5)))
    Self.expectRoundTrip(Data([1, 2]), as: .data(Data([1, 2])))
    Self.expectRoundTrip(try #require(URL(string: "https://a.example/b?c#d")), as: "https://a.example/b?c#d")
    let uuid = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
    Self.expectRoundTrip(try #require(UUID(uuidString: uuid)), as: .string(uuid))
    Self.expectRoundTrip(PropertyListUID(5), as: .uid(5))
    Self.expectRoundTrip(PropertyListInteger.max, as: .integer(.max))
    Self.expectRoundTrip(PropertyList.null, as: .null)
  }

  @Test func containers() {
    Self.expectRoundTrip([1, 2], as: [1, 2])
    Self.expectRoundTrip([[1], []], as: [[1], []])
    Self.expectRoundTrip(["a": [1.5]], as: ["a": [1.5]])
    Self.expectRoundTrip(Set(["one"]), as: ["one"])
    Self.expectRoundTrip(["a": 1] as PropertyListDictionary, as: ["a": 1])
    Self.expectRoundTrip([1, nil], as: [1, .null])
    Self.expectRoundTrip(Int?.none, as: .null)
    Self.expectRoundTrip(["a": Mode.dark], as: ["a": "dark"])
    #expect(PropertyList([1: "a"].mapValues { $0 }.values.map { $0 }) == ["a"])
    #expect(PropertyList(["c": 1, "a": 2, "b": 3]).dictionary?.keys.map(\.self) == ["a", "b", "c"])
    #expect((["a", 1] as PropertyList).value(as: [String].self) == nil)
    #expect((["a": 1, "b": "x"] as PropertyList).value(as: [String: Int].self) == nil)
    #expect(([1, 1, 2] as PropertyList).value(as: Set<Int>.self) == [1, 2])
  }

  @Test func rawValues() {
    Self.expectRoundTrip(Mode.dark, as: "dark")
    Self.expectRoundTrip(Level.high, as: 2)
    Self.expectRoundTrip(Options(rawValue: 6), as: 6)
    #expect(("blue" as PropertyList).value(as: Mode.self) == nil)
    #expect((300 as PropertyList).value(as: Level.self) == nil)
  }

  @Test func optionalsTellNilFromUnreadable() {
    #expect(PropertyList.null.value(as: Int?.self) == .some(.none))
    #expect((5 as PropertyList).value(as: Int?.self) == .some(.some(5)))
    #expect(("x" as PropertyList).value(as: Int?.self) == .none)
  }
}

@Suite struct PropertyListValueNumberTests {
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func everyWidthAtItsEnds() {
    func check<Number: FixedWidthInteger & PropertyListValue>(_ type: Number.Type) {
      for value in [Number.min, .max, 0, 1] { PropertyListValueTests.expectRoundTrip(value, as: PropertyList(value)) }
    }
    check(Int.self)
    check(Int8.self)
    check(Int16.self)
    check(Int32.self)
    check(Int64.self)
    check(Int128.self)
    check(UInt.self)
    check(UInt8.self)
    check(UInt16.self)
    check(UInt32.self)
    check(UInt64.self)
    check(UInt128.self)
    #expect(PropertyList(UInt64.max) == .integer(.max))
    #expect(PropertyList(Int128(UInt64.max) + 1) == "18446744073709551616")
    #expect(PropertyList(Int128(5)) == 5)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: ["5", "+18446744073709551616", "018446744073709551616", "x", ""])
  func wideIntegersReadOnlyTheStringsTheyWrite(text: String) {
    #expect(PropertyList.string(text).value(as: Int128.self) == nil)
    #expect(PropertyList.string(text).value(as: Int.self) == nil)
  }

  @Test func convertsWhatIsExact() {
    #expect((300 as PropertyList).value(as: UInt8.self) == nil)
    #expect((-1 as PropertyList).value(as: UInt.self) == nil)
    #expect((3.0 as PropertyList).value(as: Int.self) == 3)
    #expect((3.5 as PropertyList).value(as: Int.self) == nil)
    #expect(PropertyList.real(.nan).value(as: Int.self) == nil)
    #expect(PropertyList.real(.infinity).value(as: UInt64.self) == nil)
    #expect((3 as PropertyList).value(as: Double.self) == 3)
    #expect((9_007_199_254_740_993 as PropertyList).value(as: Double.self) == nil)
    #expect((16_777_217 as PropertyList).value(as: Float.self) == nil)
    #expect((0.1 as PropertyList).value(as: Float.self) == 0.1)
    #expect((1e300 as PropertyList).value(as: Float.self) == nil)
    #expect(PropertyList.real(.infinity).value(as: Float.self) == .infinity)
    #expect(PropertyList.real(.nan).value(as: Float.self)?.isNaN == true)
    #expect((5.0 as PropertyList).value(as: PropertyListInteger.self) == 5)
  }

  @Test func booleansAreNotNumbers() {
    #expect((true as PropertyList).value(as: Int.self) == nil)
    #expect((true as PropertyList).value(as: Double.self) == nil)
    #expect((1 as PropertyList).value(as: Bool.self) == true)
    #expect((0 as PropertyList).value(as: Bool.self) == false)
    #expect((2 as PropertyList).value(as: Bool.self) == nil)
    #expect((1.0 as PropertyList).value(as: Bool.self) == nil)
    #expect(("1" as PropertyList).value(as: Int.self) == nil)
    #expect((1 as PropertyList).value(as: String.self) == nil)
  }
}
