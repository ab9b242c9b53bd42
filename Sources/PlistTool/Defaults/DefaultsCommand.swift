#if CommandLineTool
import ArgumentParser
import Plist

struct DefaultsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "defaults",
    abstract: "Reads and writes user defaults, like the defaults command of macOS.",
    discussion: """
      A domain is the file DOMAIN.plist in $XDG_CONFIG_HOME, or in ~/.config if the variable is not set. Foundation's \
      UserDefaults and a PropertyListFileStore use the same files on Linux. Edits lock the file as the store does, and \
      running programs that use the store see them. Run through a link named defaults, plist-tool accepts the same \
      verbs. "plist-tool defaults help" lists them.

      Differences from macOS: there are no per-host defaults, so -currentHost means those of all hosts, with a \
      warning, and -host is refused. Invalid numbers and dates are refused. "delete" needs a domain. Messages have no \
      timestamp. -app takes the path of a bundle, or the name of a program, which is used as the domain.

      Exits with 0 on success, 1 if the domain or key does not exist or the file cannot be written, and 255 if the \
      command line is wrong.

      EXAMPLES
        plist-tool defaults write com.example.editor FontSize -int 12
        plist-tool defaults read com.example.editor
        plist-tool defaults write com.example.editor Recent -array-add ~/notes.txt
        plist-tool defaults export com.example.editor - > editor.plist
        ln -s plist-tool defaults && ./defaults domains
      """)

  // Parsed by hand because the options of macOS's `defaults` have one dash and their meaning depends on their position.
  @Argument(parsing: .captureForPassthrough, help: ArgumentHelp("The arguments for defaults.", valueName: "argument"))
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
