extension CloudStore {
  /// The user's cloud store: in iCloud on Apple's systems, and in memory on other systems.
  public static let standard = CloudStore(standardBackend)

  private static var standardBackend: any CloudKeyValueBackend {
    #if canImport(Darwin)
    UbiquitousBackend.standard
    #else
    MockCloudBackend()
    #endif
  }
}
