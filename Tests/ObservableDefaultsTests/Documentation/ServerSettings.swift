import Foundation
import ObservableDefaults
import Plist

extension DefaultKeys {
  static let isInMaintenance = DefaultKey("isInMaintenance", default: false)
  static let rateLimit = DefaultKey("rateLimit", default: RateLimit())
}

/// A limit on the requests of each client.
struct RateLimit: Codable, Equatable, Sendable {
  var requests = 60
  var message = "too many requests"
}

/// The settings of a server; all of its tasks read the same values.
struct ServerSettings: Sendable {
  @UserDefault(.isInMaintenance) var isInMaintenance
  @UserDefault(.rateLimit) var rateLimit

  /// Creates settings in the store of the current task.
  init() {}

  /// Creates settings in a file that an administrator may edit at any time.
  init(in file: URL) {
    self = withDefaultsStore(PropertyListFileStore(url: file, format: .xml)) { ServerSettings() }
  }

  /// The errors of unusable settings, which the server writes to its log.
  var problems: [String] {
    [$isInMaintenance.error, $rateLimit.error].compactMap { $0.map { "\($0)" } }
  }
}

/// A server that counts the requests of its clients.
actor Server {
  let settings: ServerSettings
  private var requests: [String: Int] = [:]

  init(settings: ServerSettings) { self.settings = settings }

  /// Answers a request with the current settings.
  func answer(_ client: String) -> (status: Int, body: String) {
    if settings.isInMaintenance { return (503, "maintenance") }
    let limit = settings.rateLimit
    requests[client, default: 0] += 1
    return requests[client, default: 0] > limit.requests ? (429, limit.message) : (200, "hello \(client)")
  }

  /// Resets the request counts after each change of the limit, until the task is cancelled.
  func followChanges() async {
    for await _ in settings.$rateLimit.updates { requests = [:] }
  }
}
