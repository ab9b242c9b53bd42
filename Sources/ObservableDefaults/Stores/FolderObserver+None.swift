#if !canImport(Darwin) && !os(Linux) && !os(Android)
/// Where this module does not use the system's events, `FileObserver` looks at each file once a second.
final class FolderObserver: Sendable {
  static let shared: FolderObserver? = nil

  func observe(_ folder: String, for name: String, _ handler: @escaping Handler) -> DefaultsSubscription? { nil }
}
#endif
