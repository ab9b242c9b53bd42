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
/// On a suite, the trait applies to each test, and to each case of a test with arguments.
public struct IsolatedDefaultsTrait: TestTrait, SuiteTrait, TestScoping {
  /// Whether a suite passes the trait on to its tests; always true.
  public var isRecursive: Bool { true }

  /// Runs a test with its own store.
  @concurrent public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await withDefaultsStore(InMemoryStore()) { try await function() }
  }
}

extension Trait where Self == IsolatedDefaultsTrait {
  /// A trait that gives each test its own default stores, which are in memory and initially empty.
  public static var isolatedDefaults: Self { Self() }
}
