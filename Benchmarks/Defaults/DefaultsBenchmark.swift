import Foundation
import ObservableDefaults
import ObservableDefaultsFoundation
import Plist

/// The benchmark of ObservableDefaults, which is separate from the operations on documents.
///
/// Measurements alternate between ObservableDefaults and `UserDefaults`.
struct DefaultsBenchmark {
  private let rounds: Int
  private let folder: URL
  private var figures: [DefaultsFigure] = []

  static func run(rounds: Int) throws -> String {
    var benchmark = try DefaultsBenchmark(rounds: rounds)
    defer { try? FileManager.default.removeItem(at: benchmark.folder) }
    try benchmark.measureReading()
    try benchmark.measureMacroReading()
    try benchmark.measureWriting()
    try benchmark.measureSignals()
    try benchmark.measureIdling()
    return DefaultsFigure.table(benchmark.figures)
  }

  private init(rounds: Int) throws {
    self.rounds = rounds
    folder = FileManager.default.temporaryDirectory.appending(path: "plist-benchmarks-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// Returns the median time per repetition of each closure, in seconds.
  ///
  /// This is processor time, or wall-clock time if the closure `waits` for the disk.
  private func medians(count: Int, waits: Bool = false, _ bodies: [() throws -> Void]) throws -> [Double] {
    var times = Array(repeating: [Double](), count: bodies.count)
    let clock = ContinuousClock()
    for round in 0...rounds {
      for (index, body) in bodies.enumerated() {
        let start = (clock.now, ProcessorTime.now)
        try body()
        let time = waits ? (clock.now - start.0) / .seconds(1) : ProcessorTime.now - start.1
        // The first round is a warm-up.
        if round > 0 { times[index].append(time / Double(count)) }
      }
    }
    return times.map { $0.sorted()[$0.count / 2] }
  }

  /// Creates a store with the given number of values.
  private func store(
    _ name: String, _ saving: PropertyListFileStore.Saving, format: PlistFormat = .xml, count: Int = 1000
  ) throws -> PropertyListFileStore {
    let store = PropertyListFileStore(url: folder.appending(path: name), format: format, saving: saving)
    try store.update { batch in
      for number in 0..<count { batch["key.\(number)"] = PropertyList("value \(number)") }
    }
    return store
  }

  private mutating func measureReading() throws {
    let store = try store("read.plist", .immediately)
    let defaults = UserDefaults.standard
    // Without `synchronize()`, `UserDefaults` keeps the value only in memory.
    defaults.set(42, forKey: "plist-benchmarks")
    try store.save(42, for: "plist-benchmarks")
    let settings = Settings(store)
    let count = 100_000
    var sum = 0
    let times = try medians(
      count: count,
      [
        { for _ in 0..<count { sum &+= settings.number } },
        { for _ in 0..<count { sum &+= defaults.integer(forKey: "plist-benchmarks") } },
      ])
    precondition(sum == 42 * 2 * count * (rounds + 1))
    figures.append(
      DefaultsFigure("a cached read", times[0], peer: times[1], limit: 50e-9, ratio: 20))
  }

  private struct Settings {
    @UserDefault<Int> var number: Int

    init(_ store: any DefaultsStore) {
      _number = UserDefault(wrappedValue: 0, "plist-benchmarks", store: store)
    }
  }

  private mutating func measureMacroReading() throws {
    #if Macros
    let store = try store("macro.plist", .immediately)
    try store.save(42, for: "number")
    let settings = ExpandedSettings(store: store)
    let count = 100_000
    var sum = 0
    let time = try medians(count: count, [{ for _ in 0..<count { sum &+= settings.number } }])[0]
    precondition(sum == 42 * count * (rounds + 1))
    figures.append(DefaultsFigure("a read of a macro's property", time, limit: 400e-9))
    #endif
  }

  #if Macros
  /// A handwritten copy of what `@ObservableDefaults` generates for `var number = 0`, so that no macro has to be built.
  private final class ExpandedSettings: Observable, Sendable {
    private let _$observationRegistrar = ObservationRegistrar()
    private let _defaultsHost = _DefaultsHost()
    private let _number = _BackedProperty<Int>("number", default: 0)

    init(store: any DefaultsStore) {
      _defaultsHost.use(store)
      _defaultsHost.start()
    }

    var number: Int {
      _$observationRegistrar.access(self, keyPath: \.number)
      return _number.value(in: _defaultsHost)
    }
  }
  #endif

  private mutating func measureWriting() throws {
    let key = DefaultKey("count", default: 0)
    let durable = try store("durable.plist", .immediately).reference(for: key)
    let file = folder.appending(path: "disk.plist")
    let bytes = try Data(contentsOf: folder.appending(path: "durable.plist"))
    try bytes.write(to: file)
    let count = 20
    let times = try medians(
      count: count, waits: true,
      [
        { for _ in 0..<count { durable.value += 1 } },
        { for _ in 0..<count { try Self.replace(file, with: bytes) } },
      ])
    figures.append(DefaultsFigure("a durable write, 1,000 keys stored", times[0], limit: 5e-3))
    figures.append(
      DefaultsFigure("of that, replacing the file", times[1], note: "what the disk takes", isReached: true))

    // This includes what the store does in the background once the system reports the new file.
    for format in [PlistFormat.xml, .binary] {
      let large = try store("large.\(format)", .immediately, format: format, count: 100_000).reference(for: key)
      let time = try medians(count: count, [{ for _ in 0..<count { large.value += 1 } }])[0]
      figures.append(DefaultsFigure("a durable write, 100,000 keys stored in \(format)", time, limit: 25e-3))
    }

    let later = try store("debounced.plist", .debounced(.milliseconds(200))).reference(for: key)
    let laterCount = 10_000
    let laterTime = try medians(count: laterCount, [{ for _ in 0..<laterCount { later.value += 1 } }])[0]
    figures.append(DefaultsFigure("a debounced write, 1,000 keys stored", laterTime, limit: 50e-6))
  }

  /// Replaces a file the way a store does.
  private static func replace(_ file: URL, with bytes: Data) throws {
    let replacement = try PlistFileReplacement(of: file)
    try replacement.write(bytes.bytes)
    try replacement.commit()
  }

  /// Measures the processor time of a second in which nothing happens.
  private mutating func measureIdling() throws {
    let missing = (0..<100).map { PropertyListFileStore(url: folder.appending(path: "missing \($0)/settings.plist")) }
    var tokens = missing.map { $0.subscribe { _ in } }
    let idle = try medians(count: 1, [{ Thread.sleep(forTimeInterval: 1) }])[0]
    figures.append(DefaultsFigure("a second with 100 stores in missing folders", idle, limit: 10e-3))
    let defaults = UserDefaultsStore.standard
    for number in 0..<10_000 { _ = try defaults.load("plist-benchmarks.\(number)") }
    tokens = [defaults.subscribe { _ in }]
    let observed = try medians(count: 1, [{ Thread.sleep(forTimeInterval: 1) }])[0]
    figures.append(DefaultsFigure("a second with 10,000 keys of UserDefaults", observed, limit: 10e-3))
    withExtendedLifetime(tokens) {}
  }

  private mutating func measureSignals() throws {
    let store = InMemoryStore()
    let signals = SignalCounter()
    let references = (0..<10_000).map { store.reference(for: DefaultKey("key.\($0)", default: 0)) }
    let tokens = references.map { $0.observe { _, _ in signals.count() } }
    let count = 1000
    var value = 0
    let change = {
      for _ in 0..<count {
        value += 1
        store.simulateExternalChange(PropertyList(value), for: "key.\(value % 10_000)")
      }
    }
    let time = try medians(count: count, [change])[0]
    figures.append(
      DefaultsFigure(
        "a change among 10,000 observed keys", time,
        note: "\(signals.total) signals for \(value) changes", isReached: signals.total == value))
    withExtendedLifetime(tokens) {}
  }
}

/// `@unchecked Sendable` is sound because `number` is used only under the lock.
private final class SignalCounter: @unchecked Sendable {
  private let lock = NSLock()
  private var number = 0

  var total: Int { lock.withLock { number } }

  func count() { lock.withLock { number += 1 } }
}
