public import Plist

#if !THREAD_SANITIZER
#endif

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A keyed archive, the kind of property list that `NSKeyedArchiver` writes.
///
/// ```swift
/// let archive = try KeyedArchive(contentsOf: url)
/// let title = archive.root["title"]?.string
/// let firstTag = archive.root["tags"]?[0]?.string
/// ```
///
/// An archive is a table of objects that refer to each other by number. Objects of common Foundation classes have
/// values; see ``Object``. The archived classes are never instantiated, so untrusted archives are safe to read. Objects
/// are read on demand; ``Object/propertyList(limits:keepsClassNames:)`` reads one with everything it refers to.
///
/// Archives are immutable and can be shared between threads.
public struct KeyedArchive: Sendable {
  /// The document that contains the archive.
  public let document: PlistDocument
  let table: ObjectTable<PlistNode>
  private let topNode: PlistNode
  private let cache = Cache()
  let collections: CollectionCache

  /// All archived objects, which are read when one is first converted to a property list.
  private final class Cache: Sendable {
    let objects = Guarded<ArchivedObjects?>(nil)
  }

  static let archiver = "NSKeyedArchiver"
  /// The `$version` that Foundation writes and reads.
  static let version = 100_000

  /// Opens the archive in a document.
  ///
  /// - Parameter document: A document in any property list format. In OpenStep text, numbers must be typed values of
  ///   GNUstep, because other numbers are read as strings.
  /// - Throws: `PlistError` if the document is not a keyed archive.
  public init(_ document: PlistDocument) throws(PlistError) {
    try document.checkText()
    let root = document.root
    guard root.kind == .dictionary, let archiver = root["$archiver"] else {
      throw Self.error(
        .invalidValue, "the document is not a keyed archive: the key \"$archiver\" is missing", root, document)
    }
    guard archiver.string == Self.archiver else {
      let name = archiver.string.map { "\"\($0.shownInMessages())\"" } ?? "not a string"
      throw Self.error(
        .unsupportedFormat, "the archiver is \(name), expected \"\(Self.archiver)\"", archiver, document, "$archiver")
    }
    guard let version = root["$version"]?.int, version == Self.version else {
      throw Self.error(
        .unsupportedFormat, "the value of \"$version\" in the archive is not \(Self.version)", root["$version"] ?? root,
        document,
        "$version")
    }
    guard let objects = root["$objects"], objects.kind == .array else {
      throw Self.error(
        .invalidValue, "the archive has no array with the key \"$objects\"", root["$objects"] ?? root, document,
        "$objects")
    }
    guard let top = root["$top"], top.kind == .dictionary else {
      throw Self.error(
        .invalidValue, "the archive has no dictionary with the key \"$top\"", root["$top"] ?? root, document, "$top")
    }
    self.document = document
    table = ObjectTable(objects: objects)
    topNode = top
    collections = CollectionCache(limit: document.byteCount)
  }

  /// Opens an archive in memory.
  ///
  /// - Parameters:
  ///   - data: The archive, in any property list format; see ``init(_:)``.
  ///   - options: How to read the document, for example with which limits.
  /// - Throws: `PlistError` if the data is not a property list, or not a keyed archive.
  public init(parsing data: Data, options: PlistReadOptions = PlistReadOptions()) throws(PlistError) {
    try self.init(PlistDocument(parsing: data, options: options))
  }

  /// Opens the archive in a file.
  ///
  /// - Parameters:
  ///   - url: The URL of the file.
  ///   - options: How to read the document, for example with which limits, and whether to map the file.
  /// - Throws: `PlistError` if the file cannot be read or is not a keyed archive.
  public init(contentsOf url: URL, options: PlistReadOptions = PlistReadOptions()) throws(PlistError) {
    try self.init(PlistDocument(contentsOf: url, options: options))
  }

  /// The object archived under the key `root`, or null if there is none.
  ///
  /// `NSKeyedArchiver.archivedData(withRootObject:requiringSecureCoding:)` archives an object under this key. Objects
  /// with other keys are in ``top``.
  public var root: Object { object(topNode["root"]) }

  /// The archived objects by key.
  ///
  /// If keys are equal as `String`s but have different bytes, only one of them is included.
  /// ``propertyList(limits:keepsClassNames:)`` compares their bytes and returns all.
  public var top: [String: Object] {
    guard let pairs = topNode.dictionary else { return [:] }
    let objects = zip(pairs.keys, pairs.values).map { ($0, object($1)) }
    // If a key occurs twice, the first value wins in binary and the last in other formats.
    return Dictionary(objects) { first, last in document.format == .binary ? first : last }
  }

  /// Converts all archived objects to a property list.
  ///
  /// - Parameters:
  ///   - limits: The limits for the property list; see ``Object/propertyList(limits:keepsClassNames:)``.
  ///   - keepsClassNames: Whether an object's fields include the name of its class, under the key `$class`.
  /// - Returns: The value of ``root`` if ``top`` has nothing else, and otherwise a dictionary of all values in ``top``.
  /// - Throws: `PlistError` if a reference leads nowhere, an object contains itself, or the property list exceeds a
  ///   limit.
  public func propertyList(
    limits: PlistLimits? = nil, keepsClassNames: Bool = false
  ) throws(PlistError) -> PropertyList {
    if topNode.count == 1, topNode["root"] != nil {
      return try root.propertyList(limits: limits, keepsClassNames: keepsClassNames)
    }
    let top = try topNode.propertyList()
    return try resolve(top, limits ?? document.limits, ArchiveResolver.Form(keepsClassNames: keepsClassNames))
  }

  /// Converts all archived objects to a property list for people to read, even if an object contains itself.
  ///
  /// A reference to an enclosing object appears as text such as `→ object 79`.
  package func description() throws(PlistError) -> PropertyList {
    let form = ArchiveResolver.Form(keepsClassNames: true, marksCycles: true)
    let top = try topNode.propertyList()
    let value = try resolve(top, document.limits, form)
    guard topNode.count == 1, let root = value["root"] else { return value }
    return root
  }

  /// Returns the object at a node of the document, or null if there is no node.
  func object(_ value: PlistNode?) -> Object {
    Object(archive: self, target: value.map { table.target(of: $0) })
  }

  func resolve(
    _ value: PropertyList, _ limits: PlistLimits, _ form: ArchiveResolver.Form
  ) throws(PlistError) -> PropertyList {
    var resolver = ArchiveResolver(try objects(), of: self, limits: limits, form: form)
    return try resolver.resolve(value)
  }

  private func objects() throws(PlistError) -> ArchivedObjects {
    if let objects = cache.objects.withLock({ $0 }) { return objects }
    // We don't hold the lock here, so two threads may both read them.
    let objects = ArchivedObjects(try table.objects.propertyList())
    cache.objects.withLock { $0 = objects }
    return objects
  }
}

extension KeyedArchive {
  static func error(
    _ code: PlistError.Code, _ message: String, _ node: PlistNode, _ document: PlistDocument,
    _ path: String...
  ) -> PlistError {
    let line = node.line.map { ", on line \($0)" } ?? ""
    return PlistError(
      code: code, message: message + line, format: document.format, offset: node.offset,
      path: path.isEmpty ? nil : PropertyListPath(components: path))
  }

  func error(_ code: PlistError.Code, _ message: String, object number: Int?) -> PlistError {
    guard let number, let node = table.objects[number] else {
      return Self.error(code, message, topNode, document, "$top")
    }
    return Self.error(code, message, node, document, "$objects", "\(number)")
  }
}
