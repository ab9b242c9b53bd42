#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A value in a ``PlistDocument``, decoded on demand.
///
/// ```swift
/// if let server = document.root["servers"]?[0], server["port"] == nil {
///   print("line \(server.line ?? 0): the server has no port")
/// }
/// ```
///
/// A node has the same accessors as a ``PropertyList``, which return nil if the value is of another kind. It keeps its
/// document alive.
///
/// In a binary document, a malformed object or an invalid reference appears as a node of the kind
/// ``PropertyList/Kind/null``, without a value or children, and ``propertyList()`` throws for it.
/// ``PlistDocument/validate()`` throws if there are any such nodes.
public struct PlistNode: Sendable {
  let document: DocumentIndex
  /// The index of the node's entry in text, or of its object in a binary document; if ``isMalformedReference`` is true,
  /// the bitwise complement of the reference's offset.
  let index: Int

  init(_ document: DocumentIndex, _ index: Int) {
    self.document = document
    self.index = index
  }

  /// A number that is unique among the values of the document.
  package var identity: Int { index }

  /// Creates a node without an object, for an invalid reference or a reference to an invalid key.
  init(_ document: DocumentIndex, malformedReferenceAt offset: Int) {
    self.init(document, ~offset)
  }

  /// Whether this child of a binary container has an invalid reference or key, and therefore no object.
  var isMalformedReference: Bool { index < 0 }

  /// The kind of the node's value.
  public var kind: PropertyList.Kind {
    let kind = uncheckedKind
    return kind == .string && !isWellFormed ? .null : kind
  }

  /// The kind of the value, without checking the bytes of a string: a malformed one is still a `string`.
  package var uncheckedKind: PropertyList.Kind { PropertyList.Kind(of: token) }

  /// The number of elements or pairs; 0 if the value is not a container.
  public var count: Int { Children(of: self).count }

  /// The line on which the value begins, counted from 1; nil in a binary document.
  ///
  /// - Complexity: O(*n*) in the length of the document, for the lines of all its values together.
  public var line: Int? { position?.line }

  /// The column at which the value begins, in Unicode scalars, counted from 1; nil in a binary document.
  ///
  /// - Complexity: O(*n*) in the length of the document, for the columns of all its values together.
  public var column: Int? { position?.column }

  /// The offset of the value in the document, in bytes; 0 in `bplist16` and `bplist17`.
  public var offset: Int { document.offset(of: index) }

  private var position: PlistPosition? { document.format == .binary ? nil : document.position(of: sourceOffset) }

  var sourceOffset: Int { document.sourceOffset(of: index) }

  /// Returns an error at the position of this node.
  package func error(_ code: PlistError.Code, _ message: String, path: PropertyListPath?) -> PlistError {
    document.error(code, message, at: index, path: path)
  }

  /// Returns the value with all its contents.
  ///
  /// - Throws: ``PlistError`` if the value is malformed or, in a binary document, contains itself or exceeds the
  ///   limits.
  /// - Complexity: O(*n*) in the size of the value.
  public func propertyList() throws(PlistError) -> PropertyList { try read(sharesObjects: true) }

  /// Returns the value like ``propertyList()``, but throws if it exceeds the limits when each occurrence of a shared
  /// object is counted.
  ///
  /// This also limits later work on the result, such as writing it as text, in which nothing is shared.
  package func readExpanded() throws(PlistError) -> PropertyList { try read(sharesObjects: false) }

  private func read(sharesObjects: Bool) throws(PlistError) -> PropertyList {
    let token = token
    // Checked before validating the bytes, which can take minutes in a file larger than memory.
    guard document.canCopy(token) else { throw .insufficientMemory(token.count, for: document.format) }
    if isWellFormed, let scalar = PropertyList(scalar: token, in: document.source) {
      return scalar
    }
    if isMalformedReference { throw malformedReference() }
    if let failure = textFailure { throw failure.error(path: PropertyListPath(), in: document.source) }
    do throws(PlistError) { return try readValue() } catch {
      // The limits count each occurrence of a shared object. If that exceeds a limit, the value is read again, with
      // each shared object read and counted only once.
      guard sharesObjects, document.kind == .binary, error.category == .limit else { throw error }
      return try readValue(sharesObjects: true)
    }
  }

  /// Why the bytes of a string are malformed, or nil if they aren't.
  private var textFailure: BinaryFailure? {
    document.source.withBytes { bytes in
      uncheckedBinaryObject(in: bytes).flatMap { document.textFailure(of: $0, index, in: bytes) }
    }
  }

  /// Returns the error for an invalid reference, or for a key that is malformed or not a string.
  private func malformedReference() -> PlistError {
    let table = document.table
    do throws(BinaryFailure) {
      return try document.source.withBytes { (bytes) throws(BinaryFailure) in
        let object = try table.reference(at: ~index, in: bytes)
        let key = PlistNode(document, object)
        // If the key's object is malformed, the error is the one from reading the key.
        if key.binaryObject(in: bytes) == nil {
          do throws(PlistError) { _ = try key.propertyList() } catch { return error }
        }
        throw BinaryFailure(.key, at: table.offset(of: object, in: bytes))
      }
    } catch { return error.error(in: document.source) }
  }

  private func readValue(sharesObjects: Bool = false) throws(PlistError) -> PropertyList {
    var task = ReadingValue(source: document.source, options: document.options)
    let isBinary = document.kind == .binary
    return try document.format.withReader(
      in: document.source.data.bytes, limits: document.options.limits, from: isBinary ? index : sourceOffset,
      isRoot: index == 0, dates: document.options.invalidDates, table: isBinary ? document.table : nil,
      sharesObjects: sharesObjects, &task)
  }

  /// Reads a container in a binary document for a decoder, which supplies the long strings and data.
  ///
  /// The decoder's budget is charged even if reading fails.
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

extension PlistNode: CustomStringConvertible {
  /// A scalar as in the description of a ``PropertyList``, but with at most 40 characters of text, or the size of a
  /// container, such as `array of 3 elements`.
  ///
  /// A malformed value is described as `malformed`.
  ///
  /// - Complexity: O(1) for a container, O(*n*) in the length of text or data.
  public var description: String {
    switch kind {
    case .array: return "array of \(count) element\(count == 1 ? "" : "s")"
    case .dictionary: return "dictionary of \(count) pair\(count == 1 ? "" : "s")"
    default:
      guard let value = try? propertyList() else { return "malformed" }
      guard case .string(let text) = value, text.count > 40 else { return value.description }
      return PropertyList.string(String(text.prefix(40))).description + "…"
    }
  }
}
