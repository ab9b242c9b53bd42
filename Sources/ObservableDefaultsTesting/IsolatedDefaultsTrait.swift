import ObservableDefaults
public import Testing

/// Gives each test its own default stores, in memory and empty at first.
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
/// The stores belong to the test's task. A detached task or a Dispatch queue is outside of it: objects created in the
/// test keep their store there, but settings created there belong to no test. From the first isolated test on, such
/// settings are kept in memory, so that no test changes the user's settings, and each use is recorded as an issue that
/// names the key.
///
/// On a suite, the trait gives each test its own stores; in a test with arguments, each case has its own.
public struct IsolatedDefaultsTrait: TestTrait, SuiteTrait, TestScoping {
  /// Whether the tests of a suite inherit the trait; always true.
  public var isRecursive: Bool { true }

  /// Runs a test with an in-memory store of its own.
  @concurrent public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    EscapedUses.guardProcess(isInTest: { Test.current != nil }, report: { Issue.record(Comment(rawValue: $0)) })
    try await withDefaultsStore(InMemoryStore()) { try await function() }
  }
}

extension Trait where Self == IsolatedDefaultsTrait {
  /// Gives each test its own default stores, in memory and empty at first.
  public static var isolatedDefaults: Self { Self() }
}
