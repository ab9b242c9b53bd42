#if CommandLineTool
import ArgumentParser
import Foundation
import Plist

/// `plist-tool lint`: says of each file whether it can be read.
struct LintCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint",
    abstract: "Checks property lists.",
    discussion: """
      Prints "FILE: OK" for each good file, and on standard error one line for each bad one:

        FILE:LINE:COLUMN: error: MESSAGE (at PATH)   in a text format
        FILE: error: byte OFFSET: MESSAGE (at PATH)  in a binary property list
        FILE: error: MESSAGE                         where a file cannot be read

      A key that a dictionary has twice is a warning: readers disagree on which of the values counts.

      EXAMPLES
        plist-tool lint Info.plist
        plist-tool lint --quiet *.plist
        curl -s https://example.com/feed.plist | plist-tool lint
      """)

  @Flag(name: .shortAndLong, help: "Do not mention good files.")
  var quiet = false

  @Argument(
    help: ArgumentHelp("The files; - or none for standard input.", valueName: "file"), completion: .file())
  var files: [String] = []

  func validate() throws { try InputFile.checkNames(files) }

  func run() throws {
    var diagnostics = Diagnostics()
    for input in InputFile.inputs(named: files) {
      do {
        try check(input, &diagnostics)
      } catch let error as PlistError {
        diagnostics.report(error, in: input.name)
        continue
      }
      if !quiet { try StandardOutput.write("\(input.name): OK\n") }
    }
    try diagnostics.finish()
  }

  private func check(_ input: InputFile, _ diagnostics: inout Diagnostics) throws {
    let data = try input.contents()
    do {
      _ = try PropertyList(parsing: data, options: PlistReadOptions(duplicateKeys: .refuse))
    } catch {
      guard error.code == .duplicateKey else { throw error }
      // Reading stopped there, and what follows may be worse.
      _ = try PropertyList(parsing: data)
      diagnostics.report(error, in: input.name, as: .warning)
    }
  }
}
#endif
