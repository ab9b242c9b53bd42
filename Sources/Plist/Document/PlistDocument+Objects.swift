extension PlistDocument {
  /// The counts of all objects, of objects with several references, and of objects without a reference in a binary
  /// document.
  ///
  /// For a text document, `objectCounts` is nil.
  ///
  /// - Complexity: O(*n*) in the length of the document.
  package var objectCounts: (all: Int, shared: Int, unused: Int)? {
    guard case .binary(let table) = storage.backing else { return nil }
    let counts = storage.source.withBytes { table.referenceCounts(in: $0) }
    return (counts.count, counts.count { $0 > 1 }, counts.count { $0 == 0 })
  }
}
