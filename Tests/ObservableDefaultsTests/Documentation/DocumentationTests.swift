import Foundation
import Observation
import ObservableDefaults
import ObservableDefaultsCloud
import ObservableDefaultsTesting
import Plist
import Testing

extension DefaultKeys {
  static let launchCount = DefaultKey("launchCount", default: 0)
}

struct Welcome {
  @UserDefault(.launchCount) var launchCount
  @UserDefault("name") var name = "nobody"
}

enum Theme: String { case light, dark }

struct Appearance {
  @UserDefault("theme") var theme = Theme.light  // stored by its raw value
  @UserDefault("accent") var accent: String?  // nil when nothing is stored
  @UserDefault("sizes") var sizes = ["title": 24.0, "body": 12.0]
}

struct Player {
  @Shared(.appStorage("volume")) var volume = 0.5
  @Shared(.inMemory("position")) var position = 0
}

struct Slider {
  @Shared var value: Double  // its parent gives it: Slider(value: player.$volume)
}

@Observable
final class Editor {
  var selection = 0
  @ObservationIgnored @UserDefault("fontSize") var fontSize = 12
}

@Suite(.isolatedDefaults)
struct WelcomeTests {
  @Test func counts() {
    let welcome = Welcome()
    welcome.launchCount += 1
    #expect(Welcome().launchCount == 1)
  }
}

@Suite(.isolatedDefaults)
struct DocumentationTests {
  @Test func properties() {
    let lines = Recorder<String>()
    @Sendable func print(_ text: String) { lines.record(text) }

    let appearance = Appearance()
    let token = appearance.$theme.observe { old, new in print("\(old) → \(new)") }
    appearance.theme = .dark  // light → dark
    appearance.$sizes.withLock { $0["body"] = 13 }  // no other thread in between
    appearance.$theme.reset()  // dark → light
    token.cancel()

    #expect(lines.events == ["light → dark", "dark → light"])
    #expect(Appearance().sizes["body"] == 13)
    #expect(appearance.accent == nil)
  }

  @Test func sharing() {
    let player = Player()
    let slider = Slider(value: player.$volume)
    slider.value = 1
    #expect(player.volume == 1)
    #expect(player.position == 0)
  }

  @Test func observableClass() {
    let editor = Editor()
    let changes = Recorder<Int>()
    withObservationTracking {
      _ = editor.fontSize
    } onChange: {
      changes.record(1)
    }
    Editor().fontSize = 14
    #expect(changes.events == [1])
  }

  @Test func files() throws {
    let folder = try TestFolder()
    let url = folder.file()

    let store = PropertyListFileStore(url: url, format: .xml, saving: .debounced())
    let volume = store.reference(for: DefaultKey("volume", default: 0.5))
    volume.value = 0.75
    try store.flush()

    #expect(try folder.contents() == ["volume": 0.75])
  }

  @Test func domains() throws {
    let store = SearchListStore(
      arguments: ["tool", "-retries", "5"], application: InMemoryStore(), registration: ["retries": 3, "delay": 0.5])
    let retries = store.reference(for: DefaultKey("retries", default: 1))
    let domain = try store.provenance(of: "retries")  // arguments

    #expect(retries.value == Int(5))
    #expect(domain == .arguments)
  }

  @Test func cloud() {
    let backend = MockCloudBackend()
    let cloud = CloudStore(backend)
    let volume = cloud.reference(for: DefaultKey("volume", default: 0.5))
    backend.simulateChange(["volume": 0.25], reason: .initialSync)

    #expect(volume.value == Double(0.25))
  }

  @Test func testing() throws {
    let store = InMemoryStore(["launchCount": 41])
    withDefaultsStore(store) {
      let welcome = Welcome()
      welcome.launchCount += 1
    }
    let count = try store.load("launchCount")  // 42

    #expect(count == 42)
  }

  @Test("Every snippet of the documentation is compiled here")
  func snippets() throws {
    let tests = Self.root.appending(path: "Tests/ObservableDefaultsTests")
    let sources = [
      URL(filePath: #filePath), tests.appending(path: "Shared/PatternTests.swift"),
      Self.root.appending(path: "Tests/DefaultsProbe/Greeting.swift"),
      tests.appending(path: "Documentation/ServerSettings.swift"),
      tests.appending(path: "Documentation/ServerSettingsTests.swift"),
    ]
    let code = try sources.map { Self.lines(try String(contentsOf: $0, encoding: .utf8)) }
    let catalogue = Self.root.appending(path: "Sources/ObservableDefaults/ObservableDefaults.docc")
    var count = 0
    let others = ["ClassesOfSettings.md", "Migrating.md", "SwiftUISettings.md"]
    let pages = try FileManager.default.contentsOfDirectory(atPath: catalogue.path)
    for page in pages where page.hasSuffix(".md") && !others.contains(page) {
      for snippet in Self.snippets(in: try String(contentsOf: catalogue.appending(path: page), encoding: .utf8)) {
        #expect(code.contains { $0.contains(Self.lines(snippet)) }, "\(page): \(snippet)")
        count += 1
      }
    }
    #expect(count > 0)
    let readme = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
    let use = try #require(readme.components(separatedBy: "import ObservableDefaults\n").last)
    #expect(code.contains { $0.contains(Self.lines(use.components(separatedBy: "```")[0])) })
  }

  @Test("Every example of a documentation comment is compiled in a test")
  func examples() throws {
    let code = try Self.swiftFiles(in: "Tests/ObservableDefaultsTests").map { Self.lines($0.text) }
    let macroCode = try Self.swiftFiles(in: "Tests/ObservableDefaultsMacrosTests").map { Self.lines($0.text) }
    var count = 0
    for file in try Self.sources() {
      let comments = file.text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        .filter { $0.hasPrefix("///") }.map { $0.dropFirst(3).trimmingCharacters(in: .whitespaces) }
      for example in Self.snippets(in: comments.joined(separator: "\n")) {
        let parts = example.components(separatedBy: "\n\n").map(Self.lines)
        let tests = file.path.contains("/Macros/") ? macroCode : code
        #expect(tests.contains { parts.allSatisfy($0.contains) }, "\(file.path): \(example)")
        count += 1
      }
    }
    #expect(count > 0)
  }

  @Test("Every public type has an example, except those for generated code")
  func typesWithExamples() throws {
    let type = /public (final )?(actor|class|enum|macro|protocol|struct) ([A-Za-z]\w*)/
    var count = 0
    for file in try Self.sources() {
      let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
      for (index, line) in lines.enumerated() where line.hasPrefix("public ") {
        guard let name = line.prefixMatch(of: type)?.3 else { continue }
        let comment = lines[..<index].reversed().prefix { $0.hasPrefix("///") || !$0.isEmpty && !$0.hasSuffix("{") }
        #expect(comment.contains("/// ```swift"), "\(file.path): \(name)")
        count += 1
      }
    }
    #expect(count > 0)
  }

  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private static func sources() throws -> [(path: String, text: String)] {
    try swiftFiles(in: "Sources/ObservableDefaults") + swiftFiles(in: "Sources/ObservableDefaultsTesting")
  }

  private static func swiftFiles(in folder: String) throws -> [(path: String, text: String)] {
    try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)
      .filter { $0.hasSuffix(".swift") }.map { "\(folder)/\($0)" }
      .map { ($0, try String(contentsOf: root.appending(path: $0), encoding: .utf8)) }
  }

  private static func snippets(in text: String) -> [String] {
    text.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
  }

  private static func lines(_ text: String) -> String {
    text.split(separator: "\n").map { line in
      line.split(separator: " ").filter { $0 != "unsafe" }.joined(separator: " ")
    }.joined(separator: "\n")
  }
}
