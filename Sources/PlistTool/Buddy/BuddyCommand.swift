#if CommandLineTool
import ArgumentParser

struct BuddyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "buddy",
    abstract: "Accepts the commands of Apple's PlistBuddy.",
    discussion: """
      Run through a link named PlistBuddy, plist-tool accepts the same commands. "plist-tool buddy -h" lists them.

      EXAMPLES
        plist-tool buddy -c "Print :CFBundleIdentifier" Info.plist
        plist-tool buddy -c "Add :Flag bool true" -c "Delete :Old" Info.plist
        plist-tool buddy Info.plist
      """)

  // Parsed by hand because PlistBuddy's options have one dash, and the command after `-c` can begin with anything.
  @Argument(parsing: .captureForPassthrough, help: ArgumentHelp("The arguments for PlistBuddy.", valueName: "argument"))
  var arguments: [String] = []

  func run() throws { try Self.run(arguments) }

  static func run(_ arguments: [String]) throws {
    var rest = arguments[...]
    var commands: [String] = []
    var paths: [String] = []
    var (isXML, followsLinks, wantsHelp) = (false, true, false)
    while let argument = rest.popFirst() {
      switch argument {
      case "-c":
        guard let command = rest.popFirst() else { throw try failure(BuddyHelp.usage) }
        commands.append(command)
      case "-x": isXML = true
      case "-l": followsLinks = false
      case "-h": wantsHelp = true
      default:
        // A leading dash means an option; a file named `-name` must be written as `./-name`.
        if argument.hasPrefix("-") { throw try failure("Invalid Arguments\n\n" + BuddyHelp.usage) }
        paths.append(argument)
      }
    }
    if wantsHelp {
      try StandardOutput.write(BuddyHelp.text)
      if paths.isEmpty { throw ExitCode.failure }
      return
    }
    guard paths.count < 2 else { throw try failure("Invalid Arguments\n\n" + BuddyHelp.usage) }
    guard let path = paths.first, !path.isEmpty else { throw try failure(BuddyHelp.usage) }
    var session = try BuddySession(path, isXML: isXML, followsLinks: followsLinks)
    if commands.isEmpty { try session.runInteractively() } else { try session.run(commands) }
  }

  /// Like Apple's PlistBuddy, reports command-line errors on standard output.
  private static func failure(_ text: String) throws -> ExitCode {
    try StandardOutput.write(text)
    return .failure
  }
}

struct BuddyError: Error {
  let message: String
  /// A line that PlistBuddy prints before the error message.
  let cause: String?
  /// Whether the message goes to standard output instead of standard error.
  let isOutput: Bool

  init(_ message: String, cause: String? = nil) { (self.message, self.cause, isOutput) = (message, cause, false) }

  init(misunderstood message: String) { (self.message, cause, isOutput) = (message, nil, true) }
}
#endif
