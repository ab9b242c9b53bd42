import Foundation
import Observation
import ObservableDefaults
import ObservableDefaultsTesting
import Plist
import Testing

@Suite(.isolatedDefaults)
struct PatternTests {
  @Observable
  final class Preferences {
    private final class Storage {
      @UserDefault("fontSize") var fontSize = 12
    }

    @ObservationIgnored private let storage = Storage()

    var fontSize: Int {
      get { storage.fontSize }
      set { storage.fontSize = newValue }
    }
  }

  @Test func aNestedStorageStaysInStepBothWays() throws {
    let preferences = Preferences()
    let changes = Recorder<String>()
    withObservationTracking {
      _ = preferences.fontSize
    } onChange: {
      changes.record("local")
    }
    preferences.fontSize = 14
    #expect(try DefaultsStores.current.load("fontSize") == 14)
    #expect(changes.events == ["local"])

    withObservationTracking {
      _ = preferences.fontSize
    } onChange: {
      changes.record("outside")
    }
    try DefaultsStores.current.save(16, for: "fontSize")
    #expect(preferences.fontSize == 16)
    #expect(changes.events == ["local", "outside"])
  }

  final class Document: Observable, Sendable {
    private let registrar = ObservationRegistrar()
    private let file: PropertyListFileStore

    init(_ file: PropertyListFileStore) { self.file = file }

    var title: String {
      get {
        registrar.access(self, keyPath: \.title)
        return (try? file.load("title"))?.string ?? ""
      }
      set {
        registrar.withMutation(of: self, keyPath: \.title) { try? file.save(PropertyList(newValue), for: "title") }
      }
    }

    /// Call this when other code has changed the file.
    func titleChangedElsewhere() {
      registrar.withMutation(of: self, keyPath: \.title) {}
    }
  }

  @Test func aRegistrarSignalledByHand() throws {
    let folder = try TestFolder()
    let document = Document(PropertyListFileStore(url: folder.file()))
    let changes = Recorder<String>()
    withObservationTracking {
      _ = document.title
    } onChange: {
      changes.record("title")
    }
    document.title = "One"
    #expect(changes.events == ["title"])
    withObservationTracking {
      _ = document.title
    } onChange: {
      changes.record("elsewhere")
    }
    try PropertyListFileStore(url: folder.file()).save("Two", for: "title")
    document.titleChangedElsewhere()
    #expect(changes.events == ["title", "elsewhere"])
    #expect(document.title == "Two")
  }

  @Test func aRegistrarSignalledByASubscription() async throws {
    let folder = try TestFolder()
    let file = PropertyListFileStore(url: folder.file())
    let document = Document(file)
    let token = file.subscribe { change in
      if change.keys?.contains("title") != false { document.titleChangedElsewhere() }
    }
    let changes = Recorder<String>()
    withObservationTracking {
      _ = document.title
    } onChange: {
      changes.record("title")
    }
    try PropertyListFileStore(url: folder.file()).save("Two", for: "title")
    #expect(await eventually { changes.events == ["title"] })
    #expect(document.title == "Two")
    withExtendedLifetime(token) {}
  }
}
