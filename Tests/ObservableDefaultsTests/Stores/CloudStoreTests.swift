import Foundation
import ObservableDefaults
import ObservableDefaultsCloud
import Plist
import Testing

struct CloudStoreTests {
  let backend = MockCloudBackend()

  private func store(_ limits: CloudStore.Limits = .init()) -> CloudStore {
    CloudStore(backend, developmentMode: false, limits: limits)
  }

  @Test func keepsValuesAndNoDefaults() throws {
    let store = store()
    let volume = store.reference(for: DefaultKey("volume", default: 0.5))
    #expect(volume.value == 0.5)
    #expect(backend.contents == [:])
    volume.value = 0.75
    #expect(backend.contents == ["volume": 0.75])
    volume.reset()
    #expect(backend.contents == [:])
  }

  @Test(arguments: [
    CloudChangeReason.serverChange, .initialSync, .quotaViolation, .accountChange,
  ]) func remoteChangesComeWithTheirReason(_ reason: CloudChangeReason) {
    let store = store()
    let volume = store.reference(for: DefaultKey("volume", default: 0.5))
    let changes = Recorder<DefaultsChange>()
    let token = store.subscribe { changes.record($0) }
    backend.simulateChange(["volume": 1.0, "other": nil], reason: reason)
    #expect(changes.events == [DefaultsChange(origin: .remote(reason), keys: ["volume", "other"])])
    #expect(volume.value == 1)
    backend.simulateReplacement(["volume": 0.25])
    #expect(changes.events.last == DefaultsChange(origin: .remote(.accountChange), keys: nil))
    #expect(volume.value == 0.25)
    withExtendedLifetime(token) {}
  }

  @Test func limitsAreErrors() throws {
    let store = store()
    for number in 0..<1024 { backend.set(1, for: "\(number)") }
    #expect(throws: Never.self) { try store.save(2, for: "0") }
    var error = #expect(throws: DefaultsError.self) { try store.save(1, for: "one more") }
    #expect(error?.code == .tooManyKeys)
    try store.save(nil, for: "1")
    try store.save(1, for: "one more")

    error = #expect(throws: DefaultsError.self) { try store.save(.data(Data(count: 1 << 20)), for: "0") }
    #expect(error?.code == .quotaExceeded)
    error = #expect(throws: DefaultsError.self) { try store.save(1, for: String(repeating: "é", count: 33)) }
    #expect(error?.code == .keyTooLong)
    #expect(backend.value(for: "0") == 2)
    backend.set(nil, for: "0")
    let data = store.reference(for: DefaultKey("0", default: Data()))
    data.value = Data(count: 1 << 20)
    #expect((data.error as? DefaultsError)?.code == .quotaExceeded)
  }

  @Test func aBatchThatIsTooLargeChangesNothing() throws {
    let store = store(.init(keys: 2))
    #expect(throws: DefaultsError.self) {
      try store.update { batch in
        for key in ["a", "b", "c"] { batch[key] = 1 }
      }
    }
    #expect(backend.contents == [:])
  }

  @Test func synchronizesWhenAsked() throws {
    _ = store()
    #expect(backend.synchronizations == 1)
    let eager = CloudStore(backend, synchronizesImmediately: true, developmentMode: false)
    try eager.save(1, for: "a")
    #expect(backend.synchronizations == 3)
    eager.synchronize()
    #expect(backend.synchronizations == 4)
  }

  @Test func developmentModeLeavesTheServiceAlone() throws {
    let store = CloudStore(backend, developmentMode: true)
    #expect(store.isInDevelopmentMode)
    try store.save(1, for: "a")
    #expect(try store.load("a") == 1)
    #expect(backend.contents == [:])
    #expect(backend.synchronizations == 0)
    #expect(!CloudStore(backend, developmentMode: false).isInDevelopmentMode)
  }

  @Test func developmentModeComesFromTheEnvironment() async throws {
    for (name, value, isOn) in [
      ("XCODE_RUNNING_FOR_PREVIEWS", "1", true), ("OBSERVABLE_DEFAULTS_DEV_MODE", "true", true),
      ("OBSERVABLE_DEFAULTS_DEV_MODE", "no", false),
    ] {
      let probe = try Probe("cloud-mode", environment: [name: value])
      #expect(await probe.status() == 0)
      #expect(probe.lines == [isOn ? "development" : "service"])
    }
  }
}
