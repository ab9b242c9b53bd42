#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A document's comments, grouped by place.
///
/// Comments inside the items of a project file are not included, because Xcode writes them.
struct PlacedComments {
  /// A place for comments: next to an item, or at the start or end of a container or the document.
  struct Place: Hashable {
    enum Side: Int { case before, afterKey, beforeValue, afterValue, behind, opening, closing, prolog, epilog }

    /// The keys and elements that lead to the item; an element is identified by its text, because its index may change.
    let item: [String]
    let side: Side
  }

  let outline: DocumentOutline
  /// The comments at each place that has any, in order.
  private(set) var comments: [Place: [DocumentOutline.Comment]] = [:]
  /// The places that have comments, in document order.
  private(set) var places: [Place] = []
  private var items: [[String]: Int] = [:]
  private var paths: [PropertyListPath] = []
  private var names: [[String]] = []

  init?(_ document: MergedDocument) {
    guard let outline = DocumentOutline(document.source, document.format, document.options, document.value) else {
      return nil
    }
    self.outline = outline
    let isProject = ProjectFile(document.value) != nil
    let bytes = outline.source.data.bytes
    func add(_ comments: [DocumentOutline.Comment], _ side: Place.Side, _ name: [String]) {
      let own = isProject ? comments.filter { !ProjectFile.isMark(bytes, $0.range) } : comments
      if own.isEmpty { return }
      let place = Place(item: name, side: side)
      if self.comments[place] == nil { places.append(place) }
      self.comments[place, default: []] += own
    }
    func comments(_ markup: [DocumentOutline.Markup]) -> [DocumentOutline.Comment] {
      markup.compactMap { if case .comment(let comment) = $0 { comment } else { nil } }
    }
    add(comments(outline.prolog), .prolog, [])
    paths = [PropertyListPath](repeating: PropertyListPath(), count: outline.items.count)
    names = [[String]](repeating: [], count: outline.items.count)
    var pending = [0]
    while let index = pending.popLast() {
      let item = outline.items[index]
      let name = names[index]
      items[name] = index
      add(item.before, .before, name)
      if !isProject {
        add(item.afterKey, .afterKey, name)
        add(item.beforeValue, .beforeValue, name)
        add(item.afterValue, .afterValue, name)
      }
      add(item.opening, .opening, name)
      add(item.behind, .behind, name)
      add(item.closing, .closing, name)
      var counts: [String: Int] = [:]
      for (number, child) in item.children.enumerated() {
        let component: String
        if let key = outline.items[child].key {
          component = outline.string(key)
          paths[child] = paths[index].appending(key: component)
        } else {
          let text =
            outline.items[child].isContainer ? "" : String(utf8: bytes, in: outline.items[child].value ?? 0..<0)
          counts[text, default: 0] += 1
          component = "\(counts[text] ?? 0) \(text)"
          paths[child] = paths[index].appending(index: number)
        }
        names[child] = name + [component]
      }
      pending += item.children.reversed()
    }
    add(comments(outline.epilog), .epilog, [])
  }

  /// Whether a document may have comments to merge by place.
  static func mayOccur(in document: MergedDocument) -> Bool {
    let bytes = document.source.data.bytes
    guard document.format == .openStep, ProjectFile.hasSections(bytes) else {
      return document.format == .xml ? occurs("<!--", in: bytes) : occurs("/*", in: bytes) || occurs("//", in: bytes)
    }
    // In a project file, look only for comments at the start of a line.
    var position = ProjectFile.firstLine.utf8CodeUnitCount
    while position < bytes.byteCount {
      position = bytes.firstOffset(of: 0x0A, from: position) + 1
      var start = position
      while start < bytes.byteCount, OpenStepScanner.isSpace(bytes.byte(at: start)) { start += 1 }
      if start < bytes.byteCount, bytes.byte(at: start) == 0x2F,
        let end = OpenStepScanner.commentEnd(bytes, at: start), !ProjectFile.isMark(bytes, start..<end)
      {
        return true
      }
    }
    return false
  }

  private static func occurs(_ mark: StaticString, in bytes: RawSpan) -> Bool {
    var position = 0
    while position < bytes.byteCount {
      position = bytes.firstOffset(of: mark.byte(at: 0), from: position)
      if bytes.hasBytes(mark, at: position) { return true }
      position += 1
    }
    return false
  }

  func item(_ name: [String]) -> DocumentOutline.Item? { items[name].map { outline.items[$0] } }

  func path(_ place: Place) -> PropertyListPath { items[place.item].map { paths[$0] } ?? PropertyListPath() }

  /// Returns the range from the first comment at a place to the last.
  func range(_ place: Place) -> Range<Int>? {
    guard let all = comments[place], let first = all.first, let last = all.last else { return nil }
    return first.range.lowerBound..<last.range.upperBound
  }

  func text(_ place: Place) -> String? { range(place).map { String(utf8: outline.source.data.bytes, in: $0) } }

  /// Returns the lines of the comments at a place, without surrounding white space.
  func lines(_ place: Place) -> [String] { (comments[place] ?? []).flatMap { outline.lines(of: $0) } }
}

extension DocumentOutline {
  func lines(of comment: Comment) -> [String] {
    let all = String(utf8: source.data.bytes, in: comment.range).split(whereSeparator: \.isNewline)
    return all.map { line in
      var line = line.drop(while: \.isWhitespace)
      while line.last?.isWhitespace == true { line.removeLast() }
      return String(line)
    }.filter { !$0.isEmpty }
  }
}

/// A merge of comments, which a merge of values ignores.
///
/// Merging lines already brings along most comments that their side has changed. The rest is merged place by place: a
/// comment that only their side has changed replaces ours, and a comment that both sides have changed, or whose place
/// is gone, is a conflict.
struct CommentMerge {
  typealias Place = PlacedComments.Place

  /// The comments at a place that both sides have changed in different ways.
  struct Conflict: Sendable {
    let item: [String]
    let side: Place.Side
    let conflict: PropertyListMerge.Conflict
  }

  private let base: PlacedComments?
  private let ours: PlacedComments
  private let theirs: PlacedComments

  /// Returns nil if there are no comments to merge.
  init?(_ base: MergedDocument?, _ ours: MergedDocument, _ theirs: MergedDocument) {
    guard ours.format == theirs.format, ours.format != .binary, ours.format != .json,
      [base, ours, theirs].compactMap({ $0 }).contains(where: PlacedComments.mayOccur),
      let own = PlacedComments(ours), let other = PlacedComments(theirs)
    else { return nil }
    self.base = base.flatMap { $0.format == ours.format ? PlacedComments($0) : nil }
    (self.ours, self.theirs) = (own, other)
    if own.places.isEmpty, other.places.isEmpty, self.base?.places.isEmpty ?? true { return nil }
  }

  /// Returns the merged text with the comments that only their side has changed, and the conflicts between comments.
  func merged(_ text: MergedDocument) -> (data: Data, conflicts: [Conflict]) {
    guard var result = PlacedComments(text) else { return (text.data, []) }
    var data = text.data
    let wanted = differing(result).filter { isOnlyTheirs($0.key) }.map(\.key)
    let splices = wanted.compactMap { splice(at: $0, from: theirs, in: result) }
    if !splices.isEmpty {
      let edited = PlistEditor.spliced(
        data, splices.sorted { $0.range.lowerBound < $1.range.lowerBound }, result.outline.source)
      if let document = try? MergedDocument(edited, text.options), document.value == text.value,
        let placed = PlacedComments(document)
      {
        (data, result) = (edited, placed)
      }
    }
    return (data, conflicts(in: result))
  }

  /// Returns the places where their side changed the comments but `result` doesn't have the change.
  ///
  /// Places that still have comments come first, in the order of their document, then those whose comments their side
  /// removed, in the order of the base.
  private func differing(_ result: PlacedComments) -> [(key: Place, missing: Bool)] {
    var places = theirs.places
    let known = Set(places)
    // Places whose comments their side has removed.
    places += base?.places.filter { !known.contains($0) && theirs.item($0.item) != nil } ?? []
    return places.compactMap { place in
      let (old, new) = (base?.lines(place) ?? [], theirs.lines(place))
      let (own, merged) = (ours.lines(place), result.lines(place))
      if new == old || new == own || merged == new { return nil }
      let added = Self.difference(new, old)
      if added.isEmpty {
        let removed = Self.difference(old, new)
        return Self.difference(removed, merged).isEmpty && !removed.isEmpty ? (place, false) : nil
      }
      return Self.difference(added, merged).isEmpty ? nil : (place, true)
    }
  }

  /// Returns the lines that remain after removing one occurrence for each line in another list.
  private static func difference(_ lines: [String], _ others: [String]) -> [String] {
    var left = others.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
    return lines.filter { line in
      guard let count = left[line], count > 0 else { return true }
      left[line] = count - 1
      return false
    }
  }

  private func isOnlyTheirs(_ place: Place) -> Bool { ours.lines(place) == base?.lines(place) ?? [] }

  private func conflicts(in result: PlacedComments) -> [Conflict] {
    let all = Set(result.places.flatMap { result.lines($0) })
    func conflict(_ place: Place, _ side: PlacedComments) -> Conflict {
      func value(_ comments: PlacedComments?) -> PropertyList? { comments?.text(place).map { .string($0) } }
      return Conflict(
        item: place.item, side: place.side,
        conflict: PropertyListMerge.Conflict(
          path: result.item(place.item) == nil ? side.path(place) : result.path(place), kind: .comments,
          base: value(base), ours: value(ours), theirs: value(theirs)))
    }
    var conflicts: [Conflict] = []
    for (place, isMissing) in differing(result) {
      let added = Self.difference(theirs.lines(place), base?.lines(place) ?? [])
      // A comment that moved along with its value is not lost.
      if isMissing, isOnlyTheirs(place), added.allSatisfy(all.contains) { continue }
      if isMissing || !isOnlyTheirs(place) { conflicts.append(conflict(place, theirs)) }
    }
    let known = Set(conflicts.map { Place(item: $0.item, side: $0.side) })
    for place in ours.places where !known.contains(place) {
      let added = Self.difference(ours.lines(place), base?.lines(place) ?? [])
      if !added.allSatisfy(all.contains) { conflicts.append(conflict(place, ours)) }
    }
    return conflicts
  }

  // MARK: Text

  /// Returns a text with one side's comments at the places of conflicts, as far as the text has these places.
  func resolving(_ conflicts: [Conflict], _ side: PropertyListMerge.Side, _ text: MergedDocument) -> Data {
    let source = side == .base ? base : side == .theirs ? theirs : ours
    guard side != .ours, let source, let result = PlacedComments(text) else { return text.data }
    let splices = conflicts.compactMap { splice(at: Place(item: $0.item, side: $0.side), from: source, in: result) }
    let edited = PlistEditor.spliced(
      text.data, splices.sorted { $0.range.lowerBound < $1.range.lowerBound }, result.outline.source)
    guard let document = try? MergedDocument(edited, text.options), document.value == text.value else {
      return text.data
    }
    return edited
  }

  /// Returns the edit that gives a place its comments from another document, or nil if that is not possible.
  private func splice(at place: Place, from other: PlacedComments, in result: PlacedComments) -> EditSplice? {
    let lines = EditLines(result.outline.source)
    let otherLines = EditLines(other.outline.source)
    func moved(_ range: Range<Int>, to offset: Int) -> [UInt8] {
      ItemSpelling.moved(
        otherLines.bytes(in: range), from: otherLines.lineBreak(at: range.lowerBound), to: lines.lineBreak(at: offset))
    }
    let new = other.range(place)
    // Any comments before ours are left over from an item that has been removed.
    let all = (result.comments[place] ?? []).suffix(ours.comments[place]?.count ?? 0)
    if let first = all.first, let last = all.last {
      guard all.flatMap({ result.outline.lines(of: $0) }) == ours.lines(place) else { return nil }
      let old = first.range.lowerBound..<last.range.upperBound
      guard let new else { return EditSplice(lines.withSpace(old)) }
      return EditSplice(old, moved(new, to: old.lowerBound))
    }
    guard let new, let item = result.item(place.item), let source = other.item(place.item) else { return nil }
    switch place.side {
    case .before:
      guard let start = item.key?.lowerBound ?? item.value?.lowerBound,
        let end = source.key?.lowerBound ?? source.value?.lowerBound, end >= new.upperBound,
        lines.beginsLine(start), place.item != [] || !item.isContainer || item.value?.isEmpty == false
      else { return nil }
      return EditSplice(start..<start, moved(new.lowerBound..<end, to: start))
    default: return nil
    }
  }
}
