#if CommandLineTool
import ArgumentParser
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct MergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merges property lists into one, or the changes made in two.",
    discussion: """
      Without --base, the files are merged from left to right. Dictionaries are merged key by key, at every depth: \
      keys that only one file has are kept, and new keys come last. If two files have different values for a key, \
      --policy decides: take-other takes the value of the later file, keep-own keeps that of the earlier one, and \
      refuse reports an error with the path. With --append-arrays, arrays at the same path are joined. A container and \
      a value of another kind are only merged with --force.

      The result goes to standard output in the format of the first file, unless options name another destination or \
      format. With --in-place, the first file is edited: in XML, OpenStep text and JSON, everything but the merged \
      values stays unchanged, unless options ask for other formatting. Added values bring along the comments before \
      them.

      With --base, two files that come from the base are merged, as git merges files: a change made in only one of \
      them is taken, and different changes to the same value are a conflict. The result is the text of the first file \
      with the changes of the second. --conflicts says what to write at a conflict: markers writes the lines of both \
      files between markers, ours and theirs take the value of one file, and report takes that of the first file and \
      lists the conflicts. Binary files cannot have markers, so their conflicts are reported. A comment changed in \
      both files is a conflict too. If a file is not a property list, the files are merged line by line. In a project \
      file, references to missing objects and duplicate entries that only the result has are reported.

      Exits with 1 if a file is bad, or a conflict is refused or left, and 2 if a file cannot be read or written.

      EXAMPLES
        plist-tool merge --base old.plist --in-place mine.plist theirs.plist
        plist-tool merge --base a.plist --conflicts theirs b.plist c.plist
        plist-tool merge defaults.plist mine.plist > settings.plist
        plist-tool merge --policy refuse --in-place Info.plist additions.plist
        plist-tool merge --append-arrays --to binary -o all.plist a.plist b.plist
      """)

  enum Policy: String, ExpressibleByArgument, CaseIterable {
    case takeOther = "take-other"
    case keepOwn = "keep-own"
    case refuse
  }

  @Option(
    name: .shortAndLong, help: ArgumentHelp("How to merge different values for the same key.", valueName: "policy"))
  var policy: Policy = .takeOther

  @Flag(name: .long, help: "Join arrays that both files have at the same path.")
  var appendArrays = false

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The format to write; by default that of the first file.", valueName: "format"))
  var to: OutputFormat?

  @Option(
    name: .shortAndLong, help: ArgumentHelp("Write to this file; - for standard output.", valueName: "file"),
    completion: .file())
  var output: String?

  @Flag(name: .shortAndLong, help: "Replace the first file.")
  var inPlace = false

  @Flag(
    name: .long,
    help: "Let --policy decide between a container and a value of another kind, and replace read-only files.")
  var force = false

  @OptionGroup(title: "Three-way merge")
  var threeWay: ThreeWayOptions

  @OptionGroup(title: "Formatting")
  var writing: WritingOptions

  @Argument(help: "Two or more files; - for standard input.", completion: .file())
  var files: [String]

  func validate() throws {
    try InputFile.checkNames(files)
    if files.count < 2 { throw ValidationError("At least two files are required.") }
    if output != nil, inPlace { throw ValidationError("--output and --in-place cannot be used together.") }
    if output == "" { throw ValidationError("The output file's name must not be empty.") }
    try threeWay.check(self)
    if inPlace, files[0] == "-" { throw ValidationError("Standard input cannot be replaced.") }
  }

  func run() throws {
    var diagnostics = Diagnostics()
    var name = files[0]
    if threeWay.base != nil { return try threeWay.merge(self) }
    do {
      let lock = inPlace ? try EditLock.take(files[0]) : nil
      try withExtendedLifetime(lock) { try merge(&name) }
    } catch let error as PlistError {
      diagnostics.report(error, in: name)
    }
    try diagnostics.finish()
  }

  /// Merges the files; if this throws, `name` is the file that caused the error.
  private func merge(_ name: inout String) throws {
    var merged: PropertyList?
    var first = Data()
    var others: [PlistDocument] = []
    for file in files {
      let input = InputFile(file)
      name = input.name
      let bytes = try input.bytesWithNote()
      let value = try PropertyList(parsing: bytes.data)
      if merged == nil {
        if inPlace, bytes.note != nil { throw PlistError.losesSignature }
        first = bytes.data
      } else if inPlace, let document = try? PlistDocument(parsing: bytes.data), document.format != .binary {
        others.append(document)
      }
      merged = try merged?.merging(value, policy: mergePolicy) ?? value
    }
    guard let merged, let detected = PlistFormat.forWriting(first) else { return }
    let destination =
      inPlace ? OutputFile(exact: files[0], isForced: force) : OutputFile(output ?? "-", isForced: force)
    name = destination.name
    if inPlace, to == nil, !writing.changesForm {
      let options = writing.options(for: OutputFormat(detected))
      var document = try EditedDocument(first, isForced: true, writeOptions: options)
      let lost = try document.become(merged, from: others)
      let result = try document.data()
      if result != first { try destination.write(result, editing: first, advises: true) }
      if let warning = CommentTransfer.warning(lost) {
        Diagnostics.write(Diagnostic(warning, in: name, as: .warning).text)
      }
      return
    }
    let format = to ?? OutputFormat(detected)
    if !inPlace, output == nil { try StandardOutput.check(format) }
    try destination.write(merged, format: format, options: writing.options(for: format))
  }

  private var mergePolicy: PropertyListMergePolicy {
    let chosen: PropertyListMergePolicy =
      switch policy {
      case .takeOther: .preferOther
      case .keepOwn: .preferSelf
      case .refuse: .refuse
      }
    let checked = PropertyListMergePolicy { [force, policy] (path, own, other) throws(PlistError) in
      let isContainer = { (value: PropertyList) in value.kind == .array || value.kind == .dictionary }
      if isContainer(own) || isContainer(other), own.kind != other.kind, !force, policy != .refuse {
        let subject = path.isRoot ? "the root" : "the value at \(path.quotedInMessages)"
        let (one, another) = (own.kind.withArticle, other.kind.withArticle)
        throw PlistError.needsForce(
          "\(subject) is \(one) in one file and \(another) in another; to let --policy decide, use --force", path)
      }
      return try chosen.resolve(path, own, other)
    }
    return appendArrays ? checked.appendingArrays : checked
  }
}
#endif
