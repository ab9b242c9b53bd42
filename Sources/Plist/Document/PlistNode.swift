#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A value in a ``PlistDocument``; the value is decoded from the document's bytes on demand.
///
/// ```swift
/// if let server = document.root["servers"]?[0], server["port"] == nil {
///   print("line \(server.line ?? 0): the server has no port")
/// }
/// ```
///
/// A node has the same accessors as a ``PropertyList``. An accessor, such as `string`, returns nil if the node's value
/// is not of the kind that the accessor returns. A node keeps its document alive. In a binary document, a malformed
/// object has the kind ``PropertyList/Kind/null``, without a value or children. An element with an invalid reference
/// also has the kind ``PropertyList/Kind/null``. ``PlistDocument/validate()`` finds malformed objects and invalid
/// references. For a node with a malformed object or an invalid reference, ``read()`` throws an error.
public struct PlistNode: Sendable {
  let document: DocumentIndex
  /// The index of the node's entry in the index of text, or the index of the node's object in a binary document.
  ///
  /// If ``isMalformedReference`` is true, `index` is the bitwise complement of the reference's offset.
  let index: Int

  init(_ document: DocumentIndex, _ index: Int) {
    self.document = document
    self.index = index
  }

  /// A number that no other value of the same document has.
  package var identity: Int { index }

  /// Creates a node without an object, for an invalid reference or for a reference to an invalid key.
  init(_ document: DocumentIndex, malformedReferenceAt offset: Int) {
    self.init(document, ~offset)
  }

  /// Whether the node is a child with an invalid reference or key, in a container of a binary document.
  ///
  /// If ``isMalformedReference`` is true, the node has no object.
  var isMalformedReference: Bool { index < 0 }

  /// The kind of the node's value.
  public var kind: PropertyList.Kind {
    let kind = uncheckedKind
    return kind == .string && !isWellFormed ? .null : kind
  }

  /// The kind of the value; the kind of a malformed string is `string`, because the bytes of strings are not checked.
  package var uncheckedKind: PropertyList.Kind { PropertyList.Kind(of: token) }

  /// The number of elements of an array or pairs of a dictionary; 0 if the value is not a container.
  public var count: Int { Children(of: self).count }

  /// The line on which the value begins, starting at 1, or nil in a binary document.
  ///
  /// - Complexity: O(*n*) in the length of the document for the lines of all its values together.
  public var line: Int? { position?.line }

  /// The column at which the value begins, in Unicode scalars, starting at 1, or nil in a binary document.
  ///
  /// - Complexity: O(*n*) in the length of the document for the columns of all its values together.
  public var column: Int? { position?.column }

  /// The position of the value, in bytes from the start of the document; 0 in `bplist16` and `bplist17`.
  public var offset: Int { document.offset(of: index) }

  private var position: PlistPosition? { document.format == .binary ? nil : document.position(of: sourceOffset) }

  var sourceOffset: Int { document.sourceOffset(of: index) }

  /// Returns an error at the position of this node.
  package func error(_ code: PlistError.Code, _ message: String, path: PropertyListPath?) -> PlistError {
    document.error(code, message, at: index, path: path)
  }

  /// The value with all of its contents as a ``PropertyList``.
  ///
  /// If the value cannot be read, `propertyList` is ``PropertyList/null``, whereas ``read()`` throws an error.
  ///
  /// - Complexity: O(*n*) in the size of the value.
  public var propertyList: PropertyList { (try? read()) ?? .null }

  /// Reads the value with all of its contents.
  ///
  /// - Throws: ``PlistError`` if the value is malformed or, in a binary document, contains itself or exceeds the
  ///   limits.
  /// - Complexity: O(*n*) in the size of the value.
  public func read() throws(PlistError) -> PropertyList { try read(sharesObjects: true) }

  /// Reads the value as ``read()`` does, but throws an error if a binary document with shared objects stands for more
  /// values than the limits allow.
  ///
  /// Work on the result is then bounded too, such as writing it as text, in which nothing is shared.
  package func readExpanded() throws(PlistError) -> PropertyList { try read(sharesObjects: false) }

  private func read(sharesObjects: Bool) throws(PlistError) -> PropertyList {
    let token = token
    // Before the bytes are validated: that alone can take minutes in a file larger than the memory.
    guard document.canCopy(token) else { throw .insufficientMemory(token.count, for: document.format) }
    if isWellFormed, let scalar = PropertyList(scalar: token, in: document.source) {
      return scalar
    }
    if isMalformedReference { throw malformedReference() }
    if let failure = textFailure { throw failure.error(path: PropertyListPath(), in: document.source) }
    do throws(PlistError) { return try readValue() } catch {
      // The limits on the number and the total size of values count each occurrence of a shared object. If all
      // occurrences together exceed a limit, the value is read again, and each shared object is read and counted only
      // once.
      guard sharesObjects, document.kind == .binary, error.category == .limit else { throw error }
      return try readValue(sharesObjects: true)
    }
  }

  /// Why the bytes of a string are malformed, or nil.
  private var textFailure: BinaryFailure? {
    document.source.withBytes { bytes in
      uncheckedBinaryObject(in: bytes).flatMap { document.textFailure(of: $0, index, in: bytes) }
    }
  }

  /// Returns the error for a reference that is invalid, or for a key that is malformed or not a string.
  private func malformedReference() -> PlistError {
    let table = document.table
    do throws(BinaryFailure) {
      return try document.source.withBytes { (bytes) throws(BinaryFailure) in
        let object = try table.reference(at: ~index, in: bytes)
        let key = PlistNode(document, object)
        // If the object of the key is malformed, the result is the error that reading the key throws.
        if key.binaryObject(in: bytes) == nil { do throws(PlistError) { _ = try key.read() } catch { return error } }
        throw BinaryFailure(.key, at: table.offset(of: object, in: bytes))
      }
    } catch { return error.error(in: document.source) }
  }

  private func readValue(sharesObjects: Bool = false) throws(PlistError) -> PropertyList {
    var task = ReadingValue(source: document.source, options: document.options)
    let isBinary = document.kind == .binary
    return try document.format.withReader(
      in: document.source.data.bytes, limits: document.options.limits, from: isBinary ? index : sourceOffset,
      isRoot: index == 0, dates: document.options.dates, table: isBinary ? document.table : nil,
      sharesObjects: sharesObjects, &task)
  }

  /// Reads a container of a binary document for a decoder, which pays for it even if reading fails, and provides long
  /// strings and data.
  func read(paidBy owner: any LongValues) throws(PlistError) -> PropertyList {
    let options = document.options
    var reader = BinaryReader(
      document.table, from: index, in: document.source.data.bytes, limits: options.limits, sharesObjects: false,
      paidBy: owner)
    return try PropertyListBuilder.build(&reader, document.source, options: options, longValues: owner)
  }
}

private struct ReadingValue: ReaderTask {
  let source: PlistSource
  let options: PlistReadOptions

  func run<Reader: PlistTokenReader>(_ reader: inout Reader, in bytes: RawSpan) throws(PlistError) -> PropertyList {
    try PropertyListBuilder.build(&reader, source, options: options)
  }
}
