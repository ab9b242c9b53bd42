import Foundation

/// A name space for the folder in which Foundation keeps user defaults on Linux.
enum DefaultsFolder {
  /// The folder that `XDG_CONFIG_HOME` names, or `~/.config`.
  static var url: URL {
    let environment = ProcessInfo.processInfo.environment
    if let path = environment["XDG_CONFIG_HOME"], path.hasPrefix("/") {
      return URL(fileURLWithPath: path, isDirectory: true)
    }
    return URL(fileURLWithPath: NSHomeDirectory(), isDirectory: true)
      .appending(path: ".config", directoryHint: .isDirectory)
  }

  /// Returns the URL of the file of a domain.
  ///
  /// - Throws: ``DefaultsError`` if the name is not valid for a domain.
  static func file(of domain: String) throws(DefaultsError) -> URL {
    try check(domain)
    return url.appending(path: "\(domain).plist", directoryHint: .notDirectory)
  }

  /// The domain of this process: the identifier of its bundle, or its name.
  static var processDomain: String { Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName }

  /// Throws an error if a name is not valid for a domain or suite.
  static func check(_ name: String) throws(DefaultsError) {
    guard !name.isEmpty, !name.contains("/"), !name.contains(".."), !name.contains("\0") else {
      throw DefaultsError(
        .invalidName, "\"\(name)\" cannot be the name of a domain: it is empty, or contains '/', '..' or a NUL")
    }
  }
}
