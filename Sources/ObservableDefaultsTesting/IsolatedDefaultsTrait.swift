import ObservableDefaults
public import Testing

/// A trait that provides each test with its own stores, which are in memory and initially empty.
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
/// On a suite, the trait applies to each of its tests, and to each case of a test with arguments.
public struct IsolatedDefaultsTrait: TestTrait, SuiteTrait, TestScoping {
  /// Suites pass the trait on to their tests.
  public var isRecursive: Bool { true }

  /// Runs a test with its own store.
  @concurrent public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await withDefaultsStore(InMemoryStore()) { try await function() }
  }
}

extension Trait where Self == IsolatedDefaultsTrait {
  /// Gives each test its own stores, which are in memory and initially empty; see ``IsolatedDefaultsTrait``.
  public static var isolatedDefaults: Self { Self() }
}
