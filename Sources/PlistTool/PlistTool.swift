#if CommandLineTool
import ArgumentParser
import Plist

/// The command-line tool, which exits with a `ToolStatus`, or with 64 (`EX_USAGE`) if the command line is invalid, as
/// the argument parser does.
@main
struct PlistTool: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plist-tool",
    abstract: "Converts, checks, shows and edits property lists.",
    discussion: """
      The format of a file (XML, binary, OpenStep or JSON) is detected from its contents, whatever its name. The file \
      - is standard input. A path such as servers.0.port names a value in a file; a backslash before a dot makes the \
      dot part of a key.

      Commands that only read also accept signed files, such as provisioning profiles. They do not check the \
      signature, and say so on standard error.

      Exits with 0 on success, 1 if the answer is no (a file is bad, files differ, or nothing is found), 2 if a file \
      cannot be read or written, and 64 if the command line is wrong.

      --generate-completion-script prints completions for zsh, bash or fish.
      """,
    version: "1.0.0",
    groupedSubcommands: [
      CommandGroup(
        name: "File",
        subcommands: [
          ConvertCommand.self, FormatCommand.self, LintCommand.self, ValidateCommand.self, CreateCommand.self,
          SwiftCommand.self,
        ]),
      CommandGroup(
        name: "Inspection",
        subcommands: [
          PrintCommand.self, GetCommand.self, QueryCommand.self, KeysCommand.self, TypeCommand.self, StatsCommand.self,
        ]),
      CommandGroup(
        name: "Editing",
        subcommands: [SetCommand.self, InsertCommand.self, RemoveCommand.self, RenameCommand.self]),
      CommandGroup(name: "Multi-file", subcommands: [TableCommand.self, DiffCommand.self, MergeCommand.self]),
      CommandGroup(name: "Git", subcommands: [GitCommand.self, GitTextconvCommand.self]),
      CommandGroup(name: "Compatibility", subcommands: [DefaultsCommand.self, PlutilCommand.self, BuddyCommand.self]),
    ])

  /// Runs the tool, which acts as another tool if called by that tool's name, such as `plutil`.
  static func main() {
    FileDescriptor.openStandardDescriptors()
    let all = SystemPath.arguments
    let arguments = Array(all.dropFirst())
    if let name = all.first.flatMap(CallName.init) { name.run(arguments) }
    do {
      if let lint = LintRequest(plain: arguments) { return try lint.run() }
      if let mistake = CommandLineCheck.mistake(in: arguments, commands: commandNames) {
        fail(mistake, usage: usageString())
      }
      try run(parseAsRoot(arguments))
    } catch {
      exit(withError: error)
    }
  }

  /// Runs a command; if its arguments are wrong, prints the error and the usage.
  private static func run(_ command: any ParsableCommand) throws {
    var command = command
    do { try command.run() } catch let error as ValidationError {
      fail(error.message, usage: usageString(for: type(of: command)))
    }
  }

  private static var commandNames: [String] {
    configuration.groupedSubcommands.flatMap { $0.subcommands }.compactMap { $0.configuration.commandName }
  }

  private static func fail(_ message: String, usage: String) -> Never {
    Diagnostics.write("Error: \(message)")
    for line in "Usage: \(usage)".split(separator: "\n") { Diagnostics.write(String(line)) }
    exit(withError: ExitCode(64))
  }
}
#endif
