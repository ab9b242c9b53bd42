#if CommandLineTool
import ArgumentParser

/// A tool such as `plutil` that `plist-tool` acts as when called by that name, usually through a symbolic link.
enum CallName {
  case plutil
  case plistBuddy
  case defaults

  /// Recognizes the tool by the first word of the command line.
  init?(_ path: String) {
    switch path.split(separator: "/").last?.lowercased() {
    case "plutil": self = .plutil
    case "plistbuddy": self = .plistBuddy
    case "defaults": self = .defaults
    default: return nil
    }
  }

  func run(_ arguments: [String]) -> Never {
    do {
      switch self {
      case .plutil: try PlutilCommand.run(arguments)
      case .plistBuddy: try BuddyCommand.run(arguments)
      case .defaults: try DefaultsCommand.run(arguments)
      }
      PlistTool.exit()
    } catch {
      PlistTool.exit(withError: error)
    }
  }
}
#endif
