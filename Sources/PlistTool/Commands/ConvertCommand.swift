#if CommandLineTool
import ArgumentParser
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct ConvertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Converts property lists to another format.",
    discussion: """
      A single file, or standard input, is converted to standard output unless an option names another destination. \
      Several files or a folder need such an option. Files are replaced atomically: after an error, the old file is \
      unchanged. Converting in place keeps the comments before values if the new format has comments, and reports how \
      many are lost. If one file is bad, the others are still converted.

      Folders are searched for files with the usual names of property lists, such as *.plist (see --include). Hidden \
      files are skipped (see --hidden).

      Input larger than 32 MB is converted piece by piece, which needs little memory. If standard error is a terminal, \
      a progress bar is shown. Larger input differs in two ways: if a dictionary has a key twice, both entries are \
      written, where smaller input keeps only the one that Apple's readers use (the last in XML, the first in binary); \
      and if an error occurs after the first megabyte of output, standard output has the beginning of the document, \
      and the exit status reports the error.

      With --sort-keys, --archive, --lenient, --all or --project, the whole input is read into memory, whatever its \
      size.

      EXAMPLES
        plist-tool convert --to xml settings.plist
        plist-tool convert --to binary -o compact.plist settings.plist
        plist-tool convert --to xml --in-place --sort-keys *.plist
        plist-tool convert --to binary --in-place --jobs 4 Resources
        plist-tool convert --to xml -e xml -d readable Resources
        plist-tool convert --to json --lossy settings.plist | jq .
        plist-tool convert --to json --archive --lossy note.archive
        plist-tool convert --to xml --lenient -o repaired.plist damaged.plist
        powermetrics -f plist -n 3 | plist-tool convert --to json --all
        cat settings.plist | plist-tool convert --to binary > compact.plist
      """)

  @Option(name: .shortAndLong, help: ArgumentHelp("The format to write.", valueName: "format"))
  var to: OutputFormat

  @OptionGroup var reading: ReadingOptions

  @OptionGroup var archives: ArchiveOptions

  @OptionGroup var leniency: LenientOptions

  @OptionGroup(title: "Destination")
  var destination: ConversionDestination

  @OptionGroup(title: "Formatting")
  var writing: WritingOptions

  @Flag(
    name: .long,
    help: """
      Write OpenStep text the way Xcode writes project files, with sections and comments; the default for files with \
      the extension pbxproj.
      """)
  var project = false

  @OptionGroup var jobs: JobOptions

  @OptionGroup var selection: FileSelection

  func validate() throws {
    try leniency.check(archives)
    if project, to != .openstep || writing.changesForm {
      throw ValidationError(
        "--project needs --to openstep, and cannot be combined with formatting options such as --indent.")
    }
    // Folders can't be checked yet, because their files are listed only when the conversion runs.
    let files = selection.files.isEmpty ? ["-"] : selection.files
    let named = files.filter { !isFolder($0) }.map { InputFile($0) }
    let plan = try ConversionPlan(named, of: max(named.count, selection.files.count), to: destination)
    let goesToStandardOutput = plan.conversions.contains { $0.output.path == nil }
    if goesToStandardOutput, destination.output == nil { try StandardOutput.check(to) }
    if named.isEmpty { try destination.checkTakesSeveral() }
  }

  func run() throws {
    var diagnostics = Diagnostics()
    let inputs = selection.inputs { diagnostics.report($0, in: $1) }
    let conversions = try ConversionPlan(inputs, of: inputs.count, to: destination).conversions
    let work = FileConversion(
      to: to, options: writing.options(for: to), reading: reading.options, readsArchives: archives.archive,
      repairs: leniency.isOn, readsAll: leniency.all, writesProject: project ? true : writing.changesForm ? false : nil)
    let isAlone = conversions.count == 1
    try FileBatch.run(
      conversions, threads: jobs.threads(for: conversions.count), status: diagnostics.status,
      progress: isAlone ? nil : Progress(files: conversions.count)
    ) { input, output in
      var outcome = FileOutcome()
      do {
        try work.convert(input, to: output, showsProgress: isAlone) {
          outcome.report($0, in: input.name, as: .warning)
        }
      } catch let error as PlistError {
        outcome.report(error, in: error.code == .readOnlyFile ? output.name : input.name)
      }
      return outcome
    }
  }

  private func isFolder(_ path: String) -> Bool { (try? FileSystem.status(of: path))??.isFolder == true }
}

struct FileConversion: Sendable {
  private let format: OutputFormat
  private let options: PlistWriteOptions
  private let readOptions: PlistReadOptions
  /// Whether to convert the objects in keyed archives.
  private let readsArchives: Bool
  /// Whether to repair malformed files.
  private let repairs: Bool
  /// Whether to convert all property lists in a file.
  private let readsAll: Bool
  /// Whether to lay out OpenStep text as a project file, or nil to go by the file's name.
  private let writesProject: Bool?

  init(
    to format: OutputFormat, options: PlistWriteOptions, reading readOptions: PlistReadOptions, readsArchives: Bool,
    repairs: Bool, readsAll: Bool, writesProject: Bool? = nil
  ) {
    self.format = format
    self.options = options
    self.readOptions = readOptions
    self.readsArchives = readsArchives
    self.repairs = repairs
    self.readsAll = readsAll
    self.writesProject = writesProject
  }

  /// Converts `input`, and passes each repair of a malformed file to `report`.
  ///
  /// If the conversion fails, the file at `output` is unchanged.
  func convert(
    _ input: InputFile, to output: OutputFile, showsProgress: Bool, report: (PlistError) -> Void
  ) throws {
    // When a file is converted in place, another program may be editing it.
    var lock: FileLock?
    if let path = input.path, path == output.path { lock = try EditLock.take(path) }
    try withExtendedLifetime(lock) {
      try convertUnlocked(input, to: output, showsProgress: showsProgress, report: report)
    }
  }

  private func convertUnlocked(
    _ input: InputFile, to output: OutputFile, showsProgress: Bool, report: (PlistError) -> Void
  ) throws {
    let chunks = try InputChunks(input)
    let layout = format == .openstep && writesProject ?? (output.path?.lowercased().hasSuffix(".pbxproj") == true)
    let isReadWhole = options.sortedKeys || readsArchives || repairs || layout
    if let bytes = try chunks.whole(upTo: isReadWhole ? .max : StreamedConversion.threshold) {
      let data = bytes.data
      if let note = bytes.note {
        guard input.path == nil || input.path != output.path else { throw PlistError.losesSignature }
        report(note)
      }
      let value = try value(of: data, report: report)
      if writesProject == true, ProjectFile(value) == nil {
        throw PlistError(code: .unrepresentableValue, message: "the property list is not a project file")
      }
      // A conversion in place must keep the comments, since they exist nowhere else.
      let commented = input.path != nil && input.path == output.path ? commentedDocument(data) : nil
      var lost = 0
      do {
        try output.write(value, format: format, options: options) { data in
          if let commented {
            _ = CommentTransfer(of: commented.root).add(to: &data, format: format.format, options: options)
          }
          if layout, ProjectFile(value) != nil {
            let layout = DocumentLayout(path: output.path ?? input.path, options: PlistReadOptions(format: .openStep))
            data = try layout.applied(to: data)
          }
          guard let commented else { return }
          let kept = try? PlistDocument(parsing: data, options: PlistReadOptions(format: format.format)).commentCount
          lost = max(0, commented.commentCount - (kept ?? 0))
        }
      } catch let error as PlistError {
        throw advised(error, about: value)
      }
      CommentTransfer.warning(lost).map(report)
      // Only binary documents can contain dates that a text format cannot express.
      if PlistFormat(detecting: data.prefix(16)) == .binary, var losses = DateLosses(to: format) {
        losses.add(value)
        losses.warnings.forEach(report)
      }
    } else {
      let streamed = StreamedConversion(to: format, options: options, reading: readOptions)
      try streamed.run(input, chunks, to: output, showsProgress: showsProgress).forEach(report)
    }
  }

  /// Returns the document if it has comments and is neither repaired nor read as an archive.
  private func commentedDocument(_ data: Data) -> PlistDocument? {
    // Every XML comment contains a `!`, and every comment in other text a `/`, even in UTF-16.
    guard !readsArchives, !repairs, data.contains(PlistFormat(detecting: data) == .xml ? 0x21 : 0x2F),
      let document = try? PlistDocument(parsing: data, options: readOptions)
    else { return nil }
    return document.commentCount > 0 ? document : nil
  }

  private func value(of data: Data, report: (PlistError) -> Void) throws(PlistError) -> PropertyList {
    if readsArchives { return try ArchiveOptions.value(of: PlistDocument(parsing: data, options: readOptions)) }
    if repairs { return try LenientOptions.value(of: data, options: readOptions, readsAll: readsAll, report: report) }
    return try PropertyList(parsing: data, options: readOptions)
  }

  /// Adds advice about `--lossy` to an error if that option would make the conversion to XML possible.
  private func advised(_ error: PlistError, about value: PropertyList) -> PlistError {
    var lossy = options
    (lossy.unrepresentable, lossy.xml.controlCharacters) = (.convert, .omit)
    guard error.code == .unrepresentableValue, format == .xml, options.xml.controlCharacters != .refuse,
      (try? value.data(format: .xml, options: lossy)) != nil
    else { return error }
    let isDate = error.message.hasPrefix("the date")
    let advice = isDate ? "to write the nearest date" : "to remove the characters that XML does not allow"
    return PlistError(
      code: error.code, message: "\(error.message); \(advice), use --lossy",
      path: error.path)
  }
}
#endif
