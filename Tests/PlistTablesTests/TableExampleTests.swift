import Foundation
import Plist
import PlistTables
import Testing

/// The examples in the documentation of PlistTables, and a check that all of them are here.
@Suite struct TableExampleTests {
  private let data = Data(
    "{ CFBundleIdentifier = a.b; CFBundleVersion = x; CFBundleURLTypes = ({ CFBundleURLSchemes = (one, two); }); }".utf8
  )

  @Test func rows() throws {
    let table = PropertyListTable(columns: [
      .init("id", at: "CFBundleIdentifier"),
      .init("build", at: "CFBundleVersion", as: .integer),
      .init("schemes", at: "CFBundleURLTypes.*.CFBundleURLSchemes.*"),
    ])
    let row = try table.row(of: PlistDocument(parsing: data))
    let build = row.cells[1]?.int
    for fault in row.faults { print(fault) }  // expected an integer for the column "build", found a string
    #expect(build == nil)
    #expect(row.cells == ["a.b", nil, ["one", "two"]])
    #expect(row.faults.map(\.message) == [#"expected an integer for the column "build", found a string"#])

    let documents = [try PlistDocument(parsing: data)]
    let writer = PropertyListTableWriter(table, format: .csv)
    var output = writer.beginning
    for document in documents { writer.write(try table.row(of: document), to: &output) }
    output += writer.end
    #expect(String(decoding: output, as: UTF8.self) == "id,build,schemes\r\na.b,,\"[\"\"one\"\",\"\"two\"\"]\"\r\n")

    var columns = PropertyListTableColumns()
    for document in documents { try columns.add(columnsFor: document.root.propertyList()) }
    let everything = PropertyListTable(columns: columns.columns)
    #expect(everything.columns.map(\.name) == ["CFBundleIdentifier", "CFBundleVersion", "CFBundleURLTypes"])
  }

  @Test func streams() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).plist")
    try Data(#"{"Tracks": {"7": {"Name": "So What", "Play Count": 3}}}"#.utf8).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    let file = try FileHandle(forReadingFrom: url)
    let tracks = PropertyListTable(columns: [.init("name", at: "Name"), .init("plays", at: "Play Count", as: .integer)])
    var rows = tracks.rows(at: "Tracks") { try file.read(upToCount: 65_536) }
    while let (id, row) = try rows.next() { print(id, row.cells) }
    #expect(rows.byteCount == 55)
    #expect(rows.format == .json)
  }

  @Test func everyExampleIsHere() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let code = try Self.lines(String(contentsOf: URL(filePath: #filePath), encoding: .utf8))
    var count = 0
    let sources = root.appending(path: "Sources/PlistTables")
    for name in try FileManager.default.subpathsOfDirectory(atPath: sources.path) {
      guard name.hasSuffix(".swift") || name.hasSuffix(".md") else { continue }
      let text = try String(contentsOf: sources.appending(path: name), encoding: .utf8).replacing("\n/// ", with: "\n")
      for example in text.components(separatedBy: "```swift\n").dropFirst() {
        let example = Self.lines(example.components(separatedBy: "```")[0].replacing("///", with: ""))
        #expect(code.contains(example), "\(name): \(example)")
        count += 1
      }
    }
    #expect(count >= 7)
  }

  private static func lines(_ text: String) -> String {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
      .joined(separator: "\n")
  }
}
