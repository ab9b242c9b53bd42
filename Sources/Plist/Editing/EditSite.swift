/// A dictionary pair or an array element in the document being edited.
struct EditItem: Sendable {
  var key: PlistNode?
  var value: PlistNode

  /// The item's first entry in the index.
  var entry: Int { key?.index ?? value.index }

  /// Where the item begins in the source.
  var start: Int { key?.sourceOffset ?? value.sourceOffset }
}

/// A container in the document being edited, with the items that one path component selects.
///
/// Without pending edits, finding the items takes one pass over the container's entries, which stops at a selected
/// array element and decodes only keys with escapes. With pending edits, the items are looked up in ``EditedItems``.
struct EditContainer: Sendable {
  let node: PlistNode
  /// The number of items, including those added by pending edits.
  var count: Int
  /// The selected items: none, one, or several if a dictionary has duplicate keys.
  var matches: [(item: EditItem, previous: EditItem?)] = []
  var first: EditItem?
  /// Whether this is a dictionary with the key `CF$UID`.
  var hasUIDKey = false
  /// The last two items, if all items have been read.
  var end: (beforeLast: EditItem?, last: EditItem?)?

  // Changes made by pending edits. Items that they have added are not in the index, so they are not among the items
  // above.

  /// Whether finding out what the path component selects requires the edited bytes.
  var isUnknown = false
  /// Whether a pending edit has added the last pair next to another one, so no pair can be added at the end.
  var hasUnknownEnd = false
  /// Whether the component selects an element that a pending edit has added.
  var selectsAdded = false
  /// Whether pending edits have added the items before and after the selected one.
  var followsAdded = false
  var precedesAdded = false
  /// The first indexed element after the selected one, if a pending edit has added the selected one.
  var next: EditItem?
  /// The quotation marks of the last item, if a pending edit has added it.
  var quoting: EditQuoting?
  /// Whether nothing has been removed between the last two items or after them.
  var isEndIntact = true
  /// Whether the item that came after the selected one is still there.
  var isNextIntact = true

  init(_ node: PlistNode, count: Int) {
    self.node = node
    self.count = count
  }

  init(_ node: PlistNode, component: String) {
    self.init(node, count: node.count)
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

  /// Where the container begins; a `.strings` file begins at its first pair.
  var start: Int {
    let start = node.sourceOffset
    guard let first, node.document.text.entries[node.index + 1].offset == start else { return start }
    return first.start
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

  /// The item that a look-up finds: if there are several, the first in a binary document and the last in text.
  var match: EditItem? { (node.document.format.duplicateKeys == .firstWins ? matches.first : matches.last)?.item }
}

/// Where an edit takes place: the containers on its path, as far as they exist.
struct EditSite: Sendable {
  /// The containers on the path, outermost first; empty if the root is edited.
  private(set) var containers: [EditContainer] = []
  /// The path components after the last existing value.
  private(set) var missing: ArraySlice<String> = []
  /// Whether finding out what is on the path requires the edited bytes.
  private(set) var isUnknown = false

  /// Finds the containers on a path.
  ///
  /// `container` returns a container on the path with the items that a component selects in it.
  init(
    _ path: PropertyListPath, in root: PlistNode,
    container: (PlistNode, String) -> EditContainer = { EditContainer($0, component: $1) }
  ) throws(PlistError) {
    var node = root
    for (level, component) in path.components.enumerated() {
      guard node.kind == .dictionary || node.kind == .array else {
        let passed = PropertyListPath(components: path.components.prefix(level))
        throw Self.failure(
          "the value at \(passed.quotedInMessages) is not a container, but \(node.kind.withArticle)", node, path)
      }
      let container = container(node, component)
      containers.append(container)
      if container.isUnknown {
        isUnknown = true
        return
      }
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

  /// A hint at the key that may have been meant instead of the first missing one, or an empty string.
  var suggestion: String {
    guard let name = missing.first, let keys = container?.node.dictionary?.keys else { return "" }
    return NearMiss.suggestion(for: name, among: keys)
  }

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
  ///   container if there is no value at `path`.
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
        ? "has no key \"\((site.missing.first ?? "").shownInMessages())\"\(site.suggestion)"
        : "has \(count == 1 ? "one element" : "\(count) elements")"
      throw EditSite.failure("there is no value at \(path.quotedInMessages): \(holder) \(found)", container.node, path)
    }
    return match.value
  }
}
