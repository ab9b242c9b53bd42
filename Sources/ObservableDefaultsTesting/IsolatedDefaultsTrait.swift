import ObservableDefaults
public import Testing

/// Gives each test its own default stores, which are in memory and initially empty.
///
/// ```swift
/// @Suite(.isolatedDefaults)
/// struct SettingsTests {
///   @Test func counts() {
///     let settings = Settings()
///     settings.launchCount += 1        // visible in this test only; nothing reaches the disk
///     #expect(settings.launchCount == 1)
///   }
/// }
/// ```
///
/// The stores belong to the test's task. Objects created in the test keep their store even when they are used in a
/// detached task or on a Dispatch queue, but settings created there belong to no test. Once the first isolated test has
/// started, such settings are kept in memory to protect the user's settings, and the first use of each key is recorded
/// as an issue.
///
/// Applied to a suite, the trait gives each test its own stores. In a parameterized test, each case has its own.
public struct IsolatedDefaultsTrait: TestTrait, SuiteTrait, TestScoping {
  /// Always true, so the tests in a suite inherit the trait.
  public var isRecursive: Bool { true }

  /// Runs a test with its own in-memory store.
  @concurrent public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    EscapedUses.guardProcess(isInTest: { Test.current != nil }, report: { Issue.record(Comment(rawValue: $0)) })
    try await withDefaultsStore(InMemoryStore()) { try await function() }
  }
}

extension Trait where Self == IsolatedDefaultsTrait {
  /// Gives each test its own default stores, which are in memory and initially empty.
  public static var isolatedDefaults: Self { Self() }
}
