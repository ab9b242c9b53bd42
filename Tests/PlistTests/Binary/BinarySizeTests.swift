import Foundation
import Plist
import Testing

struct BinarySizeTests {
  @Test(arguments: [1, 14, 15, 254, 255, 256, 257, 65_534, 65_535, 65_536, 65_537])
  func objectCounts(_ count: Int) throws {
    let value = PropertyList.array((0..<count - 1).map { .integer(PropertyListInteger($0)) })
    let data = try value.data(format: .binary)
    let trailer = [UInt8](data.suffix(32))
    #expect(trailer[8...15].reduce(0) { $0 << 8 | Int($1) } == count)
    #expect(trailer[7] == (count <= 255 ? 1 : count <= 65_535 ? 2 : 4))
    try expectFoundationReads(value, data)
  }

  @Test(arguments: [(200, 1), (300, 2), (65_400, 2), (66_000, 4), (16 << 20 + 1, 4)])
  func tableOffsets(size: Int, offsetSize: UInt8) throws {
    let value: PropertyList = ["blob": .data(Data(repeating: 7, count: size)), "after": "the blob"]
    let data = try value.data(format: .binary)
    #expect([UInt8](data.suffix(32))[6] == offsetSize)
    try expectFoundationReads(value, data)
  }

  @Test(arguments: isThorough ? [4_000, 65_000, 90_000] : [4_000, 70_000])
  func shortContainersAmongManyObjects(_ count: Int) throws {
    var objects = 0
    var outer: [PropertyList] = []
    while objects < count {
      let length = outer.count % 200
      let inner = PropertyList.array(
        (0..<length).map { index in
          switch index % 4 {
          case 0: .integer(PropertyListInteger(objects + index))
          case 1: ["x": .real(Double(objects + index)), "y": [], "z": [[:], [.string("\(index)")]]]
          case 2: [["a": ["b": .integer(PropertyListInteger(objects - index))]]]
          default: .string("the same again")
          }
        })
      let isInDictionary = outer.count.isMultiple(of: 3)
      outer.append(isInDictionary ? ["inner": inner, "after": .integer(PropertyListInteger(length))] : inner)
      objects += 2 * length + 2
    }
    let value = PropertyList.array(outer)
    try expectFoundationReads(value, value.data(format: .binary))
    #expect(try PropertyList(parsing: PlistEncoder().encode(value)) == value)
  }

  @Test func uniquing() throws {
    let same: PropertyList = ["text", "text", 5, 5, 1.5, 1.5, .data(Data([1])), .data(Data([1])), true, true]
    #expect(try objectCount(same) == 6)
    let apart: PropertyList = [0.0, -0.0, 0, "é", "e\u{301}", "1", 1, 1.0, .data(Data("1".utf8))]
    #expect(try objectCount(apart) == 10)
    #expect(try PropertyList(parsing: apart.data(format: .binary)) == apart)
  }

  @Test func integersTakeTheFewestBytes() throws {
    let widths: [(PropertyListInteger, Int)] = [
      (0, 1), (255, 1), (256, 2), (65_535, 2), (65_536, 4), (4_294_967_295, 4), (4_294_967_296, 8),
      (9_223_372_036_854_775_807, 8), (9_223_372_036_854_775_808, 16), (18_446_744_073_709_551_615, 16), (-1, 8),
      (PropertyListInteger(Int64.min), 8),
    ]
    for (integer, width) in widths {
      // A binary document of one integer has a header, a marker byte, the integer, one offset and the trailer, in this
      // order.
      #expect(try PropertyList.integer(integer).data(format: .binary).count == 8 + 1 + width + 1 + 32)
    }
  }

  private func objectCount(_ value: PropertyList) throws -> Int {
    [UInt8](try value.data(format: .binary).suffix(32))[8...15].reduce(0) { $0 << 8 | Int($1) }
  }

  private func expectFoundationReads(_ value: PropertyList, _ data: Data) throws {
    let foundation = try unsafe PropertyListSerialization.propertyList(from: data, options: [], format: nil)
    let rewritten = try PropertyListSerialization.data(fromPropertyList: foundation, format: .binary, options: 0)
    #expect(try PropertyList(parsing: rewritten) == value)
    #expect(try PropertyList(parsing: data) == value)
    #expect(data.count <= rewritten.count)
  }
}
