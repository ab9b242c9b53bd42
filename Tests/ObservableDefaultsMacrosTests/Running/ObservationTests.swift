#if Macros
import Foundation
import Observation
import ObservableDefaults
import ObservableDefaultsCompatibility
import Plist
import Testing

@ObservableDefaults
private final class Settings: Sendable {
  var count = 0
  var names: [String] = []
}

@ObservableDefaults
private final class Observed {
  @Ignore var log: [String] = []
  var volume = 0.5 {
    willSet { log.append("will \(volume) \(newValue)") }
    didSet {
      log.append("did \(oldValue) \(volume)")
      if volume > 1 { volume = 1 }
    }
  }
  var name: String = "a" {
    didSet(last) {
      guard last != name else { return }
      log.append(last)
    }
  }
  @ObservableOnly var selection = 0 {
    willSet(next) { log.append("next \(next)") }
    didSet { log.append("last \(oldValue)") }
  }
}

@ObservableDefaults(autoInit: false, observeFirst: true)
private final class Node {
  @Ignore var log: [String] = []
  weak var parent: Node?
  unowned var owner: Owner
  var zoom = 1.0 {
    didSet {
      log.append("\(oldValue) \(zoom)")
      zoom = min(zoom, 4)
    }
  }
  var names: [String] = [] {
    willSet { log.append("\(names.count) \(newValue.count)") }
    didSet { if names.count > 2 { names.removeFirst() } }
  }

  init(owner: Owner) {
    self.owner = owner
    observerStarter()
  }
}

private final class Owner {}

@Observable
private final class Model {
  var selection = 10
  let settings: Settings

  init(_ settings: Settings) { self.settings = settings }

  var summary: String { "\(selection) \(settings.count)" }
}

struct ObservationTests {
  private let store = InMemoryStore()

  @Test func nested() {
    let model = Model(Settings(store: store))
    let changes = [
      { model.settings.count += 1 }, { model.selection += 1 }, { store.simulateExternalChange(5, for: "count") },
    ]
    let signals = changes.flatMap { change in
      let signals = Signals(isResignalled: false) { model.summary }
      change()
      return signals.values.prefix(1)
    }
    #expect(signals == ["10 0", "10 1", "11 1"])
    #expect(model.summary == "11 5")
  }

  @Test func changesInPlace() {
    let settings = Settings(store: store)
    let signals = Signals { settings.names }
    settings.names.append("a")
    settings.names[0] += "b"
    #expect(signals.values == [[], ["a"]])
    #expect(store.contents == ["names": ["ab"]])
  }

  @Test func willSetAndDidSet() {
    let observed = Observed(store: store)
    observed.volume = 0.7
    observed.volume = 3
    #expect(observed.log == ["will 0.5 0.7", "did 0.5 0.7", "will 0.7 3.0", "did 0.7 3.0"])
    #expect(observed.volume == 1)
    #expect(store.contents["volume"] == 1.0)
    observed.log = []
    observed.name = "a"
    observed.name = "b"
    #expect(observed.log == ["a"])
    observed.log = []
    observed.selection = 1
    observed.selection += 1
    #expect(observed.log == ["next 1", "last 0", "next 2", "last 1"])
  }

  @Test func didSetMaySetAnObservedProperty() {
    let owner = Owner()
    let node = Node(owner: owner)
    let signals = Signals { node.zoom }
    node.zoom = 2
    node.zoom = 9
    #expect(node.zoom == 4)
    node.zoom = 4
    #expect(node.log == ["1.0 2.0", "2.0 9.0", "4.0 4.0"])
    #expect(signals.count > 1)
    node.log = []
    node.names = ["a", "b", "c"]
    node.names.append("d")
    #expect(node.names == ["c", "d"])
    #expect(node.log == ["0 3", "2 3"])
    withExtendedLifetime(owner) {}
  }

  @Test func observedPropertiesKeepTheirOwnership() {
    let owner = Owner()
    let node = Node(owner: owner)
    var parent: Node? = Node(owner: owner)
    node.parent = parent
    #expect(node.parent === parent)
    parent = nil
    #expect(node.parent == nil)
    var other: Owner? = Owner()
    weak var released: Owner?
    released = other
    if let other { node.owner = other }
    other = nil
    #expect(released == nil)
    node.owner = owner
  }

  @Test func bridging() {
    let settings = Settings(store: store)
    let signals = Signals { settings.count }
    settings.withMutation(keyPath: \.count) {}
    #expect(signals.count == 1)
    settings.observationRegistrar.withMutation(of: settings, keyPath: \.count) {}
    #expect(signals.count == 2)
    withObservationTracking {
      settings.access(keyPath: \.names)
    } onChange: {
      self.store.simulateExternalChange(1, for: "told")
    }
    settings.withMutation(keyPath: \.names) {}
    #expect(store.contents == ["told": 1])
  }

  @available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *)
  @Test func observations() async throws {
    let settings = Settings(store: store)
    var values: [Int] = []
    for await count in Observations({ settings.count }) {
      values.append(count)
      if count == 0 { settings.count = 1 }
      if count == 1 { store.simulateExternalChange(2, for: "count") }
      if count == 2 { break }
    }
    #expect(values == [0, 1, 2])
  }

  @Test func manyThreads() async {
    let settings = Settings(store: store)
    let signals = Signals { settings.count }
    await withTaskGroup { group in
      for number in 1...4 {
        group.addTask { for step in 1...100 { settings.count = number * 1000 + step } }
      }
    }
    #expect(settings.count % 1000 == 100)
    #expect(store.contents["count"]?.int == settings.count)
    #expect(signals.count > 0)
  }
}
#endif
