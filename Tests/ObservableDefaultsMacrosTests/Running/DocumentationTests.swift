#if Macros
import Foundation
import ObservableDefaults
import ObservableDefaultsCloud
import ObservableDefaultsCompatibility
import ObservableDefaultsFoundation
import ObservableDefaultsTesting
import Plist
import Testing

private enum Theme: String { case light, dark }

private enum Shown {
  @ObservableDefaults
  final class Settings {
    var launchCount = 0  // stored for the key "launchCount"
    @DefaultsKey(userDefaultsKey: "colour")
    var theme = Theme.light  // stored for another key
    var lastFile: URL?  // nil removes the key
    @ObservableOnly var selection = 0  // observed, not stored
    @Ignore var cache: [String: Int] = [:]  // neither
  }
}

private enum ByHand {
  @ObservableDefaults(autoInit: false)
  final class Settings {
    var name = "guest"

    init(name: String, defaults: UserDefaults) {
      _userDefaults = defaults
      _prefix = "app_"
      self.name = name  // a value; the default is still "guest"
      observerStarter(observableKeysBlacklist: [\.name])  // changes from elsewhere are observed from here on
    }
  }

  @ObservableCloud(autoInit: false)
  final class CloudSettings {
    var theme = Theme.light

    init(developing: Bool) {
      _developmentMode = developing
      if !_developmentMode_ { _cloudObserver = CloudObservation(host: self, prefix: _prefix) }
    }
  }
}

private struct Before {
  var launchCount: Int {
    get { UserDefaults.standard.integer(forKey: "launchCount") }
    set { UserDefaults.standard.set(newValue, forKey: "launchCount") }
  }
}

private struct After {
  @UserDefault("launchCount") var launchCount = 0
}

@Suite(.isolatedDefaults)
struct DocumentationTests {
  private typealias Settings = Shown.Settings

  @Test func classes() {
    let settings = Settings()
    settings.launchCount += 1  // stored when the assignment returns

    let signals = Signals { settings.theme }
    settings.withMutation(keyPath: \.theme) {}

    #expect(signals.count == 1)
    #expect(After().launchCount == 1)
    let cloud = ByHand.CloudSettings(developing: true)
    cloud.theme = .dark
    #expect(cloud.theme == .dark)
  }

  @Test("Every snippet of the pages is compiled here")
  func snippets() throws {
    let tests = URL(filePath: #filePath).deletingLastPathComponent()
    let root = tests.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    func lines(_ text: String) -> String {
      text.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }.joined(separator: "\n")
    }
    let code = try ["DocumentationTests.swift", "SwiftUISample.swift"].map {
      try lines(String(contentsOf: tests.appending(path: $0), encoding: .utf8))
    }
    let catalogue = root.appending(path: "Sources/ObservableDefaults/ObservableDefaults.docc")
    var count = 0
    for page in ["ClassesOfSettings.md", "Migrating.md", "SwiftUISettings.md"] {
      let text = try String(contentsOf: catalogue.appending(path: page), encoding: .utf8)
      for snippet in text.components(separatedBy: "```swift\n").dropFirst() {
        let snippet = snippet.components(separatedBy: "```")[0]
        #expect(code.contains { $0.contains(lines(snippet)) }, "\(page): \(snippet)")
        count += 1
      }
    }
    #expect(count > 0)
  }
}
#endif
