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
/// If a suite has the trait, each test of the suite has its own stores, and so does each case of a test with arguments.
public struct IsolatedDefaultsTrait: TestTrait, SuiteTrait, TestScoping {
  /// A Boolean value that indicates whether the tests of a suite inherit the trait; the value is always true.
  public var isRecursive: Bool { true }

  /// Runs a test with an in-memory store that no other test uses.
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
