import Foundation
import Testing

@testable import Plist

/// In containers of every size, look-ups find the same children with and without a table.
@Suite struct LookUpTests {
  /// Keys that are ASCII, need escapes or UTF-16, or are equal to Swift's `==`.
  private static func keys(_ count: Int) -> [String] {
    (0..<count).map { number in
      switch number % 6 {
      case 0: "key \(number)"
      case 1: "k&<\"\(number)\\"
      case 2: "cafe\u{301} \(number - 1)"
      case 3: "caf\u{E9} \(number - 2)"
      case 4: String(repeating: "long ", count: 20) + "\(number)"
      default: "\u{1F600}\(number)"
      }
    }
  }

  private static func ascii(_ text: String) -> [UInt8] { [0x50 | UInt8(text.utf8.count)] + Array(text.utf8) }

  @Test(arguments: [PlistFormat.xml, .binary, .openStep, .json], [0, 1, 12, 13, 600])
  func everyKeyIsFound(_ format: PlistFormat, _ count: Int) throws {
    let keys = Self.keys(count)
    var dictionary = PropertyListDictionary()
    for (number, key) in keys.enumerated() { dictionary[key] = .string("\(number)") }
    let root = try PlistDocument(parsing: try PropertyList.dictionary(dictionary).data(format: format)).root
    for _ in 0..<3 {
      for (number, key) in keys.enumerated() { #expect(root[key]?.string == "\(number)") }
      for missing in ["", "key", "key 01", "\u{1F600}", "\u{E9}"] { #expect(root[missing] == nil) }
      #expect(root[0] == nil)
    }
  }

  @Test(arguments: [PlistFormat.xml, .binary, .openStep, .json], [0, 1, 12, 13, 600])
  func everyElementIsFound(_ format: PlistFormat, _ count: Int) throws {
    let values = (0..<count).map { number -> PropertyList in
      number % 3 == 0 ? .array([.string("a"), .string("\(number)")]) : .string("\(number)")
    }
    let root = try PlistDocument(parsing: try PropertyList.array(values).data(format: format)).root
    for _ in 0..<3 {
      for position in (0..<count).reversed() { #expect(try root[position]?.propertyList() == values[position]) }
      #expect(root[-1] == nil)
      #expect(root[count] == nil)
      #expect(root["a"] == nil)
    }
  }

  @Test(arguments: [3, 40])
  func aRepeatedKeyIsFoundAsInValues(_ count: Int) throws {
    let pairs = (0..<count).map { "<key>k\($0 / 3)</key><string>\($0)</string>" }.joined()
    let xml = try PlistDocument(parsing: Data("<plist><dict>\(pairs)</dict></plist>".utf8)).root
    // The same pairs in binary: objects from 1 on are the keys, then the values.
    let names = (0..<(count + 2) / 3).map { Self.ascii("k\($0)") }
    let values = (0..<count).map { Self.ascii("\($0)") }
    let references = (0..<count).map { UInt8(1 + $0 / 3) } + (0..<count).map { UInt8(1 + names.count + $0) }
    let head: [UInt8] = count < 15 ? [0xD0 | UInt8(count)] : [0xDF, 0x10, UInt8(count)]
    let binary = try PlistDocument(parsing: BinaryDocument([head + references] + names + values).data).root
    for _ in 0..<3 {
      for key in 0..<names.count {
        #expect(xml["k\(key)"]?.string == "\(min(3 * key + 2, count - 1))")
        #expect(binary["k\(key)"]?.string == "\(3 * key)")
      }
    }
  }

  /// A look-up finds the pairs before the first malformed one, with and without a table.
  @Test(arguments: [5, 40])
  func pairsAfterAMalformedKeyAreMissing(_ count: Int) throws {
    let names = (0..<count).map { $0 == 3 ? [0x51, 0xFF] : Self.ascii("k\($0)") }
    let references = (0..<count).map { UInt8(1 + $0) } + [UInt8](repeating: UInt8(1 + count), count: count)
    let head: [UInt8] = count < 15 ? [0xD0 | UInt8(count)] : [0xDF, 0x10, UInt8(count)]
    let root = try PlistDocument(parsing: BinaryDocument([head + references] + names + [[0x09]]).data).root
    for _ in 0..<3 {
      for key in 0..<count { #expect(root["k\(key)"]?.bool == (key < 3 ? true : nil)) }
    }
  }
}
