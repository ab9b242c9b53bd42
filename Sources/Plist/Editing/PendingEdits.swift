/// An edit of a document, which ``PlistEditor`` has computed from the index.
struct EditChange {
  enum Kind {
    /// A replacement of the value of an existing item.
    case replacement(EditItem, PropertyList)
    /// An addition of an item at the end of the innermost container.
    case addition
    /// An item is removed.
    case removal(EditItem)
    /// Any other change of items or keys.
    case other
  }

  let site: EditSite
  let kind: Kind
  var splices: [EditSplice]
}

/// A list of edits that have been computed, but not applied to the bytes yet.
///
/// Later edits still use the index of the bytes without the pending edits. So many edits take one scan and one copy of
/// the document. An edit can be pending only if it is in XML and cannot affect a later edit. A replacement qualifies if
/// both values have a line end, or neither has. A string with a line end does not qualify. An added item qualifies if
/// it has its own line. So does an item that is removed. Edits of the same value, of a value within it, or of an added
/// item are not accepted.
struct PendingEdits {
  /// The replacements, in the order of the bytes.
  private(set) var splices: [EditSplice] = []
  /// The nodes whose values are replaced or removed, and containers that no longer have the items of the index.
  private var replaced: Set<Int> = []
  /// The components of the items added to a container, by the container's node.
  private var added: [Int: [String]] = [:]

  var isEmpty: Bool { splices.isEmpty }

  /// The number of items added to the container `node`.
  func count(addedTo node: PlistNode) -> Int { added[node.index]?.count ?? 0 }

  /// Adds an edit if it does not depend on a pending edit, and no later edit can depend on its bytes.
  ///
  /// - Returns: Whether the edit was added. If it was not, the caller must apply all pending edits, and then the edit
  ///   itself.
  mutating func take(_ change: EditChange, in document: PlistDocument) -> Bool {
    guard document.format == .xml, let container = change.site.container else { return false }
    guard change.site.containers.allSatisfy({ !replaced.contains($0.node.index) }) else { return false }
    switch change.kind {
    case .replacement(let item, let value):
      if replaced.contains(item.value.index) { return false }
      // Without a replacement, the new value equals the old one.
      guard let splice = change.splices.first else { return true }
      // A dictionary whose only key is `CF$UID` may become a UID, or may no longer be one.
      if item.key?.isText("CF$UID") == true { return false }
      let hasLineEnd = EditLines(document.storage.source).hasLineEnd(in: splice.range)
      guard splice.hasLineEnd == hasLineEnd, !(hasLineEnd && value.kind == .string), insert(splice) else {
        return false
      }
      replaced.insert(item.value.index)
    case .addition:
      guard let component = change.site.missing.first, let splice = change.splices.first, splice.beginsWithLineEnd,
        added[container.node.index]?.contains(component) != true, insert(splice)
      else { return false }
      added[container.node.index, default: []].append(component)
    case .removal(let item):
      guard container.matches.count == 1, !replaced.contains(item.value.index), let splice = change.splices.first,
        EditLines(document.storage.source).hasLineEnd(in: splice.range.prefix(1)), insert(splice)
      else { return false }
      replaced.insert(item.value.index)
      // Elements get other positions, and added items adopt the layout of these items.
      let neighbours = [container.first, container.beforeLast, container.last].map { $0?.value.index }
      if !container.isDictionary || neighbours.contains(item.value.index) { replaced.insert(container.node.index) }
    case .other: return false
    }
    return true
  }

  /// Inserts a replacement after insertions at the same offset, or returns false if another replacement overlaps it.
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
  /// Whether a line ends in the new bytes.
  fileprivate var hasLineEnd: Bool { bytes.contains(where: EditLines.isLineEnd) }

  /// Whether the new bytes begin with the end of a line.
  fileprivate var beginsWithLineEnd: Bool { bytes.first.map(EditLines.isLineEnd) == true }
}
