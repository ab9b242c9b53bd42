/// The items of a container as pending edits leave them, kept so a look-up doesn't have to scan the container.
struct EditedItems: Sendable {
  private let node: PlistNode
  /// The first entry of each indexed item that has not been removed, in order.
  private var entries: ChunkedList<Int>
  /// The elements of an array that something has been added to: entries, and `~n` for element *n* of ``additions``.
  private var elements: ChunkedList<Int>?
  /// The elements added to an array; `next` is the entry that an element was inserted before.
  private var additions: [(splices: [EditSplice], next: Int?)] = []
  /// The first entry of each pair by key, or ``addedPair`` for a pair that was added.
  private var keys: [ExactKey: Int]
  private let duplicates: Set<ExactKey>
  private var addedPairs = 0
  /// The items that pairs have been added next to, and the last pair added at each place.
  private var neighbours: [ExactKey: EditItem] = [:]
  private var lastAdded: [Int: ExactKey] = [:]
  /// The offset at which items have been added at the end.
  private(set) var endOfItems: Int?
  private var quoting: EditQuoting?
  /// Whether the last pair was added next to another one.
  private var hasUnknownEnd = false
  /// Whether the last indexed item was removed after other items had been added at the end.
  ///
  /// The item that is now last is not in the index, so no edit that depends on it can be pending.
  private(set) var hasLostEnd = false

  private static let addedPair = -1

  init(of node: PlistNode) {
    self.node = node
    var entries: [Int] = []
    var keys: [ExactKey: Int] = [:]
    var duplicates: Set<ExactKey> = []
    node.document.source.withBytes { bytes in
      var children = Children(of: node, in: bytes)
      while let (key, value) = children.next(in: bytes) {
        entries.append((key ?? value).index)
        guard let key, let text = key.text(in: bytes) else { continue }
        if keys.updateValue(key.index, forKey: ExactKey(text)) != nil { duplicates.insert(ExactKey(text)) }
      }
    }
    self.entries = ChunkedList(entries)
    self.keys = keys
    self.duplicates = duplicates
  }

  private var isDictionary: Bool { node.kind == .dictionary }

  private func item(_ entry: Int) -> EditItem {
    let document = node.document
    guard isDictionary else { return EditItem(key: nil, value: PlistNode(document, entry)) }
    return EditItem(key: PlistNode(document, entry), value: PlistNode(document, entry + 1))
  }

  /// Returns the first entry after an item in the index.
  private func entry(after entry: Int) -> Int { node.document.text.next(after: isDictionary ? entry + 1 : entry) }

  private func position(atLeast entry: Int) -> Int { entries.firstPosition { $0 >= entry } }

  func container(for component: String) -> EditContainer {
    let left = entries.count
    var container = EditContainer(node, count: elements?.count ?? left + addedPairs)
    // If all indexed items have been removed, new items copy the layout of items that are not in the index.
    guard left > 0 || node.count == 0 else {
      container.isUnknown = true
      return container
    }
    container.hasUIDKey = keys[ExactKey(PropertyListUID.dictionaryKey)] != nil
    container.quoting = quoting
    container.first = left > 0 ? item(entries[0]) : nil
    let (beforeLast, last) = (left > 1 ? entries[left - 2] : nil, left > 0 ? entries[left - 1] : nil)
    container.end = (beforeLast.map(item), last.map(item))
    container.isEndIntact =
      (beforeLast.map { entry(after: $0) == last } ?? true)
      && (last.map { entry(after: $0) == node.document.text.next(after: node.index) } ?? true)
    if isDictionary {
      let key = ExactKey(component)
      guard let entry = keys[key] else {
        container.hasUnknownEnd = hasUnknownEnd || hasLostEnd
        return container
      }
      if entry == Self.addedPair || duplicates.contains(key) {
        container.isUnknown = true
      } else {
        select(entry, in: &container)
      }
    } else if let index = PropertyListPath.elementIndex(component), index < container.count {
      let element = elements?[index] ?? entries[index]
      if element >= 0 {
        select(element, in: &container)
        container.followsAdded = index > 0 && elements.map { $0[index - 1] < 0 } ?? false
        container.precedesAdded = index + 1 < container.count && elements.map { $0[index + 1] < 0 } ?? false
      } else {
        let next = additions[~element].next
        container.next = next.map(item)
        container.isUnknown = true
        // Another element can be inserted at the same place as long as the element after it has not been removed.
        container.selectsAdded = next.map { isLeft($0) } ?? true
      }
    }
    return container
  }

  private func isLeft(_ entry: Int) -> Bool {
    let position = position(atLeast: entry)
    return position < entries.count && entries[position] == entry
  }

  /// Whether `item` is the last indexed item that has not been removed.
  private func isLast(_ item: EditItem) -> Bool { entries.count > 0 && entries[entries.count - 1] == item.entry }

  private func select(_ entry: Int, in container: inout EditContainer) {
    let position = position(atLeast: entry)
    container.matches = [(item(entry), position > 0 ? item(entries[position - 1]) : nil)]
    container.isNextIntact =
      position + 1 == entries.count || entries[position + 1] == self.entry(after: entry)
  }

  // MARK: Changing

  mutating func remove(_ item: EditItem, at component: String) {
    if endOfItems != nil, isLast(item) { hasLostEnd = true }
    entries.remove(at: position(atLeast: item.entry))
    if isDictionary {
      keys[ExactKey(component)] = nil
    } else if let index = PropertyListPath.elementIndex(component) {
      elements?.remove(at: index)
    }
  }

  /// Returns the item after `item` in the index, skipping removed ones.
  func item(after item: EditItem) -> EditItem? {
    let next = position(atLeast: item.entry + 1)
    return next < entries.count ? self.item(entries[next]) : nil
  }

  mutating func rename(_ item: EditItem, from component: String, to key: String) {
    keys[ExactKey(component)] = nil
    keys[ExactKey(key)] = item.entry
  }

  /// Adds a pair next to an item, after the pair with the key `last` if that was added there.
  ///
  /// - Returns: Whether the pair was added; false if other pairs have been added at that place.
  mutating func addPair(_ component: String, at place: Int, beside item: EditItem, after last: String?) -> Bool {
    guard !hasLostEnd || !isLast(item), lastAdded[place] == last.map({ ExactKey($0) }),
      endOfItems != place || last != nil
    else { return false }
    keys[ExactKey(component)] = Self.addedPair
    addedPairs += 1
    neighbours[ExactKey(component)] = item
    lastAdded[place] = ExactKey(component)
    if endOfItems == place || isLast(item) {
      // The new pair is now the last one, and its quotation marks are only in the edited bytes.
      endOfItems = nil
      hasUnknownEnd = true
    }
    return true
  }

  /// Whether pairs have been added at an offset.
  func hasAdditions(at place: Int) -> Bool { lastAdded[place] != nil }

  func hasAdditions(within range: Range<Int>) -> Bool { lastAdded.keys.contains { range.contains($0) } }

  /// Returns the item with a key or, if the pair with that key was added, the item it was added next to.
  func place(of key: String) -> (item: EditItem?, isAdded: Bool, isUnknown: Bool) {
    let key = ExactKey(key)
    guard let entry = keys[key] else { return (nil, false, false) }
    if duplicates.contains(key) { return (nil, false, true) }
    if entry != Self.addedPair { return (item(entry), false, false) }
    return (neighbours[key], true, neighbours[key] == nil)
  }

  mutating func addPair(_ component: String, at end: Int, _ quoting: EditQuoting?) {
    keys[ExactKey(component)] = Self.addedPair
    addedPairs += 1
    endOfItems = end
    self.quoting = quoting
  }

  /// Adds an element before the one at `index`.
  ///
  /// `next` is the next element in the document's index, or nil at the end of the array; `end` is then the offset of
  /// that end.
  mutating func insertElement(
    _ splices: [EditSplice], at index: Int, before next: EditItem?, end: Int?, _ quoting: EditQuoting?
  ) {
    if elements == nil { elements = ChunkedList(Array(entries.elements)) }
    elements?.insert(~additions.count, at: index)
    additions.append((splices, next?.entry))
    guard let end else { return }
    endOfItems = end
    // Later elements copy the quotation marks of the last element, which isn't necessarily this one.
    if index == (elements?.count ?? 0) - 1 { self.quoting = quoting }
  }

  /// The splices of the elements added to an array, in order.
  var addedElements: [EditSplice] {
    guard let elements, !additions.isEmpty else { return [] }
    return elements.elements.flatMap { $0 < 0 ? additions[~$0].splices : [] }
  }
}
