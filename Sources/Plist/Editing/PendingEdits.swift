#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An edit that ``PlistEditor`` has computed from the document's index.
struct EditChange: Sendable {
  enum Kind: Sendable {
    /// Replaces the value of an item.
    case replacement(EditItem, PropertyList)
    /// Adds an item at the end of the innermost container.
    case addition(EditQuoting?)
    /// Inserts an array element before an item, or before an added element at the end.
    case insertion(before: EditItem?)
    /// Adds a pair next to an item, after the pair that an earlier edit added there, if any.
    case pair(EditPlace, after: String?)
    /// Adds the first item to a container that doesn't share its lines with other items.
    case filling
    case removal(EditItem)
    case renaming(EditItem, to: String)
    case comment(EditItem)
    /// An edit that is never pending.
    case other
  }

  let site: EditSite
  let kind: Kind
  /// The last component of the path.
  let component: String
  var splices: [EditSplice]

  init(_ site: EditSite, _ kind: Kind, _ component: String? = nil, _ splices: [EditSplice] = []) {
    self.site = site
    self.kind = kind
    self.component = component ?? ""
    self.splices = splices
  }

  /// Whether the edit may result in a dictionary whose only key is `CF$UID`.
  var mayMakeUID: Bool {
    guard let container = site.container, container.isDictionary else { return false }
    if case .renaming(_, PropertyListUID.dictionaryKey) = kind { return true }
    return container.hasUIDKey || site.missing.first == PropertyListUID.dictionaryKey
  }
}

/// Edits that have been computed, but not yet applied to the bytes.
///
/// While edits are pending, a new edit is computed from the index of the unchanged document, so many edits together
/// take one scan and one copy.
///
/// This is correct only if the edit would be the same in the edited bytes. Apart from the edited item, an edit depends
/// on little: whether items begin and end lines, the indents of those lines, the separators of neighboring items, and
/// the layout of the first and last items in enclosing containers. An edit can therefore be pending in two cases: if it
/// adds, changes or removes whole lines, or if it neither adds nor removes a line end. ``EditedItems`` keeps track of
/// which items are left, and ``RemovedText`` of what is missing next to them. An edit that could depend on anything
/// else is not accepted.
struct PendingEdits: Sendable {
  private let document: PlistDocument
  private let scans: EditScans
  private var containers: [Int: EditedItems] = [:]
  /// The splices for new values, by the index of the node that each one replaces.
  private var replacements: [Int: EditSplice] = [:]
  private var otherSplices: [EditSplice] = []
  /// The items with a changed key, and those with a changed comment.
  private var changedKeys: Set<Int> = []
  private var changedComments: Set<Int> = []
  /// The items that have bytes inserted before them on the same line.
  private var precededItems: Set<Int> = []
  /// The containers with pending edits inside them.
  private var editedContainers: Set<Int> = []
  private(set) var removed = RemovedText()

  init(in document: PlistDocument, _ scans: EditScans) {
    self.document = document
    self.scans = scans
  }

  private var lines: EditLines { EditLines(document.index.source, scans, removed) }
  private var isOpenStep: Bool { document.format == .openStep || document.format == .gnuStep }
  private var hasCommas: Bool { document.format != .xml }

  var isEmpty: Bool { editedContainers.isEmpty }

  /// The pending splices, in document order.
  var splices: [EditSplice] {
    let all = containers.values.flatMap(\.addedElements) + replacements.values + otherSplices
    // Bytes inserted at the same offset keep their order and come before a replacement there.
    let order = all.indices.sorted { left, right in
      let (first, second) = (all[left].range, all[right].range)
      if first.lowerBound != second.lowerBound { return first.lowerBound < second.lowerBound }
      return first.isEmpty == second.isEmpty ? left < right : first.isEmpty
    }
    return order.map { all[$0] }
  }

  mutating func container(_ node: PlistNode, _ component: String) -> EditContainer {
    if replacements[node.index] != nil {
      var container = EditContainer(node, count: 0)
      container.isUnknown = true
      return container
    }
    return items(of: node) { $0.container(for: component) }
  }

  private mutating func items<Result>(of node: PlistNode, _ body: (inout EditedItems) -> Result) -> Result {
    body(&containers[node.index, default: EditedItems(of: node)])
  }

  /// Whether a pending edit replaces the value of an item.
  func isReplaced(_ item: EditItem) -> Bool { replacements[item.value.index] != nil }

  func isRenamed(_ item: EditItem) -> Bool { changedKeys.contains(item.entry) }

  /// Adds an edit if it doesn't depend on a pending edit and no later edit can depend on its bytes.
  ///
  /// - Returns: Whether the edit was added. If not, all pending edits must be applied first.
  mutating func take(_ change: EditChange) -> Bool {
    // An edit to a dictionary with the key `CF$UID` may turn it into a UID, so the edit is never pending.
    guard let container = change.site.container, !change.mayMakeUID else { return false }
    let isTaken: Bool
    switch change.kind {
    case .replacement(let item, let value): isTaken = replace(item, by: value, change)
    case .filling: isTaken = fill(container, change)
    case .addition(let quoting): isTaken = add(quoting, to: container, change)
    case .pair(let place, let key): isTaken = addPair(at: place, after: key, to: container, change)
    case .insertion(let next): isTaken = insert(before: next, in: container, change)
    case .removal(let item): isTaken = remove(item, from: container, change)
    case .renaming(let item, let key): isTaken = rename(item, to: key, in: container, change)
    case .comment(let item): isTaken = setComment(of: item, change)
    case .other: isTaken = false
    }
    if isTaken { for container in change.site.containers { editedContainers.insert(container.node.index) } }
    return isTaken
  }

  // MARK: Values

  private mutating func replace(_ item: EditItem, by value: PropertyList, _ change: EditChange) -> Bool {
    if change.site.isUnknown || editedContainers.contains(item.value.index) { return false }
    // If there is no splice, the new value equals the old one.
    guard let splice = change.splices.first else { return !isReplaced(item) }
    // In `key;`, the value is the key itself.
    guard change.splices.count == 1, item.key?.sourceOffset != item.value.sourceOffset else { return false }
    let keepsLines = !lines.hasLineEnd(in: splice.range) && !splice.hasLineEnd
    if let pending = replacements[item.value.index] {
      // A scalar with the same layout can replace the pending one, except in OpenStep text, where its quotation marks
      // depend on the pending one.
      guard keepsLines, !pending.hasLineEnd, pending.range == splice.range, !isOpenStep, !value.isContainer,
        item.value.kind != .array, item.value.kind != .dictionary
      else { return false }
    } else if !keepsLines {
      guard lines.beginsLine(item.start), lines.endsLine(splice.range.upperBound) else { return false }
    }
    replacements[item.value.index] = splice
    return true
  }

  private mutating func fill(_ container: EditContainer, _ change: EditChange) -> Bool {
    guard !change.site.isUnknown, change.splices.count == 1, replacements[container.node.index] == nil else {
      return false
    }
    replacements[container.node.index] = change.splices[0]
    return true
  }

  // MARK: Adding

  private mutating func add(_ quoting: EditQuoting?, to container: EditContainer, _ change: EditChange) -> Bool {
    guard !change.site.isUnknown, !container.hasUnknownEnd,
      let (splices, end) = spliced(change.splices, atEndOf: container)
    else { return false }
    let component = change.component
    if container.isDictionary {
      otherSplices += splices
      items(of: container.node) { $0.addPair(component, at: end, quoting) }
    } else {
      items(of: container.node) {
        $0.insertElement(splices, at: container.count, before: nil, end: end, quoting)
      }
    }
    return true
  }

  /// Returns splices that add an item at the end of a container, after earlier additions if there are any.
  private func spliced(
    _ splices: [EditSplice], atEndOf container: EditContainer
  ) -> (splices: [EditSplice], end: Int)? {
    guard let last = container.last, containers[container.node.index]?.hasLostEnd != true,
      let end = splices.first?.range.lowerBound,
      splices.allSatisfy({ $0.range == end..<end })
    else { return nil }
    // In OpenStep text, new strings copy the last item's quotation marks, and a space may be needed after a word.
    if isOpenStep {
      if container.quoting == nil, isReplaced(last) || isRenamed(last) { return nil }
      if splices.last?.bytes.last == 0x20 { return nil }
    }
    let addsLine = splices.contains(where: \.hasLineEnd)
    if lines.beginsLine(last.start) {
      guard addsLine, lines.endsLine(end) else { return nil }
    } else {
      guard !addsLine, container.isEndIntact else { return nil }
    }
    let place = containers[container.node.index]?.endOfItems ?? end
    return (splices.map { EditSplice(place..<place, $0.bytes) }, place)
  }

  /// Returns the item with a key or, if the pair with that key was added, the item it was added next to.
  ///
  /// If `isUnknown` is true, finding out requires the edited bytes.
  func place(of key: String, in node: PlistNode) -> (item: EditItem?, isAdded: Bool, isUnknown: Bool) {
    if replacements[node.index] != nil { return (nil, false, true) }
    return (containers[node.index] ?? EditedItems(of: node)).place(of: key)
  }

  /// Adds a pair on its own lines next to another one.
  private mutating func addPair(
    at place: EditPlace, after key: String?, to container: EditContainer, _ change: EditChange
  ) -> Bool {
    guard !change.site.isUnknown, change.splices.count == 1, let splice = change.splices.first, splice.range.isEmpty,
      let item = place.neighbour, lines.beginsLine(item.start), splice.hasLineEnd
    else { return false }
    var (start, bytes) = (splice.range.lowerBound, splice.bytes)
    if case .before = place {
      // If the same line end and indent also precede the pair, insert them before it instead of after it.
      let lineBreak = lines.lineBreak(at: item.start)
      guard key == nil, !changedComments.contains(item.entry), lines.beginsLine(start), start > lineBreak.count,
        lines.bytes(in: start - lineBreak.count..<start) == lineBreak, bytes.suffix(lineBreak.count) == lineBreak[...],
        start - lineBreak.count > removed.start
      else { return false }
      start -= lineBreak.count
      bytes = lineBreak + bytes.dropLast(lineBreak.count)
    }
    guard lines.isBlankToLineEnd(start), bytes.first.map(EditLines.isLineEnd) == true else { return false }
    let component = change.component
    guard items(of: container.node, { $0.addPair(component, at: start, beside: item, after: key) }) else {
      return false
    }
    otherSplices.append(EditSplice(start..<start, bytes))
    return true
  }

  private mutating func insert(before next: EditItem?, in container: EditContainer, _ change: EditChange) -> Bool {
    guard let index = PropertyListPath.elementIndex(change.component) else { return false }
    guard let next else {
      guard let (splices, end) = spliced(change.splices, atEndOf: container) else { return false }
      items(of: container.node) { $0.insertElement(splices, at: index, before: nil, end: end, nil) }
      return true
    }
    guard change.splices.count == 1, let splice = change.splices.first, splice.range.isEmpty,
      !changedComments.contains(next.entry), !isOpenStep || !isReplaced(next)
    else { return false }
    let bytes = document.index.source.data.bytes
    let start = splice.range.lowerBound
    let isOnOwnLine = lines.beginsLine(start)
    guard isOnOwnLine || !splice.hasLineEnd && container.isEndIntact else { return false }
    // If the same white space also precedes the new element, insert it before that element instead of after it, so the
    // next element can be removed with the white space before it.
    let space =
      isOnOwnLine
      ? lines.lineBreak(at: next.start).count : splice.bytes.reversed().prefix { $0 == 0x20 || $0 == 0x09 }.count
    let moved = Array(splice.bytes.suffix(space))
    let place = start - space
    if place > removed.start, !removed.ends.contains(start), lines.bytes(in: place..<start) == moved,
      isOnOwnLine || space == 0 || bytes.byte(at: place - 1) != moved[0]
    {
      let new = EditSplice(place..<place, moved + splice.bytes.dropLast(space))
      items(of: container.node) { $0.insertElement([new], at: index, before: next, end: nil, nil) }
      return true
    }
    guard !isOnOwnLine else { return false }
    precededItems.insert(next.entry)
    items(of: container.node) { $0.insertElement([splice], at: index, before: next, end: nil, nil) }
    return true
  }

  // MARK: Removing

  private mutating func remove(_ item: EditItem, from container: EditContainer, _ change: EditChange) -> Bool {
    guard !change.site.isUnknown, container.matches.count == 1, container.count > 1, !isReplaced(item),
      !isRenamed(item), !editedContainers.contains(item.value.index), !precededItems.contains(item.entry),
      !changedComments.contains(item.entry), let splice = change.splices.last, splice.bytes.isEmpty
    else { return false }
    let bytes = document.index.source.data.bytes
    let previous = container.matches[0].previous
    let range = splice.range
    let removesLines = lines.hasLineEnd(in: range.prefix(1)) && !lines.joinsLineEnds(range)
    let removesFirstLine =
      range.lowerBound == removed.start && isOpenStep && container.isNextIntact && removesLineEnd(range)
    // A pair added after the first line would begin with the line end being removed.
    if removesFirstLine, containers[container.node.index]?.hasAdditions(within: range) == true { return false }
    if !removesLines, !removesFirstLine {
      guard !lines.hasLineEnd(in: range), !lines.isLineStart(range.lowerBound), !lines.beginsLine(item.start),
        !container.followsAdded, previous != nil || container.isNextIntact && !container.precedesAdded
      else { return false }
    }
    let isLast = container.last?.entry == item.entry
    let precedesAddedAtEnd = isLast && containers[container.node.index]?.endOfItems != nil
    if precedesAddedAtEnd {
      // The items added at the end have copied the layout of this one. From now on, edits take the last item's indent
      // from the item before this one, so both must have the same indent.
      guard removesLines, !isOpenStep, containers[container.node.index]?.hasLostEnd == false, let previous,
        lines.beginsLine(previous.start), lines.lineBreak(at: previous.start) == lines.lineBreak(at: item.start)
      else { return false }
    }
    // Removing the last item also removes the comma after the item before it.
    if change.splices.count > 1 || isLast && previous == nil && hasCommas {
      guard change.splices.count == 2, let comma = change.splices.first, comma.range.count == 1, comma.bytes.isEmpty,
        previous != nil, !container.followsAdded, comma.range.lowerBound > 0,
        containers[container.node.index]?.hasAdditions(at: comma.range.upperBound) != true,
        !isSpaceOrComment(bytes.byte(at: comma.range.lowerBound - 1)),
        !precedesAddedAtEnd || comma.range.upperBound == range.lowerBound,
        removesLines
          ? lines.isBlankToLineEnd(comma.range.upperBound)
          : comma.range.upperBound == range.lowerBound && isEndOfContainer(range.upperBound)
      else { return false }
      removed.separators.insert(comma.range.lowerBound)
    }
    let hasComment = hasCommentBefore(item)
    let component = change.component
    let next = items(of: container.node) {
      let next = $0.item(after: item)
      $0.remove(item, at: component)
      return next
    }
    // A comment that stays when its item is removed then belongs to the next item.
    if hasComment, let next { changedComments.insert(next.entry) }
    if removesFirstLine { removed.start = range.upperBound }
    removed.ends.insert(range.upperBound)
    otherSplices += change.splices
    return true
  }

  /// Whether a removal at the beginning of the document ends with a line end that equals the next one, which new lines
  /// at the beginning will copy.
  private func removesLineEnd(_ range: Range<Int>) -> Bool {
    lines.isLineStart(range.upperBound) && lines.lineEnd(after: range.upperBound) == lines.lineEnd(after: 0)
  }

  /// Whether only blanks come between `offset` and either the end of a container or the comma of a removed item.
  private func isEndOfContainer(_ offset: Int) -> Bool {
    let bytes = document.index.source.data.bytes
    var position = offset
    while position < bytes.byteCount, [0x20, 0x09].contains(bytes.byte(at: position)) { position += 1 }
    guard position < bytes.byteCount else { return false }
    return [0x29, 0x5D, 0x7D].contains(bytes.byte(at: position)) || removed.separators.contains(position)
  }

  private func isSpaceOrComment(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D, 0x2F].contains(byte) }

  private func hasCommentBefore(_ item: EditItem) -> Bool { CommentSite(before: item.value)?.comments.isEmpty == false }

  // MARK: Keys and comments

  private mutating func rename(
    _ item: EditItem, to key: String, in container: EditContainer, _ change: EditChange
  ) -> Bool {
    guard !change.site.isUnknown, change.splices.count == 1, !isRenamed(item),
      item.key?.sourceOffset != item.value.sourceOffset, !change.splices[0].hasLineEnd,
      !lines.hasLineEnd(in: change.splices[0].range)
    else { return false }
    changedKeys.insert(item.entry)
    otherSplices += change.splices
    let component = change.component
    items(of: container.node) { $0.rename(item, from: component, to: key) }
    return true
  }

  private mutating func setComment(of item: EditItem, _ change: EditChange) -> Bool {
    guard !change.site.isUnknown, !changedComments.contains(item.entry) else { return false }
    guard let splice = change.splices.first else { return true }
    guard change.splices.count == 1, lines.beginsLine(item.start), !precededItems.contains(item.entry) else {
      return false
    }
    let range = splice.range
    if splice.bytes.isEmpty {
      // At the beginning of the remaining text, there is no line end before a comment.
      guard lines.hasLineEnd(in: range.prefix(1)), !lines.joinsLineEnds(range), range.lowerBound >= removed.start else {
        return false
      }
    } else {
      guard lines.beginsLine(range.lowerBound), range.isEmpty || lines.isBlankToLineEnd(range.upperBound) else {
        return false
      }
    }
    changedComments.insert(item.entry)
    otherSplices.append(splice)
    return true
  }
}

extension EditSplice {
  fileprivate var hasLineEnd: Bool { bytes.contains(where: EditLines.isLineEnd) }
}
