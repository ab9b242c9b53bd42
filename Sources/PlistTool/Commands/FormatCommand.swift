#if CommandLineTool
import ArgumentParser
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct FormatCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "format",
    abstract: "Formats property lists in the usual layout of their kind.",
    discussion: """
      Values and comments are kept. A single file, or standard input, is formatted to standard output. With \
      --in-place, files are replaced, and those that are already formatted are not touched. With --check, nothing is \
      written: the files that would change are listed, and the exit status is 1 if there are any.

      An Xcode project file gets Xcode's layout: sections of objects in order, sorted keys, build files and file \
      references on one line, and comments after identifiers. Other OpenStep text and .strings files get one pair per \
      line, and XML gets Apple's layout; both keep the order and spelling of values, and an empty line between two \
      items. JSON is indented by two spaces, and .xcstrings files are written the way Xcode writes them. Binary files \
      have no layout and stay as they are.

      Folders are searched for files with the usual names of property lists, such as *.plist, and for *.xcstrings (see \
      --include). Hidden files are skipped (see --hidden).

      Exits with 1 if a file is bad or, with --check, would change, and 2 if a file cannot be read or written.

      EXAMPLES
        plist-tool format App.xcodeproj/project.pbxproj
        plist-tool format --in-place Resources
        plist-tool format --check .
        git diff --name-only --cached -- '*.plist' '*.strings' | xargs plist-tool format --check
      """)

  @Flag(name: .shortAndLong, help: "Replace each file with its formatted text.")
  var inPlace = false

  @Flag(name: .long, help: "Only list the files that would change, and exit with 1 if there are any.")
  var check = false

  @Flag(name: .long, help: "Replace read-only files.")
  var force = false

  @OptionGroup var reading: ReadingOptions

  @OptionGroup var jobs: JobOptions

  @OptionGroup var selection: FileSelection

  func validate() throws {
    if inPlace, check { throw ValidationError("--in-place and --check cannot be used together.") }
    if inPlace, selection.files.isEmpty || selection.files.contains("-") {
      throw ValidationError("Standard input cannot be replaced.")
    }
    if force, !inPlace { throw ValidationError("--force needs --in-place.") }
    if selection.files.count > 1, !inPlace, !check {
      throw ValidationError("To format several files, use --in-place or --check.")
    }
  }

  func run() throws {
    var diagnostics = Diagnostics()
    let patterns = selection.include.isEmpty ? FileSelection.usualNames + ["*.xcstrings"] : selection.include
    let inputs = FileSelection.inputs(selection.files, named: patterns, takesHidden: selection.hidden) {
      diagnostics.report($0, in: $1)
    }
    if inputs.count > 1, !inPlace, !check {
      throw ValidationError("To format several files, use --in-place or --check.")
    }
    let (inPlace, check, force, options) = (inPlace, check, force, reading.options)
    try FileBatch.run(inputs, threads: jobs.threads(for: inputs.count), status: diagnostics.status) { input in
      var outcome = FileOutcome()
      do {
        let lock = inPlace ? try input.path.map { try EditLock.take($0) } : nil
        try withExtendedLifetime(lock) {
          let data = try input.contents()
          let layout = DocumentLayout(path: input.path, options: options)
          let formatted: Data
          do throws(PlistError) { formatted = try layout.applied(to: data) } catch {
            throw error.code == .signedDocument ? PlistError.losesSignature : error
          }
          if check {
            guard formatted != data else { return }
            outcome.output = "\(Diagnostics.escaped(input.name))\n"
            outcome.status = .bad
          } else if inPlace, let path = input.path {
            if formatted != data { try OutputFile(exact: path, isForced: force).write(formatted, editing: data) }
          } else {
            if PlistFormat(detecting: formatted) == .binary { try StandardOutput.check(.binary) }
            try StandardOutput.write(formatted)
          }
        }
      } catch let error as PlistError {
        outcome.report(error, in: input.name)
      }
      return outcome
    }
  }
}
#endif
