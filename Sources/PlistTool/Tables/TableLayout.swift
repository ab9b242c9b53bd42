#if CommandLineTool
import ArgumentParser
import Plist
import PlistTables

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What is known about a row besides its property list.
struct TableFacts {
  var name: String
  /// The number of the document in its stream.
  var document: Int?
  var size: Int?
  var format: PlistFormat?
  /// When the file was last changed, in seconds since 1970.
  var modified: Double?
}

/// A column of the output: values of the property lists, or a fact about them.
struct TableColumn: Sendable {
  enum Fact: String, CaseIterable {
    case file, document, key, size, format, modified, error

    var type: PropertyListTable.CellType {
      switch self {
      case .document, .size: .integer
      case .file, .key, .format, .error: .string
      case .modified: .date
      }
    }
  }

  enum Source {
    case fact(Fact)
    case values(PropertyListTable.Column)
  }

  let name: String
  let source: Source

  init(_ fact: Fact, name: String? = nil) {
    self.name = name ?? fact.rawValue
    source = .fact(fact)
  }

  init(_ column: PropertyListTable.Column) {
    name = column.name
    source = .values(column)
  }

  /// Parses an argument of `--column`: `name=path:type`, where the name and type are optional.
  init(parsing text: String) throws {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    var (name, path) = parts.count == 2 ? (parts[0], parts[1]) : (text, text)
    guard !name.isEmpty else { throw ValidationError("The column '\(text)' needs a name before the = sign.") }
    if path.hasPrefix("@") {
      guard let fact = Fact(rawValue: String(path.dropFirst())) else {
        let names = Fact.allCases.map { "@\($0.rawValue)" }.joined(separator: ", ")
        throw ValidationError("'\(path)' is not one of \(names); for a key that begins with @, write \\\(path).")
      }
      self.init(fact, name: parts.count == 2 ? name : fact.rawValue)
      return
    }
    var type: PropertyListTable.CellType?
    if let colon = path.lastIndex(of: ":"), !path[..<colon].hasSuffix("\\") {
      type = PropertyListTable.CellType.allCases.first { $0.name == path[path.index(after: colon)...] }
      if type != nil {
        path = String(path[..<colon])
        if parts.count == 1 { name = path }
      }
    }
    self.init(PropertyListTable.Column(name, at: PropertyListQuery(path), as: type))
  }
}

struct TableLayout: Sendable {
  let columns: [TableColumn]
  let table: PropertyListTable

  init(_ columns: [TableColumn]) {
    self.columns = columns
    table = PropertyListTable(
      columns: columns.compactMap { if case .values(let column) = $0.source { column } else { nil } })
  }

  /// Adds the columns that tell rows apart, and one for errors, unless the user has placed them.
  init(_ chosen: [TableColumn], identifiedBy facts: [TableColumn.Fact]) {
    let placed = chosen.compactMap { if case .fact(let fact) = $0.source { fact } else { nil } }
    let first = facts.filter { !placed.contains($0) }.map { TableColumn($0) }
    let last = placed.contains(.error) ? [] : [TableColumn(.error)]
    self.init(first + chosen + last)
  }

  /// Throws an error if two columns have the same name; sqlite3 ignores case.
  func checkNames(ignoringCase: Bool) throws {
    var seen: Set<String> = []
    for column in columns {
      let name = ignoringCase ? column.name.asciiLowercased : column.name
      guard seen.insert(name).inserted else {
        throw ValidationError(
          "Two columns have the name '\(column.name)'; give one of them another name, as in --column 'other=path'.")
      }
    }
  }

  /// Returns this layout with new names for columns whose name an earlier column already has.
  func withDistinctNames(ignoringCase: Bool) -> TableLayout {
    var seen: Set<String> = []
    return TableLayout(
      columns.map { column in
        var name = column.name
        var number = 1
        while !seen.insert(ignoringCase ? name.asciiLowercased : name).inserted {
          number += 1
          name = "\(column.name)_\(number)"
        }
        return column.renamed(name)
      })
  }

  func writer(_ format: PropertyListTableWriter.Format) -> PropertyListTableWriter {
    PropertyListTableWriter(columns: columns.map { ($0.name, $0.type) }, format: format)
  }

  /// Returns the cells of a row; if `row` is nil, its values are missing.
  func cells(_ facts: TableFacts, key: String?, _ row: PropertyListTable.Row?, error: String?) -> [PropertyList?] {
    var values = row?.cells.makeIterator()
    return columns.map { column in
      switch column.source {
      case .values: values?.next() ?? nil
      case .fact(let fact): cell(fact, facts, key: key, error: error)
      }
    }
  }

  private func cell(_ fact: TableColumn.Fact, _ facts: TableFacts, key: String?, error: String?) -> PropertyList? {
    switch fact {
    case .file: .string(facts.name)
    case .document: facts.document.map { .integer(PropertyListInteger($0)) }
    case .key: key.map { .string($0) }
    case .size: facts.size.map { .integer(PropertyListInteger($0)) }
    case .format: facts.format.map { .string($0.rawValue) }
    case .modified: facts.modified.map { .date(Date(timeIntervalSince1970: $0.rounded(.down))) }
    case .error: error.map { .string($0) }
    }
  }
}

extension TableColumn {
  fileprivate var type: PropertyListTable.CellType? {
    switch source {
    case .fact(let fact): fact.type
    // In SQL and CSV, a list is text, whatever the type of its elements.
    case .values(let column): column.isList ? nil : column.type
    }
  }

  fileprivate func renamed(_ name: String) -> TableColumn { TableColumn(name: name, source: source) }

  private init(name: String, source: Source) {
    self.name = name
    self.source = source
  }
}

extension String {
  fileprivate var asciiLowercased: String {
    String(decoding: utf8.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}
#endif
