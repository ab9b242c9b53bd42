#if Macros
import ChildProcesses
import Dispatch
import Foundation
import Observation
import ObservableDefaults
import Plist
import Testing

@MainActor
@ObservableDefaults
private final class ShownSettings {
  var count = 0
  var other = 0
}

@Suite(.serialized)
struct ConvergenceTests {
  private static let rounds = ProcessInfo.processInfo.environment["PLIST_THOROUGH"] == "1" ? 10_000 : 500

  @MainActor
  private final class Screen {
    private let settings: ShownSettings
    let shown = Shown()

    init(_ settings: ShownSettings) {
      self.settings = settings
      show()
      withObservationTracking {
        _ = settings.other
      } onChange: { [shown] in
        shown.update { $0.others += 1 }
      }
    }

    private func show() {
      let value = withObservationTracking {
        settings.count
      } onChange: { [shown] in
        if !onMainQueue() { shown.update { $0.strays += 1 } }
        Task { @MainActor in self.show() }
      }
      shown.update { $0.value = value }
    }
  }

  private struct Figures {
    var value = 0
    var others = 0
    var strays = 0
  }

  private final class Shown: @unchecked Sendable {
    private let lock = NSLock()
    private var figures = Figures()

    var now: Figures { lock.withLock { figures } }
    func update(_ body: (inout Figures) -> Void) { lock.withLock { body(&figures) } }
  }

  @Test @MainActor func changesOfAnotherThread() async {
    DispatchQueue.main.setSpecific(key: mainQueueKey, value: true)
    let store = InMemoryStore()
    let screen = Screen(ShownSettings(store: store))
    let shown = screen.shown
    let reference = store.reference(for: DefaultKey("count", default: 0))
    let failures = await Task.detached {
      var failures: [Int] = []
      for round in 1...Self.rounds {
        if round % 2 == 0 {
          reference.value = round
          reference.value = round
        } else {
          store.simulateExternalChange(PropertyList(round), for: "count")
        }
        let end = ContinuousClock.now + .seconds(1_200)
        while shown.now.value != round && ContinuousClock.now < end {
          try? await Task.sleep(for: .microseconds(10))
        }
        if shown.now.value != round { failures.append(round) }
      }
      return failures
    }.value
    #expect(failures == [])
    #expect((shown.now.others, shown.now.strays) == (0, 0))
    withExtendedLifetime(screen) {}
  }

  #if os(Linux) || os(macOS)
  @Test @MainActor func changesOfAnotherProcess() async throws {
    DispatchQueue.main.setSpecific(key: mainQueueKey, value: true)
    let file = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().appending(path: "\(UUID()).plist")
    defer {
      for name in [file.lastPathComponent, ".\(file.lastPathComponent).lock"] {
        try? FileManager.default.removeItem(at: file.deletingLastPathComponent().appending(path: name))
      }
    }
    let screen = Screen(ShownSettings(store: PropertyListFileStore(url: file)))
    #if os(macOS)
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? Bundle.main
    let folder = bundle.bundleURL.deletingLastPathComponent()
    #else
    let folder = Bundle.main.bundleURL
    #endif
    let probe = try ChildProcess(folder.appending(path: "DefaultsProbe"), ["count", file.path, "\(Self.rounds)"])
    defer { withExtendedLifetime(probe) {} }
    #expect(await eventually(checks: 1_200_000) { screen.shown.now.value == Self.rounds })
    #expect((screen.shown.now.others, screen.shown.now.strays) == (0, 0))
  }
  #endif
}

private let mainQueueKey = DispatchSpecificKey<Bool>()

private func onMainQueue() -> Bool { DispatchQueue.getSpecific(key: mainQueueKey) == true }
#endif
