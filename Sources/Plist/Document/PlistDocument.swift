#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A property list that opens quickly and decodes values on demand.
///
/// ```swift
/// let document = try PlistDocument(contentsOf: url)
/// let port = document.root["servers"]?[0]?["port"]?.int
/// ```
///
/// Opening a text document reads all of it and takes sixteen bytes of index per value and key; strings, numbers and
/// data are decoded on demand. In XML, a scalar with malformed content causes an error only when it is read: its node
/// is null, and ``PlistNode/propertyList()`` throws.
///
/// Opening a binary document checks the trailer and the offset table, in time linear in the number of objects. Objects
/// are checked as they are read, so finding a single key in a large file is fast. ``validate()`` checks everything.
///
/// Documents are immutable and can be shared between threads.
public struct PlistDocument: Sendable {
  let index: DocumentIndex

  init(_ index: DocumentIndex) { self.index = index }

  /// Opens a document in memory.
  ///
  /// - Parameters:
  ///   - data: The whole document, in any supported format. It is retained, not copied.
  ///   - options: Options for reading, such as the limits.
  /// - Throws: ``PlistError`` with the position of the first error.
  /// - Complexity: O(*n*) in the length of text, or in the number of objects of a binary document.
  public init(parsing data: Data, options: PlistReadOptions = PlistReadOptions()) throws(PlistError) {
    try self.init(OpenedDocument(data, options: options), options: options)
  }

  /// The limits the document was opened with.
  package var limits: PlistLimits { index.options.limits }

  init(_ document: OpenedDocument, options: PlistReadOptions) throws(PlistError) {
    index = try DocumentIndex(document, options: options)
  }

  /// Opens the document in the file at `url`.
  ///
  /// The file is read into memory. If you need only a few values from a large binary file, map it instead:
  ///
  /// ```swift
  /// let document = try PlistDocument(contentsOf: url, options: PlistReadOptions(fileAccess: .mapped))
  /// ```
  ///
  /// A mapped file must not change while the document or one of its nodes exists; see
  /// ``PlistReadOptions/FileAccess/mapped``.
  ///
  /// - Parameters:
  ///   - url: The file's URL.
  ///   - options: Options for reading, such as the limits and whether the file is read or mapped.
  /// - Throws: ``PlistError`` if the document is invalid, or with the category ``PlistError/Category/io`` if the file
  ///   cannot be read.
  public init(contentsOf url: URL, options: PlistReadOptions = PlistReadOptions()) throws(PlistError) {
    let file = try PlistFile(url, to: "read")
    var options = options
    let data = try file.read(&options)
    self = try PlistError.naming(file.path) { () throws(PlistError) in
      try PlistDocument(parsing: data, options: options)
    }
  }

  /// The format of the document.
  public var format: PlistFormat { index.format }

  package var byteCount: Int { index.source.data.count }

  /// Throws the error for the first malformed value in a text document; does nothing for a binary document.
  package func checkText() throws(PlistError) {
    if let error = index.text.malformed { throw error }
  }

  /// The root value of the document.
  public var root: PlistNode { PlistNode(index, index.root) }

  /// Checks what opening does not: the content of scalars in XML, and the objects of a binary document.
  ///
  /// - Throws: ``PlistError`` with the position and path of the first error.
  /// - Complexity: O(*n*) in the length of a binary document; O(1) for text.
  public func validate() throws(PlistError) {
    guard index.kind == .binary else { return try checkText() }
    try index.table.checkMemory(for: nil)
    var reader = BinaryReader(
      index.table, in: index.source.data.bytes, limits: index.options.limits, sharesObjects: true)
    try reader.readToEnd(in: index.source)
  }
}

extension PlistDocument {
  /// The numbers of all objects, shared objects and unused objects in a binary document; nil for a text document.
  ///
  /// - Complexity: O(*n*) in the length of the document.
  package var objectCounts: (all: Int, shared: Int, unused: Int)? {
    guard index.kind == .binary else { return nil }
    return index.source.withBytes { bytes in
      let counts = index.table.referenceCounts(in: bytes)
      var (shared, unused) = (0, 0)
      for object in 0..<index.table.objectCount {
        if counts[object] > 1 { shared += 1 }
        if counts[object] == 0 { unused += 1 }
      }
      return (index.table.objectCount, shared, unused)
    }
  }
}
