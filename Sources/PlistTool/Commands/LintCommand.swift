#if CommandLineTool
import ArgumentParser
import Plist

struct LintCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint",
    abstract: "Checks property lists.",
    discussion: """
      Prints "FILE: OK" for each good file. For each problem, lint prints a line on standard error:

        FILE:LINE:COLUMN: error: MESSAGE (key path: PATH)   in a text format
        FILE: error: byte OFFSET: MESSAGE (key path: PATH)  in a binary property list
        FILE: error: MESSAGE                         if a file cannot be read

      In XML and binary property lists up to a hundred bad values are reported. The check ends at a fault after which \
      the structure of the document is unknown. A duplicate key in a dictionary is a warning, because readers disagree \
      on which of the values is used. In a project file of Xcode, references to objects that do not exist, objects that \
      no other one refers to, files that are twice in a build phase, and paths that are twice in a group are warnings.

      With --strict, lint warns about outdated syntax that readers still accept: OpenStep text and JSON, except in files \
      that usually have this format, such as *.pbxproj and *.xcstrings; XML without a declaration, DOCTYPE or <plist>; \
      XML in another encoding than UTF-8; hexadecimal integers; and unused binary objects. With --strict, lint also \
      warns of XML that codesign and other XML parsers refuse, such as -- in a comment and attributes without \
      quotation marks, of attributes other than the version of <plist>, and of values that XML cannot hold: control \
      characters, NUL, null, fractions of a second, and dates that are not numbers. With --strict, a file with a warning counts as bad.

      In a folder, all files with usual names of property lists, such as *.plist, are checked (see --include), and also \
      *.xcstrings, *.xctestplan, *.mobileprovision and *.provisionprofile. Hidden files are left out (see --hidden).

      With --format json, standard output is one array with an object for each file: the name, whether the file is \
      good, the format, and the problems.

      The exit status is 0 if all files are good, 1 if a file is bad, and 2 if a file cannot be read.

      EXAMPLES
        plist-tool lint Info.plist
        plist-tool lint --quiet --strict *.plist
        plist-tool lint Resources
        plist-tool lint --format json . | jq -r '.[] | select(.ok | not) | .file'
        curl -s https://example.com/feed.plist | plist-tool lint
      """)

  @Flag(name: .shortAndLong, help: "Do not list valid files.")
  var quiet = false

  @Flag(
    name: .long,
    help: """
      Warn about outdated syntax, XML that other parsers refuse, and values that XML cannot represent, and treat warnings \
      as errors.
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
