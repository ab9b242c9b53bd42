#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The markers around conflicts in a merged text, in git's style.
public struct PlistMergeMarkers: Hashable, Sendable {
  /// The label for our side, written after `<<<<<<<`.
  public var ours: String
  /// The label for the base, written after `|||||||`.
  public var base: String
  /// The label for their side, written after `>>>>>>>`.
  public var theirs: String
  /// Whether to show the lines of the base, as in git's `diff3` style.
  public var showsBase: Bool
  /// The number of characters in a marker; a number below 1 is treated as 1.
  public var size: Int

  /// Creates markers, by default in the form that git writes.
  ///
  /// - Parameters:
  ///   - ours: The label for our side.
  ///   - base: The label for the base.
  ///   - theirs: The label for their side.
  ///   - showsBase: Whether to show the lines of the base.
  ///   - size: The number of characters in a marker; a number below 1 is treated as 1.
  public init(
    ours: String = "ours", base: String = "base", theirs: String = "theirs", showsBase: Bool = false, size: Int = 7
  ) {
    (self.ours, self.base, self.theirs, self.showsBase, self.size) = (ours, base, theirs, showsBase, size)
  }
}

/// A merge of two documents that were changed independently from a common base.
///
/// The values are merged as in a ``PropertyListMerge``. In a text format, the result is our text with their changes.
/// Comments, order, indentation and encoding are kept, and lines that their side has not changed stay the same, byte
/// for byte. Values that their side has added keep the text and comments they have there.
///
/// Comments are merged by place. A change made by only one side is taken. A change made by both sides is a conflict of
/// the kind ``PropertyListMerge/Conflict/Kind/comments``, and so is a change to the comments at a value that the other
/// side has removed.
///
/// ```swift
/// let merge = try PlistMerge(base: base, ours: ours, theirs: theirs)
/// if merge.conflicts.isEmpty {
///   try merge.data.write(to: file)
/// } else {
///   try merge.data(with: PlistMergeMarkers())?.write(to: file)
/// }
/// ```
public struct PlistMerge: Sendable {
  /// The format of our document and of the result.
  public let format: PlistFormat
  /// The merged document, with our value at the path of each conflict.
  public let data: Data
  /// The merged value, with our value at the path of each conflict.
  public let value: PropertyList
  /// The values and comments that both sides have changed in different ways.
  public let conflicts: [PropertyListMerge.Conflict]

  private let base: MergedDocument?
  private let ours: MergedDocument
  private let theirs: MergedDocument
  private let rules: PropertyListMerge.Rules
  private let comments: CommentMerge?
  private let commentConflicts: [CommentMerge.Conflict]

  /// The values of the documents that were merged.
  package var sides: [PropertyList] { [base?.value, ours.value, theirs.value].compactMap { $0 } }

  /// Merges two documents.
  ///
  /// - Parameters:
  ///   - base: The common base of both documents; nil or empty if there is none.
  ///   - ours: The first changed document; the result keeps its format and text.
  ///   - theirs: The second changed document, in any format.
  ///   - options: Options for reading the documents.
  ///   - rules: The rules for values at certain paths.
  /// - Throws: ``PlistError`` if a document is malformed, or if our format cannot represent one of their values.
  /// - Complexity: The complexity of ``PropertyListMerge``, plus O(*n* log *n*) in the length of the documents.
  public init(
    base: Data?, ours: Data, theirs: Data, options: PlistReadOptions = PlistReadOptions(),
    rules: PropertyListMerge.Rules = .standard
  ) throws(PlistError) {
    self.ours = try MergedDocument(ours, options)
    self.theirs = try MergedDocument(theirs, options)
    if let base, !base.isEmpty { self.base = try MergedDocument(base, options) } else { self.base = nil }
    self.rules = rules
    format = self.ours.format
    let merge = PropertyListMerge(
      base: self.base?.value, ours: self.ours.value, theirs: self.theirs.value, rules: rules)
    value = merge.value
    let text = try TextMerge(self.base, self.ours, self.theirs).merged(value)
    guard theirs != base, theirs != ours, ours != base || text != theirs,
      let comments = CommentMerge(self.base, self.ours, self.theirs)
    else {
      (data, conflicts, commentConflicts, self.comments) = (text, merge.conflicts, [], nil)
      return
    }
    self.comments = comments
    (data, commentConflicts) = comments.merged(MergedDocument(text, value, like: self.ours))
    conflicts = merge.conflicts + commentConflicts.map(\.conflict)
  }

  /// Returns the merged document with one side's values at the paths of all conflicts.
  ///
  /// - Throws: ``PlistError`` if our format cannot represent one of that side's values.
  /// - Complexity: As for the initializer.
  public func data(resolving side: PropertyListMerge.Side) throws(PlistError) -> Data {
    if side == .ours || conflicts.isEmpty { return data }
    let merge = PropertyListMerge(
      base: base?.value, ours: ours.value, theirs: theirs.value, rules: rules, resolving: side)
    if format == .binary { return try merge.value.data(format: .binary) }
    let text = try MergedText(data, value, ours).edited(to: merge.value, spelledAs: side == .base ? base : theirs)
    guard !commentConflicts.isEmpty, let comments else { return text }
    return comments.resolving(commentConflicts, side, MergedDocument(text, merge.value, like: ours))
  }

  /// Merges three texts line by line as git does, for documents that cannot be parsed.
  ///
  /// - Returns: The merged text with conflicts between markers, and the number of conflicts, or nil if one of the
  ///   documents is binary or in an encoding with zero bytes.
  package static func mergingLines(
    base: Data?, ours: Data, theirs: Data, _ markers: PlistMergeMarkers
  ) -> (data: Data, conflictCount: Int)? {
    let texts = [base ?? Data(), ours, theirs]
    if texts.contains(where: { $0.contains(0) }) { return nil }
    let sources = texts.map { PlistSource($0) }
    let merge = LineMerge(base: sources[0], ours: sources[1], theirs: sources[2], joinsAdjacent: true)
    let (text, count) = merge.marked(markers)
    return (Data(text), count)
  }

  /// Returns the merged document with its conflicts between markers, or nil for a binary document.
  ///
  /// Keeping only our lines of each conflict gives ``data``, and keeping only their lines gives a document with their
  /// values at the paths of all conflicts. Without conflicts, the result is ``data``.
  ///
  /// - Throws: ``PlistError`` if our format cannot represent one of their values.
  /// - Complexity: As for the initializer.
  public func data(with markers: PlistMergeMarkers) throws(PlistError) -> Data? {
    if conflicts.isEmpty { return data }
    if format == .binary { return nil }
    func resolved(_ side: PropertyListMerge.Side) throws(PlistError) -> PlistSource {
      try OpenedDocument(data(resolving: side), options: ours.options).source
    }
    let merge = LineMerge(
      base: try resolved(.base), ours: try resolved(.ours), theirs: try resolved(.theirs), joinsAdjacent: true)
    return ours.source.encoded(merge.marked(markers, marksAll: true).text, as: ours.data)
  }
}

/// A document to be merged, and its value.
struct MergedDocument: Sendable {
  let data: Data
  let value: PropertyList
  let format: PlistFormat
  let source: PlistSource
  let options: PlistReadOptions

  init(_ data: Data, _ options: PlistReadOptions) throws(PlistError) {
    let opened = try OpenedDocument(data, options: options)
    var options = options
    options.format = opened.format
    (self.data, self.options, format, source) = (data, options, opened.format, opened.source)
    value = try PropertyListBuilder.build(opened, options: options)
  }

  /// Creates a document from a text and its value, in the format and encoding of another document.
  init(_ data: Data, _ value: PropertyList, like other: MergedDocument) {
    (self.data, self.value, format, options) = (data, value, other.format, other.options)
    source = (try? OpenedDocument(data, options: other.options).source) ?? PlistSource(data)
  }
}

/// Creates the text of a merge.
///
/// It first merges the lines as git does, keeping ours where both sides have changed them. This preserves their changes
/// to comments and layout. It then edits the text until it has the merged value.
private struct TextMerge {
  private let base: MergedDocument?
  private let ours: MergedDocument
  private let theirs: MergedDocument

  init(_ base: MergedDocument?, _ ours: MergedDocument, _ theirs: MergedDocument) {
    (self.base, self.ours, self.theirs) = (base, ours, theirs)
  }

  func merged(_ value: PropertyList) throws(PlistError) -> Data {
    if theirs.data == base?.data { return ours.data }
    if ours.data == base?.data || ours.format == .binary && theirs.format == .binary && theirs.value == value {
      if theirs.value == value, ours.format == theirs.format, ours.source.encoding == theirs.source.encoding {
        return theirs.data
      }
    }
    if ours.format == .binary { return ours.value == value ? ours.data : try value.data(format: .binary) }
    if let start = mergedLines(), let text = try? start.edited(to: value, spelledAs: theirs) { return text }
    return try MergedText(ours.data, ours.value, ours).edited(to: value, spelledAs: theirs)
  }

  /// Returns the merged lines if they form a document without repeated keys.
  private func mergedLines() -> MergedText? {
    guard let base, base.format == ours.format, theirs.format == ours.format else { return nil }
    let merge = LineMerge(base: base.source, ours: ours.source, theirs: theirs.source, joinsAdjacent: false)
    let splices = merge.splices
    if splices.isEmpty { return nil }
    let text = PlistEditor.spliced(ours.data, splices, ours.source)
    var options = ours.options
    options.duplicateKeys = .refuse
    guard let value = try? PropertyList(parsing: text, options: options) else { return nil }
    return MergedText(text, value, ours)
  }
}

/// A text that is edited until it has a given value.
private struct MergedText {
  private let data: Data
  private let value: PropertyList
  private let options: PlistReadOptions

  init(_ data: Data, _ value: PropertyList, _ document: MergedDocument) {
    (self.data, self.value, options) = (data, value, document.options)
  }

  /// Returns the text edited to have a value; new values are spelled as in another document.
  func edited(to value: PropertyList, spelledAs document: MergedDocument?) throws(PlistError) -> Data {
    let difference = value.difference(from: self.value)
    if difference.isEmpty { return data }
    for spellings in [document.flatMap { Spellings($0) }, nil] {
      guard let edited = try? edited(by: difference, value, spellings),
        (try? PropertyList(parsing: edited, options: options)) == value
      else { continue }
      return edited
    }
    // Their text or the neighbors' layout does not fit, so edit without them.
    var editor = try PlistEditor(parsing: data, options: options)
    for change in difference { try editor.apply(change) }
    return editor.data
  }

  private func edited(
    by difference: PropertyListDifference, _ value: PropertyList, _ spellings: Spellings?
  ) throws(PlistError) -> Data {
    var editor = try PlistEditor(parsing: data, options: options)
    let removed = difference.compactMap { $0.newValue == nil ? ProjectObjects.identifier($0.path) : nil }
    var project = ProjectObjects(self.value, data, removing: Set(removed))
    // Objects are added in order of identifier, so that each one follows the previous one.
    let (others, objects) = difference.partitioned { ProjectObjects.identifier($0.path) != nil && $0.oldValue == nil }
    let sorted =
      project == nil ? objects : objects.sorted { $0.path.components.last ?? "" < $1.path.components.last ?? "" }
    for change in others + sorted {
      guard let new = change.newValue else {
        try editor.apply(change)
        continue
      }
      if change.oldValue != nil {
        try editor.set(new, at: change.path, spelledAs: spellings?.value(new, at: change.path))
        continue
      }
      let spelling = spellings?.item(new, at: change.path)
      let place = project?.place(for: new, at: change.path) ?? place(at: change.path, in: value)
      try editor.insert(new, at: change.path, place, spelledAs: spelling)
    }
    return editor.data
  }

  /// Returns the place for a new pair, after the same key as in the merged value.
  private func place(at path: PropertyListPath, in value: PropertyList) -> PlistEditor.PairPlace? {
    guard let parent = path.parent, let key = path.components.last, case .dictionary(let dictionary)? = value[parent],
      let position = dictionary.keyStorage.position(of: key)
    else { return nil }
    if position > 0 { return .after(dictionary.keyStorage.keys[position - 1]) }
    // A new first pair goes before the first existing pair.
    guard case .dictionary(let old)? = self.value[parent] else { return nil }
    return dictionary.keyStorage.keys.first { old[$0] != nil }.map { .before($0) }
  }
}

extension Sequence {
  /// Returns the elements for which a condition is false, and those for which it is true.
  fileprivate func partitioned(_ isSecond: (Element) -> Bool) -> ([Element], [Element]) {
    (filter { !isSecond($0) }, filter(isSecond))
  }
}

extension PlistEditor {
  fileprivate mutating func apply(_ change: PropertyListDifference.Change) throws(PlistError) {
    switch (change.oldValue, change.newValue) {
    case (_?, let new?): try set(new, at: change.path)
    case (nil, let new?): try insert(new, at: change.path)
    case (_?, nil): try remove(at: change.path)
    case (nil, nil): break
    }
  }
}

/// How values are spelled in a document.
private final class Spellings {
  private let document: PlistDocument
  private var elements: [Int: [PropertyList: PlistNode]] = [:]

  init?(_ document: MergedDocument) {
    guard document.format != .binary,
      let opened = try? PlistDocument(parsing: document.data, options: document.options)
    else { return nil }
    self.document = opened
  }

  func value(_ value: PropertyList, at path: PropertyListPath) -> ItemSpelling? {
    node(value, at: path).flatMap { ItemSpelling(of: $0, isItem: false) }
  }

  func item(_ value: PropertyList, at path: PropertyListPath) -> ItemSpelling? {
    node(value, at: path).flatMap { ItemSpelling(of: $0, isItem: true) }
  }

  /// Returns the node of a value at a path or, in an array, the node of any equal element.
  private func node(_ value: PropertyList, at path: PropertyListPath) -> PlistNode? {
    guard let parent = path.parent, let key = path.components.last, let container = document.root[parent] else {
      return nil
    }
    if container.kind == .array {
      if elements[container.index] == nil {
        elements[container.index] = Dictionary(
          (container.array.map { Array($0) } ?? []).compactMap { node in
            (try? node.propertyList()).map { ($0, node) }
          },
          uniquingKeysWith: { first, _ in first })
      }
      return elements[container.index]?[value]
    }
    guard let node = container[key], (try? node.propertyList()) == value else { return nil }
    return node
  }
}
