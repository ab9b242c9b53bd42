#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A whole document opened for reading: the index of a text document, the objects of a binary one, or a tree of values.
///
/// Documents, nodes, models and edits all read it. Each value is identified by a number: the index of its entry in text
/// or a tree, or of its object in a binary document. Apart from caches that are guarded by locks, a `DocumentIndex`
/// never changes, so it can be kept and used on any thread.
///
/// There is one class for all formats rather than a generic one, because the containers for `Codable` would not be
/// specialized for the format.
final class DocumentIndex: Sendable {
  enum Kind { case text, binary, tree }

  /// The number of a missing value, which reads as null.
  static let noNode = -1

  let kind: Kind
  /// The format of the document; `xml` for a tree, which has no format.
  let format: PlistFormat
  let source: PlistSource
  let options: PlistReadOptions
  // Only one of these is used, depending on `kind`; an enum's payload would be copied on each access.
  let text: TextIndex
  let table: BinaryObjectTable
  let tree: ValueTree
  let lookUps = LookUpCache()
  let longStrings = LongStrings()
  private let bytes: DocumentBytes
  private let lines = Guarded(LineTable())

  convenience init(_ document: OpenedDocument, options: PlistReadOptions) throws(PlistError) {
    let (source, format) = (document.source, document.format)
    if let table = document.table {
      self.init(.binary, format, source, options, table: table)
    } else {
      let text = try TextIndex(source, format: format, options: options)
      self.init(.text, format, source, options, text: text)
    }
  }

  /// Creates a document index from the index of an XML array's elements or dictionary's pairs.
  ///
  /// The container itself has no entry.
  convenience init(_ elements: XMLElements, options: PlistReadOptions) {
    self.init(.text, .xml, elements.source, options, text: TextIndex(elements.entries, dates: options.invalidDates))
  }

  convenience init(_ tree: ValueTree) {
    self.init(.tree, .xml, Self.noBytes, PlistReadOptions(), tree: tree)
  }

  private init(
    _ kind: Kind, _ format: PlistFormat, _ source: PlistSource, _ options: PlistReadOptions,
    text: TextIndex = TextIndex(FrozenBuffer()), table: BinaryObjectTable = .empty, tree: ValueTree = ValueTree()
  ) {
    self.kind = kind
    self.format = format
    self.source = source
    self.options = options
    self.text = text
    self.table = table
    self.tree = tree
    bytes = DocumentBytes(source.data)
    byteCount = kind == .tree ? .max : source.data.count
  }

  private static let noBytes = PlistSource(Data())

  /// The size of the document in bytes; for a tree, a number larger than any limit.
  let byteCount: Int

  /// Whether a string or data object is small enough to be copied into memory.
  func canCopy(_ token: PlistToken) -> Bool {
    token.count < MemoryBlock.largeSize || options.limits.canCopy(token.count)
  }

  var root: Int { kind == .binary ? table.topObject : 0 }

  /// Keeps the address of the bytes during a call to `body`, so that the current thread accesses them faster.
  ///
  /// Several threads can do this at the same time; each keeps its own copy of the address.
  func withPinnedBytes<Result>(_ body: () throws -> Result) rethrows -> Result { try bytes.whilePinned(body) }

  @inline(__always)
  func withBytes<Result, Failure: Error>(_ body: (RawSpan) throws(Failure) -> Result) throws(Failure) -> Result {
    try bytes.withBytes(body)
  }
}

extension DocumentIndex {
  /// Returns the line, column and offset in the original document for an offset in the source.
  ///
  /// Finding the positions of all values takes a single pass over the document in total.
  func position(of offset: Int) -> PlistPosition { lines.withLock { $0.position(of: offset, in: source) } }

  /// Returns the offset of a node in the source.
  func sourceOffset(of node: Int) -> Int {
    switch kind {
    case .text: text.entries[node].offset
    case .binary: node < 0 ? ~node : withBytes { table.offset(of: node, in: $0) }
    case .tree: 0
    }
  }

  /// Returns the offset of a node in the original document, in bytes.
  func offset(of node: Int) -> Int {
    let offset = sourceOffset(of: node)
    return source.encoding == .utf8 || kind == .binary ? source.originalOffset(of: offset) : position(of: offset).offset
  }

  /// Returns an error at the position of a node, or without a position for ``noNode`` and for trees that have no
  /// positions.
  func error(_ code: PlistError.Code, _ message: String, at node: Int, path: PropertyListPath?) -> PlistError {
    if kind == .tree, node >= 0, let position = tree.entries[node].position {
      return PlistError(code: code, message: message, at: position, format: .xml, path: path)
    }
    guard kind != .tree, node != Self.noNode else { return PlistError(code: code, message: message, path: path) }
    guard format != .binary else {
      return PlistError(code: code, message: message, format: .binary, offset: offset(of: node), path: path)
    }
    return PlistError(
      code: code, message: message, at: position(of: sourceOffset(of: node)), format: format, path: path)
  }
}
