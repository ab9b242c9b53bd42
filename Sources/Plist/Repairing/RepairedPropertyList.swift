#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A property list that was read from a document that can be malformed, and the repairs that were necessary.
///
/// This package refuses malformed documents, but Foundation reads some of them. `RepairedPropertyList` reads such XML
/// documents with the value that `PropertyListSerialization` gives on Linux, and reports each repair with its position:
///
/// ```swift
/// let repaired = try RepairedPropertyList(parsing: data)
/// for repair in repaired.repairs { print(repair) }
/// let settings = try PlistDecoder().decode(Settings.self, from: repaired.propertyList)
/// ```
///
/// A well-formed document is read as ``PropertyList/init(parsing:options:)`` reads it, with no repairs and at the same
/// speed. For a document that Foundation refuses, and for a malformed document in another format than XML, the error is
/// the same as without repairs. <doc:DifferencesFromFoundation> lists what is repaired.
///
/// The value of a repaired document is a guess. Use repairs to recover data, not to read untrusted documents.
public struct RepairedPropertyList: Sendable {
  /// The value of the document.
  public let propertyList: PropertyList

  /// The repairs in the order of the document: the first ``maximumRepairs`` that were made.
  ///
  /// The list is empty if the document is well-formed.
  public let repairs: [PlistRepair]

  /// The number of all repairs, which can be greater than the number of ``repairs``.
  public let repairCount: Int

  /// The maximum number of repairs that are kept with their positions, 1,000.
  public static let maximumRepairs = 1_000

  /// Reads a document in any format, and repairs it if it is malformed XML.
  ///
  /// - Parameters:
  ///   - data: The whole document.
  ///   - options: The limits and the policy for duplicate keys, for repaired documents too.
  /// - Throws: ``PlistError`` with the position of the first error, if the document cannot be repaired.
  /// - Complexity: O(*n*) in the length of the document.
  public init(parsing data: Data, options: PlistReadOptions = PlistReadOptions()) throws(PlistError) {
    do {
      self.init(try PropertyList(parsing: data, options: options), repairs: [], count: 0)
    } catch {
      guard let repaired = XMLRepairer.read(data, options: options) else { throw error }
      self = repaired
    }
  }

  /// Reads a file in any format, and repairs the document if it is malformed XML.
  ///
  /// - Parameters:
  ///   - url: The file's URL.
  ///   - options: The limits, the policy for duplicate keys, and whether the file is read or mapped.
  /// - Throws: ``PlistError``. The error's category is ``PlistError/Category/io`` if the file cannot be read.
  public init(contentsOf url: URL, options: PlistReadOptions = PlistReadOptions()) throws(PlistError) {
    let file = try PlistFile(url, to: "read")
    let data = try file.read(options)
    self = try PlistError.naming(file.path) { () throws(PlistError) in
      try RepairedPropertyList(parsing: data, options: options)
    }
  }

  init(_ propertyList: PropertyList, repairs: [PlistRepair], count: Int) {
    self.propertyList = propertyList
    self.repairs = repairs
    repairCount = count
  }
}
