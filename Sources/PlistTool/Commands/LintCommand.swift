#if CommandLineTool
import ArgumentParser
import Plist

struct LintCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint",
    abstract: "Checks property lists.",
    discussion: """
      Prints "FILE: OK" for each good file, and a line on standard error for each problem:

        FILE:LINE:COLUMN: error: MESSAGE (key path: PATH)   in a text format
        FILE: error: byte OFFSET: MESSAGE (key path: PATH)  in a binary property list
        FILE: error: MESSAGE                         if a file cannot be read

      In XML and binary property lists, up to a hundred bad values are reported. Checking stops at an error that \
      leaves the structure of the rest unknown. A duplicate key is a warning, because readers disagree on which of its \
      values to use. In an Xcode project file, there are warnings about references to objects that do not exist, \
      objects that nothing refers to, files that are twice in a build phase, and paths that are twice in a group.

      With --strict, lint also warns about outdated syntax that readers still accept, such as OpenStep text and JSON, \
      except in files that usually have this format, like *.pbxproj and *.xcstrings; XML without a declaration, \
      DOCTYPE or <plist>, or in an encoding other than UTF-8; hexadecimal integers; and unused binary objects. It \
      warns about XML that codesign and other XML parsers reject, such as -- in a comment and attributes without \
      quotes; about attributes other than the version of <plist>; and about values that XML cannot represent: control \
      characters, NUL, null, fractions of a second, and dates that are NaN or too far away. A file with a warning then \
      counts as bad.

      Folders are searched for files with the usual names of property lists, such as *.plist, and for *.xcstrings, \
      *.xctestplan, *.mobileprovision and *.provisionprofile (see --include). Hidden files are skipped (see --hidden).

      With --format json, prints an array with an object for each file: its name, whether it is good, its format, and \
      its problems.

      Exits with 0 if all files are good, 1 if a file is bad, and 2 if a file cannot be read.

      EXAMPLES
        plist-tool lint Info.plist
        plist-tool lint --quiet --strict *.plist
        plist-tool lint Resources
        plist-tool lint --format json . | jq -r '.[] | select(.ok | not) | .file'
        curl -s https://example.com/feed.plist | plist-tool lint
      """)

  @Flag(name: .shortAndLong, help: "Do not list good files.")
  var quiet = false

  @Flag(
    name: .long,
    help: """
      Warn about outdated syntax, XML that other parsers reject, and values that XML cannot represent, and treat \
      warnings as errors.
      """)
  var strict = false

  @Option(name: .long, help: ArgumentHelp("The format of the report: text or json.", valueName: "format"))
  var format: LintRequest.Format = .text

  @OptionGroup var reading: ReadingOptions

  @OptionGroup var jobs: JobOptions

  @OptionGroup var selection: FileSelection

  func run() throws {
    try LintRequest(
      files: selection.files,
      patterns: selection.include.isEmpty ? FileSelection.checkedNames : selection.patterns,
      takesHidden: selection.hidden, isStrict: strict,
      mentionsGood: !quiet, format: format, jobs: jobs.jobs, options: reading.options
    ).run()
  }
}
#endif
