extension PlistNode {
  /// The value of `key`, or nil if the key is missing or the node is not a dictionary.
  ///
  /// If a key occurs twice, the last value wins in text and the first one in binary documents. If a dictionary in a
  /// binary document is malformed, only the pairs before the first malformed one are found.
  ///
  /// - Complexity: O(*n*) in the number of pairs; in a large dictionary, O(1) from the third lookup on.
  public subscript(key: String) -> PlistNode? {
    document.withBytes { bytes in
      let children = Children(of: self, in: bytes)
      return children.isDictionary ? document.value(of: key, in: children, bytes).map { PlistNode(document, $0) } : nil
    }
  }

  /// The element at `position`, or nil if the position is out of range or the node is not an array.
  ///
  /// - Complexity: O(1) in a binary document. In text, O(*n*) in `position`; in a large array, O(1) from the third
  ///   lookup on.
  public subscript(position: Int) -> PlistNode? {
    if document.kind == .binary {
      let table = document.table
      return document.source.withBytes { bytes in
        guard let object = uncheckedBinaryObject(in: bytes), object.kind == .array, position >= 0,
          position < object.count,
          let element = try? table.reference(at: object.start + position * table.referenceSize, in: bytes)
        else { return nil }
        return PlistNode(document, element)
      }
    }
    let children = Children(of: self)
    guard children.isArray, position >= 0, position < children.count else { return nil }
    return PlistNode(document, document.element(at: position, in: children))
  }

  /// The value at `path`, or nil if there is none.
  public subscript(path: PropertyListPath) -> PlistNode? {
    let (node, isWhole) = lastNode(on: path)
    return isWhole ? node : nil
  }

  /// Returns the value at `path`, or nil if there is none.
  ///
  /// Throws if the value may be missing because of a malformed object or an invalid reference in a binary document.
  func node(at path: PropertyListPath) throws(PlistError) -> PlistNode? {
    let (node, isWhole) = lastNode(on: path)
    if isWhole { return node }
    guard document.kind == .binary else { return nil }
    if !node.isWellFormed { _ = try node.propertyList() }
    var children = Children(of: node)
    while let child = children.nextChild() {
      if child.value.isMalformedReference { _ = try child.value.propertyList() }
    }
    return nil
  }

  /// Returns the last node on `path` that exists, and whether it is the value at `path`.
  private func lastNode(on path: PropertyListPath) -> (node: PlistNode, isWhole: Bool) {
    var node = self
    for component in path.components {
      guard let next = node.child(component) else { return (node, false) }
      node = next
    }
    return (node, true)
  }

  /// Returns the value of the key `component` or, in an array, the element at that index; nil if there is none.
  func child(_ component: String) -> PlistNode? {
    if token.kind == .beginArray { return PropertyListPath.elementIndex(component).flatMap { self[$0] } }
    return self[component]
  }

  package func isText(_ text: String) -> Bool {
    document.source.withBytes { isText(text, token: token(in: $0), in: $0) }
  }

  /// Whether the value is a string or key that equals `text`; `token` must be the node's token.
  func isText(_ text: String, token: PlistToken, in bytes: RawSpan) -> Bool {
    // Many references can lead to one long string, so its bytes are validated only if it equals `text`.
    bytes.isText(text, of: token) && isWellFormed(in: bytes)
  }
}

extension RawSpan {
  /// Whether `token` is a string or key that equals `text`.
  func isText(_ text: String, of token: PlistToken) -> Bool {
    guard token.kind == .string || token.kind == .key else { return false }
    switch token.form {
    case .ascii, .utf8, .bytes, .base64, .hexadecimal, .rounded:
      return text.utf8.count == token.count && text.withByteSpan { $0.hasSameBytes(as: extracting(token.range)) }
    case .utf16BigEndian:
      // A UTF-16 code unit becomes one to three bytes of UTF-8, so `text` must have that many bytes per code unit.
      let units = token.range.count / 2
      guard text.utf8.count >= units, text.utf8.count <= 3 * units else { return false }
      var offset = token.range.lowerBound
      for unit in text.utf16 {
        guard offset < token.range.upperBound, bigEndian(at: offset, width: 2) == UInt64(unit) else { return false }
        offset += 2
      }
      return offset == token.range.upperBound
    case .escapedXML, .escapedOpenStep, .escapedJSON, .inline:
      // No escape is shorter than the character it encodes. If there is no memory to decode a key, it counts as
      // different.
      guard token.form == .inline || text.utf8.count <= token.count,
        token.count < MemoryBlock.largeSize || MemoryBlock.isAvailable(2 * token.count)
      else { return false }
      return decodedText(token).hasSameBytes(as: text)
    }
  }
}
