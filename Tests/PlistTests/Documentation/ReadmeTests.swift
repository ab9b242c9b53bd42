import Foundation
import Plist
import Testing

@Suite("README")
struct ReadmeTests {
  @Test("Encode and decode models")
  func models() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "readme-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "settings.plist")
    defer { try? FileManager.default.removeItem(at: folder) }
    let valid = try Fixture(folder: .valid, name: "settings", suffix: ".binary.plist").data()
    let invalid = """
      <plist><dict><key>servers</key><array><dict>
      <key>host</key><string>localhost</string>
      <key>port</key><string>http</string>
      </dict></array></dict></plist>
      """
    var lines: [String] = []
    func print(_ text: String) { lines.append(text) }

    func run() throws {
      struct Server: Codable { var host: String; var port: Int }
      struct Settings: Codable { var servers: [Server] }
      let decoder = PlistDecoder()
      let encoder = PlistEncoder(outputFormat: .xml)  // binary, unless you say otherwise

      do {
        var settings = try decoder.decode(Settings.self, contentsOf: file)
        settings.servers[0].port = 8444
        try encoder.encode(settings, to: file)  // atomically
      } catch let error as DecodingError {
        print(error.plistError?.description ?? "\(error)")
        // settings.plist: line 3, column 16: expected an integer, found the string "http" (key path: servers.0.port)
      }
    }

    try valid.write(to: file)
    try run()
    #expect(lines.isEmpty)
    #expect(try PropertyList(contentsOf: file)["servers"]?[0]?["port"] == 8444)
    #expect(try PropertyList(contentsOf: file)["servers"]?[0]?["host"] == "zrh.example.com")
    #expect(try PlistFormat(detecting: Data(contentsOf: file)) == .xml)

    try Data(invalid.utf8).write(to: file)
    try run()
    let message = "line 3, column 16: expected an integer, found the string \"http\" (key path: servers.0.port)"
    #expect(lines.count == 1 && lines[0].hasSuffix("settings.plist: " + message), "\(lines)")
  }

  @Test("Read, change, write")
  func values() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "readme-\(UUID()).plist")
    try Fixture(folder: .valid, name: "settings", suffix: ".binary.plist").data().write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }

    var settings = try PropertyList(contentsOf: file)  // any format; it is detected
    let host = settings["servers"]?[0]?["host"]?.string  // nil if it is missing or not a string
    let port = settings["servers.0.port" as PropertyListPath]?.int

    try settings.set(8444, at: "servers.0.port")
    settings["recentFiles"]?[0] = nil  // removes the element
    settings["lastOpened"] = .date(Date(timeIntervalSinceReferenceDate: 0))

    try settings.write(to: file, format: .xml)  // atomically

    #expect(host == "zrh.example.com")
    #expect(port == 8443)
    let written = try PropertyList(contentsOf: file)
    #expect(written == settings)
    #expect(written["servers"]?[0]?["port"] == 8444)
    #expect(written["recentFiles"] == ["/home/ada/Drafts/sketch.md"])
    #expect(written.dictionary?.map(\.key).last == "lastOpened")
  }

  @Test("Say where it went wrong")
  func errors() throws {
    var lines: [String] = []
    func print(_ value: some CustomStringConvertible) { lines.append(value.description) }

    let text = "<plist><dict>\n<key>port</key>\n<integer>80a</integer>\n</dict></plist>"
    do {
      _ = try PropertyList(parsing: Data(text.utf8))
    } catch {
      print(error)  // line 3, column 10: "80a" is not an integer (key path: port)
      if error.category == .data, let line = error.line, let column = error.column, let path = error.path {
        print("\(path) is wrong, see \(line):\(column)")
      }
    }

    #expect(lines == ["line 3, column 10: \"80a\" is not an integer (key path: port)", "port is wrong, see 3:10"])
  }

  @Test("Every snippet above is in README.md as it is here")
  func snippets() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let source = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
    let root = folder.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let readme = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)

    let code = source.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
    let snippets = readme.components(separatedBy: "```swift\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
    let uses = snippets.filter { !$0.contains("import ObservableDefaults") && !$0.contains("dependencies:") }
    #expect(!uses.isEmpty)
    for snippet in uses {
      let lines = snippet.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        .filter { !$0.hasPrefix("import ") }
      let isHere = code.contains(lines.joined(separator: "\n"))
      #expect(isHere, "\(snippet)")
    }
  }
}
