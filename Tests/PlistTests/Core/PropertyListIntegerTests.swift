import Foundation
import Plist
import Testing

@Suite struct PropertyListIntegerTests {
  static let samples: [PropertyListInteger] = [
    .min, -9_223_372_036_854_775_807, -4_294_967_296, -256, -1, 0, 1, 255, 4_294_967_296, 9_223_372_036_854_775_807,
    9_223_372_036_854_775_808, 18_446_744_073_709_551_614, .max,
  ]

  @Test func order() {
    for (i, left) in Self.samples.enumerated() {
      for (j, right) in Self.samples.enumerated() {
        #expect((left < right) == (i < j))
        #expect((left == right) == (i == j))
      }
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: samples)
  func agreesWithInt128(value: PropertyListInteger) throws {
    let wide = try #require(Int128(exactly: value))
    #expect(value.description == wide.description)
    #expect(value.isNegative == (wide < 0))
    #expect(UInt128(value.magnitude) == wide.magnitude)
    #expect(PropertyListInteger(wide) == value)
    #expect(PropertyListInteger(value.description) == value)
    #expect(Int64(exactly: value) == Int64(exactly: wide))
    #expect(UInt64(exactly: value) == UInt64(exactly: wide))
    #expect(UInt8(exactly: value) == UInt8(exactly: wide))
    #expect(Int16(clamping: value) == Int16(clamping: wide))
    #expect(UInt32(clamping: value) == UInt32(clamping: wide))
    #expect(Double(value) == Double(wide))
    #expect(Double(exactly: value) == Double(exactly: wide))
    #expect(Float(exactly: value) == Float(exactly: wide))
  }

  @Test(arguments: samples)
  func codes(value: PropertyListInteger) throws {
    #expect(try JSONDecoder().decode(PropertyListInteger.self, from: JSONEncoder().encode(value)) == value)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func outOfRange() {
    #expect(PropertyListInteger(exactly: Int128(UInt64.max) + 1) == nil)
    #expect(PropertyListInteger(exactly: Int128(Int64.min) - 1) == nil)
    #expect(PropertyListInteger(clamping: Int128.max) == .max)
    #expect(PropertyListInteger(clamping: Int128.min) == .min)
    #expect(PropertyListInteger(clamping: UInt128.max) == .max)
    #expect(PropertyListInteger(exactly: 1.5) == nil)
    #expect(PropertyListInteger(exactly: Double.nan) == nil)
    #expect(PropertyListInteger(exactly: 0x1p64) == nil)
    #expect(PropertyListInteger(exactly: -0x1p63) == .min)
    #expect(PropertyListInteger(exactly: -0.0) == 0)
  }

  @Test(arguments: ["", "-", "+", " 1", "1 ", "0x10", "1.0", "18446744073709551616", "-9223372036854775809"])
  func rejectsText(text: String) {
    #expect(PropertyListInteger(text) == nil)
  }

  @Test func readsText() {
    #expect(PropertyListInteger("+5") == 5)
    #expect(PropertyListInteger("-0") == 0)
    #expect(PropertyListInteger("-0")?.isNegative == false)
    #expect(PropertyListInteger() == 0)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func trapsOutOfRange() async {
    await #expect(processExitsWith: .failure) { _ = PropertyListInteger(UInt128.max) }
  }
}

@Suite struct PropertyListUIDTests {
  @Test func basics() throws {
    #expect(PropertyListUID(5).description == "uid(5)")
    #expect(PropertyListUID(5) < 6)
    let json = try JSONEncoder().encode(PropertyListUID(.max))
    #expect(String(decoding: json, as: UTF8.self) == #"{"CF$UID":4294967295}"#)
    #expect(try JSONDecoder().decode(PropertyListUID.self, from: json) == PropertyListUID(.max))
  }
}
