/// Takes out of a binary property list the objects that nothing refers to.
///
/// For documents of this package's own, in which objects are one behind the other.
struct BinaryCompaction {
  private let table: BinaryObjectTable
  /// The new number of each object, or -1 where nothing refers to it.
  private var numbers: [Int]
  private var count = 0

  /// The document without the objects that its top object does not lead to; takes time linear in its length.
  static func compacted(_ document: ByteBuffer) throws -> ByteBuffer {
    try document.withSpan { bytes in
      var compaction = try BinaryCompaction(bytes)
      try compaction.mark(bytes)
      return try compaction.copy(bytes)
    }
  }

  private init(_ bytes: RawSpan) throws {
    table = try BinaryObjectTable(bytes)
    numbers = [Int](repeating: -1, count: table.objectCount)
  }

  /// Numbers the objects that the top one leads to, in the order they have.
  private mutating func mark(_ bytes: RawSpan) throws {
    var waiting = [table.topObject]
    numbers[table.topObject] = 0
    while let object = waiting.popLast() {
      try forEachReference(of: object, bytes) { reference in
        if numbers[reference] < 0 {
          numbers[reference] = 0
          waiting.append(reference)
        }
      }
    }
    for object in numbers.indices where numbers[object] == 0 {
      numbers[object] = count
      count += 1
    }
  }

  private func forEachReference(of object: Int, _ bytes: RawSpan, _ body: (Int) -> Void) throws {
    let head = try BinaryObject(at: table.offset(of: object, in: bytes), in: bytes, of: table)
    guard head.kind == .array || head.kind == .dictionary else { return }
    for index in 0..<head.count * (head.kind == .array ? 1 : 2) {
      body(try table.reference(at: head.start + index * table.referenceSize, in: bytes))
    }
  }

  private func copy(_ bytes: RawSpan) throws -> ByteBuffer {
    var copy = ByteBuffer(capacity: bytes.byteCount)
    copy.append("bplist00")
    let referenceSize = BinaryEncoding.size(for: UInt64(count))
    var offsets: [Int] = []
    let starts = numbers.indices.map { table.offset(of: $0, in: bytes) }
    let order = starts.sorted() + [table.tableOffset]
    for object in numbers.indices where numbers[object] >= 0 {
      offsets.append(copy.count)
      let head = try BinaryObject(at: starts[object], in: bytes, of: table)
      if head.kind == .array || head.kind == .dictionary {
        BinaryEncoding.appendMarker(head.kind == .array ? 0xA0 : 0xD0, count: head.count, to: &copy)
        try forEachReference(of: object, bytes) { copy.append(bigEndian: UInt64(numbers[$0]), width: referenceSize) }
      } else {
        copy.append(bytes.extracting(starts[object]..<order.first(after: starts[object])))
      }
    }
    let start = copy.count
    let offsetSize = BinaryEncoding.size(for: UInt64(start))
    for offset in offsets { copy.append(bigEndian: UInt64(offset), width: offsetSize) }
    copy.appendBinaryTrailer(
      offsetSize: offsetSize, referenceSize: referenceSize, objects: count, top: numbers[table.topObject], table: start)
    return copy
  }
}

extension ByteBuffer {
  /// Appends the end of a binary property list: see ``BinaryObjectTable``.
  mutating func appendBinaryTrailer(offsetSize: Int, referenceSize: Int, objects: Int, top: Int, table: Int) {
    own()
    write(upTo: BinaryObjectTable.trailerSize) { cursor in
      cursor.put(word: 0, width: 6)
      cursor.put(UInt8(offsetSize))
      cursor.put(UInt8(referenceSize))
      cursor.put(bigEndian: UInt64(objects), width: 8)
      cursor.put(bigEndian: UInt64(top), width: 8)
      cursor.put(bigEndian: UInt64(table), width: 8)
    }
  }
}

extension [Int] {
  /// The first element that is greater than `value`, in an array in ascending order that has one.
  fileprivate func first(after value: Int) -> Int {
    var (low, high) = (0, count - 1)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] > value { high = middle } else { low = middle + 1 }
    }
    return self[low]
  }
}
