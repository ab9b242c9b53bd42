import Foundation

/// On Linux, Foundation keeps user defaults in the folder that `XDG_CONFIG_HOME` names, or in `~/.config`.
enum DefaultsFolder {
  static var url: URL {
    let environment = ProcessInfo.processInfo.environment
    if let path = environment["XDG_CONFIG_HOME"], path.hasPrefix("/") {
      return URL(fileURLWithPath: path, isDirectory: true)
    }
    return URL(fileURLWithPath: NSHomeDirectory(), isDirectory: true)
      .appending(path: ".config", directoryHint: .isDirectory)
  }

  static func file(of domain: String) throws(DefaultsError) -> URL {
    try check(domain)
    return url.appending(path: "\(domain).plist", directoryHint: .notDirectory)
  }

  static var processDomain: String { Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName }

  /// A domain name with a slash or two dots could lead to another folder.
  static func check(_ name: String) throws(DefaultsError) {
    guard !name.isEmpty, !name.contains("/"), !name.contains(".."), !name.contains("\0") else {
      throw DefaultsError(
        .invalidName, "\"\(name)\" is not a name of a domain; a name must not be empty or contain '/', '..' or a NUL")
    }
  }
}
