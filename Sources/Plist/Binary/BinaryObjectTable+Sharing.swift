extension BinaryObjectTable {
  /// The objects that are referred to more than once, or nil where there are none.
  ///
  /// It is one pass over all references, in time linear in the document: where containers overlap, so that there are
  /// more references than bytes, every object counts as shared instead.
  func sharedObjects(in bytes: RawSpan) -> BitSet? {
    var once = BitSet(count: objectCount)
    var twice = BitSet(count: objectCount)
    var hasShared = false
    var budget = bytes.byteCount
    for object in 0..<objectCount {
      let offset = offset(of: object, in: bytes)
      guard offset >= Self.magicSize, bytes.byte(at: offset) >= 0xA0,
        let head = try? BinaryObject(at: offset, in: bytes, of: self)
      else { continue }
      let references = head.kind == .dictionary ? head.count * 2 : head.count
      budget -= references
      guard budget >= 0 else { return everyObject() }
      for index in 0..<references {
        let reference = bytes.bigEndian(at: head.start + index * referenceSize, width: referenceSize)
        guard reference < UInt64(objectCount) else { continue }
        let target = Int(truncatingIfNeeded: reference)
        if once.contains(target) {
          twice.insert(target)
          hasShared = true
        } else {
          once.insert(target)
        }
      }
    }
    return hasShared ? twice : nil
  }

  private func everyObject() -> BitSet {
    var all = BitSet(count: objectCount)
    for object in 0..<objectCount { all.insert(object) }
    return all
  }
}
