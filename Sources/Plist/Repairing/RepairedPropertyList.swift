#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A property list from a document that can be malformed, with the repairs that were necessary to read the document.
///
/// This package refuses malformed documents, but Foundation reads some malformed XML documents. `RepairedPropertyList`
/// reads malformed XML as `PropertyListSerialization` does on Linux, and reports each repair with its position:
///
/// ```swift
/// let repaired = try RepairedPropertyList(parsing: data)
/// for repair in repaired.repairs { print(repair) }
/// let settings = try PlistDecoder().decode(Settings.self, from: repaired.propertyList)
/// ```
///
/// For a well-formed document, the result and the speed are the same as with ``PropertyList/init(parsing:options:)``.
/// By default, a document that is not XML, or that Foundation refuses too, throws the same error as there;
/// <doc:DifferencesFromFoundation> lists what is repaired.
///
/// With ``Extent/everything``, what Foundation refuses is repaired too, where the intention is plain: OpenStep text
/// and `.strings` files with small mistakes, text in a wrong encoding, and a property list with other text around it.
/// <doc:BrokenFiles> shows which faults these are.
///
/// The value of a repaired document is a guess. Use `RepairedPropertyList` to recover data, not to read untrusted
/// documents.
public struct RepairedPropertyList: Sendable {
  /// The property list that was read from the document.
  public let propertyList: PropertyList

  /// The first ``maximumRepairs`` repairs that were made, in the order of their positions in the document.
  ///
  /// If the document is well-formed, the list is empty.
  public let repairs: [PlistRepair]

  /// The total number of repairs, which can be greater than the number of elements in ``repairs``.
  public let repairCount: Int

  /// The maximum number of elements in ``repairs``: 1,000.
  public static let maximumRepairs = 1_000

  /// Which faults of a document are repaired.
  public struct Extent: Hashable, Sendable {
    enum Policy: Hashable { case foundation, everything }
    let policy: Policy

    /// Malformed XML that Foundation reads on Linux gets Foundation's value; nothing else is repaired.
    ///
    /// The extent `foundation` is the default.
    public static let foundation = Extent(policy: .foundation)
    /// Also documents that Foundation refuses are repaired, if what was meant can be guessed.
    public static let everything = Extent(policy: .everything)
  }

  /// Reads a document in any format, and repairs the document if it is malformed.
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
      let repaired = XMLRepairer.read(data, options: options, asFoundation: extent == .foundation)
      guard let repaired = repaired ?? (extent == .everything ? DocumentRepairer.read(data, options: options) : nil)
      else { throw error }
      self = repaired
    }
  }

  /// Reads all property lists in `data`, with every fault repaired that can be: several documents in one file, or
  /// documents between other text, as logs and the output of tools such as `powermetrics` contain them.
  ///
  /// - Parameters:
  ///   - data: The documents.
  ///   - options: The limits for each document, and the policy for duplicate keys.
  /// - Returns: The property lists in the order of their positions; at least one.
  /// - Throws: ``PlistError`` with the position of the first error if there is no property list.
  /// - Complexity: O(*n*) in the length of the data.
  public static func all(
    in data: Data, options: PlistReadOptions = PlistReadOptions()
  ) throws(PlistError) -> [RepairedPropertyList] {
    do {
      return [RepairedPropertyList(try PropertyList(parsing: data, options: options), repairs: [], count: 0)]
    } catch {
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
  /// - Throws: ``PlistError`` if the file cannot be read or the document cannot be repaired. If the file cannot be
  ///   read, the error's category is ``PlistError/Category/io``.
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

/// A repair of malformed text in a document: the error and the replacement of the text.
///
/// ``RepairedPropertyList`` reports the repairs of a document. The description of a repair contains the position of the
/// malformed text:
///
/// ```
/// line 4, column 9: "2001-02-30T00:00:00Z" is not a valid date (key path: created); read as 2001-03-02T00:00:00Z
/// ```
public struct PlistRepair: Sendable {
  /// The error that a reader throws for the malformed text if the reader does not repair documents.
  ///
  /// The error has the position of the malformed text and the ``PlistError/path`` of the value. The
  /// ``PlistError/message`` of the error quotes the malformed text.
  public let error: PlistError

  /// The replacement of the malformed text, such as `U+0000`, `2001-03-02T00:00:00Z` or `data of 3 bytes`.
  public let replacement: String

  /// A copy of the error whose message also contains the replacement.
  package var warning: PlistError { error.with(message: "\(error.message); read as \(replacement)") }
}

extension PlistRepair: CustomStringConvertible {
  /// The position, the message and the path of the error, and the replacement of the malformed text.
  public var description: String { "\(error); read as \(replacement)" }
}
