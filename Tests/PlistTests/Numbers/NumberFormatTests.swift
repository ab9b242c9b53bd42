import Foundation
import Plist
import PlistFuzzTargets
import Testing

struct NumberFormatTests {
  @Test func realsAreTheShortest() throws {
    var generator = SeededGenerator(seed: 5)
    var reals: [Double] = [
      0, -0.0, 1, -1, 0.1, 0.0001, 0.00001, 123456, 2.2250738585072014e-308, 1.7976931348623157e308, 1e15, 1e16,
      1e17, 9007199254740992, 9007199254740994, 1e22, 1e23, 0.3, 2.0 / 3, 1e-290, 1e-291, 1e-292,
      4503599627370495.5, 0.001, 0.0005, 0.0014, 999_999_999_999.999, 1e12, 1_000_000_000_000.001, 0.01, 0.99, 1.5, 100,
      1e100, 12345678, 123456789, 1234567890123456.7,
    ]
    for exponent in -1074...1023 { reals.append(Double(sign: .plus, exponent: exponent, significand: 1)) }
    for exponent in -320...308 { reals.append(try #require(Double("1e\(exponent)"))) }
    for _ in 0..<20_000 {
      let random = Double(bitPattern: generator.next())
      if random.isFinite { reals.append(random) }
      reals.append(Double.random(in: -1000...1000, using: &generator))
      reals.append(Double(Int.random(in: -99_999...99_999, using: &generator)) / 100)
      let thousandths = Double(generator.next() >> UInt64.random(in: 12...63, using: &generator)) / 1000
      reals += [thousandths, thousandths.nextUp, thousandths.nextDown, -thousandths]
    }
    let lines = try printed(reals.map(PropertyList.real), tag: "real")
    #expect(lines.count == reals.count)
    for (real, line) in zip(reals, lines) {
      let text = real.description
      #expect(line == (text.hasSuffix(".0") ? String(text.dropLast(2)) : text))
    }
  }

  @Test(arguments: ["1<![CDATA[5]]>", "<![CDATA[1]]>5", "<![CDATA[15]]>"])
  func realsWithCharacterDataSections(text: String) throws {
    let document = Data("<plist version=\"1.0\"><array><real>\(text)</real></array></plist>".utf8)
    #expect(try PropertyList(parsing: document) == .array([.real(15)]))
    #expect(try PlistDecoder().decode([Double].self, from: document) == [15])
  }

  @Test func integers() throws {
    var integers: [PropertyListInteger] = [.min, .max]
    var power: UInt64 = 1
    for _ in 0..<20 {
      integers += [power - 1, power, power + 1].map { PropertyListInteger($0) }
      integers.append(PropertyListInteger(-Int64(clamping: power)))
      power = power.multipliedReportingOverflow(by: 10).partialValue
    }
    var generator = SeededGenerator(seed: 6)
    for shift in UInt64(0)..<64 { integers.append(PropertyListInteger(generator.next() >> shift)) }
    #expect(try printed(integers.map(PropertyList.integer), tag: "integer") == integers.map(\.description))
  }

  @Test(arguments: 0...9)
  func base64(depth: Int) throws {
    var generator = SeededGenerator(seed: 7)
    for length in 0...130 {
      let data = Data((0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) })
      let value = (0..<depth).reduce(PropertyList.data(data)) { inner, _ in [inner] }
      let text = String(decoding: try value.data(format: .xml), as: UTF8.self)
      let start = try #require(text.range(of: "<data>\n")?.upperBound)
      let end = try #require(text.range(of: "</data>")?.lowerBound)
      let lines = text[start..<end].split(separator: "\n").dropLast(depth == 0 ? 0 : 1)
      let expected = data.base64EncodedString()
      #expect(lines.map { $0.drop { $0 == "\t" } }.joined() == expected)
      #expect(lines.allSatisfy { $0.count <= 76 - 7 * min(depth, 8) })
    }
  }

  @Test func escapes() throws {
    for length in 0...36 {
      for place in 0...length {
        let text = String(repeating: "a", count: place) + "<&>" + String(repeating: "é", count: length - place)
        let value = PropertyList.string(text)
        let xml = String(decoding: try value.data(format: .xml), as: UTF8.self)
        #expect(
          xml.contains(
            "<string>" + text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
              + "</string>\n"))
        let plain = PropertyList.string(String(repeating: "b", count: length))
        #expect(try PropertyList(parsing: plain.data(format: .xml)) == plain)
        #expect(try PropertyList(parsing: plain.data(format: .binary)) == plain)
      }
    }
  }

  private func printed(_ values: [PropertyList], tag: String) throws -> [String] {
    String(decoding: try PropertyList.array(values).data(format: .xml), as: UTF8.self)
      .split(separator: "\n").filter { $0.hasPrefix("\t<\(tag)>") }
      .map { String($0.dropFirst(tag.count + 3).dropLast(tag.count + 3)) }
  }
}
