/// A value in a ``PlistDocument``, read from the document's bytes when it is asked for.
///
/// The accessors are those of ``PropertyList``, nil on another kind. A node keeps its document alive. An object of a
/// binary document that turns out to be malformed is of kind ``PropertyList/Kind/null`` and has neither value nor
/// children; ``PlistDocument/validate()`` tells beforehand, and ``read()`` says what is wrong.
public struct PlistNode: Sendable {
  let storage: PlistDocument.Storage
  /// The number of the entry in the XML index, or of the binary object.
  let index: Int

  init(_ storage: PlistDocument.Storage, _ index: Int) {
    self.storage = storage
    self.index = index
  }

  /// The kind of the value.
  public var kind: PropertyList.Kind {
    switch token.kind {
    case .string, .key, .sharedKey: return .string
    case .integer, .negativeInteger: return .integer
    case .real: return .real
    case .booleanFalse, .booleanTrue: return .boolean
    case .date: return .date
    case .data: return .data
    case .uid: return .uid
    case .beginArray, .endArray: return .array
    case .beginDictionary, .endDictionary: return .dictionary
    case .null, .shared, .end: return .null
    }
  }

  /// The number of elements or pairs; 0 for what is no container.
  public var count: Int {
    switch storage.backing {
    case .xml(let index):
      let entry = index.entries[self.index]
      return entry.isContainer ? entry.count : 0
    case .binary:
      guard let object = binaryObject, object.isContainer else { return 0 }
      return object.count
    }
  }

  /// The line on which the value begins, the first being 1, or nil in a binary document.
  ///
  /// - Complexity: O(*n*) in the distance from the start of the document.
  public var line: Int? { place?.line }

  /// The column at which the value begins, in Unicode scalars, the first being 1, or nil in a binary document.
  ///
  /// - Complexity: O(*n*) in the distance from the start of the document.
  public var column: Int? { place?.column }

  /// Where the value begins, in bytes from the start of the document.
  public var offset: Int { storage.source.originalOffset(of: sourceOffset) }

  private var place: PlistPosition? {
    storage.format == .binary ? nil : storage.source.place(of: sourceOffset)
  }

  /// Where the value begins in the source.
  var sourceOffset: Int {
    switch storage.backing {
    case .xml(let index): return index.entries[self.index].offset
    case .binary(let table): return storage.source.withBytes { table.offset(of: index, in: $0) }
    }
  }

  /// The value with all it holds.
  ///
  /// What is malformed in a binary document is null here; see ``read()``.
  ///
  /// - Complexity: O(*n*) in the size of the value.
  public var propertyList: PropertyList { (try? read()) ?? .null }

  /// Reads the value with all it holds.
  ///
  /// - Throws: ``PlistError`` where the value, in a binary document, is malformed, holds itself or exceeds the limits.
  /// - Complexity: O(*n*) in the size of the value.
  public func read() throws(PlistError) -> PropertyList {
    if let scalar = PropertyList(scalar: token, in: storage.source), storage.format != .binary || binaryObject != nil {
      return scalar
    }
    switch storage.backing {
    case .xml: return try readText()
    case .binary(let table):
      do throws(PlistError) { return try readBinary(table, sharesObjects: false) } catch {
        // What is shared, and therefore too much, may be little when each object is read once.
        guard error.code == .expandedObjectsLimit else { throw error }
        return try readBinary(table, sharesObjects: true)
      }
    }
  }

  private func readBinary(_ table: BinaryObjectTable, sharesObjects: Bool) throws(PlistError) -> PropertyList {
    let limits = storage.options.limits
    var reader = BinaryReader(table, from: index, in: storage.source, limits: limits, sharesObjects: sharesObjects)
    return try PropertyListBuilder.build(&reader, storage.source, options: storage.options)
  }

  private func readText() throws(PlistError) -> PropertyList {
    let limits = storage.options.limits
    switch storage.format {
    case .xml, .binary:
      var reader = XMLReader(limits: limits, from: sourceOffset)
      return try PropertyListBuilder.build(&reader, storage.source, options: storage.options)
    case .openStep, .gnuStep:
      var reader = OpenStepReader(limits: limits, from: sourceOffset, isRoot: index == 0)
      return try PropertyListBuilder.build(&reader, storage.source, options: storage.options)
    case .json:
      var reader = JSONReader(limits: limits, from: sourceOffset)
      return try PropertyListBuilder.build(&reader, storage.source, options: storage.options)
    }
  }
}
