import Foundation
import Plist
import Testing

struct ValueArticleTests {
  private let file = FileManager.default.temporaryDirectory.appending(path: "article-\(UUID()).plist")

  @Test func values() throws {
    try Fixture(folder: .valid, name: "settings", suffix: ".binary.plist").data().write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }

    var settings = try PropertyList(contentsOf: file)
    try settings.set(8443, at: "servers.0.port")
    try settings.set(["x": 0, "y": 0.5], at: "window.frame")
    settings["recentFiles"]?[0] = nil
    try settings.write(to: file, format: .xml)

    let written = try PropertyList(contentsOf: file)
    #expect(written["window"] == ["frame": ["x": 0, "y": 0.5]])
    #expect(written["recentFiles"] == ["/home/ada/Drafts/sketch.md"])
    #expect(written["absent"]?[3]?["key"] == nil)

    var printed: [String] = []
    func print(_ path: PropertyListPath, _ value: PropertyList) { printed.append("\(path) \(value)") }

    for match in settings.matches(of: "servers.*.port") { print(match.path, match.value) }
    let urls = settings.matches(of: "**.url").compactMap(\.value.string)  // at any depth
    #expect(printed == ["servers.0.port 8443", "servers.1.port 80"])
    #expect(urls.isEmpty)
  }

  @Test func editor() throws {
    let text = """
      <plist><dict>
        <!-- by hand -->
        <key>servers</key> <array><dict><key>port</key><integer>0x50</integer></dict></array>
        <key>hosts</key> <array>
          <string>a</string>
          <string>b</string>
        </array>
        <key>obsolete</key> <true/>
      </dict></plist>
      """
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }

    var editor = try PlistEditor(contentsOf: file)
    try editor.set(8080, at: "servers.0.port")
    try editor.insert("c.example.com", at: "hosts.2")
    try editor.renameKey(at: "hosts", to: "peers")
    try editor.remove(at: "obsolete")
    try editor.write(to: file)

    #expect(
      try String(contentsOf: file, encoding: .utf8) == """
        <plist><dict>
          <!-- by hand -->
          <key>servers</key> <array><dict><key>port</key><integer>8080</integer></dict></array>
          <key>peers</key> <array>
            <string>a</string>
            <string>b</string>
            <string>c.example.com</string>
          </array>
        </dict></plist>
        """)
  }

  @Test func differences() throws {
    let old: PropertyList = ["servers": [["port": 80]], "channels": ["stable"]]
    let new: PropertyList = ["servers": [["port": 8080]], "channels": ["stable", "beta"]]
    var printed = ""
    func print(_ value: some CustomStringConvertible) { printed = value.description }

    let difference = new.difference(from: old)
    print(difference)
    // ~ servers.0.port: 80 → 8080
    // + channels.1: "beta"
    let same = try old.applying(difference)  // == new
    let undone = try new.applying(difference.inverse)  // == old
    #expect(printed == "~ servers.0.port: 80 → 8080\n+ channels.1: \"beta\"")
    #expect(same == new && undone == old)
  }

  @Test func merging() throws {
    let defaults: PropertyList = ["size": 12, "fonts": ["Serif"]]
    let mine: PropertyList = ["size": 14, "fonts": ["Mono"], "name": "Ada"]

    var merged = defaults
    try merged.merge(mine)  // mine counts
    let own = try defaults.merging(mine, policy: .preferSelf)  // the defaults count
    let joined = try defaults.merging(mine, policy: .preferOther.appendingArrays)

    #expect(merged == mine)
    #expect(own == ["size": 12, "fonts": ["Serif"], "name": "Ada"])
    #expect(joined == ["size": 14, "fonts": ["Serif", "Mono"], "name": "Ada"])
  }

  @Test func formats() throws {
    let data = try Fixture(folder: .valid, name: "launch-job", suffix: ".binary.plist").data()
    let list = try PropertyList(parsing: data)  // the format is detected
    let json = try list.data(format: .json)
    let format = PlistFormat(detecting: json)  // .json
    #expect(format == .json)

    let options = PlistReadOptions(format: .json)
    let number = try PropertyList(parsing: Data("12".utf8), options: options)  // an integer, not a string
    #expect(number == 12)
    #expect(try PropertyList(parsing: Data("12".utf8)) == "12")
  }

  @Test func unrepresentable() throws {
    let day = Date(timeIntervalSinceReferenceDate: 0)
    var printed = ""
    func print(_ error: PlistError) { printed = error.description }

    do {
      _ = try PropertyList.dictionary(["day": .date(day)]).data(format: .json)
    } catch {
      print(error)  // JSON cannot represent a date; allow lossy conversion to a string (key path: day)
    }
    let options = PlistWriteOptions(unrepresentable: .convert)
    let json = try PropertyList.dictionary(["day": .date(day)]).data(format: .json, options: options)
    #expect(printed == "JSON cannot represent a date; allow lossy conversion to a string (key path: day)")
    #expect(try PropertyList(parsing: json) == ["day": "2001-01-01T00:00:00Z"])
  }

  @Test func foundation() throws {
    var printed: [String] = []
    func print(_ values: Any...) { printed.append(values.map { "\($0)" }.joined(separator: " ")) }

    let xml = "<plist><date>2023-02-30T00:00:00Z</date></plist>"
    do {
      _ = try PropertyList(parsing: Data(xml.utf8))
    } catch {
      print(error)  // line 1, column 14: "2023-02-30T00:00:00Z" is not a valid date
    }

    let one: PropertyList = 1
    let real: PropertyList = 1.0
    print(one == real, real.int as Any)  // false nil
    #expect(
      printed == ["line 1, column 14: \"2023-02-30T00:00:00Z\" is not a valid date", "false nil"])
  }
}
