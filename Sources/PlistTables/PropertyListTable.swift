public import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Turns property lists into rows: documents, nodes, values, and the elements of a stream.
///
/// ```swift
/// let table = PropertyListTable(columns: [
///   .init("id", at: "CFBundleIdentifier"),
///   .init("build", at: "CFBundleVersion", as: .integer),
///   .init("schemes", at: "CFBundleURLTypes.*.CFBundleURLSchemes.*"),
/// ])
/// ```
///
/// A cell is the value at its column's path, or nil if there is none. If the path has wildcards, the cell is an array
/// of everything that matches. A column with a ``CellType`` converts values of other types as long as nothing is lost;
/// otherwise the cell is nil, and the row has an error that says why.
public struct PropertyListTable: Sendable {
  /// The columns, in the order of the cells.
  public let columns: [Column]

  /// Creates a table with the given columns.
  public init(columns: [Column]) { self.columns = columns }

  /// A row of a table.
  public struct Row: Sendable {
    /// The cells in the order of the columns; nil where there is no value.
    public var cells: [PropertyList?]
    /// The errors for values that are malformed or whose type does not suit the column.
    ///
    /// Each error has the path of its value.
    public var faults: [PlistError]
  }

  /// Returns the row of a document, after validating all of it.
  ///
  /// - Throws: `PlistError` if the document is malformed anywhere; see `PlistDocument.validate()`.
  /// - Complexity: O(*n*) in the length of a binary document; for text, in the size of the values in the columns.
  public func row(of document: PlistDocument) throws(PlistError) -> Row {
    try document.validate()
    return row(of: document.root)
  }

  /// Returns the row of a node, reading no more than the columns need.
  ///
  /// - Complexity: O(*n*), where *n* is the size of the containers along the paths and of the values in the columns.
  public func row(of node: PlistNode) -> Row {
    row { (column, faults) throws(PlistError) in
      guard let node = node[column.path] else { return column.nothing }
      guard let rest = column.rest else {
        if column.leavesOutDictionaries, node.kind == .dictionary { return nil }
        return column.read(node, at: PropertyListPath(), &faults)
      }
      var list: [PropertyList] = []
      for match in try node.matches(of: rest) {
        if let cell = column.read(match.node, at: match.path, &faults) { list.append(cell) }
      }
      return .array(list)
    }
  }

  /// Returns the row of a value.
  ///
  /// - Complexity: O(*k*) for *k* columns without wildcards; for columns with wildcards, see
  ///   `PropertyList.matches(of:)`.
  public func row(of value: PropertyList) -> Row {
    row { (column, faults) throws(PlistError) in
      guard let found = value[column.path] else { return column.nothing }
      guard let rest = column.rest else {
        if column.leavesOutDictionaries, case .dictionary = found { return nil }
        return column.cell(found, at: PropertyListPath(), &faults)
      }
      return .array(found.matches(of: rest).compactMap { column.cell($0.value, at: $0.path, &faults) })
    }
  }

  /// Fills a row with the results of `cell` for each column.
  private func row(_ cell: (Column, inout [PlistError]) throws(PlistError) -> PropertyList?) -> Row {
    var row = Row(cells: [], faults: [])
    row.cells.reserveCapacity(columns.count)
    for column in columns {
      do throws(PlistError) { row.cells.append(try cell(column, &row.faults)) } catch {
        row.faults.append(error.within(column.path))
        row.cells.append(column.nothing)
      }
    }
    return row
  }
}

extension PropertyListTable {
  /// A column of a table: a name, a path, and a type.
  public struct Column: Hashable, Sendable {
    /// The name of the column.
    public let name: String
    /// The type of the cells, or nil if each keeps its type in the property list.
    public let type: CellType?
    /// The path of the values, up to the first wildcard.
    let path: PropertyListPath
    /// The query from the first wildcard on, or nil if there is none.
    let rest: PropertyListQuery?
    /// Whether to leave out dictionaries, because their values have their own columns.
    let leavesOutDictionaries: Bool

    /// Creates a column for the value at a path, or for the array of all values that match a pattern.
    ///
    /// - Parameters:
    ///   - name: The name of the column.
    ///   - query: A path such as `servers.0.port`, or a pattern such as `**.url`.
    ///   - type: The type of the cells; by default, each keeps its type in the property list.
    public init(_ name: String, at query: PropertyListQuery, as type: CellType? = nil) {
      self.name = name
      self.type = type
      (path, rest) = query.split
      leavesOutDictionaries = false
    }

    /// Creates a column for a path that leads to a scalar or an array in some property lists.
    init(scalarsAt path: PropertyListPath) {
      name = path.description
      type = nil
      self.path = path
      rest = nil
      leavesOutDictionaries = true
    }

    /// Whether cells are arrays of all values that match a pattern.
    public var isList: Bool { rest != nil }

    /// The cell to use if there is no value.
    fileprivate var nothing: PropertyList? { isList ? .array([]) : nil }

    /// Reads a node below the column's path.
    fileprivate func read(
      _ node: PlistNode, at location: PropertyListPath, _ faults: inout [PlistError]
    ) -> PropertyList? {
      do throws(PlistError) { return cell(try node.readExpanded(), at: location, &faults) } catch {
        faults.append(error.within(path.appending(location)))
        return nil
      }
    }

    fileprivate func cell(
      _ value: PropertyList, at location: PropertyListPath, _ faults: inout [PlistError]
    ) -> PropertyList? {
      guard let type, value != .null else { return value }
      if let cell = type.converted(value) { return cell }
      let message = "expected \(type.nameWithArticle) for the column \"\(name)\", found \(value.kind.withArticle)"
      faults.append(PlistError(code: .typeMismatch, message: message, path: path.appending(location)))
      return nil
    }
  }

  /// The type of a column's cells.
  public struct CellType: Hashable, Sendable, CaseIterable {
    enum Kind: String, Hashable, CaseIterable {
      case string, integer, real, boolean, date, data, json
    }

    let kind: Kind

    /// Text; numbers, Booleans, dates and data are converted.
    public static let string = CellType(kind: .string)
    /// Integers; reals without a fraction and text are converted.
    public static let integer = CellType(kind: .integer)
    /// Reals; text and integers that a `Double` represents exactly are converted.
    public static let real = CellType(kind: .real)
    /// Booleans; 0 and 1 are converted, and so are the texts true, false, yes and no in any case.
    public static let boolean = CellType(kind: .boolean)
    /// Dates.
    public static let date = CellType(kind: .date)
    /// Data.
    public static let data = CellType(kind: .data)
    /// Any value as one line of JSON text.
    public static let json = CellType(kind: .json)

    /// All types.
    public static var allCases: [CellType] { Kind.allCases.map(CellType.init) }

    /// The name of the type, such as `integer`.
    public var name: String { kind.rawValue }
  }
}

extension PropertyListTable.CellType {
  fileprivate var nameWithArticle: String {
    switch kind {
    case .string: "text"
    case .integer: "an integer"
    case .real: "a number"
    case .boolean: "a Boolean"
    case .date: "a date"
    case .data: "data"
    case .json: "a value"
    }
  }

  /// Returns a value converted to this type, or nil if something would be lost.
  fileprivate func converted(_ value: PropertyList) -> PropertyList? {
    switch (kind, value) {
    case (.string, .string), (.integer, .integer), (.real, .real), (.boolean, .boolean), (.date, .date), (.data, .data):
      return value
    case (.json, _): return .string(CellText.json(value))
    case (.string, .array), (.string, .dictionary): return nil
    case (.string, _): return .string(CellText.text(value))
    case (.integer, .real(let real)): return PropertyListInteger(exactly: real).map { .integer($0) }
    case (.integer, .string(let text)): return PropertyListInteger(text).map { .integer($0) }
    case (.real, .integer(let integer)): return Double(exactly: integer).map { .real($0) }
    case (.real, .string(let text)): return Double(text).map { .real($0) }
    case (.boolean, .integer(let integer)): return integer == 0 ? .boolean(false) : integer == 1 ? .boolean(true) : nil
    case (.boolean, .string(let text)):
      switch text.lowercased() {
      case "true", "yes": return .boolean(true)
      case "false", "no": return .boolean(false)
      default: return nil
      }
    default: return nil
    }
  }
}
