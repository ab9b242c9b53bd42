/// One edit of a document, as ``PlistEditor`` computes it from the index.
struct EditChange {
  enum Kind {
    /// The value of an existing item is replaced.
    case replacement(EditItem, PropertyList)
    /// An item is added behind the last one of the innermost container.
    case addition
    /// Items or keys change in another way.
    case other
  }

  let site: EditSite
  let kind: Kind
  var splices: [EditSplice]
}

/// Edits that are known, but not made in the bytes yet.
///
/// Later edits still use the index of the bytes without them, so that many edits take one scan and one copy of the
/// document. This holds only for edits in XML that no later edit can notice: a value replaced by one that has a line
/// end only if the old one has, or an item added on a line of its own. An edit of the same value, of a value within it,
/// or of an added item is not accepted.
struct PendingEdits {
  /// The replacements, in the order of the bytes.
  private(set) var splices: [EditSplice] = []
  /// The nodes whose values are replaced.
  private var replaced: Set<Int> = []
  /// The components of the items added to a container, by its node.
  private var added: [Int: [String]] = [:]

  var isEmpty: Bool { splices.isEmpty }

  /// The number of items added to the container `node`.
  func count(addedTo node: PlistNode) -> Int { added[node.index]?.count ?? 0 }

  /// Takes an edit, if it depends on no pending edit and no later edit can depend on how its bytes are written.
  ///
  /// - Returns: Whether the edit was taken. If not, all pending edits must be made before it, and then the edit itself.
  mutating func take(_ change: EditChange, in document: PlistDocument) -> Bool {
    guard document.format == .xml, let container = change.site.container else { return false }
    guard change.site.containers.allSatisfy({ !replaced.contains($0.node.index) }) else { return false }
    switch change.kind {
    case .replacement(let item, let value):
      if replaced.contains(item.value.index) { return false }
      // The new value is the old one.
      guard let splice = change.splices.first else { return true }
      // A dictionary with this key alone may become a UID, or no longer be one.
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
    case .other: return false
    }
    return true
  }

  /// Inserts a replacement at its position, after insertions at the same offset, unless another one overlaps it.
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
