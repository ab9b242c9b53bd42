extension BinaryObjectTable {
  /// The objects that are referred to more than once, or nil where there are none.
  ///
  /// It is one pass over all references, in time linear in the document: where containers overlap, so that there are
  /// more references than bytes, every object counts as shared instead.
  func sharedObjects(in bytes: RawSpan) -> BitSet? {
    // How often each object is referred to, as far as 2.
    var references = [UInt8](repeating: 0, count: objectCount)
    var budget = bytes.byteCount
    for object in 0..<objectCount {
      let offset = offset(of: object, in: bytes)
      guard offset >= Self.magicSize, bytes.byte(at: offset) >= 0xA0,
        let head = try? BinaryObject(at: offset, in: bytes, of: self)
      else { continue }
      let count = head.kind == .dictionary ? head.count * 2 : head.count
      budget -= count
      guard budget >= 0 else { return everyObject() }
      var slot = head.start
      for _ in 0..<count {
        let reference = bytes.bigEndian(at: slot, width: referenceSize)
        slot += referenceSize
        // What is out of range is refused when it is read.
        guard reference < UInt64(references.count) else { continue }
        let target = Int(truncatingIfNeeded: reference)
        references[target] = min(references[target] + 1, 2)
      }
    }
    var shared = BitSet(count: objectCount)
    var hasShared = false
    for (object, count) in references.enumerated() where count > 1 {
      shared.insert(object)
      hasShared = true
    }
    return hasShared ? shared : nil
  }

  private func everyObject() -> BitSet {
    var all = BitSet(count: objectCount)
    for object in 0..<objectCount { all.insert(object) }
    return all
  }
}
