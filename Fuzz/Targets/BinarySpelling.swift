import Foundation
import Plist

/// Writes the same property list as different binary documents.
struct BinarySpelling {
  private var choices: Choices
  private var objects: [[UInt8]] = []
  private var scalars: [(value: PropertyList, index: Int)] = []
  private let referenceSize: Int

  init(_ choices: Choices) {
    self.choices = choices
    referenceSize = self.choices.below(2) == 0 ? 2 : 2 + self.choices.below(7)
  }

  mutating func document(_ value: PropertyList) -> Data {
    if choices.flag() { objects.append([0x77]) }
    let top = add(value)
    if choices.flag() { objects.append([0xAF]) }

    var bytes = Array("bplist00".utf8)
    var offsets = [Int](repeating: 0, count: objects.count)
    let first = choices.below(objects.count)
    for step in objects.indices {
      let index = (first + step) % objects.count
      if choices.below(16) == 1 { bytes.append(0x0F) }
      offsets[index] = bytes.count
      bytes += objects[index]
    }
    let table = bytes.count
    let needed = table < 1 << 8 ? 1 : table < 1 << 16 ? 2 : 3
    let offsetSize = choices.flag() ? needed + choices.below(9 - needed) : needed
    for offset in offsets { bytes += Self.bigEndian(UInt64(offset), offsetSize) }
    bytes += [0, 0, 0, 0, 0, choices.flag() ? 1 : 0, UInt8(offsetSize), UInt8(referenceSize)]
    bytes += [objects.count, top, table].flatMap { Self.bigEndian(UInt64($0), 8) }
    return Data(bytes)
  }

  static func bigEndian(_ value: UInt64, _ width: Int) -> [UInt8] {
    (0..<width).reversed().map { $0 < 8 ? UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) : 0 }
  }

  private mutating func add(_ value: PropertyList) -> Int {
    switch value {
    case .array(let elements):
      let index = nextPosition()
      let references = elements.map { add($0) }
      objects[index] = marker(choices.below(8) == 1 ? 0xC0 : 0xA0, elements.count) + encoded(references)
      return index
    case .dictionary(let dictionary):
      let index = nextPosition()
      var keys = dictionary.map { add(.string($0.key)) }
      var values = dictionary.map { add($0.value) }
      if let first = keys.first, choices.below(16) == 1 {
        keys.append(first)
        values.append(add(.integer(7)))
      }
      objects[index] = marker(0xD0, keys.count) + encoded(keys) + encoded(values)
      return index
    default:
      if choices.below(4) > 0, let same = scalars.first(where: { $0.value == value }) { return same.index }
      objects.append(scalar(value))
      scalars.append((value, objects.count - 1))
      return objects.count - 1
    }
  }

  private mutating func nextPosition() -> Int {
    objects.append([])
    return objects.count - 1
  }

  private func encoded(_ references: [Int]) -> [UInt8] {
    references.flatMap { Self.bigEndian(UInt64($0), referenceSize) }
  }

  private mutating func marker(_ kind: UInt8, _ count: Int) -> [UInt8] {
    if count < 15, choices.below(8) != 1 { return [kind | UInt8(count)] }
    let power = choices.below(4)
    let width = max(1 << power, count < 256 ? 1 : 2)
    return [kind | 0x0F, 0x10 | UInt8(width.trailingZeroBitCount)] + Self.bigEndian(UInt64(count), width)
  }

  private mutating func scalar(_ value: PropertyList) -> [UInt8] {
    switch value {
    case .string(let text):
      if text.utf8.allSatisfy({ $0 < 0x80 }), text.isEmpty || choices.below(8) != 1 {
        return marker(0x50, text.utf8.count) + Array(text.utf8)
      }
      return marker(0x60, text.utf16.count) + text.utf16.flatMap { Self.bigEndian(UInt64($0), 2) }
    case .integer(let integer): return self.integer(integer)
    case .real(let real):
      if Double(Float(real)).bitPattern == real.bitPattern, choices.flag() {
        return [0x22] + Self.bigEndian(UInt64(Float(real).bitPattern), 4)
      }
      return [0x23] + Self.bigEndian(real.bitPattern, 8)
    case .boolean(let boolean): return [boolean ? 0x09 : 0x08]
    case .date(let date): return [0x33] + Self.bigEndian(date.timeIntervalSinceReferenceDate.bitPattern, 8)
    case .data(let data): return marker(0x40, data.count) + Array(data)
    case .uid(let uid):
      let needed = uid.value < 1 << 8 ? 1 : uid.value < 1 << 16 ? 2 : uid.value < 1 << 24 ? 3 : 4
      let width = choices.flag() ? needed + choices.below(9 - needed) : needed
      return [0x80 | UInt8(width - 1)] + Self.bigEndian(UInt64(uid.value), width)
    case .null, .array, .dictionary: return [0x00]
    }
  }

  private mutating func integer(_ integer: PropertyListInteger) -> [UInt8] {
    if integer.isNegative { return [0x13] + Self.bigEndian(0 &- integer.magnitude, 8) }
    let magnitude = integer.magnitude
    if magnitude > UInt64(Int64.max) { return [0x14] + Self.bigEndian(0, 8) + Self.bigEndian(magnitude, 8) }
    let needed = magnitude < 1 << 8 ? 0 : magnitude < 1 << 16 ? 1 : magnitude < 1 << 32 ? 2 : 3
    let power = choices.flag() ? needed + choices.below(5 - needed) : needed
    let width = 1 << power
    return [0x10 | UInt8(power)] + Self.bigEndian(magnitude, width)
  }
}
