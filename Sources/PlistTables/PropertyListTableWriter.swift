package import Plist

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Writes rows as text: JSON lines, CSV, or SQL for sqlite3.
///
/// | value | JSON lines | CSV | SQL |
/// |---|---|---|---|
/// | none, or null | `null` | nothing, without quotation marks | `NULL` |
/// | text | text | text | text |
/// | integer, real | number | number | number |
/// | real that is not finite | `"+infinity"`, `"-infinity"`, `"nan"` | the same, without quotation marks | `9e999`, `-9e999`, `NULL` |
/// | Boolean | `true` or `false` | `true` or `false` | 1 or 0 |
/// | date | text in RFC 3339 | text in RFC 3339 | text in RFC 3339 |
/// | data | text in Base64 | text in Base64 | text in Base64 |
/// | array, dictionary, UID | JSON | text in JSON | text in JSON |
///
/// The output consists of ``beginning``, the rows, and ``end``, all in UTF-8.
public struct PropertyListTableWriter: Sendable {
  /// The format of the output.
  public struct Format: Hashable, Sendable {
    enum Kind: Hashable {
      case jsonLines, csv
      case sql(table: String)
    }

    let kind: Kind

    /// A JSON object per line, with the names of the columns as keys.
    public static let jsonLines = Format(kind: .jsonLines)
    /// CSV as in RFC 4180: the first line has the names of the columns, and lines end with CR and LF.
    ///
    /// Empty text is written as a pair of quotation marks, so that readers can distinguish it from a missing value.
    public static let csv = Format(kind: .csv)
    /// Statements for sqlite3 that create a table and insert the rows in one transaction.
    public static func sql(table: String) -> Format { Format(kind: .sql(table: table)) }
  }

  private let names: [String]
  private let types: [PropertyListTable.CellType?]
  private let format: Format
  private let keys: [[UInt8]]
  private let insertion: [UInt8]

  /// Creates a writer for the columns of a table.
  public init(_ table: PropertyListTable, format: Format) {
    self.init(columns: table.columns.map { ($0.name, $0.type) }, format: format)
  }

  /// Creates a writer for rows with cells in the order of `columns`.
  ///
  /// - Parameters:
  ///   - columns: The names of the columns and the types of their cells; nil if the types vary.
  ///   - format: The format of the output.
  package init(columns: [(name: String, type: PropertyListTable.CellType?)], format: Format) {
    names = columns.map(\.name)
    types = columns.map(\.type)
    self.format = format
    keys = names.enumerated().map { index, name in
      Array("\(index == 0 ? "{" : ",")\(CellText.json(.string(name))):".utf8)
    }
    if case .sql(let table) = format.kind {
      insertion = Array("INSERT INTO \(Self.quoted(table)) VALUES(".utf8)
    } else {
      insertion = []
    }
  }

  /// What comes before the rows: nothing, the names of the columns, or the start of a transaction that creates a table.
  public var beginning: Data {
    var output = Data()
    switch format.kind {
    case .jsonLines: break
    case .csv:
      var row: [UInt8] = []
      writeCSV(names.map { .string($0) }, to: &row)
      output.append(contentsOf: row)
    case .sql(let table):
      let columns = zip(names, types).map { Self.quoted($0) + Self.declaration($1) }
      output += Data("BEGIN;\nCREATE TABLE \(Self.quoted(table))(\(columns.joined(separator: ", ")));\n".utf8)
    }
    return output
  }

  /// What comes after the rows: nothing, or the end of the transaction.
  public var end: Data {
    if case .sql = format.kind { Data("COMMIT;\n".utf8) } else { Data() }
  }

  /// Appends a row to `output`.
  public func write(_ row: PropertyListTable.Row, to output: inout Data) { write(row.cells, to: &output) }

  /// Appends a row of cells to `output`.
  ///
  /// - Precondition: There are as many cells as columns.
  package func write(_ cells: [PropertyList?], to output: inout Data) {
    precondition(cells.count == names.count, "the row has \(cells.count) cells, but there are \(names.count) columns")
    // A row consists of many small pieces, which an array appends faster than `Data`.
    var row: [UInt8] = []
    switch format.kind {
    case .jsonLines: writeJSON(cells, to: &row)
    case .csv: writeCSV(cells, to: &row)
    case .sql: writeSQL(cells, to: &row)
    }
    output.append(contentsOf: row)
  }
}

extension PropertyListTableWriter {
  private func writeJSON(_ cells: [PropertyList?], to output: inout [UInt8]) {
    if cells.isEmpty { output.append(text: "{") }
    for (key, cell) in zip(keys, cells) {
      output += key
      switch cell {
      case nil, .null: output.append(text: "null")
      case .boolean(let boolean): output.append(text: boolean ? "true" : "false")
      case .integer(let integer): output.append(text: integer.description)
      case .string(let text) where Self.isPlain(text):
        output.append(UInt8(ascii: "\""))
        output.append(text: text)
        output.append(UInt8(ascii: "\""))
      case let cell?: output += CellText.jsonData(cell)
      }
    }
    output.append(text: "}\n")
  }

  /// Returns whether the text needs no escapes in JSON.
  private static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") && $0 != 0x7F }
  }

  private func writeCSV(_ cells: [PropertyList?], to output: inout [UInt8]) {
    for (index, cell) in cells.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      let cell = cell == .null ? nil : cell
      guard let cell else {
        // Many readers skip empty lines, which would lose the row.
        if cells.count == 1 { output.append(text: "\"\"") }
        continue
      }
      let text = CellText.text(cell)
      guard text.isEmpty || text.utf8.contains(where: Self.isSpecialInCSV) else {
        output.append(text: text)
        continue
      }
      output.append(UInt8(ascii: "\""))
      for byte in text.utf8 {
        if byte == UInt8(ascii: "\"") { output.append(byte) }
        output.append(byte)
      }
      output.append(UInt8(ascii: "\""))
    }
    output.append(text: "\r\n")
  }

  private static func isSpecialInCSV(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: ","), 0x0D, 0x0A: true
    default: false
    }
  }
}

extension PropertyListTableWriter {
  /// Quotes a name for SQL.
  private static func quoted(_ name: String) -> String { "\"\(name.replacing("\"", with: "\"\""))\"" }

  /// Returns the SQL type of a column after a space, or nothing if the column has no type.
  ///
  /// A column without a type must not get one in SQL, because that would convert its values.
  private static func declaration(_ type: PropertyListTable.CellType?) -> String {
    switch type?.kind {
    case nil: ""
    case .string?, .date?, .data?, .json?: " TEXT"
    case .integer?, .boolean?: " INTEGER"
    case .real?: " REAL"
    }
  }

  private func writeSQL(_ cells: [PropertyList?], to output: inout [UInt8]) {
    output += insertion
    for (index, cell) in cells.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      switch cell {
      case nil, .null: output.append(text: "NULL")
      case .boolean(let boolean): output.append(text: boolean ? "1" : "0")
      // sqlite3 would turn a larger integer into an approximate real.
      case .integer(let integer) where Int64(exactly: integer) != nil: output.append(text: integer.description)
      case .real(let real) where real.isNaN: output.append(text: "NULL")
      case .real(let real) where real.isInfinite: output.append(text: real < 0 ? "-9e999" : "9e999")
      case .real(let real): output.append(text: CellText.text(.real(real)))
      case let cell?: Self.writeSQL(CellText.text(cell), to: &output)
      }
    }
    output.append(text: ");\n")
  }

  private static func writeSQL(_ text: String, to output: inout [UInt8]) {
    // sqlite3 stops reading a statement at a zero byte, and drops a CR at the end of a line, even inside text.
    if text.utf8.contains(where: { $0 == 0 || $0 == 0x0D }) {
      output.append(text: "CAST(X'")
      for byte in text.utf8 {
        output.append(digits[Int(byte >> 4)])
        output.append(digits[Int(byte & 15)])
      }
      return output.append(text: "' AS TEXT)")
    }
    output.append(UInt8(ascii: "'"))
    for byte in text.utf8 {
      if byte == UInt8(ascii: "'") { output.append(byte) }
      output.append(byte)
    }
    output.append(UInt8(ascii: "'"))
  }

  private static let digits = Array("0123456789ABCDEF".utf8)
}

extension [UInt8] {
  fileprivate mutating func append(text: String) { append(contentsOf: text.utf8) }
}
