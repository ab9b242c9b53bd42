extension PlistDocument {
  /// The counts of all objects of a binary document, of objects to which several references refer, and of objects to
  /// which no reference refers.
  ///
  /// For a text document, `objectCounts` is nil.
  ///
  /// - Complexity: O(*n*) in the length of the document.
  package var objectCounts: (all: Int, shared: Int, unused: Int)? {
    guard index.kind == .binary else { return nil }
    return index.source.withBytes { bytes in
      let counts = index.table.referenceCounts(in: bytes)
      var (shared, unused) = (0, 0)
      for object in 0..<index.table.objectCount {
        if counts[object] > 1 { shared += 1 }
        if counts[object] == 0 { unused += 1 }
      }
      return (index.table.objectCount, shared, unused)
    }
  }
}
