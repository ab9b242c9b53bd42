/// An edit of a document, computed by ``PlistEditor`` from the document's index.
struct EditChange {
  enum Kind {
    /// A replacement of the value of an existing item.
    case replacement(EditItem, PropertyList)
    /// The addition of an item at the end of the innermost container.
    case addition
    case removal(EditItem)
    /// A change other than a replacement, addition or removal.
    case other
  }

  let site: EditSite
  let kind: Kind
  var splices: [EditSplice]

  /// Whether the edit can make a dictionary whose only key is `CF$UID`.
  var mayMakeUID: Bool {
    guard let container = site.container, container.isDictionary else { return false }
    return container.hasUIDKey || site.missing.first == PropertyListUID.dictionaryKey
  }
}

/// A list of edits that have been computed, but not yet applied to the bytes of the document.
///
/// While the list contains edits, the editor computes a new edit from the index of the unchanged document. Many edits
/// together therefore take one scan and one copy of the document.
///
/// An edit can be deferred only if the document is XML, and the edit cannot affect a later edit. The replacement of a
/// value can be deferred only if the old and the new bytes both contain a line end, or both contain none. The
/// replacement of a value by a string cannot be deferred if the old bytes contain a line end. The addition or removal
/// of an item can be deferred only if the item begins a line. An edit cannot be deferred if a pending edit has added,
/// replaced or removed the edited value, or a container around the value.
struct PendingEdits {
  /// The pending replacements of bytes, in the order of the bytes in the document.
  private(set) var splices: [EditSplice] = []
  /// The indices of nodes whose values are replaced or removed, and of containers whose items in the index are out of
  /// date.
  private var replaced: Set<Int> = []
  /// The path components of the items that were added to each container, by the container's node index.
  private var added: [Int: [String]] = [:]

  var isEmpty: Bool { splices.isEmpty }

  /// Returns the number of items that pending edits add to the container `node`.
  func count(addedTo node: PlistNode) -> Int { added[node.index]?.count ?? 0 }

  /// Adds an edit if the edit is independent of all pending edits, and no later edit can depend on the new bytes.
  ///
  /// - Returns: Whether the edit was added. If the result is false, the caller must apply all pending edits before the
  ///   new edit.
  mutating func take(_ change: EditChange, in document: PlistDocument) -> Bool {
    // An edit of a dictionary with the key `CF$UID` can turn the dictionary into a UID, so such an edit is never
    // pending.
    guard document.format == .xml, let container = change.site.container, !change.mayMakeUID else { return false }
    guard change.site.containers.allSatisfy({ !replaced.contains($0.node.index) }) else { return false }
    let lines = EditLines(document.index.source)
    switch change.kind {
    case .replacement(let item, let value):
      if replaced.contains(item.value.index) { return false }
      // If the edit has no splice, the new value equals the old value, and no bytes change.
      guard let splice = change.splices.first else { return true }
      let hasLineEnd = lines.hasLineEnd(in: splice.range)
      if hasLineEnd, value.kind == .string || !lines.endsLine(splice.range.upperBound) { return false }
      guard splice.hasLineEnd == hasLineEnd, insert(splice) else { return false }
      replaced.insert(item.value.index)
    case .addition:
      guard let component = change.site.missing.first, let splice = change.splices.first, splice.beginsWithLineEnd,
        lines.endsLine(splice.range.upperBound), added[container.node.index]?.contains(component) != true,
        insert(splice)
      else { return false }
      added[container.node.index, default: []].append(component)
    case .removal(let item):
      guard container.matches.count == 1, !replaced.contains(item.value.index), let splice = change.splices.first,
        lines.hasLineEnd(in: splice.range.prefix(1)), !lines.joinsLineEnds(splice.range), insert(splice)
      else { return false }
      replaced.insert(item.value.index)
      // In an array, a removal changes the positions of later elements. In a dictionary, added items copy the layout of
      // the first item and the last two items. The removal of an array element, or of a dictionary item whose layout is
      // copied, therefore marks the container as replaced.
      let neighbours = [container.first, container.beforeLast, container.last].map { $0?.value.index }
      if !container.isDictionary || neighbours.contains(item.value.index) { replaced.insert(container.node.index) }
    case .other: return false
    }
    return true
  }

  /// Inserts `splice` after other insertions at the same offset; returns false if `splice` overlaps another splice.
  private mutating func insert(_ splice: EditSplice) -> Bool {
    var (low, high) = (0, splices.count)
    while low < high {
      let middle = (low + high) / 2
      if splices[middle].range.lowerBound <= splice.range.lowerBound { low = middle + 1 } else { high = middle }
    }
    if low > 0, splices[low - 1].range.upperBound > splice.range.lowerBound { return false }
    if low < splices.count, splices[low].range.lowerBound < splice.range.upperBound { return false }
    splices.insert(splice, at: low)
    return true
  }
}

extension EditSplice {
  fileprivate var hasLineEnd: Bool { bytes.contains(where: EditLines.isLineEnd) }

  fileprivate var beginsWithLineEnd: Bool { bytes.first.map(EditLines.isLineEnd) == true }
}
