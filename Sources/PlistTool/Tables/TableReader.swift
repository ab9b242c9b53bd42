#if CommandLineTool
import Plist
import PlistTables

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The output of some items, or of a part of one item.
struct TablePiece: Sendable {
  var output = Data()
  /// The errors as JSON lines.
  var errors = Data()
  var counts = TableCounts()
  /// The place after the items, or nil if the last one is unfinished.
  var place: TablePlace?
  /// Whether an error ends the run here.
  var isEnd = false
}

struct TableCounts: Sendable, Codable, Equatable {
  var items = 0
  var rows = 0
  /// The number of items with an error.
  var bad = 0
  /// The number of signed files, whose signatures were not checked.
  var signed = 0
  /// The exit status so far.
  var status: Int32 = 0

  mutating func add(_ other: TableCounts) {
    items += other.items
    rows += other.rows
    bad += other.bad
    signed += other.signed
    status = max(status, other.status)
  }
}

/// Which values of a document become rows, if not the document itself.
enum TableEach: Sendable {
  /// The elements or values of the container at a path, which can be streamed.
  case children(PropertyListPath)
  /// The values that match a pattern.
  case matches(PropertyListQuery)

  init(_ pattern: String) {
    let query = PropertyListQuery(pattern)
    let (path, rest) = query.split
    guard let rest else {
      self = .children(path)
      return
    }
    self = rest.matchesEveryChild ? .children(path) : .matches(query)
  }
}

/// Turns files and documents into rows.
struct TableReader: Sendable {
  let layout: TableLayout
  let writer: PropertyListTableWriter
  let each: TableEach?
  let readsArchives: Bool
  let options: PlistReadOptions
  /// The largest document, in bytes, to read into memory.
  let mostBytes: Int
  let endsWithError: Bool

  /// The size from which a file is read only when its part is next in the output.
  ///
  /// This way, only one such file is in memory at a time, however many threads there are.
  private static let largeSize = 4 << 20
  /// The size above which the elements of a file are read as a stream.
  private static let streamedSize = 1 << 20
  /// How much output may accumulate before a document has been read to the end.
  private static let mostOutput = 1 << 20

  /// Turns items into rows; if an item has many, they are passed to `put` in several pieces.
  func rows(of items: [TableItem], put: @escaping (TablePiece) throws -> Void) throws -> TablePiece {
    var run = Run(piece: TablePiece(), put: put)
    for item in items {
      run.isBad = false
      try add(item, &run)
      run.piece.counts.items += 1
      if run.isBad { run.piece.counts.bad += 1 }
      run.piece.place = item.place
      if run.isBad, endsWithError {
        run.piece.isEnd = true
        break
      }
    }
    return run.piece
  }

  /// Passes the first cell of each row to `body` without producing output; `awaitTurn` waits for the results of earlier
  /// items.
  func firstCells(
    of items: [TableItem], awaitTurn: @escaping () throws -> Void, _ body: @escaping (PropertyList) throws -> Void
  ) throws {
    var run = Run(piece: TablePiece(), put: { _ in try awaitTurn() }, body: body)
    for item in items { try add(item, &run) }
  }

  private struct Run {
    var piece: TablePiece
    let put: (TablePiece) throws -> Void
    /// Receives the first cells, in place of output.
    var body: ((PropertyList) throws -> Void)?
    var isBad = false

    /// Outputs what has been collected, after waiting for everything before it.
    mutating func putOut() throws {
      try put(piece)
      piece = TablePiece()
    }
  }

  private func add(_ item: TableItem, _ run: inout Run) throws {
    var facts = item.facts
    facts.name = Self.shown(facts.name)
    do {
      switch item.source {
      case .failure(let error): throw error
      case .bytes(let data): try addDocument(data, &facts, &run)
      case .file(let file, let isNamed): try addFile(file, isNamed: isNamed, &facts, &run)
      }
    } catch let error as PlistError {
      try write(facts, key: nil, nil, [error], &run)
    }
  }

  private func addFile(
    _ file: InputFile, isNamed: Bool, _ facts: inout TableFacts, _ run: inout Run
  ) throws {
    let opened = try Self.open(file, isNamed: isNamed)
    guard let status = opened.status else { return try addStream(InputChunks(of: opened.file), &facts, &run) }
    (facts.size, facts.modified) = (status.size, status.modificationTime)
    if status.size > Self.streamedSize, case .children? = each, !readsArchives {
      return try addStream(InputChunks(of: opened.file), &facts, &run)
    }
    if status.size > mostBytes { throw PlistError.largerThan(mostBytes) }
    if status.size >= Self.largeSize { try run.putOut() }
    let data = try InputFile.reading { () throws(SystemFailure) in try opened.file.contents(limit: mostBytes) }
    guard let data else { throw PlistError.largerThan(mostBytes) }
    try addDocument(data, &facts, &run)
  }

  /// Opens a file; the status is nil for a file that is not regular but that the user has named.
  ///
  /// It checks the kind first, because opening a pipe or a device can block, wake another process and more.
  private static func open(
    _ file: InputFile, isNamed: Bool
  ) throws(PlistError) -> (file: FileDescriptor, status: FileStatus?) {
    guard let path = file.path else { return (try file.open(), nil) }
    // If the file was found in a folder, the listing has already told us its kind.
    if file.pathInFolder == nil {
      let status = try InputFile.reading { () throws(SystemFailure) in try FileSystem.status(of: path) }
      if let status, !status.isRegular {
        guard isNamed, !status.isFolder else { throw refusal(of: status) }
        return (try file.open(), nil)
      }
    }
    let (opened, status) = try InputFile.reading { () throws(SystemFailure) in
      let opened = try FileDescriptor(path: path, for: .readingAtOnce)
      return (opened, try opened.status())
    }
    guard status.isRegular else { throw refusal(of: status) }
    return (opened, status)
  }

  private static func refusal(of status: FileStatus) -> PlistError {
    PlistError(
      code: .unreadableFile, message: status.isFolder ? "the file is a folder" : "the file is not a regular file")
  }

  /// Reads the elements of a stream one by one if possible, and otherwise the whole stream.
  private func addStream(
    _ chunks: InputChunks, _ facts: inout TableFacts, _ run: inout Run
  ) throws {
    if case .children(let path)? = each, !readsArchives,
      try options.format != nil || PlistFormat(detecting: chunks.peek(64)) != nil
    {
      var rows = layout.table.rows(at: path, options: options) { try chunks.next() }
      defer { facts.format = rows.format }
      while let (key, row) = try rows.next() {
        facts.format = rows.format
        try write(facts, key: key, row, [], &run)
      }
      return
    }
    var data = Data()
    while let chunk = try chunks.next() {
      guard chunk.count <= mostBytes - data.count else { throw PlistError.largerThan(mostBytes) }
      data.append(chunk)
    }
    facts.size = data.count
    try addDocument(data, &facts, &run)
  }

  private func addDocument(
    _ data: Data, _ facts: inout TableFacts, _ run: inout Run
  ) throws {
    let bytes = try InputFile.Bytes(data)
    if bytes.note != nil { run.piece.counts.signed += 1 }
    let document = try PlistDocument(parsing: bytes.data, options: options)
    facts.format = document.format
    try document.validate()
    switch each {
    case nil where !readsArchives: try write(facts, key: nil, layout.table.row(of: document.root), [], &run)
    case .children(let path)? where !readsArchives:
      guard let node = document.root[path] else { return }
      if let pairs = node.dictionary {
        for (key, value) in pairs { try write(facts, key: key, layout.table.row(of: value), [], &run) }
      } else if let elements = node.array {
        for (index, value) in elements.enumerated() {
          try write(facts, key: String(index), layout.table.row(of: value), [], &run)
        }
      } else {
        throw Self.notContainer(node.kind, at: path)
      }
    default:
      try eachValue(of: whole(document)) { key, value in
        try write(facts, key: key, layout.table.row(of: value), [], &run)
      }
    }
  }

  private func whole(_ document: PlistDocument) throws(PlistError) -> PropertyList {
    try readsArchives ? ArchiveOptions.value(of: document) : document.root.readExpanded()
  }

  /// Passes each value that becomes a row to `body`, with its key.
  private func eachValue(of root: PropertyList, _ body: (String?, PropertyList) throws -> Void) throws {
    switch each {
    case nil: try body(nil, root)
    case .matches(let query)?: for match in root.matches(of: query) { try body(match.path.description, match.value) }
    case .children(let path)?:
      switch root[path] {
      case nil: return
      case .dictionary(let pairs)?: for (key, value) in pairs { try body(key, value) }
      case .array(let elements)?: for (index, value) in elements.enumerated() { try body(String(index), value) }
      case let value?: throw Self.notContainer(value.kind, at: path)
      }
    }
  }

  private static func notContainer(_ kind: PropertyList.Kind, at path: PropertyListPath) -> PlistError {
    PlistError(
      code: .typeMismatch, message: "expected an array or a dictionary, found \(kind.withArticle)", path: path)
  }

  private func write(
    _ facts: TableFacts, key: String?, _ row: PropertyListTable.Row?, _ errors: [PlistError], _ run: inout Run
  ) throws {
    if let body = run.body {
      if let value = row?.cells.first ?? nil { try body(value) }
      return
    }
    let errors = errors + (row?.faults ?? [])
    let text = errors.isEmpty ? nil : errors.map(\.description).joined(separator: "; ")
    writer.write(layout.cells(facts, key: key, row, error: text), to: &run.piece.output)
    run.piece.counts.rows += 1
    for error in errors {
      run.isBad = true
      run.piece.counts.status = max(run.piece.counts.status, ToolStatus(error).rawValue)
      var fields: PropertyListDictionary = ["file": .string(facts.name)]
      if let document = facts.document { fields["document"] = .integer(PropertyListInteger(document)) }
      if let key { fields["key"] = .string(key) }
      if case .dictionary(let details) = Diagnostic(error, in: facts.name).propertyList {
        for (name, value) in details { fields[name] = value }
      }
      run.piece.errors.append(Data(try PropertyList.dictionary(fields).jsonLine().utf8))
      run.piece.errors.append(0x0A)
    }
    if run.piece.output.count >= Self.mostOutput {
      run.piece.place = nil
      try run.putOut()
    }
  }

  /// Returns a file name as text, with bytes that are not UTF-8 written like `\xFF`.
  private static func shown(_ name: String) -> String {
    SystemPath.hasForeignBytes(name) ? Diagnostics.escaped(name) : name
  }
}
#endif
