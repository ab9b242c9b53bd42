/// A document as it is decoded: one that is indexed, or a tree.
///
/// The storage keeps alive what is borrowed.
struct DecodedDocument {
  enum Backing { case xml, binary, tree }

  let backing: Backing
  let storage: PlistDocument.Storage?
  // Of these, the one that `backing` names means something.
  let bytes: BorrowedBytes
  let entries: FrozenRoom<XMLIndexEntry>
  let table: BinaryObjectTable
  let tree: DecodingTree
  /// The path of the value that is decoded in its document.
  let pathPrefix: PropertyListPath

  init(_ document: PlistDocument, pathPrefix: PropertyListPath = PropertyListPath()) throws(PlistError) {
    let storage = document.storage
    self.storage = storage
    bytes = BorrowedBytes(storage.source)
    switch storage.backing {
    case .xml(let index):
      backing = .xml
      entries = index.entries
      table = BinaryObjectTable()
    case .binary(let table):
      backing = .binary
      entries = FrozenRoom()
      self.table = table
    }
    tree = DecodingTree()
    self.pathPrefix = pathPrefix
    // Nodes are kept in half a word.
    guard entries.count <= Int(UInt32.max) else {
      throw PlistError(
        code: .expandedObjectsLimit, message: "the document has more than 2^32 values and keys", format: .xml)
    }
  }

  init(_ tree: DecodingTree = DecodingTree(), pathPrefix: PropertyListPath = PropertyListPath()) {
    storage = nil
    bytes = BorrowedBytes()
    backing = .tree
    entries = FrozenRoom()
    table = BinaryObjectTable()
    self.tree = tree
    self.pathPrefix = pathPrefix
  }

  /// The node of the document's value.
  var root: Int { backing == .binary ? table.topObject : 0 }

  /// How many values may be visited.
  func valueCount(_ limits: PlistLimits) -> Int { storage == nil ? .max : limits.values(inDocumentOf: bytes.count) }

  /// How many bytes of text there can be without any that occurs more than once.
  var textCount: Int { storage == nil ? .max : bytes.count }
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
