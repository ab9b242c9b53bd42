extension PlistNode {
  /// The key-value pairs of a dictionary, with the nodes of the keys; empty if the node is not a dictionary.
  ///
  /// In a binary document, the list of pairs ends before the first malformed reference or key.
  package var members: [(key: String, keyNode: PlistNode, value: PlistNode)] {
    var result: [(key: String, keyNode: PlistNode, value: PlistNode)] = []
    var children = Children(of: self)
    guard children.isDictionary else { return [] }
    result.reserveCapacity(min(children.count, 1 << 16))
    return document.source.withBytes { bytes in
      while let (key, value) = children.next(in: bytes) {
        if let key { result.append((key.text(in: bytes) ?? "", key, value)) }
      }
      return result
    }
  }
}

extension PlistDocument {
  /// The maximum total size of strings and data in bytes, according to the limits with which the document was opened.
  package var payloadLimit: Int { index.options.limits.payload(inDocumentOf: byteCount) }
}
