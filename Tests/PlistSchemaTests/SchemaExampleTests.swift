import Foundation
import Plist
import PlistSchema
import Testing

/// The examples in the documentation of PlistSchema, and a check that all of them are here.
@Suite struct SchemaExampleTests {
  @Test func validation() throws {
    let schema = PropertyListSchema(keys: [
      "Port": .integer.minimum(1).maximum(65_535).required(),
      "Mode": .string.oneOf(["auto", "manual"]),
    ])
    let document = try PlistDocument(parsing: Data("{ Port = 0; Mode = manul; }".utf8))
    for finding in schema.findings(in: document) { print(finding) }
    for finding in schema.findings(in: document) where finding.isError {
      print("line \(finding.error.line ?? 0): found \(finding.found), expected \(finding.expected)")
    }
    #expect(schema.findings(in: document).count == 2)
  }

  @Test func rules() throws {
    let port = PropertyListSchema.Rule.integer.minimum(1).maximum(65_535).required()
    let mode = PropertyListSchema.Rule.string.oneOf(["auto", "manual"])
    let servers = PropertyListSchema.Rule.array(of: .dictionary(["Port": port, "Mode": mode])).count(1...4)
    #expect(PropertyListSchema(servers).findings(in: [["Mode": "auto"]]).count == 1)
  }

  @Test func containers() throws {
    let server = PropertyListSchema.Rule.dictionary([
      "Name": try .string.matching("^[a-z]+$").required(), "Weight": .real.minimum(0),
    ])
    let servers = PropertyListSchema(.array(of: server).count(1...4))
    #expect(servers.findings(in: [["Name": "a", "Weight": 0.5]]).isEmpty)
    #expect(servers.findings(in: [["Name": "A"]]).count == 1)
  }

  @Test func manifests() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).plist")
    try Data("{ pfm_subkeys = ( { pfm_name = a; pfm_type = union; } ); }".utf8).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    let manifest = try PlistDocument(contentsOf: url)
    let schema = try PropertyListSchema(manifest: manifest)
    for finding in schema.manifestFindings { print("\(url.lastPathComponent): \(finding)") }
    #expect(schema.manifestFindings.count == 1)
  }

  @Test func alternatives() {
    let job = PropertyListSchema.Rule.dictionary([
      "Program": .string, "ProgramArguments": .array(of: .string).required(without: "Program"),
    ])
    let schema = PropertyListSchema(job)
    #expect(schema.findings(in: ["Program": "/bin/true"]).isEmpty)
    #expect(schema.findings(in: [:]).count == 1)
  }

  @Test func everyExampleIsHere() throws {
    let here = URL(filePath: #filePath)
    let code = Self.plain(try String(contentsOf: here, encoding: .utf8))
    let sources = here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Sources/PlistSchema")
    var count = 0
    for path in try FileManager.default.subpathsOfDirectory(atPath: sources.path)
    where path.hasSuffix(".swift") || path.hasSuffix(".md") {
      let text = try String(contentsOf: sources.appending(path: path), encoding: .utf8)
        .replacing(/(?m)^ *\/\/\/ ?/, with: "")
      for example in text.components(separatedBy: "```swift\n").dropFirst() {
        let example = Self.plain(example.components(separatedBy: "```")[0])
        #expect(code.contains(example), "\(path): \(example)")
        count += 1
      }
    }
    #expect(count > 0)
  }

  /// Returns the lines without indentation, empty lines and comments.
  private static func plain(_ text: String) -> String {
    text.components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty && !$0.hasPrefix("//") }.joined(separator: "\n")
  }
}
