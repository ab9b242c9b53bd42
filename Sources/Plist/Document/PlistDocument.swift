#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A property list that is opened quickly, and whose values are decoded on demand.
///
/// ```swift
/// let document = try PlistDocument(contentsOf: url)
/// let port = document.root["servers"]?[0]?["port"]?.int
/// ```
///
/// Opening a document in a text format reads the whole document. Its index takes sixteen bytes for each value and key;
/// strings, numbers and data are decoded on demand. A number, a date, data or a string in XML whose content is
/// malformed is an error only for those who read the value: its node is null, and ``PlistNode/read()`` throws.
///
/// Opening a binary document checks the trailer and the offset table, in time linear in the number of objects. Each
/// object is checked when it is read, so reading one key of a large file is fast. ``validate()`` finds what is
/// malformed in either.
///
/// A `PlistDocument` is immutable, and several threads can use the same document at the same time.
public struct PlistDocument: Sendable {
  let index: DocumentIndex

  init(_ index: DocumentIndex) { self.index = index }

  /// Opens a document in memory.
  ///
  /// - Parameters:
  ///   - data: The bytes of the whole document, in any supported format. The `PlistDocument` retains the bytes without
  ///     a copy.
  ///   - options: The options for reading, such as the limits for the document.
  /// - Throws: ``PlistError`` with the position of the first error.
  /// - Complexity: O(*n*) in the length of a text document, or in the number of objects of a binary document.
  public init(parsing data: Data, options: PlistReadOptions = PlistReadOptions()) throws(PlistError) {
    try self.init(OpenedDocument(data, options: options), options: options)
  }

  init(_ document: OpenedDocument, options: PlistReadOptions) throws(PlistError) {
    index = try DocumentIndex(document, options: options)
  }

  /// Opens the document in a file.
  ///
  /// The file is read into memory. To read a few values of a large binary file, map the file:
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
  ///   - options: The options for reading, such as the limits for the document, and whether the file is read or mapped.
  /// - Throws: ``PlistError`` if the file cannot be read or the document is invalid. If the file cannot be read, the
  ///   category of the error is ``PlistError/Category/io``.
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

  /// Throws the error of the first malformed value in text; does nothing for a binary document.
  package func checkText() throws(PlistError) {
    if let error = index.text.malformed { throw error }
  }

  /// The root value of the document.
  public var root: PlistNode { PlistNode(index, index.root) }

  /// Checks what opening the document leaves to those who read a value: the content of scalars in XML, and the objects
  /// of a binary document.
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
  /// The counts of all objects of a binary document, of objects to which several references refer, and of objects to
  /// which no reference refers.
  ///
  /// For a text document, `objectCounts` is nil.
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
