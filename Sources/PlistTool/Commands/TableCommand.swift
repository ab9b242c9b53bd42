#if CommandLineTool
import ArgumentParser
import Plist
import PlistTables

struct TableCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "table",
    abstract: "Makes one table from any number of property lists.",
    discussion: """
      Each file becomes a row, in the order of the files. The first column is the file, the last its error: a file \
      that cannot be read is a row too, and does not end the run. Files come from arguments, folders (see --include), \
      a list of names, a tar archive, or a stream of documents.

      A column is a path, as for the get command, or a pattern, as for the query command, which gives a list of all \
      matches. It can have a name before the path and a type after it: name=path:type. Without a type, values keep the \
      type they have in the file. The types are string, integer, real, boolean, date, data, and json, which is any \
      value as text. A value that cannot be converted to the column's type without loss is an error of its row. \
      Instead of a path, a column can be a fact: @file, @size, @format, @modified, @error, or, for the position of a \
      row in a file or a stream, @key and @document.

        plist-tool table --column CFBundleIdentifier --column build=CFBundleVersion:integer --column @size Apps

      With --each, a file has a row for each element of the array, or each pair of the dictionary, at a path; the \
      column key has the index or the key. With a pattern, each match is a row. With a path, or a path followed by .*, \
      files can be of any size: XML needs memory for only a few rows. If such a file turns out to be bad, the rows \
      before the error are kept.

      The output is JSON lines, CSV, or SQL for sqlite3. Dates are RFC 3339 text, data is base64, and arrays and \
      dictionaries are JSON. A missing value is null in JSON and SQL, and empty in CSV.

      With --resume, an interrupted run continues where it stopped: the output has every row exactly once, even if the \
      tool was killed. The list of files must be the same as before.

      Exits with 0 if all files are good, 1 if a file is bad, and 2 if a file cannot be read or written.

      EXAMPLES
        plist-tool table --column id=CFBundleIdentifier --format csv -o apps.csv /Applications
        plist-tool table --all --format sqlite Profiles | sqlite3 fleet.db
        plist-tool table --each 'Tracks.*' --column Name --column Plays='Play Count:integer' Library.xml
        find / -name '*.plist' -print0 | plist-tool table --files-from0 - --column Label --errors bad.json -o all.json
        zcat backup.tar.gz | plist-tool table --tar --column PayloadIdentifier --column '**.PayloadType'
        plist-tool table --resume state --files-from list --column Label -o all.json
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case json, csv, sqlite
  }

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "A column: a path or a pattern, optionally with a name before it and a type after it; can be repeated.",
      valueName: "name=path:type"))
  var column: [String] = []

  @Flag(
    name: .long,
    help: """
      Make a column for every path that has a value other than a dictionary in any file, after those of --column. \
      The files are read twice.
      """)
  var all = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      """
      Make a row for each element of the array or pair of the dictionary at this path, or for each value that matches \
      this pattern.
      """, valueName: "path"))
  var each: String?

  @Option(name: .shortAndLong, help: ArgumentHelp("The output format: json, csv or sqlite.", valueName: "format"))
  var format: Format = .json

  @Option(name: .long, help: ArgumentHelp("The name of the table, with --format sqlite.", valueName: "name"))
  var tableName: String = "plists"

  @Option(name: .shortAndLong, help: ArgumentHelp("The output file; - for standard output.", valueName: "file"))
  var output: String = "-"

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Also write the errors to this file as JSON lines, with their codes, lines and paths.", valueName: "file"))
  var errors: String?

  @Flag(name: .long, help: "Stop after the first file with an error, and leave the output file as it was.")
  var strict = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      """
      Record progress in this file, and continue from there if it exists. Needs an output file, to which the rows are \
      appended.
      """, valueName: "file"))
  var resume: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Read file names from this file, one per line; - for standard input.", valueName: "file"))
  var filesFrom: String?

  @Option(
    name: .customLong("files-from0"),
    help: ArgumentHelp("Like --files-from, but with a NUL after each name, as from find -print0.", valueName: "file"))
  var filesFrom0: String?

  @Flag(
    name: .long,
    help: """
      Read a tar archive from standard input, and make rows from those of its files that --include and --hidden \
      select, as in a folder.
      """)
  var tar = false

  @Flag(
    name: .long,
    help: "Read several documents, one after another, from standard input: XML, JSON or OpenStep text.")
  var documents = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Treat files of more bytes than this as errors, unless their elements can be read one by one.",
      valueName: "bytes"))
  var maxSize: Int = 32_000_000

  @OptionGroup var archives: ArchiveOptions

  @OptionGroup var reading: ReadingOptions

  @OptionGroup var jobs: JobOptions

  @OptionGroup var selection: FileSelection

  func validate() throws {
    try ArgumentText.check(column + [each ?? "", tableName])
    if maxSize < 1 { throw ValidationError("The size for --max-size must be at least 1.") }
    if column.isEmpty, !all { throw ValidationError("Name at least one --column, or use --all.") }
    let inputs = [
      ("--files-from", filesFrom != nil), ("--files-from0", filesFrom0 != nil), ("--tar", tar),
      ("--documents", documents), ("file arguments", !selection.files.isEmpty),
    ].filter(\.1).map(\.0)
    if inputs.count > 1 { throw ValidationError("\(inputs[0]) and \(inputs[1]) cannot be combined.") }
    if all, !rereads {
      throw ValidationError("--all reads the files twice, so they cannot come from standard input.")
    }
    if resume != nil {
      if output == "-" { throw ValidationError("--resume needs an output file; use -o.") }
      if strict { throw ValidationError("--strict and --resume cannot be combined.") }
    }
    let layout = try layout(columns: [])
    try layout.checkNames(ignoringCase: format == .sqlite)
  }

  func run() throws {
    var diagnostics = Diagnostics()
    do { try TableRun(self).run() } catch let error as PlistError {
      diagnostics.report(error, in: "plist-tool")
    }
    try diagnostics.finish()
  }

  /// Whether the inputs can be read twice.
  var rereads: Bool {
    !tar && !documents && filesFrom != "-" && filesFrom0 != "-"
      && (filesFrom ?? filesFrom0 != nil || !selection.files.isEmpty && !selection.files.contains("-"))
  }

  /// Returns the columns given by options, followed by `columns`, the ones that `--all` found.
  func layout(columns: [PropertyListTable.Column]) throws -> TableLayout {
    let facts: [TableColumn.Fact] = [.file] + (documents ? [.document] : []) + (each == nil ? [] : [.key])
    let chosen = try column.map { try TableColumn(parsing: $0) }
    return TableLayout(chosen + columns.map { TableColumn($0) }, identifiedBy: facts)
  }

  func inputs() throws(PlistError) -> TableInputs {
    let patterns = selection.include.isEmpty ? FileSelection.checkedNames : selection.include
    if tar {
      return TableInputs(
        TarArchive(try standardInput(), limit: maxSize), patterns: patterns, takesHidden: selection.hidden)
    }
    if documents { return TableInputs(DocumentStream(try standardInput(), limit: maxSize)) }
    if let list = filesFrom ?? filesFrom0 {
      return TableInputs(namesIn: try InputFile(list).open(), endingWith: filesFrom == nil ? 0 : 0x0A)
    }
    return TableInputs(
      TableInputs.Arguments(
        files: selection.files.isEmpty ? ["-"] : selection.files, patterns: patterns, takesHidden: selection.hidden))
  }

  private func standardInput() throws(PlistError) -> FileDescriptor { try InputFile("-").open() }

  /// The options and arguments that determine the rows; a run can be continued only if they are the same.
  var identity: [String] {
    let options: [String?] = [
      "1", each, format.rawValue, tableName, filesFrom, filesFrom0, "\(all)", "\(tar)", "\(documents)",
      "\(archives.archive)", reading.from?.rawValue, "\(maxSize)", "\(selection.hidden)", output, errors,
    ]
    return options.map { $0.map { "=\($0)" } ?? "" } + ["columns"] + column + ["include"] + selection.include + [
      "files"
    ]
      + selection.files
  }
}
#endif
