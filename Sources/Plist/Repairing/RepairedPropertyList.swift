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
/// A well-formed document gives the same result, as fast, as ``PropertyList/init(parsing:options:)``. By default, a
/// document that is not XML, or that Foundation refuses too, throws the same error as there;
/// <doc:DifferencesFromFoundation> lists what is repaired.
///
/// With ``Extent/everything``, documents that Foundation refuses are repaired too, if it is clear what was meant:
/// OpenStep text and `.strings` files with small mistakes, text in a wrong encoding, and a property list among other
/// text. <doc:BrokenFiles> shows these faults.
///
/// A repaired value is a guess: use this to recover data, not to read untrusted documents.
public struct RepairedPropertyList: Sendable {
  /// The property list that was read.
  public let propertyList: PropertyList

  /// The first ``maximumRepairs`` repairs, in the order of the document; none if it is well-formed.
  public let repairs: [PlistRepair]

  /// The number of all repairs, which can be more than in ``repairs``.
  public let repairCount: Int

  /// The most elements of ``repairs``: 1,000.
  public static let maximumRepairs = 1_000

  /// Which faults are repaired.
  public struct Extent: Hashable, Sendable {
    enum Policy: Hashable { case foundation, everything }
    let policy: Policy

    /// Malformed XML that Foundation reads on Linux gets Foundation's value; nothing else is repaired.
    ///
    /// This is the default.
    public static let foundation = Extent(policy: .foundation)
    /// What Foundation refuses is repaired too, if it is clear what was meant.
    public static let everything = Extent(policy: .everything)
  }

  /// Reads a document in any format, and repairs it if it is malformed.
  ///
  /// - Parameters:
  ///   - data: The whole document.
  ///   - options: The limits and the policy for duplicate keys, which also apply to repaired documents.
  ///   - extent: Which faults are repaired.
  /// - Throws: ``PlistError`` with the position of the first error if the document cannot be repaired.
  /// - Complexity: O(*n*) in the length of the document.
  public init(
    parsing data: Data, options: PlistReadOptions = PlistReadOptions(), repairing extent: Extent = .foundation
  ) throws(PlistError) {
    do {
      self.init(try PropertyList(parsing: data, options: options), repairs: [], count: 0)
    } catch {
      // Without memory to read a document, there is none to repair it.
      if error.code == .documentSizeLimit { throw error }
      let repaired = XMLRepairer.read(data, options: options, asFoundation: extent == .foundation)
      guard let repaired = repaired ?? (extent == .everything ? DocumentRepairer.read(data, options: options) : nil)
      else { throw error }
      self = repaired
    }
  }

  /// Reads all property lists in `data`, and repairs whatever can be repaired.
  ///
  /// There may be several documents in one file, or documents among other text, as in logs and the output of tools such
  /// as `powermetrics`.
  ///
  /// - Parameters:
  ///   - data: The documents.
  ///   - options: The limits for each document, and the policy for duplicate keys.
  /// - Returns: The property lists in their order; at least one.
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
  ///   - extent: Which faults are repaired.
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

/// A repair: what was malformed, and what was read instead.
///
/// Its description begins with the position:
///
/// ```
/// line 4, column 9: "2001-02-30T00:00:00Z" is not a valid date (key path: created); read as 2001-03-02T00:00:00Z
/// ```
public struct PlistRepair: Sendable {
  /// What a reader that does not repair throws, with the position, the ``PlistError/path`` of the value, and a
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
