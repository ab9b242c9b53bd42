extension BinaryObjectTable {
  /// Throws if there is not enough memory for what a reader of the whole document remembers about its objects.
  ///
  /// Nothing is checked if `object` is not the top object, because the reader then remembers only the objects it reads.
  func checkMemory(for object: Int?) throws(PlistError) {
    guard object == nil || object == topObject, !MemoryBlock.isAvailable(objectCount) else { return }
    throw .insufficientMemory(objectCount, for: .binary)
  }

  /// Counts the references to each object, up to 2, including the trailer's reference to the top object.
  ///
  /// This takes one pass, in time linear in the size of the document. If overlapping containers have more references
  /// than the document has bytes, every object counts as shared.
  func referenceCounts(in bytes: RawSpan) -> [UInt8] {
    var counts = [UInt8](repeating: 0, count: objectCount)
    counts[topObject] = 1
    var budget = bytes.byteCount
    // Where the previous dictionary's keys are, how many it has, and how many dictionaries in a row had the same keys.
    // A third reference changes nothing, so only two of these dictionaries are counted.
    var previous = (start: 0, count: 0, times: 0)
    for object in 0..<objectCount {
      let offset = offset(of: object, in: bytes)
      guard offset >= Self.magicSize, offset < tableOffset, bytes.byte(at: offset) >= 0xA0,
        let head = try? BinaryObject(at: offset, in: bytes, of: self)
      else { continue }
      let count = head.kind == .dictionary ? head.count * 2 : head.count
      budget -= count
      guard budget >= 0 else {
        for object in 0..<objectCount { counts[object] = 2 }
        return counts
      }
      var slot = head.start
      let end = slot + count * referenceSize
      if head.kind == .dictionary {
        let length = head.count * referenceSize
        if previous.count == head.count, bytes.hasSameBytes(at: previous.start, as: bytes, in: slot..<slot + length) {
          if previous.times == 2 { slot += length } else { previous.times += 1 }
        } else {
          previous = (slot, head.count, 1)
        }
      }
      while slot < end {
        let reference = references.number(at: slot, in: bytes)
        slot &+= referenceSize
        // An invalid reference is reported when it is read.
        guard reference < UInt64(counts.count) else { continue }
        let target = Int(truncatingIfNeeded: reference)
        counts[target] = min(counts[target] &+ 1, 2)
      }
    }
    return counts
  }
}
