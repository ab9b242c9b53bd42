import Foundation
import Plist
import PlistFoundation
import Testing

struct RecentFilesTests {
  private static let adders: [String: @Sendable (String, URL) throws -> Void] = [
    "before": { try RecentFilesBefore.add($0, in: $1) },
    "values": { try RecentFiles.add($0, in: $1) },
    "types": { try RecentFilesAsType.add($0, in: $1) },
  ]

  private static let original: PropertyList = [
    "window": ["frame": [0, 0.5], "isVisible": false], "recentFiles": ["a", "b", "c"], "count": 7,
    "opened": .date(Date(timeIntervalSinceReferenceDate: 1)), "icon": .data(Data([1, 2])),
  ]

  private static let expected: PropertyList = [
    "window": ["frame": [0, 0.5], "isVisible": true], "recentFiles": ["b", "a", "c"], "count": 7,
    "opened": .date(Date(timeIntervalSinceReferenceDate: 1)), "icon": .data(Data([1, 2])),
  ]

  @Test(arguments: ["before", "values", "types"], [PlistFormat.xml, .binary])
  func everyFormHasTheSameResult(_ form: String, _ format: PlistFormat) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "recent-\(UUID()).plist")
    defer { try? FileManager.default.removeItem(at: file) }
    let add = try #require(Self.adders[form])
    try Self.original.write(to: file, format: format)

    try add("b", file)

    #expect(try PropertyList(contentsOf: file) == Self.expected)
    #expect(try PlistFormat(detecting: Data(contentsOf: file)) == format)
    try add("d", file)
    #expect(try PropertyList(contentsOf: file)["recentFiles"] == ["d", "b", "a"])

    try (["count": 7] as PropertyList).write(to: file, format: format)
    try add("a", file)
    #expect(try PropertyList(contentsOf: file) == ["count": 7, "recentFiles": ["a"]])

    try (["recentFiles"] as PropertyList).write(to: file, format: format)
    let unchanged = try Data(contentsOf: file)
    #expect(throws: (any Error).self) { try add("a", file) }
    #expect(try Data(contentsOf: file) == unchanged)
  }

  @Test func bytes() throws {
    let data = try Self.original.data(format: .xml)
    let object = try unsafe PropertyListSerialization.propertyList(from: data, options: [], format: nil)
    let foundation = try PropertyListSerialization.data(fromPropertyList: object, format: .xml, options: 0)

    let options = PlistWriteOptions(sortedKeys: true, realStyle: .foundation)
    let list = try PropertyList(parsing: data)
    let same = try list.data(format: .xml, options: options)

    #expect(same == foundation)
  }

  @Test func bridges() throws {
    let suite = "swift-plist-tests-\(UUID())"
    let defaults = try #require(UserDefaults(suiteName: suite))
    defer { defaults.removePersistentDomain(forName: suite) }
    defaults.set(["size": [800, 600]], forKey: "window")

    let window = try PropertyList(foundation: defaults.dictionary(forKey: "window") ?? [:])
    let width = window["size"]?[0]?.int ?? 640
    defaults.set((["size": [PropertyList(width), 480]] as PropertyList).foundationValue, forKey: "window")

    #expect(defaults.dictionary(forKey: "window") as? [String: [Int]] == ["size": [800, 480]])
  }

  @Test func bridgesThatFail() {
    var lines: [String] = []
    func print(_ value: Any) { lines.append("\(value)") }

    do {
      _ = try PropertyList(foundation: ["window": ["file": URL(filePath: "/tmp")]])
    } catch {
      print(error)  // property lists cannot hold a value of type URL (key path: window.file)
    }
    #expect(lines == ["property lists cannot hold a value of type URL (key path: window.file)"])
  }

  @Test func migrationOfErrors() throws {
    let data = Data("<plist><dict>\n<key>port</key>\n</dict></plist>".utf8)
    var lines: [String] = []
    func print(_ value: Any) { lines.append("\(value)") }

    do {
      _ = try PropertyList(parsing: data)
    } catch {
      print(error)  // line 3, column 1: expected a value for the key "port", found </dict>
    }
    #expect(lines == ["line 3, column 1: expected a value for the key \"port\", found </dict>"])
  }
}
