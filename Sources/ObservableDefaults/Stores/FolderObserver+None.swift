#if !canImport(Darwin) && !os(Linux) && !os(Android)
/// On systems whose events this module does not use, `FileObserver` only checks each file once a second.
final class FolderObserver: Sendable {
  static let shared: FolderObserver? = nil

  func observe(_ folder: String, for name: String, _ handler: @escaping Handler) -> DefaultsSubscription? { nil }
}
#endif
