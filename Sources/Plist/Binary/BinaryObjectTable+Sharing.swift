extension BinaryObjectTable {
  /// The objects that are referred to more than once, or nil where there are none.
  ///
  /// It takes time linear in the document; see ``referenceCounts(in:)``.
  func sharedObjects(in bytes: RawSpan) -> BitSet? {
    var shared = BitSet(count: objectCount)
    var hasShared = false
    for (object, count) in referenceCounts(in: bytes).enumerated() where count > 1 {
      shared.insert(object)
      hasShared = true
    }
    return hasShared ? shared : nil
  }

  /// How often each object is referred to, as far as 2; the top object once more.
  ///
  /// It is one pass over all references, in time linear in the document: where containers overlap, so that there are
  /// more references than bytes, every object counts as shared instead.
  func referenceCounts(in bytes: RawSpan) -> [UInt8] {
    var counts = [UInt8](repeating: 0, count: objectCount)
    counts[topObject] = 1
    var budget = bytes.byteCount
    // The keys of the dictionary before, which records of a table all have: counted twice, they need not be again.
    var known = (start: 0, count: 0, times: 0)
    for object in 0..<objectCount {
      let offset = offset(of: object, in: bytes)
      guard offset >= Self.magicSize, offset < tableOffset, bytes.byte(at: offset) >= 0xA0,
        let head = try? BinaryObject(at: offset, in: bytes, of: self)
      else { continue }
      let count = head.kind == .dictionary ? head.count * 2 : head.count
      budget -= count
      guard budget >= 0 else { return [UInt8](repeating: 2, count: objectCount) }
      var slot = head.start
      let end = slot + count * referenceSize
      if head.kind == .dictionary {
        let length = head.count * referenceSize
        if known.count == head.count, bytes.areEqual(known.start, slot, length: length) {
          if known.times == 2 { slot += length } else { known.times += 1 }
        } else {
          known = (slot, head.count, 1)
        }
      }
      while slot < end {
        let reference = references.number(at: slot, in: bytes)
        slot &+= referenceSize
        // What is out of range is refused when it is read.
        guard reference < UInt64(counts.count) else { continue }
        let target = Int(truncatingIfNeeded: reference)
        counts[target] = min(counts[target] &+ 1, 2)
      }
    }
    return counts
  }
}
