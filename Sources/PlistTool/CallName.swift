#if CommandLineTool
import ArgumentParser

/// The behaviour of the tool when it is called by another tool's name, as by a link.
enum CallName {
  case plutil
  case plistBuddy
  case defaults

  /// - Parameter path: What the tool is called by, the first word of its command line.
  init?(_ path: String) {
    switch path.split(separator: "/").last?.lowercased() {
    case "plutil": self = .plutil
    case "plistbuddy": self = .plistBuddy
    case "defaults": self = .defaults
    default: return nil
    }
  }

  /// Does what that tool would do with `arguments`, and ends.
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
