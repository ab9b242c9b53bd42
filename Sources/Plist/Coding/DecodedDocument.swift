/// A document as it is decoded: one that is indexed, or a tree.
///
/// The storage keeps alive what is borrowed.
struct DecodedDocument: ~Copyable {
  enum Backing { case xml, binary, tree }

  let backing: Backing
  /// The bytes, nil of a tree.
  private(set) var source: PlistSource?
  /// The document, once something needs it.
  private var storage: PlistDocument.Storage?
  // Of these, the one that `backing` names means something.
  private(set) var bytes: BorrowedBytes
  private(set) var entries: FrozenRoom<XMLIndexEntry>
  let table: BinaryObjectTable
  let tree: DecodingTree
  /// The path of the value that is decoded in its document.
  let pathPrefix: PropertyListPath

  private init(
    _ source: PlistSource, _ backing: PlistDocument.Storage.Backing, storage: PlistDocument.Storage? = nil,
    pathPrefix: PropertyListPath = PropertyListPath()
  ) {
    self.source = source
    self.storage = storage
    bytes = BorrowedBytes(source)
    switch backing {
    case .xml(let index):
      self.backing = .xml
      entries = index.entries
      table = BinaryObjectTable()
    case .binary(let table):
      self.backing = .binary
      entries = FrozenRoom()
      self.table = table
    }
    tree = DecodingTree()
    self.pathPrefix = pathPrefix
  }

  init(_ document: PlistDocument, pathPrefix: PropertyListPath = PropertyListPath()) throws(PlistError) {
    let storage = document.storage
    if case .xml(let index) = storage.backing { try Self.check(index.entries.count) }
    self.init(storage.source, storage.backing, storage: storage, pathPrefix: pathPrefix)
  }

  /// Reads a document in XML or binary, with the memory of another one.
  init(
    _ opened: OpenedDocument, options: PlistReadOptions, reusing memory: inout XMLIndexMemory
  ) throws(PlistError) {
    if opened.format == .binary {
      self.init(opened.source, .binary(try BinaryReader.table(of: opened.source)))
    } else {
      let index = try XMLIndex(opened.source, limits: options.limits, reusing: &memory)
      try Self.check(index.entries.count)
      self.init(opened.source, .xml(index))
    }
  }

  /// Nodes are kept in half a word.
  private static func check(_ count: Int) throws(PlistError) {
    guard count <= Int(UInt32.max) else {
      throw PlistError(
        code: .expandedObjectsLimit, message: "the document has more than 2^32 values and keys", format: .xml)
    }
  }

  init(_ tree: DecodingTree = DecodingTree(), pathPrefix: PropertyListPath = PropertyListPath()) {
    source = nil
    storage = nil
    bytes = BorrowedBytes()
    backing = .tree
    entries = FrozenRoom()
    table = BinaryObjectTable()
    self.tree = tree
    self.pathPrefix = pathPrefix
  }

  /// The document, of which hardly any decoding needs more than is here; nil of a tree.
  mutating func document(_ options: PlistReadOptions) -> PlistDocument.Storage? {
    if let storage { return storage }
    guard let source else { return nil }
    let made = PlistDocument.Storage(
      source, backing == .binary ? .binary(table) : .xml(XMLIndex(entries)), options: options)
    storage = made
    return made
  }

  /// Lets go of the document, and leaves the memory of its index if nobody else has it.
  mutating func forget(leaving memory: inout XMLIndexMemory) {
    guard backing != .tree, pathPrefix.isRoot else {
      self = DecodedDocument()
      return
    }
    bytes = BorrowedBytes()
    storage = nil
    source = nil
    memory.keep(entries.reclaim())
  }

  /// The node of the document's value.
  var root: Int { backing == .binary ? table.topObject : 0 }

  /// How many values may be visited.
  func valueCount(_ limits: PlistLimits) -> Int { source == nil ? .max : limits.values(inDocumentOf: bytes.count) }

  /// How many bytes of text there can be without any that occurs more than once.
  var textCount: Int { source == nil ? .max : bytes.count }
}

/// The options of a decoder that matter while it decodes.
struct DecodingOptions {
  let readOptions: PlistReadOptions
  let keyDecodingStrategy: PlistDecoder.KeyDecodingStrategy
  let nilDecodingStrategy: PlistDecoder.NilDecodingStrategy
  /// Whether the string that stands for nil is `$null`, as is usual; it is looked for at once.
  let hasUsualNil: Bool
  let depthLimit: Int
  /// Whether it matters which keys are read.
  let countsReadKeys: Bool

  init(_ decoder: borrowing PlistDecoder) {
    readOptions = decoder.readOptions
    keyDecodingStrategy = decoder.keyDecodingStrategy
    nilDecodingStrategy = decoder.nilDecodingStrategy
    hasUsualNil = decoder.nilDecodingStrategy == .asFoundation
    depthLimit = decoder.readOptions.limits.effectiveDepth
    countsReadKeys = decoder.unreadKeys == .refuse
  }
}

extension BinaryObjectTable {
  /// The table of no document.
  fileprivate init() {
    offsets = BinaryNumberFormat(size: 1)
    references = BinaryNumberFormat(size: 1)
    objectCount = 0
    topObject = 0
    tableOffset = 0
  }
}
