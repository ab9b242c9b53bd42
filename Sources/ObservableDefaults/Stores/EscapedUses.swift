import Plist

/// Catches uses of settings outside the reach of a test's replacement stores.
///
/// A test's stores belong to the test's task. Code in a detached task or on a Dispatch queue runs outside that task, so
/// we cannot tell which test it belongs to. Without this guard, it would read and write the user's real settings.
package enum EscapedUses {
  private struct Guard {
    let isInTest: @Sendable () -> Bool
    let report: @Sendable (String) -> Void
    var stores: [String: EscapedStore] = [:]
  }

  private static let tests = Guarded<Guard?>(nil)

  /// Marks the process as running tests that have their own stores; only the first call has an effect.
  ///
  /// - Parameters:
  ///   - isInTest: A closure that returns whether the current task belongs to a test.
  ///   - report: A closure that reports a use outside of any test.
  package static func guardProcess(
    isInTest: @escaping @Sendable () -> Bool, report: @escaping @Sendable (String) -> Void
  ) {
    tests.withLock { tests in
      if tests == nil { tests = Guard(isInTest: isInTest, report: report) }
    }
  }

  /// Returns an in-memory store that reports its uses, or nil if the process runs no tests or the current task belongs
  /// to one.
  package static func store(replacing name: String) -> (any DefaultsStore)? {
    guard let isInTest = tests.withLock({ $0?.isInTest }), !isInTest() else { return nil }
    return tests.withLock { tests in
      guard let report = tests?.report else { return nil }
      if let store = tests?.stores[name] { return store }
      let store = EscapedStore(name, report)
      tests?.stores[name] = store
      return store
    }
  }
}

/// An in-memory store that reports the first use of each key.
private final class EscapedStore: OwnStore {
  private let name: String
  private let report: @Sendable (String) -> Void
  private let memory = InMemoryStore()
  private let reported = Guarded<Set<String>>([])

  init(_ name: String, _ report: @escaping @Sendable (String) -> Void) {
    self.name = name
    self.report = report
  }

  private func use(_ key: String) {
    guard reported.withLock({ $0.insert(key).inserted }) else { return }
    report(
      """
      the setting "\(key)" in \(name) was used outside of the tasks of all tests, for example in a detached task or on a \
      Dispatch queue, so nobody knows to which test it belongs; it is kept in memory. Create the settings in the test \
      and pass them to that code, or call withDefaultsStore there.
      """)
  }

  var identity: DefaultsStoreIdentity { memory.identity }

  func load(_ key: String) throws -> PropertyList? {
    use(key)
    return try memory.load(key)
  }

  func save(_ value: PropertyList?, for key: String) throws {
    use(key)
    try memory.save(value, for: key)
  }

  func update(_ body: (inout DefaultsBatch) throws -> Void) throws {
    try memory.update { batch in
      try body(&batch)
      for key in batch.changes.keys { use(key) }
    }
  }

  func subscribe(_ handler: @escaping @Sendable (DefaultsChange) -> Void) -> DefaultsSubscription {
    memory.subscribe(handler)
  }
}
