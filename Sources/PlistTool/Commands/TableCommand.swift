#if CommandLineTool
import ArgumentParser
import Plist
import PlistTables

struct TableCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "table",
    abstract: "Makes one table of very many property lists.",
    discussion: """
      Each file becomes a row, in the order of the files. The first column is the file, the last is its error: a file \
      that cannot be read is a row too, and does not end the run. The files are arguments, files in folders (see \
      --include), names in a list, members of a tar archive, or documents of a stream.

      A column is a path, as in the command get, or a pattern, as in the command query, whose column has a list of all \
      matches. It can have a name before the path and a type after it: name=path:type. Without a type, values keep \
      the type that they have in the file. Types are string, integer, real, boolean, date, data, and json, which is any \
      value as text. A value that cannot become the column's type without loss is an error of its row. Instead of a \
      path, a column can have a fact: @file, @size, @format, @modified, @key and @document for the position of a row \
      in a file and a stream, and @error.

        plist-tool table --column CFBundleIdentifier --column build=CFBundleVersion:integer --column @size Apps

      With --each, a file has a row for each element of an array, or each pair of a dictionary, at a path; the column \
      key has the position or the key. With a pattern, each match is a row. Files of any size can be read with a path, \
      or with a path and .* after it: XML takes only the memory of a few rows. The rows before a fault of such a file \
      stay.

      The output is JSON lines, CSV, or SQL for sqlite3. Dates are text in RFC 3339, data is Base64, and arrays and \
      dictionaries are JSON. No value is null in JSON and SQL, and nothing in CSV.

      With --resume, an interrupted run goes on where it was: the output has all rows, each once, even if the tool was \
      killed. The files of a list must be the same as before.

      The exit status is 0 if all files are good, 1 if a file is bad, and 2 if a file cannot be read or written.

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
      "A column: a path or a pattern, with a name before it and a type after it, if any. The option can be repeated.",
      valueName: "name=path:type"))
  var column: [String] = []

  @Flag(
    name: .long,
    help: """
      Make a column for each path that has a value other than a dictionary in any of the files, after the columns of \
      --column. The files are read twice.
      """)
  var all = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      """
      Make a row for each element of the array, or each pair of the dictionary, at this path, or for each value that \
      matches this pattern.
      """, valueName: "path"))
  var each: String?

  @Option(name: .shortAndLong, help: ArgumentHelp("The form of the output: json, csv or sqlite.", valueName: "format"))
  var format: Format = .json

  @Option(name: .long, help: ArgumentHelp("With --format sqlite, the name of the table.", valueName: "name"))
  var tableName: String = "plists"

  @Option(name: .shortAndLong, help: ArgumentHelp("The output file; - for standard output.", valueName: "file"))
  var output: String = "-"

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Write each error to this file too, with its code, line and path, as JSON lines.", valueName: "file"))
  var errors: String?

  @Flag(name: .long, help: "End the run after the first file with an error; a file for the output stays as it was.")
  var strict = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      """
      Keep in this file how far the run has come, and go on from there if the file exists. The option needs an output \
      file, to which the rows are appended.
      """, valueName: "file"))
  var resume: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Read the names of files from this file, one on each line; - for standard input.", valueName: "file"))
  var filesFrom: String?

  @Option(
    name: .customLong("files-from0"),
    help: ArgumentHelp("Like --files-from, with a NUL after each name, as find -print0 writes it.", valueName: "file"))
  var filesFrom0: String?

  @Flag(
    name: .long,
    help: """
      Read a tar archive from standard input, and make rows of the files in it that --include and --hidden allow, as in \
      a folder.
      """)
  var tar = false

  @Flag(
    name: .long,
    help: "Read several documents, one after the other, from standard input: XML, JSON or OpenStep text.")
  var documents = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The size in bytes from which a file is an error, unless its elements can be read one by one.",
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

  /// Returns the columns given by options, followed by `columns`, which `--all` has found.
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

  /// What determines the rows: a run can be continued only if this has not changed.
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
