public import Plist

#if !THREAD_SANITIZER
#endif

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A keyed archive, which is a property list that `NSKeyedArchiver` has written.
///
/// ```swift
/// let archive = try KeyedArchive(contentsOf: url)
/// let title = archive.root["title"]?.string
/// let firstTag = archive.root["tags"]?[0]?.string
/// ```
///
/// A keyed archive is a table of objects that refer to each other by number. Objects of common Foundation classes
/// represent values; see ``Object``. Reading an archive creates no instances of the archived classes, so an archive
/// from an untrusted source can be read safely. The objects of an archive are read on demand.
/// ``Object/propertyList(limits:keepsClassNames:)`` reads an object together with all objects to which it refers.
///
/// A `KeyedArchive` is immutable, and several threads can use the same archive concurrently.
public struct KeyedArchive: Sendable {
  /// The document that contains the archive.
  public let document: PlistDocument
  let table: ObjectTable<PlistNode>
  private let topNode: PlistNode
  private let cache = Cache()
  let collections: CollectionCache

  /// A cache of all archived objects; it is filled when the first object is converted to a property list.
  private final class Cache: Sendable {
    let objects = Guarded<ArchivedObjects?>(nil)
  }

  static let archiver = "NSKeyedArchiver"
  /// The value of the key `$version` in the archives that Foundation writes and reads.
  static let version = 100_000

  /// Creates an archive from a property list document.
  ///
  /// - Parameter document: A document in any property list format. An archive in OpenStep text can be read only if its
  ///   numbers are typed values of GNUstep. Any other number in OpenStep text is read as a string.
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

  /// Creates an archive from data.
  ///
  /// - Parameters:
  ///   - data: The bytes of the archive, in any property list format; see ``init(_:)``.
  ///   - options: The options for reading the document, such as the limits.
  /// - Throws: `PlistError` if the data is not a property list, or not a keyed archive.
  public init(parsing data: Data, options: PlistReadOptions = PlistReadOptions()) throws(PlistError) {
    try self.init(PlistDocument(parsing: data, options: options))
  }

  /// Creates an archive from a file.
  ///
  /// - Parameters:
  ///   - url: The URL of the file.
  ///   - options: The options for reading the document, such as the limits, and whether the file is read or mapped.
  /// - Throws: `PlistError` if the file cannot be read, or is not a keyed archive.
  public init(contentsOf url: URL, options: PlistReadOptions = PlistReadOptions()) throws(PlistError) {
    try self.init(PlistDocument(contentsOf: url, options: options))
  }

  /// The object that was archived under the key `root`, or null if no such object exists.
  ///
  /// `NSKeyedArchiver.archivedData(withRootObject:requiringSecureCoding:)` archives its argument under the key `root`.
  /// Objects that were archived under keys other than `root` are in ``top``.
  public var root: Object { object(topNode["root"]) }

  /// The archived objects, by the key under which each object was archived.
  ///
  /// If two keys are equal as `String` but have different bytes, the dictionary has only one of these keys.
  /// ``propertyList(limits:keepsClassNames:)`` distinguishes keys by their bytes, and returns all keys.
  public var top: [String: Object] {
    guard let pairs = topNode.dictionary else { return [:] }
    let objects = zip(pairs.keys, pairs.values).map { ($0, object($1)) }
    // If a key occurs twice, the first value is used in a binary document, and the last value in any other format.
    return Dictionary(objects) { first, last in document.format == .binary ? first : last }
  }

  /// Converts all archived objects to a property list.
  ///
  /// - Parameters:
  ///   - limits: The limits for the property list; see ``Object/propertyList(limits:keepsClassNames:)``.
  ///   - keepsClassNames: Whether a dictionary that represents an object's fields also contains the name of the
  ///     object's class, under the key `$class`.
  /// - Returns: The value of ``root`` if ``top`` contains only this object; otherwise, a dictionary of the values of
  ///   all objects in ``top``.
  /// - Throws: `PlistError` if a reference leads to no object, if an object contains itself, or if the property list
  ///   exceeds a limit.
  public func propertyList(
    limits: PlistLimits = PlistLimits(), keepsClassNames: Bool = false
  ) throws(PlistError) -> PropertyList {
    if topNode.count == 1, topNode["root"] != nil {
      return try root.propertyList(limits: limits, keepsClassNames: keepsClassNames)
    }
    let top = try topNode.read()
    return try resolve(top, limits, ArchiveResolver.Form(keepsClassNames: keepsClassNames))
  }

  /// Converts all archived objects to a property list for people, which shows a reference of an object to itself, or to
  /// an object around it, as the text `→ object 79`.
  package func description(limits: PlistLimits = PlistLimits()) throws(PlistError) -> PropertyList {
    let form = ArchiveResolver.Form(keepsClassNames: true, marksCycles: true)
    let top = try topNode.read()
    let value = try resolve(top, limits, form)
    guard topNode.count == 1, let root = value["root"] else { return value }
    return root
  }

  /// Returns the archived object for a node of the document, or a null object if `value` is nil.
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
    // The objects are read without the lock, so two threads can read the objects at the same time.
    let objects = ArchivedObjects(try table.objects.read())
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
