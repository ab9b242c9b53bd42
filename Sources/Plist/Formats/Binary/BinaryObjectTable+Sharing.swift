extension BinaryObjectTable {
  /// Throws an error if there is no memory for what a reader remembers of each object; a reader from an `object` other
  /// than the top object remembers only those that it reads.
  func checkMemory(for object: Int?) throws(PlistError) {
    guard object == nil || object == topObject, !MemoryBlock.isAvailable(objectCount) else { return }
    throw .insufficientMemory(objectCount, for: .binary)
  }

  /// Returns the number of references to each object; for an object with more than two references, the number is 2.
  ///
  /// The trailer's reference to the top object counts as one reference.
  ///
  /// One pass counts all references, in time linear in the size of the document. A document with overlapping containers
  /// can have more references than bytes. If the document has more references than bytes, every object counts as
  /// shared.
  func referenceCounts(in bytes: RawSpan) -> [UInt8] {
    var counts = [UInt8](repeating: 0, count: objectCount)
    counts[topObject] = 1
    var budget = bytes.byteCount
    // `start` and `count` are the offset and the count of the previous dictionary's key references. `times` is the
    // number of consecutive dictionaries with the same keys whose key references have been counted. If more than two
    // consecutive dictionaries have the same keys, only the key references of two dictionaries are counted, because a
    // third reference changes no result.
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
        // A reference that is out of range is skipped; the reader throws an error when it reads this reference.
        guard reference < UInt64(counts.count) else { continue }
        let target = Int(truncatingIfNeeded: reference)
        counts[target] = min(counts[target] &+ 1, 2)
      }
    }
    return counts
  }
}
