import ObservableDefaults
public import Testing

/// A trait that gives each test its own default stores, which are in memory and initially empty.
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
/// The stores belong to the task of the test. A detached task or a Dispatch queue is outside of it: what was created in
/// the test keeps its store there, but settings that are created there belong to no test. From the first isolated test
/// on, such settings are kept in memory, so that no test changes the user's settings, and each is an issue that names the
/// key.
///
/// If a suite has the trait, each test of the suite has its own stores, and so does each case of a test with arguments.
public struct IsolatedDefaultsTrait: TestTrait, SuiteTrait, TestScoping {
  /// A Boolean value that indicates whether the tests of a suite inherit the trait; the value is always true.
  public var isRecursive: Bool { true }

  /// Runs a test with an in-memory store that no other test uses.
  @concurrent public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    EscapedUses.guardProcess(isInTest: { Test.current != nil }, report: { Issue.record(Comment(rawValue: $0)) })
    try await withDefaultsStore(InMemoryStore()) { try await function() }
  }
}

extension Trait where Self == IsolatedDefaultsTrait {
  /// A trait that gives each test its own default stores, which are in memory and initially empty.
  public static var isolatedDefaults: Self { Self() }
}
