import Foundation
import Plist
import PlistTables
import Testing

@Suite("Rows of property lists")
struct PropertyListTableTests {
  private static let value: PropertyList = [
    "name": "Ada", "count": 3, "share": 0.5, "on": true, "born": .date(Date(timeIntervalSinceReferenceDate: 0.25)),
    "icon": .data(Data([1, 2, 3])), "servers": [["port": 80, "host": "a"], ["host": "b"]], "a.b": ["c": "deep"],
  ]

  @Test("A cell has the value at the path, with its type")
  func cells() throws {
    let table = PropertyListTable(columns: [
      .init("name", at: "name"), .init("count", at: "count"), .init("share", at: "share"), .init("on", at: "on"),
      .init("born", at: "born"), .init("icon", at: "icon"), .init("first", at: "servers.0"),
      .init("deep", at: "a\\.b.c"), .init("none", at: "servers.7.port"), .init("all", at: ""),
    ])
    let expected: [PropertyList?] = [
      "Ada", 3, 0.5, true, .date(Date(timeIntervalSinceReferenceDate: 0.25)), .data(Data([1, 2, 3])),
      ["port": 80, "host": "a"], "deep", nil, Self.value,
    ]
    #expect(table.row(of: Self.value).cells == expected)
    let document = try PlistDocument(parsing: Self.value.data(format: .binary))
    let row = try table.row(of: document)
    #expect(row.cells == expected)
    #expect(row.faults.isEmpty)
    #expect(table.row(of: document.root).cells == expected)
  }

  @Test("A pattern gives the array of all matches, also of none")
  func patterns() throws {
    let table = PropertyListTable(columns: [
      .init("ports", at: "servers.*.port"), .init("hosts", at: "**.host"), .init("none", at: "**.nothing"),
      .init("texts", at: "servers.*.port", as: .string), .init("missing", at: "nowhere.*"),
    ])
    let expected: [PropertyList?] = [[80], ["a", "b"], [], ["80"], []]
    #expect(table.row(of: Self.value).cells == expected)
    #expect(try table.row(of: PlistDocument(parsing: Self.value.data(format: .binary))).cells == expected)
    #expect(table.columns.map(\.isList) == [true, true, true, true, true])
  }

  struct Conversion: Sendable, CustomStringConvertible {
    let value: PropertyList
    let type: PropertyListTable.CellType
    let result: PropertyList?

    init(_ value: PropertyList, _ type: PropertyListTable.CellType, _ result: PropertyList?) {
      (self.value, self.type, self.result) = (value, type, result)
    }

    var description: String { "\(value) as \(type.name)" }
  }

  static let conversions = [
    Conversion("a", .string, "a"), Conversion(12, .string, "12"), Conversion(0.5, .string, "0.5"),
    Conversion(true, .string, "true"), Conversion(.data(Data([1])), .string, "AQ=="), Conversion([1], .string, nil),
    Conversion(
      .date(Date(timeIntervalSinceReferenceDate: 0)), .string, "2001-01-01T00:00:00Z"),
    Conversion(12, .integer, 12), Conversion(12.0, .integer, 12), Conversion(12.5, .integer, nil),
    Conversion("12", .integer, 12),
    Conversion("18446744073709551615", .integer, .integer(PropertyListInteger(UInt64.max))),
    Conversion("1.0", .integer, nil), Conversion("", .integer, nil), Conversion(true, .integer, nil),
    Conversion(.real(.infinity), .integer, nil), Conversion(12, .real, 12.0),
    Conversion(.integer(9_007_199_254_740_993), .real, nil), Conversion("0.5", .real, 0.5), Conversion("x", .real, nil),
    Conversion(1, .boolean, true), Conversion(0, .boolean, false), Conversion(2, .boolean, nil),
    Conversion("YES", .boolean, true), Conversion("false", .boolean, false), Conversion("on", .boolean, nil),
    Conversion("2001-01-01T00:00:00Z", .date, nil), Conversion("AQID", .data, nil),
    Conversion(["b": 1], .json, #"{"b":1}"#), Conversion("a\"", .json, #""a\"""#), Conversion(.null, .integer, .null),
  ]

  @Test("A typed column converts what loses nothing, and otherwise the row says why", arguments: conversions)
  func conversion(_ conversion: Conversion) throws {
    let table = PropertyListTable(columns: [.init("x", at: "k", as: conversion.type)])
    let row = table.row(of: ["k": conversion.value])
    #expect(row.cells == [conversion.result])
    #expect(row.faults.map(\.path) == (conversion.result == nil ? ["k"] : []))
    #expect(row.faults.allSatisfy { $0.code == .typeMismatch })
  }

  @Test("A fault names the column, the types and the path")
  func faults() throws {
    let table = PropertyListTable(columns: [.init("ports", at: "servers.*.host", as: .integer), .init("n", at: "name")])
    let row = table.row(of: Self.value)
    #expect(row.cells == [[], "Ada"])
    #expect(
      row.faults.map(\.message)
        == Array(repeating: "expected an integer for the column \"ports\", found a string", count: 2))
    #expect(row.faults.map(\.path) == ["servers.0.host", "servers.1.host"])
  }

  @Test("A malformed document has no row, although the values in the columns are good")
  func malformed() throws {
    let table = PropertyListTable(columns: [.init("a", at: "a")])
    let text = "<plist><dict><key>a</key><string>x</string><key>b</key><date>never</date></dict></plist>"
    let document = try PlistDocument(parsing: Data(text.utf8))
    #expect(throws: PlistError.self) { try table.row(of: document) }
    #expect(table.row(of: document.root).cells == ["x"])
    let row = PropertyListTable(columns: [.init("b", at: "b")]).row(of: document.root)
    #expect(row.cells == [nil])
    #expect(row.faults.map(\.code) == [.invalidDate])
    #expect(row.faults.map(\.path) == ["b"])
  }

  @Test("Few bytes that stand for very many values are a fault, and not endless work")
  func expansion() throws {
    var value: PropertyList = ["x": 1]
    for _ in 0..<40 { value = ["a": value, "b": value] }
    let data = try value.sharedBinary()
    let document = try PlistDocument(parsing: data)
    let table = PropertyListTable(columns: [.init("all", at: "**.x"), .init("a", at: "a")])
    let row = table.row(of: document.root)
    #expect(row.cells == [[], nil])
    #expect(row.faults.map(\.code) == [.expandedObjectsLimit, .expandedObjectsLimit])
    var columns = PropertyListTableColumns()
    #expect(throws: PlistError.self) { try columns.add(columnsFor: document.root.propertyList()) }
  }

  @Test("The columns of everything are the paths of scalars and arrays, in the order in which they come")
  func allColumns() throws {
    var columns = PropertyListTableColumns()
    let values: [PropertyList] = [["b": 1, "a": ["x.y": [1, 2]]], ["a": 5, "c": [:], "b": "t", "0": true], "scalar"]
    let documents = try values.map { try PlistDocument(parsing: $0.data(format: .binary)) }
    for value in values { try columns.add(columnsFor: value) }
    #expect(columns.columns.map(\.name) == ["b", "a.x\\.y", "a", "0"])
    let table = PropertyListTable(columns: columns.columns)
    let rows = try documents.map { try table.row(of: $0).cells }
    #expect(rows == [[1, [1, 2], nil, nil], ["t", nil, 5, true], [nil, nil, nil, nil]])
    #expect(values.map { table.row(of: $0).cells } == rows)
  }

  @Test("The number of columns has a limit")
  func limit() throws {
    var columns = PropertyListTableColumns(limit: 2)
    try columns.add(columnsFor: ["a": 1, "b": 2])
    #expect(throws: PlistError.self) {
      try columns.add(columnsFor: ["a": 1, "c": 2])
    }
    #expect(columns.columns.map(\.name) == ["a", "b"])
  }

  @Test("A name with a star is that name, and no pattern")
  func stars() throws {
    var columns = PropertyListTableColumns()
    let document = try PlistDocument(parsing: Data(#"{"*": 1, "a": 2}"#.utf8))
    try columns.add(columnsFor: document.root.propertyList())
    #expect(try PropertyListTable(columns: columns.columns).row(of: document).cells == [1, 2])
  }
}

extension PropertyList {
  /// Nested dictionaries in binary, whose keys a and b have the same object as their value.
  fileprivate func sharedBinary() throws -> Data {
    // The objects are "a", "b", "x", 1, and a dictionary for each level, which has the one before it twice.
    var objects: [[UInt8]] = [[0x51, 0x61], [0x51, 0x62], [0x51, 0x78], [0x10, 0x01], [0xD1, 2, 3]]
    for level in 0..<40 { objects.append([0xD2, 0, 1, UInt8(4 + level), UInt8(4 + level)]) }
    var data = Data("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets += [UInt8(data.count >> 8), UInt8(data.count & 0xFF)]
      data += object
    }
    let table = data.count
    data += offsets
    data += [0, 0, 0, 0, 0, 0, 2, 1]
    for number in [objects.count, objects.count - 1, table] {
      data += (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * (7 - $0))) }
    }
    return data
  }
}
