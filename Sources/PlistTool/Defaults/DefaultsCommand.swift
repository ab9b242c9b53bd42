#if CommandLineTool
import ArgumentParser
import Plist

struct DefaultsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "defaults",
    abstract: "Reads and writes user defaults, as macOS's defaults does.",
    discussion: """
      A domain is a file in the folder $XDG_CONFIG_HOME, or in ~/.config if the variable is not set, with the name of \
      the domain and the extension .plist. Foundation's UserDefaults and a PropertyListFileStore use the same files on \
      Linux. An edit locks the file as the store does, and running programs that use the store see the edit. If \
      plist-tool is started through a link named defaults, it accepts the same verbs. "plist-tool defaults help" shows \
      the verbs.

      Differences from macOS: there are no separate defaults for each host, so that -currentHost means the defaults of \
      all hosts, with a warning, and -host is refused. Invalid numbers and dates are refused. "delete" needs a domain. Messages have no time stamp. -app takes \
      the path of a bundle, or the name of a program, which is used as the domain.

      The exit status is 0 for success, and 1 if the domain or the key does not exist, or if the file cannot be \
      written. The exit status is 255 for an error in the command line.

      EXAMPLES
        plist-tool defaults write com.example.editor FontSize -int 12
        plist-tool defaults read com.example.editor
        plist-tool defaults write com.example.editor Recent -array-add ~/notes.txt
        plist-tool defaults export com.example.editor - > editor.plist
        ln -s plist-tool defaults && ./defaults domains
      """)

  // Parsed by hand: the options of macOS's `defaults` have one dash, and their meaning depends on their position.
  @Argument(parsing: .captureForPassthrough, help: ArgumentHelp("The arguments of defaults.", valueName: "argument"))
  var arguments: [String] = []

  func run() throws { try Self.run(arguments) }

  static func run(_ arguments: [String]) throws {
    do {
      if let argument = arguments.first(where: SystemPath.hasForeignBytes) {
        throw DefaultsFailure(usage: "\(argument) is not valid UTF-8.")
      }
      try DefaultsVerb(arguments).run()
    } catch let error as DefaultsFailure {
      for line in error.message.split(separator: "\n") { Diagnostics.write(String(line)) }
      throw error.status
    } catch let error as PlistError {
      Diagnostics.write(error.description)
      throw ExitCode.failure
    }
  }
}

struct DefaultsFailure: Error {
  let message: String
  let status: ExitCode

  init(_ message: String) { (self.message, status) = (message, .failure) }

  init(usage message: String) {
    self.message = message + "\n\"defaults help\" shows the verbs."
    status = ExitCode(255)
  }

  /// Returns an error that says the user defaults are unchanged.
  static func unchanged(_ reason: String) -> DefaultsFailure {
    DefaultsFailure("\(reason); leaving defaults unchanged.")
  }
}
#endif
