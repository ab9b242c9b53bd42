#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A property list from a document that may be malformed, with the repairs it took to read it.
///
/// This package refuses malformed documents, but Foundation reads some malformed XML. This type reads it too, as
/// `PropertyListSerialization` does on Linux, and reports each repair with its position:
///
/// ```swift
/// let repaired = try RepairedPropertyList(parsing: data)
/// for repair in repaired.repairs { print(repair) }
/// let settings = try PlistDecoder().decode(Settings.self, from: repaired.propertyList)
/// ```
///
/// For a well-formed document, the result is the same as that of ``PropertyList/init(parsing:options:)``, and just as
/// fast. By default, a malformed document that is not XML, or that Foundation refuses too, throws the same error as
/// that initializer. <doc:DifferencesFromFoundation> lists what is repaired.
///
/// With ``Extent/everything``, documents that Foundation refuses are repaired too, if it is clear what was meant:
/// OpenStep text and `.strings` files with small mistakes, text in a wrong encoding, and property lists among other
/// text. <doc:BrokenFiles> shows these faults.
///
/// A repaired value is a guess, so use this type to recover data, not to read untrusted documents.
public struct RepairedPropertyList: Sendable {
  /// The property list that was read.
  public let propertyList: PropertyList

  /// The first ``maximumRepairs`` repairs, in document order; empty if the document is well-formed.
  public let repairs: [PlistRepair]

  /// The total number of repairs, which may be more than ``repairs`` contains.
  public let repairCount: Int

  /// The maximum number of elements in ``repairs``: 1,000.
  public static let maximumRepairs = 1_000

  /// Which faults to repair.
  public struct Extent: Hashable, Sendable {
    enum Policy: Hashable { case foundation, everything }
    let policy: Policy

    /// Malformed XML is read as Foundation reads it on Linux; nothing else is repaired.
    ///
    /// This is the default.
    public static let foundation = Extent(policy: .foundation)
    /// Documents that Foundation refuses are repaired too, if it is clear what was meant.
    public static let everything = Extent(policy: .everything)
  }

  /// Reads a document in any format, and repairs it if it is malformed.
  ///
  /// - Parameters:
  ///   - data: The whole document.
  ///   - options: The limits and the policy for duplicate keys, which also apply to repaired documents.
  ///   - extent: Which faults to repair.
  /// - Throws: ``PlistError`` with the position of the first error if the document cannot be repaired.
  /// - Complexity: O(*n*) in the length of the document.
  public init(
    parsing data: Data, options: PlistReadOptions = PlistReadOptions(), repairing extent: Extent = .foundation
  ) throws(PlistError) {
    do {
      self.init(try PropertyList(parsing: data, options: options), repairs: [], count: 0)
    } catch {
      // A document that is too large to read is also too large to repair.
      if error.code == .documentSizeLimit { throw error }
      let repaired = XMLRepairer.read(data, options: options, asFoundation: extent == .foundation)
      guard let repaired = repaired ?? (extent == .everything ? DocumentRepairer.read(data, options: options) : nil)
      else { throw error }
      self = repaired
    }
  }

  /// Reads all property lists in `data`, repairing whatever can be repaired.
  ///
  /// `data` may contain several documents, or documents among other text, as in logs and the output of tools such as
  /// `powermetrics`.
  ///
  /// - Parameters:
  ///   - data: The bytes that contain the documents.
  ///   - options: The limits for each document, and the policy for duplicate keys.
  /// - Returns: The property lists, in order; there is at least one.
  /// - Throws: ``PlistError`` with the position of the first error if there is no property list.
  /// - Complexity: O(*n*) in the length of the data.
  public static func all(
    in data: Data, options: PlistReadOptions = PlistReadOptions()
  ) throws(PlistError) -> [RepairedPropertyList] {
    do {
      return [RepairedPropertyList(try PropertyList(parsing: data, options: options), repairs: [], count: 0)]
    } catch {
      if error.code == .documentSizeLimit { throw error }
      guard let documents = DocumentRepairer.readAll(data, options: options) else { throw error }
      return documents
    }
  }

  /// Reads a file in any format, and repairs the document if it is malformed.
  ///
  /// - Parameters:
  ///   - url: The URL of the file.
  ///   - options: The limits, the policy for duplicate keys, and whether the file is read or mapped.
  ///   - extent: Which faults to repair.
  /// - Throws: ``PlistError`` if the document cannot be repaired, or with the category ``PlistError/Category/io`` if
  ///   the file cannot be read.
  public init(
    contentsOf url: URL, options: PlistReadOptions = PlistReadOptions(), repairing extent: Extent = .foundation
  ) throws(PlistError) {
    let file = try PlistFile(url, to: "read")
    var options = options
    let data = try file.read(&options)
    self = try PlistError.naming(file.path) { () throws(PlistError) in
      try RepairedPropertyList(parsing: data, options: options, repairing: extent)
    }
  }

  init(_ propertyList: PropertyList, repairs: [PlistRepair], count: Int) {
    self.propertyList = propertyList
    self.repairs = repairs
    repairCount = count
  }
}

/// A description of what was malformed and what was read instead.
///
/// Its description begins with the position:
///
/// ```
/// line 4, column 9: "2001-02-30T00:00:00Z" is not a valid date (key path: created); read as 2001-03-02T00:00:00Z
/// ```
public struct PlistRepair: Sendable {
  /// The error that a reader without repairs throws, with the position, the ``PlistError/path`` of the value, and a
  /// ``PlistError/message`` that quotes the text.
  public let error: PlistError

  /// What was read instead, such as `U+0000`, `2001-03-02T00:00:00Z` or `data of 3 bytes`.
  public let replacement: String

  /// The error, with the replacement in its message.
  package var warning: PlistError { error.with(message: "\(error.message); read as \(replacement)") }
}

extension PlistRepair: CustomStringConvertible {
  /// The position, message, path and replacement.
  public var description: String { "\(error); read as \(replacement)" }
}
