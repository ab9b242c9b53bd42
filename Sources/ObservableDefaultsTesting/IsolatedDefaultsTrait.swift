import ObservableDefaults
public import Testing

/// Gives each test stores of its own, in memory, empty at first.
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
/// On a suite, it holds for each test in it, and for each case of a test with arguments.
public struct IsolatedDefaultsTrait: TestTrait, SuiteTrait, TestScoping {
  /// Suites pass it on to their tests.
  public var isRecursive: Bool { true }

  /// Runs a test with a store of its own.
  @concurrent public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await withDefaultsStore(InMemoryStore()) { try await function() }
  }
}

extension Trait where Self == IsolatedDefaultsTrait {
  /// Gives each test stores of its own, in memory, empty at first; see ``IsolatedDefaultsTrait``.
  public static var isolatedDefaults: Self { Self() }
}
