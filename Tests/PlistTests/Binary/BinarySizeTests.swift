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
    #expect(trailer[7] == (count <= 255 ? 1 : count <= 65_535 ? 2 : 3))
    try expectFoundationReads(value, data)
  }

  @Test(arguments: [(200, 1), (300, 2), (65_400, 2), (66_000, 3), (16 << 20 - 100, 3), (16 << 20 + 1, 4)])
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

  /// When a stream writes the first reference beyond 65,535, it does not know how many objects will follow.
  @Test func referencesOfStreamsTakeFourBytes() throws {
    for count in [65_534, 65_535, 70_000] {
      var stream = try PlistStreamEncoder(to: Data())
      for number in 0..<count { try stream.encode(number) }
      let data = try stream.finish()
      #expect([UInt8](data.suffix(32))[6...7] == [3, count < 65_535 ? 2 : 4])
      try expectFoundationReads(.array((0..<count).map { PropertyList($0) }), data, isSmallest: false)
    }
  }

  private struct Row: Codable {
    var id: Int
    var name: String
    var amount: Double
    var ratio: Float
    var isActive: Bool
    var tags: [String]
    var limits: [String: Int]
  }

  @Test(arguments: isThorough ? [10_000, 20_000, 50_000, 100_000] : [10_000, 20_000])
  func modelsAreNoLargerThanFoundations(count: Int) throws {
    let rows = (0..<count).map { number in
      Row(
        id: number, name: "row \(number)", amount: Double(number) / 3, ratio: Float(number) / 4,
        isActive: number.isMultiple(of: 3), tags: ["tag \(number % 50)", "all"], limits: ["cpu": number % 7, "gpu": 1])
    }
    let foundation = PropertyListEncoder()
    foundation.outputFormat = .binary
    let ours = try PlistEncoder().encode(rows)
    #expect(try ours.count <= foundation.encode(rows).count)
    #expect(try PropertyListDecoder().decode([Row].self, from: ours).count == count)
    try expectFoundationReads(PropertyList(parsing: ours), ours)
  }

  // MARK: Reals

  /// How many bytes wide the reals of a binary document are.
  private func realWidths(_ data: Data) -> [Int] {
    let bytes = [UInt8](data)
    var (offset, widths) = (8 + bytes[8...].prefix { $0 & 0xF0 != 0x20 }.count, [Int]())
    while bytes[offset] & 0xFC == 0x20 {
      widths.append(1 << Int(bytes[offset] & 3))
      offset += 1 + (widths.last ?? 0)
    }
    return widths
  }

  private static let short: [Double] = [0, -0.0, 1.5, Double(Float(0.1)), .infinity, -.infinity, .nan, 16_777_216]
  private static let long: [Double] = [0.1, 1e300, 16_777_217, Double(Float.leastNonzeroMagnitude) / 2]

  @Test func realsOfFourBytesStaySo() throws {
    let data = try PlistEncoder().encode(Self.short.map { Float($0) })
    #expect(realWidths(data) == Self.short.map { _ in 4 })
    let list = try PropertyList(parsing: data)
    #expect(try list.data(format: .binary) == data)
    #expect(list.array?.compactMap(\.double).map(\.bitPattern) == Self.short.map(\.bitPattern))
    // A real keeps its width inside a model and in a stream.
    #expect(try realWidths(PlistEncoder().encode(list)) == Self.short.map { _ in 4 })
    #expect(try realWidths(PlistEncoder().encode([1.5 as PropertyList])) == [4])
    #expect(try realWidths(PlistEncoder().encode([1.5 as Double])) == [8])
    var events = PlistEventWriter(to: Data(), format: .binary)
    try events.write(list)
    #expect(try realWidths(events.finish()) == Self.short.map { _ in 4 })
    try expectFoundationReads(list == list ? list : .array(Array(list.array?.filter { $0 == $0 } ?? [])), data)
  }

  @Test func realsThatNeedEightBytesHaveThem() throws {
    let list = PropertyList.array(Self.long.map { .real($0) })
    let data = try list.data(format: .binary)
    #expect(realWidths(data) == Self.long.map { _ in 8 })
    try expectFoundationReads(list, data)
  }

  /// As in Foundation's encoder, the type in the model decides.
  @Test func realsOfModelsHaveTheWidthOfTheirType() throws {
    struct Pair: Encodable, PlistEncodable {
      func encode(to encoder: any Encoder) throws { try [1.5].encode(to: encoder) }
      func encode(to encoder: inout PlistValueEncoder) throws { try encoder.encode([1.5]) }
    }
    let foundation = PropertyListEncoder()
    foundation.outputFormat = .binary
    #expect(try PlistEncoder().encode([1.5]).count == foundation.encode([1.5]).count)
    #expect(try PlistEncoder().encode([Float(1.5)]).count == foundation.encode([Float(1.5)]).count)
    #expect(try PlistEncoder().encode(Pair()).count == foundation.encode([1.5]).count)
    #expect(try realWidths(PlistEncoder().encode([1.5])) == [8])
    #expect(try realWidths(PlistEncoder().encode([Float(1.5)])) == [4])
    var stream = try PlistStreamEncoder(to: Data())
    try stream.encode(1.5)
    try stream.encode(Float(2.5))
    #expect(try realWidths(stream.finish()) == [8, 4])
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
      // A binary document of one integer: a header, a marker byte, the integer, one offset, and the trailer.
      #expect(try PropertyList.integer(integer).data(format: .binary).count == 8 + 1 + width + 1 + 32)
    }
  }

  private func objectCount(_ value: PropertyList) throws -> Int {
    [UInt8](try value.data(format: .binary).suffix(32))[8...15].reduce(0) { $0 << 8 | Int($1) }
  }

  private func expectFoundationReads(_ value: PropertyList, _ data: Data, isSmallest: Bool = true) throws {
    let foundation = try unsafe PropertyListSerialization.propertyList(from: data, options: [], format: nil)
    let rewritten = try PropertyListSerialization.data(fromPropertyList: foundation, format: .binary, options: 0)
    #expect(try PropertyList(parsing: rewritten) == value)
    #expect(try PropertyList(parsing: data) == value)
    if isSmallest { #expect(data.count <= rewritten.count) }
  }
}
