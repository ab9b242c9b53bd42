import Foundation

/// On Linux, Foundation keeps user defaults in the folder that `XDG_CONFIG_HOME` names, or in `~/.config`.
///
/// As in Foundation, the environment variable `HOME` has precedence over the home folder of the user's account.
enum DefaultsFolder {
  static var url: URL {
    let environment = ProcessInfo.processInfo.environment
    if let path = environment["XDG_CONFIG_HOME"], path.hasPrefix("/") {
      return URL(fileURLWithPath: path, isDirectory: true)
    }
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? NSHomeDirectory()
    return URL(fileURLWithPath: home, isDirectory: true)
      .appending(path: ".config", directoryHint: .isDirectory)
  }

  static func file(of domain: String) throws(DefaultsError) -> URL {
    try check(domain)
    return url.appending(path: "\(domain).plist", directoryHint: .notDirectory)
  }

  static var processDomain: String { Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName }

  /// If a domain name contains a slash or two dots in a row, the path of the domain's file could lead to another
  /// folder.
  static func check(_ name: String) throws(DefaultsError) {
    // The system splits a path at each byte `/`, even if a combining character follows the slash.
    guard !name.isEmpty, !name.utf8.contains(0x2F), !name.contains(".."), !name.utf8.contains(0) else {
      throw DefaultsError(
        .invalidName, "\"\(name)\" is not a name of a domain; a name must not be empty or contain '/', '..' or a NUL")
    }
  }
}
