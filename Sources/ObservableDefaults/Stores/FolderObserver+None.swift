#if !canImport(Darwin) && !os(Linux) && !os(Android)
/// A placeholder for systems whose file events this module doesn't support, where `FileObserver` checks each file once
/// a second.
final class FolderObserver: Sendable {
  static let shared: FolderObserver? = nil

  func observe(_ folder: String, for name: String, _ handler: @escaping Handler) -> DefaultsSubscription? { nil }
}
#endif
