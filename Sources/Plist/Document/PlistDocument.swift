#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A property list as an index over its bytes: opened quickly, and read only where it is looked at.
///
/// ```swift
/// let document = try PlistDocument(contentsOf: url)
/// let port = document.root["servers"]?[0]?["port"]?.int
/// ```
///
/// Of a document in a text format everything is checked when it is opened; the index takes sixteen bytes for each value
/// and key, and strings, numbers and data are decoded when they are asked for. Of a binary document the trailer and the
/// offset table are checked, in time linear in the number of objects; the objects themselves are checked when they are
/// looked at, which makes one key out of a large file cheap. ``validate()`` checks all of it.
///
/// A document is immutable and can be used from many threads at once.
public struct PlistDocument: Sendable {
  let storage: Storage

  /// What a document and its nodes share.
  final class Storage: Sendable {
    let format: PlistFormat
    let source: PlistSource
    let options: PlistReadOptions
    let backing: Backing
    let cache = NodeIndexCache()

    enum Backing {
      /// XML, and the other text formats.
      case xml(XMLIndex)
      case binary(BinaryObjectTable)
    }

    init(_ document: OpenedDocument, options: PlistReadOptions) throws(PlistError) {
      format = document.format
      source = document.source
      self.options = options
      if document.format == .binary {
        backing = .binary(try BinaryReader.table(of: document.source))
      } else {
        backing = .xml(try XMLIndex(document.source, format: format, limits: options.limits))
      }
    }

    /// A document in XML or binary that has been opened already.
    init(_ source: PlistSource, _ backing: Backing, options: PlistReadOptions) {
      self.source = source
      self.backing = backing
      self.options = options
      if case .binary = backing { format = .binary } else { format = .xml }
    }
  }

  /// Opens a document in memory.
  ///
  /// - Parameters:
  ///   - data: The whole document, in any format that can be read; it is kept, not copied.
  ///   - options: The limits that apply.
  /// - Throws: ``PlistError`` with the place of the first fault.
  /// - Complexity: O(*n*) in the length of a text document, or in the number of objects of a binary one.
  public init(_ data: Data, options: PlistReadOptions = PlistReadOptions()) throws(PlistError) {
    try self.init(OpenedDocument(data, options: options), options: options)
  }

  init(_ document: OpenedDocument, options: PlistReadOptions) throws(PlistError) {
    storage = try Storage(document, options: options)
  }

  /// Opens the document in a file, which is mapped into memory.
  ///
  /// The file must not be shortened while the document is in use; replacing it by another, as this module and most
  /// programs do, is no problem.
  ///
  /// - Parameters:
  ///   - url: The file's URL.
  ///   - options: The limits that apply.
  /// - Throws: ``PlistError``, of the category ``PlistError/Category/io`` where the file cannot be read.
  public init(contentsOf url: URL, options: PlistReadOptions = PlistReadOptions()) throws(PlistError) {
    try self.init(PlistFile(url, to: "read").map(limits: options.limits), options: options)
  }

  /// The format of the document.
  public var format: PlistFormat { storage.format }

  /// The document's value.
  public var root: PlistNode {
    switch storage.backing {
    case .xml: return PlistNode(storage, 0)
    case .binary(let table): return PlistNode(storage, table.topObject)
    }
  }

  /// Checks what has not been checked yet: the objects of a binary document.
  ///
  /// - Throws: ``PlistError`` with the place and path of the first fault.
  /// - Complexity: O(*n*) in the length of a binary document; O(1) for text.
  public func validate() throws(PlistError) {
    guard format == .binary else { return }
    var reader = try BinaryReader(storage.source, limits: storage.options.limits, sharesObjects: true)
    while try reader.nextToken(in: storage.source).kind != .end {}
  }
}
