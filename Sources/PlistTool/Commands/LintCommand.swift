#if CommandLineTool
import ArgumentParser
import Plist

/// `plist-tool lint`: says of each file whether it can be read.
struct LintCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint",
    abstract: "Checks property lists.",
    discussion: """
      Prints "FILE: OK" for each good file, and on standard error a line for each problem of the others:

        FILE:LINE:COLUMN: error: MESSAGE (at PATH)   in a text format
        FILE: error: byte OFFSET: MESSAGE (at PATH)  in a binary property list
        FILE: error: MESSAGE                         where a file cannot be read

      Of XML and binary property lists all bad values are told, up to a hundred; what follows a fault that leaves the \
      meaning of the rest open is not looked at. A key that a dictionary has twice is a warning: readers disagree on \
      which of the values counts. With --strict, what is read but no longer written is a warning too, such as OpenStep \
      text, XML without a declaration, DOCTYPE or <plist>, or in another encoding than UTF-8, hexadecimal integers and \
      binary objects that nothing refers to. So is what XML cannot hold or other XML parsers refuse: control \
      characters, NUL, null, and dates that are no number. A file with a warning is bad then.

      Of a folder, all files with the names of property lists are checked, in upper or lower case (see --include), \
      except hidden ones (see --hidden).

      With --format json there is one array on standard output, with an object for each file: its name, whether it is \
      good, its format, and its problems.

      The exit status is 0 if all files are good, 1 if one is bad, and 2 if one cannot be read.

      EXAMPLES
        plist-tool lint Info.plist
        plist-tool lint --quiet --strict *.plist
        plist-tool lint Resources
        plist-tool lint --format json . | jq -r '.[] | select(.ok | not) | .file'
        curl -s https://example.com/feed.plist | plist-tool lint
      """)

  @Flag(name: .shortAndLong, help: "Do not mention good files.")
  var quiet = false

  @Flag(name: .long, help: "Warn of what is read but no longer written, and take warnings for errors.")
  var strict = false

  @Option(name: .long, help: ArgumentHelp("How to tell: text or json.", valueName: "format"))
  var format: LintRequest.Format = .text

  @OptionGroup var reading: ReadingOptions

  @OptionGroup var jobs: JobOptions

  @OptionGroup var selection: FileSelection

  func run() throws {
    try LintRequest(
      files: selection.files, patterns: selection.patterns, takesHidden: selection.hidden, isStrict: strict,
      mentionsGood: !quiet, format: format, jobs: jobs.jobs, options: reading.options
    ).run()
  }
}
#endif
