import Foundation

struct BinaryDocument: Sendable, CustomStringConvertible {
  var data: Data
  var description: String

  init(_ objects: [[UInt8]], description: String = "objects") {
    var bytes = Array("bplist00".utf8)
    var table: [UInt8] = []
    for object in objects {
      table += Self.bigEndian(bytes.count, width: 4)
      bytes += object
    }
    let tableOffset = bytes.count
    bytes += table
    bytes += [0, 0, 0, 0, 0, 0, 4, UInt8(Self.referenceSize(objects.count))]
    bytes += Self.bigEndian(objects.count, width: 8) + Self.bigEndian(0, width: 8)
    bytes += Self.bigEndian(tableOffset, width: 8)
    data = Data(bytes)
    self.description = description
  }

  static func laughs(width: Int, levels: Int, leaf: [UInt8]) -> BinaryDocument {
    let size = referenceSize(levels + 1)
    let arrays = (1...levels).map { next in
      [0xA0 | UInt8(width)] + (0..<width).flatMap { _ in bigEndian(next, width: size) }
    }
    return BinaryDocument(arrays + [leaf], description: "\(width)^\(levels) of \(leaf)")
  }

  static func dictionaryLaughs(levels: Int) -> BinaryDocument {
    let (first, second) = (UInt8(levels + 1), UInt8(levels + 2))
    let dictionaries: [[UInt8]] = (1...levels).map { [0xD2, first, second, UInt8($0), UInt8($0)] }
    return BinaryDocument(
      dictionaries + [[0x09], [0x51, 0x61], [0x51, 0x62]], description: "2^\(levels) in dictionaries")
  }

  static func referenceSize(_ objects: Int) -> Int { objects > 255 ? 2 : 1 }

  static func bigEndian(_ value: Int, width: Int) -> [UInt8] {
    (0..<width).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
