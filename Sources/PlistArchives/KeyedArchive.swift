public import Plist

#if !THREAD_SANITIZER
import Synchronization
#endif

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A property list that `NSKeyedArchiver` has written, with access to its objects.
///
/// ```swift
/// let archive = try KeyedArchive(contentsOf: url)
/// let title = archive.root["title"]?.string
/// let firstTag = archive.root["tags"]?[0]?.string
/// ```
///
/// An archive is a table of objects, which refer to each other by number. Objects of common classes of Foundation have
/// the values that these classes stand for; see ``Object``. No class is instantiated, so an archive of an unknown
/// program can be read safely. The objects are read on demand, and ``Object/propertyList(limits:keepsClassNames:)``
/// reads an object with all objects to which the object refers.
///
/// An archive is immutable, and many threads can use it at once.
public struct KeyedArchive: Sendable {
  /// The document that contains the archive.
  public let document: PlistDocument
  let table: ObjectTable<PlistNode>
  private let topNode: PlistNode
  private let cache = Cache()

  /// The objects are read into memory when the first value is made.
  private final class Cache: Sendable {
    let objects = Mutex<ArchivedObjects?>(nil)
  }

  static let archiver = "NSKeyedArchiver"
  /// The version of archives that Foundation writes and reads.
  static let version = 100_000

  /// Creates an archive from a document.
  ///
  /// - Parameter document: The document, in any format.
  /// - Throws: `PlistError` if the document is not a keyed archive.
  public init(_ document: PlistDocument) throws(PlistError) {
    let root = document.root
    guard root.kind == .dictionary, let archiver = root["$archiver"] else {
      throw Self.error(.invalidValue, "the document is not a keyed archive: it has no $archiver", root, document)
    }
    guard archiver.string == Self.archiver else {
      let name = archiver.string.map { "\"\($0.shownInMessages())\"" } ?? "not a string"
      throw Self.error(
        .unsupportedFormat, "the archiver is \(name), expected \"\(Self.archiver)\"", archiver, document, "$archiver")
    }
    guard let version = root["$version"]?.int, version == Self.version else {
      throw Self.error(
        .unsupportedFormat, "the archive's $version is not \(Self.version)", root["$version"] ?? root, document,
        "$version")
    }
    guard let objects = root["$objects"], objects.kind == .array else {
      throw Self.error(
        .invalidValue, "the archive has no array of $objects", root["$objects"] ?? root, document, "$objects")
    }
    guard let top = root["$top"], top.kind == .dictionary else {
      throw Self.error(.invalidValue, "the archive has no dictionary $top", root["$top"] ?? root, document, "$top")
    }
    self.document = document
    table = ObjectTable(objects: objects)
    topNode = top
  }

  /// Opens an archive in memory.
  ///
  /// - Parameters:
  ///   - data: The whole archive, in any format of property lists.
  ///   - options: The limits that apply to the document.
  /// - Throws: `PlistError` if the data is not a property list, or not a keyed archive.
  public init(parsing data: Data, options: PlistReadOptions = PlistReadOptions()) throws(PlistError) {
    try self.init(PlistDocument(parsing: data, options: options))
  }

  /// Opens the archive in a file.
  ///
  /// - Parameters:
  ///   - url: The file's URL.
  ///   - options: The limits that apply to the document, and whether the file is read or mapped.
  /// - Throws: `PlistError` if the file cannot be read, or is not a keyed archive.
  public init(contentsOf url: URL, options: PlistReadOptions = PlistReadOptions()) throws(PlistError) {
    try self.init(PlistDocument(contentsOf: url, options: options))
  }

  /// The object that was archived under the key `root`, or null if there is none.
  ///
  /// `NSKeyedArchiver.archivedData(withRootObject:requiringSecureCoding:)` archives its argument under this key. An
  /// archiver that encodes keys of its own has these keys in ``top``.
  public var root: Object { object(topNode["root"]) }

  /// The archived objects, by the key under which each object was archived.
  public var top: [String: Object] {
    guard let pairs = topNode.dictionary else { return [:] }
    let objects = zip(pairs.keys, pairs.values).map { ($0, object($1)) }
    // Of equal keys, a look-up finds the first in a binary document, and the last in another format; `top` does the
    // same.
    return Dictionary(objects) { first, last in document.format == .binary ? first : last }
  }

  /// Reads the values of all archived objects.
  ///
  /// - Parameters:
  ///   - limits: The limits for the result; see ``Object/propertyList(limits:keepsClassNames:)``.
  ///   - keepsClassNames: Whether an object that is read as its fields has its class's name for the key `$class`.
  /// - Returns: The value of ``root`` if there is no other object in ``top``, otherwise a dictionary of all values.
  /// - Throws: `PlistError` if a reference leads to no object, if objects contain themselves, or if the value exceeds a
  ///   limit.
  public func propertyList(
    limits: PlistLimits = PlistLimits(), keepsClassNames: Bool = false
  ) throws(PlistError) -> PropertyList {
    if topNode.count == 1, topNode["root"] != nil {
      return try root.propertyList(limits: limits, keepsClassNames: keepsClassNames)
    }
    let top = try topNode.read()
    return try resolve(top, limits, ArchiveResolver.Form(keepsClassNames: keepsClassNames))
  }

  /// Returns the null object of this archive if `value` is nil.
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
    // The objects are read outside the lock, so two threads can both read them.
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
