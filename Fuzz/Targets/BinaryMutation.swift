/// A binary property list split into objects, which can be mutated without breaking the offset table and the trailer.
///
/// Random changes to bytes nearly always make the offset table invalid, and a reader that has checked the table doesn't
/// read any objects then. This type changes objects and then writes a new offset table and trailer, sometimes with one
/// field wrong.
public struct BinaryMutation {
  private var objects: [[UInt8]]
  private var top: Int
  private var referenceSize: Int
  private var offsetSize: Int

  /// Splits a binary property list into its objects.
  ///
  /// If that is impossible, the objects are an array and its element, the first 64 bytes.
  ///
  /// - Parameter document: Any bytes.
  public init(_ document: [UInt8]) {
    guard let layout = Layout(document) else {
      objects = [[0xA1, 1], Array(document.prefix(64))]
      (top, referenceSize, offsetSize) = (0, 1, 1)
      return
    }
    (top, referenceSize, offsetSize) = (layout.top, layout.referenceSize, layout.offsetSize)
    let starts = layout.offsets.sorted() + [layout.table]
    objects = layout.offsets.map { start in
      let end = starts.first { $0 > start } ?? layout.table
      return Array(document[start..<max(start, end)])
    }
  }

  /// Changes objects, the offset table or the trailer.
  ///
  /// - Parameter random: Chooses the mutation.
  /// - Returns: The mutated document.
  public mutating func mutated(using random: inout SeededGenerator) -> [UInt8] {
    for _ in 0..<Int.random(in: 0...3, using: &random) { changeObject(using: &random) }
    var document = assembled()
    if Int.random(in: 0..<3, using: &random) == 0 {
      Self.changeLayout(of: &document, objects.count, offsetSize, using: &random)
    }
    return document
  }

  private mutating func changeObject(using random: inout SeededGenerator) {
    let index = Int.random(in: 0..<objects.count, using: &random)
    let byte = objects[index].isEmpty ? 0 : Int.random(in: 0..<objects[index].count, using: &random)
    switch Int.random(in: 0..<12, using: &random) {
    case 0: objects[index] = Self.object(using: &random)
    case 1: objects.append(Self.object(using: &random))
    case 2: objects.append(objects[index])
    case 3 where objects.count > 1: objects.removeLast()
    case 4: top = Int.random(in: 0..<objects.count, using: &random)
    case 5: offsetSize = Int.random(in: 1...9, using: &random)
    case 6: referenceSize = Int.random(in: 1...9, using: &random)
    case 7 where !objects[index].isEmpty: objects[index].removeLast()
    case 8: objects[index].append(UInt8.random(in: 0...255, using: &random))
    case 9 where !objects[index].isEmpty: objects[index][0] &+= Bool.random(using: &random) ? 1 : 0xFF
    case 10 where !objects[index].isEmpty:
      objects[index][byte] = UInt8.random(in: 0...UInt8(clamping: objects.count), using: &random)
    case _ where !objects[index].isEmpty: objects[index][byte] = UInt8.random(in: 0...255, using: &random)
    default: break
    }
  }

  private static func object(using random: inout SeededGenerator) -> [UInt8] {
    let kinds: [UInt8] = [0x00, 0x10, 0x20, 0x30, 0x40, 0x50, 0x60, 0x80, 0xA0, 0xB0, 0xC0, 0xD0, 0xD0, 0xA0]
    var object = [(kinds.randomElement(using: &random) ?? 0) | UInt8.random(in: 0...15, using: &random)]
    if Int.random(in: 0..<4, using: &random) == 0 {
      let power = UInt8.random(in: 0...4, using: &random)
      object = [object[0] | 0x0F, 0x10 | power]
      let isHuge = Bool.random(using: &random)
      let width = 1 << Int(power)
      object += (0..<width).map { isHuge ? 0xFF : $0 == width - 1 ? UInt8.random(in: 0...20, using: &random) : 0 }
    }
    return object + (0..<Int.random(in: 0...16, using: &random)).map { _ in UInt8.random(in: 0...4, using: &random) }
  }

  private func assembled() -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    for object in objects {
      offsets.append(bytes.count)
      bytes += object
    }
    let table = bytes.count
    for offset in offsets { bytes += Self.bigEndian(offset, offsetSize) }
    bytes += [0, 0, 0, 0, 0, 0, UInt8(truncatingIfNeeded: offsetSize), UInt8(truncatingIfNeeded: referenceSize)]
    return bytes + Self.bigEndian(objects.count, 8) + Self.bigEndian(top, 8) + Self.bigEndian(table, 8)
  }

  private static func changeLayout(
    of document: inout [UInt8], _ count: Int, _ offsetSize: Int, using random: inout SeededGenerator
  ) {
    let end = document.count
    let field: Int
    switch Int.random(in: 0..<8, using: &random) {
    case 0, 1, 2:
      let entry = end - 32 - offsetSize * Int.random(in: 1...count, using: &random)
      field = Bool.random(using: &random) ? entry + offsetSize - 1 : entry
    case 3: field = end - 26
    case 4: field = end - 25
    case 5: field = end - (Bool.random(using: &random) ? 17 : 24)
    case 6: field = end - (Bool.random(using: &random) ? 9 : 16)
    default: field = end - (Bool.random(using: &random) ? 1 : 8)
    }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: document[field] &+= 1
    case 1: document[field] &-= 1
    case 2: document[field] = 0xFF
    default: document[field] = UInt8.random(in: 0...255, using: &random)
    }
  }

  private static func bigEndian(_ value: Int, _ width: Int) -> [UInt8] {
    (0..<width).reversed().map { $0 < 8 ? UInt8(truncatingIfNeeded: value >> (8 * $0)) : 0 }
  }
}

private struct Layout {
  let top: Int
  let table: Int
  let referenceSize: Int
  let offsetSize: Int
  let offsets: [Int]

  init?(_ document: [UInt8]) {
    guard document.count > 40, document.starts(with: "bplist0".utf8) else { return nil }
    func number(_ range: Range<Int>) -> Int? {
      let value = document[range].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      return Int(exactly: value)
    }
    let end = document.count
    offsetSize = Int(document[end - 26])
    referenceSize = Int(document[end - 25])
    guard let count = number(end - 24..<end - 16), let top = number(end - 16..<end - 8),
      let table = number(end - 8..<end), 1...9 ~= offsetSize, 1...256 ~= count, 0..<count ~= top, table >= 8,
      table <= end - 32 - count * offsetSize
    else { return nil }
    let size = offsetSize
    offsets = (0..<count).compactMap { number(table + $0 * size..<table + ($0 + 1) * size) }
    guard offsets.count == count, offsets.allSatisfy({ 8...table ~= $0 }) else { return nil }
    (self.top, self.table) = (top, table)
  }
}
