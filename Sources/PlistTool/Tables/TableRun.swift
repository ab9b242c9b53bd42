#if CommandLineTool
import ArgumentParser
import Dispatch
import Plist
import PlistTables

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A run of the `table` command.
struct TableRun {
  private let command: TableCommand
  private let threads: Int

  init(_ command: TableCommand) {
    self.command = command
    threads = JobOptions.threads(command.jobs.jobs, for: .max)
  }

  func run() throws {
    let output = TableOutput(
      try TableFiles(
        OutputFile(command.output), errors: command.errors.map { OutputFile($0) }, state: command.resume,
        command: command.identity))
    if output.use({ $0.isComplete }) { return try report(output.use { $0.counts }) }
    var inputs = try command.inputs()
    if !inputs.skip(to: output.use { $0.place }) {
      throw PlistError(
        code: .invalidValue,
        message: "the inputs are not those of the interrupted run; remove \(command.resume ?? "") to start over")
    }
    let layout = try layout(output)
    let writer = layout.writer(command.writerFormat)
    try output.use { try $0.begin(writer.beginning) }
    try makeRows(reader(layout, writer), inputs, output)
    let (counts, hasEnded) = output.use { ($0.counts, $0.hasEnded) }
    if hasEnded {
      // Otherwise, readers of the output couldn't tell that rows are missing.
      Diagnostics.write("plist-tool: stopped at the first error, in row \(counts.rows)")
      throw ExitCode(counts.status)
    }
    try report(counts)
  }

  private func reader(_ layout: TableLayout, _ writer: PropertyListTableWriter) -> TableReader {
    var options = command.reading.options
    // A document must not take many times its size in memory.
    options.limits.maximumExpansion = 1 << 18
    return TableReader(
      layout: layout, writer: writer, each: command.each.map { TableEach($0) }, readsArchives: command.archives.archive,
      options: options, mostBytes: command.maxSize, endsWithError: command.strict)
  }

  private func makeRows(_ reader: TableReader, _ inputs: TableInputs, _ output: TableOutput) throws {
    let progress = TableProgress(from: output.use { $0.counts.items }, of: command)
    defer { progress?.erase() }
    let inputs = Guarded(inputs)
    do {
      try OrderedWork<TablePiece>.run(
        threads: threads, next: { inputs.withLock { Self.part(of: &$0) } },
        work: { part, place in try reader.rows(of: part) { try place.put($0) } },
        output: { piece in
          progress?.erase(for: piece)
          let done = try output.use { files in
            try files.add(piece)
            return files.counts.items
          }
          progress?.update(done)
          if piece.isEnd { throw End() }
        })
    } catch is End { return }
    try output.use { try $0.finish(reader.writer.end) }
  }

  private struct End: Error {}

  /// Returns the next items for a thread, or nil if none are left.
  private static func part(of inputs: inout TableInputs) -> [TableItem]? {
    var items: [TableItem] = []
    var bytes = 0
    while items.count < 16, bytes < 1 << 20, let item = inputs.next() {
      items.append(item)
      bytes += item.heldBytes
    }
    return items.isEmpty ? nil : items
  }

  /// Returns the columns; for `--all`, they are found by reading all files, unless an interrupted run has already done
  /// so.
  private func layout(_ output: TableOutput) throws -> TableLayout {
    guard command.all else { return try command.layout(columns: []) }
    var columns = PropertyListTableColumns()
    if let names = output.use({ $0.columns }) {
      try columns.insert(names.map { PropertyListPath($0) })
    } else {
      columns = try allColumns()
      output.use { $0.keep(columns: columns.columns.map(\.name)) }
    }
    let isSQL = command.format == .sqlite
    let layout = try command.layout(columns: columns.columns).withDistinctNames(ignoringCase: isSQL)
    // sqlite3's default limit.
    if isSQL, layout.columns.count > 2_000 {
      throw PlistError(
        code: .expandedObjectsLimit,
        message: "there are \(layout.columns.count) columns, but sqlite3 allows 2000; name the columns instead")
    }
    return layout
  }

  private func allColumns() throws -> PropertyListTableColumns {
    let layout = TableLayout([TableColumn(PropertyListTable.Column("all", at: ""))])
    let reader = reader(layout, layout.writer(.jsonLines))
    let inputs = Guarded(try command.inputs())
    let columns = Guarded(PropertyListTableColumns())
    try OrderedWork<[PropertyListPath]>.run(
      threads: threads, next: { inputs.withLock { Self.part(of: &$0) } },
      work: { part, place in
        let known = columns.withLock { $0 }
        var found: [PropertyListPath] = []
        try reader.firstCells(of: part, awaitTurn: { try place.put([]) }, { found += try known.newPaths(in: $0) })
        return found
      },
      output: { paths in try columns.withLock { columns throws(PlistError) in try columns.insert(paths) } })
    return columns.withLock { $0 }
  }

  private func report(_ counts: TableCounts) throws {
    if counts.signed > 0 {
      Diagnostics.write("plist-tool: note: \(counts.signed) files are signed; their signatures were not checked")
    }
    if counts.bad > 0 {
      Diagnostics.write("plist-tool: \(counts.bad) of \(counts.items) files have errors, which the table shows")
    }
    if counts.status != 0 { throw ExitCode(counts.status) }
  }
}

extension TableCommand {
  fileprivate var writerFormat: PropertyListTableWriter.Format {
    switch format {
    case .json: .jsonLines
    case .csv: .csv
    case .sqlite: .sql(table: tableName)
    }
  }
}

/// The progress line of a run: the files done, their rate, and the time left.
private final class TableProgress: Sendable {
  private let progress: Progress
  private let total = Guarded<Int?>(nil)
  private let first: Int

  /// Returns nil if standard error is not a terminal.
  ///
  /// If the inputs can be read twice, they are counted in the background.
  init?(from first: Int, of command: TableCommand) {
    guard let progress = Progress(files: 1) else { return nil }
    self.progress = progress
    self.first = first
    guard command.rereads, let inputs = try? command.inputs() else { return }
    DispatchQueue.global(qos: .utility).async { [self] in
      var all = inputs
      var count = 0
      while all.next() != nil { count += 1 }
      total.withLock { $0 = count }
    }
  }

  func update(_ count: Int) { progress.update(files: count, since: first, of: total.withLock { $0 }) }

  /// Erases the line before output is written to the same terminal.
  func erase(for piece: TablePiece) { if !piece.output.isEmpty, StandardOutput.isTerminal { erase() } }

  func erase() { progress.erase() }
}
#endif
