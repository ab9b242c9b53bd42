#if CommandLineTool
import ArgumentParser

/// The commands; each is in its own file.
///
/// Exit statuses are the same for all: 0 when every file is good, 1 when one is bad or cannot be read or written, and
/// 64 (`EX_USAGE`, which the argument parser knows) when the command line makes no sense.
@main
struct PlistTool: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plist-tool",
    abstract: "Converts, checks and shows property lists.",
    discussion: """
      The format of a file (XML, binary, OpenStep or JSON) is detected; its name does not matter. The file - is standard input.

      The exit status is 0 if all went well, 1 if a file is bad or cannot be read or written, and 64 for an error in \
      the command line.
      """,
    version: "0.1.0",
    subcommands: [
      ConvertCommand.self, LintCommand.self, PrintCommand.self, PlutilCommand.self, BuddyCommand.self,
    ])
}
#endif
