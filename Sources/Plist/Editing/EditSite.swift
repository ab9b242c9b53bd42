/// A key-value pair of a dictionary, or an element of an array, in a document that is edited.
struct EditItem {
  var key: PlistNode?
  var value: PlistNode

  /// The position of the item in the source.
  var start: Int { key?.sourceOffset ?? value.sourceOffset }
}

/// A container of an edited document, with the items that one component of a path selects.
///
/// The initializer makes one pass over the entries of the container in the index, and decodes only keys with escapes.
/// In an array, the pass over the entries ends at the selected item.
struct EditContainer {
  let node: PlistNode
  /// The items that the path component selects: no item, one item, or several items if a dictionary has duplicate keys.
  private(set) var matches: [(item: EditItem, previous: EditItem?)] = []
  private(set) var first: EditItem?
  /// Whether the container is a dictionary with the key `CF$UID`.
  private(set) var hasUIDKey = false
  /// The last two items of the container, or nil if the initializer has not read all items.
  private var end: (beforeLast: EditItem?, last: EditItem?)?

  init(_ node: PlistNode, component: String) {
    self.node = node
    let index = node.kind == .array ? PropertyListPath.elementIndex(component) : nil
    node.document.source.withBytes { bytes in
      var position = 0
      var (beforeLast, last): (EditItem?, EditItem?)
      var children = Children(of: node, in: bytes)
      while let (key, value) = children.next(in: bytes) {
        let item = EditItem(key: key, value: value)
        if first == nil { first = item }
        if let key {
          let token = key.token(in: bytes)
          if key.isText(component, token: token, in: bytes) { matches.append((item, last)) }
          if key.isText(PropertyListUID.dictionaryKey, token: token, in: bytes) { hasUIDKey = true }
        }
        if let index, position == index {
          matches.append((item, last))
          return
        }
        (beforeLast, last) = (last, item)
        position += 1
      }
      end = (beforeLast, last)
    }
  }

  var last: EditItem? { (end ?? findEnd()).last }

  var beforeLast: EditItem? { (end ?? findEnd()).beforeLast }

  private func findEnd() -> (beforeLast: EditItem?, last: EditItem?) {
    var end: (beforeLast: EditItem?, last: EditItem?)
    node.document.source.withBytes { bytes in
      var children = Children(of: node, in: bytes)
      while let (key, value) = children.next(in: bytes) { end = (end.last, EditItem(key: key, value: value)) }
    }
    return end
  }

  var isDictionary: Bool { node.kind == .dictionary }

  /// The item that a look-up of the path component finds, or nil if no item matches.
  ///
  /// If a key occurs more than once, the look-up finds the first item in a binary document, and the last item in a text
  /// document.
  var match: EditItem? { (node.document.format.duplicateKeys == .firstWins ? matches.first : matches.last)?.item }
}

/// A list of the existing containers on the path of an edit.
struct EditSite {
  /// The existing containers on the path, from the outermost to the innermost; an edit of the root has no containers.
  private(set) var containers: [EditContainer] = []
  /// The components of the path after the last existing value.
  private(set) var missing: ArraySlice<String> = []

  init(_ path: PropertyListPath, in root: PlistNode) throws(PlistError) {
    var node = root
    for (level, component) in path.components.enumerated() {
      guard node.kind == .dictionary || node.kind == .array else {
        let passed = PropertyListPath(components: path.components.prefix(level))
        throw Self.failure(
          "the value at \(passed.quotedInMessages) is not a container, but \(node.kind.withArticle)", node, path)
      }
      let container = EditContainer(node, component: component)
      containers.append(container)
      guard let match = container.match else {
        missing = path.components[level...]
        if node.kind == .array, PropertyListPath.elementIndex(component) == nil {
          throw Self.failure("\"\(component.shownInMessages())\" is not an index of an array", node, path)
        }
        return
      }
      node = match.value
    }
  }

  var container: EditContainer? { containers.last }

  static func failure(_ message: String, _ node: PlistNode, _ path: PropertyListPath) -> PlistError {
    PlistError(
      code: .unreachablePath, message: message, format: node.document.format, offset: node.sourceOffset, path: path,
      source: node.document.source)
  }
}

extension PlistDocument {
  /// Returns the value at a path.
  ///
  /// - Throws: ``PlistError`` with the code ``PlistError/Code/unreachablePath`` and the position of the innermost
  ///   container, if the document has no value at the path.
  package func existing(at path: PropertyListPath) throws(PlistError) -> PlistNode {
    let site = try EditSite(path, in: root)
    guard let container = site.container else { return root }
    guard site.missing.isEmpty, let match = container.match else {
      let passed = PropertyListPath(components: path.components.dropLast(site.missing.count))
      let count = container.node.count
      let holder =
        passed.isRoot ? "the \(container.node.kind)" : "the \(container.node.kind) at \(passed.quotedInMessages)"
      let found =
        container.isDictionary
        ? "has no key \"\((site.missing.first ?? "").shownInMessages())\""
        : "has \(count == 1 ? "one element" : "\(count) elements")"
      throw EditSite.failure("there is no value at \(path.quotedInMessages): \(holder) \(found)", container.node, path)
    }
    return match.value
  }
}
