extension PlistNode {
  /// The value of `key`, or nil if the key is missing or the node is not a dictionary.
  ///
  /// If a key occurs twice, the result is the last value in text formats, and the first value in binary documents. In a
  /// malformed binary dictionary, the subscript finds only the pairs before the first malformed pair. If the total size
  /// of a dictionary's long keys exceeds ``PlistLimits/maximumExpansion``, the subscript finds only the pairs within
  /// this limit.
  ///
  /// - Complexity: O(*n*) in the number of pairs. In dictionaries with many pairs, O(1) after the first look-up.
  public subscript(key: String) -> PlistNode? {
    guard token.kind == .beginDictionary else { return nil }
    if count > NodeIndex.linearCount, let index = storage.cache.index(of: self) {
      return index.value(of: key).map { PlistNode(storage, $0) }
    }
    var found: PlistNode?
    var children = Children(of: self)
    while let (name, value) = children.next() {
      guard let name, name.isText(key) else { continue }
      found = value
      if storage.format == .binary { break }
    }
    return found
  }

  /// The element at `position`, or nil if the position is out of range or the node is not an array.
  ///
  /// - Complexity: O(1) in a binary document. In a text document, O(*n*) in the position. If an array in a text
  ///   document is large, only the first look-up takes O(*n*) time, and later look-ups take O(1) time.
  public subscript(position: Int) -> PlistNode? {
    guard position >= 0, position < count, token.kind == .beginArray else { return nil }
    if case .binary(let table) = storage.backing {
      // The array object is checked again, because a mapped file can change after the number of elements has been read.
      guard let object = uncheckedBinaryObject else { return nil }
      return storage.source.withBytes { bytes in
        (try? table.reference(at: object.start + position * table.referenceSize, in: bytes)).map {
          PlistNode(storage, $0)
        }
      }
    }
    if count > NodeIndex.linearCount, let index = storage.cache.index(of: self) {
      return PlistNode(storage, index.values[position])
    }
    var children = Children(of: self)
    for _ in 0..<position { _ = children.next() }
    return children.next()?.value
  }

  /// The value at `path`, or nil if there is no value at this path.
  public subscript(path: PropertyListPath) -> PlistNode? {
    let (node, isWhole) = lastNode(on: path)
    return isWhole ? node : nil
  }

  /// Returns the value at `path`, or nil if there is no value at this path.
  ///
  /// If a malformed object or an invalid reference of a binary document can hide the value, the method throws an error.
  func node(at path: PropertyListPath) throws(PlistError) -> PlistNode? {
    let (node, isWhole) = lastNode(on: path)
    if isWhole { return node }
    guard case .binary = storage.backing else { return nil }
    if !node.isWellFormed { _ = try node.read() }
    var children = Children(of: node)
    while let child = children.nextChild() {
      if child.value.isMalformedReference { _ = try child.value.read() }
    }
    return nil
  }

  /// Returns the last existing node on `path`, and whether this node is the value at `path`.
  private func lastNode(on path: PropertyListPath) -> (node: PlistNode, isWhole: Bool) {
    var node = self
    for component in path.components {
      let next: PlistNode?
      if node.token.kind == .beginArray {
        next = PropertyListPath.elementIndex(component).flatMap { node[$0] }
      } else {
        next = node[component]
      }
      guard let next else { return (node, false) }
      node = next
    }
    return (node, true)
  }

  package func isText(_ text: String) -> Bool {
    let token = token
    guard token.kind == .string || token.kind == .key else { return false }
    // Many references can refer to one long string, so the bytes of the string are validated only if the string equals
    // `text`.
    let isEqual = storage.source.withBytes { bytes in
      switch token.form {
      case .ascii, .utf8, .bytes, .base64, .hexadecimal:
        return text.withByteSpan { $0.hasSameBytes(as: bytes.extracting(token.range)) }
      case .utf16BigEndian, .utf16LittleEndian:
        // A UTF-16 code unit becomes one to three bytes of UTF-8. If the string equals `text`, `text` therefore has one
        // to three UTF-8 bytes for each UTF-16 code unit of the string.
        let units = token.range.count / 2
        guard text.utf8.count >= units, text.utf8.count <= 3 * units else { return false }
        return bytes.decodedText(token).hasSameBytes(as: text)
      case .escapedXML, .escapedOpenStep, .escapedJSON, .inline, .genericKey:
        return bytes.decodedText(token).hasSameBytes(as: text)
      }
    }
    return isEqual && isWellFormed
  }
}
