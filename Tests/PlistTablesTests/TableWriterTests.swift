import Foundation
import Plist
import PlistTables
import Testing

@Suite("Rows as JSON lines, CSV and SQL")
struct TableWriterTests {
  private func text(
    _ format: PropertyListTableWriter.Format, _ columns: [(name: String, type: PropertyListTable.CellType?)],
    _ rows: [[PropertyList?]]
  ) -> String {
    let writer = PropertyListTableWriter(columns: columns, format: format)
    var output = writer.beginning
    for row in rows { writer.write(row, to: &output) }
    return String(decoding: output + writer.end, as: UTF8.self)
  }

  private static let values: [PropertyList?] = [
    nil, .null, "", "plain", "a,\"b\"\r\nc", 12, .integer(PropertyListInteger(UInt64.max)), 1.0, 0.1, .real(.infinity),
    .real(.nan), true, .date(Date(timeIntervalSinceReferenceDate: 0.5)), .data(Data([0xFB, 0xFF])), [1, "a"],
    ["k": [.data(Data([1]))]], .uid(PropertyListUID(7)),
  ]

  @Test("Every kind of value as JSON")
  func json() {
    let expected = [
      "null", "null", #""""#, #""plain""#, #""a,\"b\"\r\nc""#, "12", "18446744073709551615", "1.0", "0.1",
      #""+infinity""#,
      #""nan""#, "true", #""2001-01-01T00:00:00.5Z""#, #""+/8=""#, #"[1,"a"]"#, #"{"k":["AQ=="]}"#, #"{"CF$UID":7}"#,
    ]
    for (value, text) in zip(Self.values, expected) {
      #expect(self.text(.jsonLines, [("a\"b", nil), ("c", nil)], [[value, 1]]) == "{\"a\\\"b\":\(text),\"c\":1}\n")
    }
  }

  @Test("Every kind of value as CSV")
  func csv() {
    let expected = [
      "", "", #""""#, "plain", "\"a,\"\"b\"\"\r\nc\"", "12", "18446744073709551615", "1.0", "0.1", "+infinity", "nan",
      "true",
      "2001-01-01T00:00:00.5Z", "+/8=", #""[1,""a""]""#, #""{""k"":[""AQ==""]}""#, #""{""CF$UID"":7}""#,
    ]
    for (value, text) in zip(Self.values, expected) {
      #expect(self.text(.csv, [("a,b", nil), ("c", nil)], [[value, 1]]) == "\"a,b\",c\r\n\(text),1\r\n")
    }
  }

  @Test("A row of CSV without any value is still a line with something")
  func emptyRow() {
    #expect(text(.csv, [("a", nil)], [[nil], ["x"]]) == "a\r\n\"\"\r\nx\r\n")
    #expect(text(.jsonLines, [], [[]]) == "{}\n")
  }

  @Test("Every kind of value as SQL")
  func sql() {
    let expected = [
      "NULL", "NULL", "''", "'plain'", "CAST(X'612C2262220D0A63' AS TEXT)", "12", "'18446744073709551615'", "1.0",
      "0.1",
      "9e999", "NULL", "1", "'2001-01-01T00:00:00.5Z'", "'+/8='", "'[1,\"a\"]'", "'{\"k\":[\"AQ==\"]}'",
      "'{\"CF$UID\":7}'",
    ]
    for (value, text) in zip(Self.values, expected) {
      #expect(
        self.text(
          .sql(table: "t\"u"), [("a\"b", nil), ("c", .integer), ("d", .real), ("e", .date)], [[value, 1, nil, nil]])
            == """
            BEGIN;
            CREATE TABLE "t""u"("a""b", "c" INTEGER, "d" REAL, "e" TEXT);
            INSERT INTO "t""u" VALUES(\(text),1,NULL,NULL);
            COMMIT;

            """)
    }
    #expect(
      text(.sql(table: "t"), [("a", nil)], [["it's\n\0"], ["it's\nso"]]).contains("CAST(X'697427730A00' AS TEXT)"))
    #expect(text(.sql(table: "t"), [("a", nil)], [["it's\nso"]]).contains("'it''s\nso'"))
  }

  @Test("A writer of a table has the table's columns")
  func table() {
    let table = PropertyListTable(columns: [.init("n", at: "a.b", as: .integer)])
    let writer = PropertyListTableWriter(table, format: .sql(table: "t"))
    var output = writer.beginning
    writer.write(table.row(of: ["a": ["b": "4"]]), to: &output)
    #expect(
      String(decoding: output, as: UTF8.self)
        == "BEGIN;\nCREATE TABLE \"t\"(\"n\" INTEGER);\nINSERT INTO \"t\" VALUES(4);\n")
  }
}

@Suite("Rows of a stream")
struct TableRowsTests {
  private let table = PropertyListTable(columns: [.init("n", at: "n"), .init("all", at: "**.n")])

  private func rows(_ data: Data, at path: PropertyListPath, piece: Int) throws -> [String] {
    var rest = data
    var rows = table.rows(at: path) {
      defer { rest = rest.dropFirst(piece) }
      return rest.isEmpty ? nil : rest.prefix(piece)
    }
    var result: [String] = []
    while let (key, row) = try rows.next() { result.append("\(key) \(row.cells.map { $0?.description ?? "-" })") }
    return result
  }

  @Test(
    "Elements of an array and pairs of a dictionary, in every format and any pieces", arguments: PlistFormat.allCases)
  func elements(_ format: PlistFormat) throws {
    let text = { (text: String) -> PropertyList in
      format == .openStep ? .string(text) : .integer(PropertyListInteger(text) ?? 0)
    }
    let list: PropertyList = ["list": [["n": text("1")], ["m": text("2")], text("3")]]
    let pairs: PropertyList = ["a": ["b": ["x": ["n": text("1")], "y": ["m": ["n": text("2")]]]], "z": text("0")]
    let one = text("1").description
    let two = text("2").description
    for piece in [1, 7, 10_000] {
      #expect(
        try rows(list.data(format: format), at: "list", piece: piece)
          == ["0 \([one, "[\(one)]"])", "1 \(["-", "[]"])", "2 \(["-", "[]"])"])
      #expect(
        try rows(pairs.data(format: format), at: "a.b", piece: piece)
          == ["x \([one, "[\(one)]"])", "y \(["-", "[\(two)]"])"])
    }
  }

  @Test("A document without the path has no rows, one with a scalar there is a fault")
  func others() throws {
    #expect(try rows(Data("<plist><dict><key>a</key><string/></dict></plist>".utf8), at: "b", piece: 9).isEmpty)
    #expect(try rows(Data(#"{"a": []}"#.utf8), at: "a", piece: 9).isEmpty)
    #expect(throws: PlistError.self) {
      try rows(Data("<plist><dict><key>a</key><string/></dict></plist>".utf8), at: "a", piece: 9)
    }
    #expect(throws: PlistError.self) { try rows(Data(#"{"a": 1}"#.utf8), at: "a", piece: 9) }
  }

  @Test("The rows before a fault come, and then its error with its line")
  func fault() throws {
    let text =
      "<plist><array>\n<dict><key>n</key><integer>1</integer></dict>\n<dict><key>n</key><oops/></dict></array></plist>"
    var rest = Data(text.utf8)
    var rows = table.rows {
      defer { rest = Data() }
      return rest
    }
    #expect(try rows.next()?.row.cells == [1, [1]])
    let error = #expect(throws: PlistError.self) { try rows.next() }
    #expect(error?.line == 3)
  }

  @Test("An element with a malformed value is a fault of the stream")
  func malformedValue() throws {
    let text = "<plist><array><date>never</date></array></plist>"
    let error = #expect(throws: PlistError.self) { try rows(Data(text.utf8), at: "", piece: 100) }
    #expect(error?.code == .invalidDate)
  }
}
