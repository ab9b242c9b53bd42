#if CommandLineTool
import ArgumentParser
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The output of a run, shared by its threads.
final class TableOutput: Sendable {
  private let files: Guarded<TableFiles>

  init(_ files: sending TableFiles) { self.files = Guarded(files) }

  func use<Value: Sendable>(_ body: (inout TableFiles) throws -> Value) rethrows -> Value {
    try files.withLock { files in try body(&files) }
  }
}

/// The outputs for rows and errors, and the state that lets an interrupted run continue.
///
/// With a state, output is only ever appended. The state file, which is replaced atomically, records a place in the
/// inputs and how long the output was when all items before that place were done. To continue, a run truncates the
/// output to that length and reads the inputs from that place on, so no row is lost or duplicated.
struct TableFiles {
  fileprivate enum Destination {
    case standardOutput
    case replacement(OutputSink)
    case appended(FileDescriptor)
  }

  private var rows: Destination
  private var errors: Destination?
  private var state: TableState
  private let statePath: String?
  /// The lock on the state file, held until the run ends.
  private let lock: FileLock?
  private var saved = ContinuousClock.now

  /// The time between two updates of the state, each of which waits for the disk.
  private static let interval = Duration.milliseconds(250)

  var counts: TableCounts { state.counts }

  var place: TablePlace { state.place }

  /// The names of the columns, if an earlier run has determined them.
  var columns: [String]? { state.columns }

  var isComplete: Bool { state.isComplete }

  /// Whether an error has ended the run.
  private(set) var hasEnded = false

  /// Opens the outputs of a run, or continues those that an interrupted run of the same `command` left behind.
  init(_ output: OutputFile, errors: OutputFile?, state statePath: String?, command: [String]) throws {
    self.statePath = statePath
    guard let statePath else {
      (state, lock) = (TableState(command: command), nil)
      rows = output.path == nil ? .standardOutput : .replacement(try output.sink(isXML: false, progress: nil))
      self.errors = try errors.map { .replacement(try $0.sink(isXML: false, progress: nil)) }
      return
    }
    lock = try Self.lock(statePath)
    let (state, isNew) = try Self.state(at: statePath, command: command)
    self.state = state
    // Save the state before creating any output, so that output is recognized even if this run is killed right away.
    if isNew { try state.save(to: statePath) }
    rows = .appended(try Self.open(output, keeping: isNew ? nil : state.rowBytes))
    self.errors = try errors.map { .appended(try Self.open($0, keeping: isNew ? nil : state.errorBytes)) }
  }

  private static func lock(_ path: String) throws -> FileLock {
    Interruption.removeUnfinishedFiles()
    let lock: FileLock?
    do { lock = try FileLock(of: path, before: .now, removesFile: true) } catch {
      throw PlistError(code: .unwritableFile, message: "cannot write \(path): \(error.message)")
    }
    guard let lock else {
      throw PlistError(code: .unwritableFile, message: "another process is using \(path)")
    }
    return lock
  }

  private static func state(at path: String, command: [String]) throws -> (state: TableState, isNew: Bool) {
    let exists = try InputFile.reading { () throws(SystemFailure) in try FileSystem.status(of: path) != nil }
    guard exists else { return (TableState(command: command), true) }
    let data = try InputFile(exact: path).contents()
    guard let state = try? PlistDecoder().decode(TableState.self, from: data) else {
      throw PlistError(code: .invalidValue, message: "\(path) is not a progress file; remove it to start over")
    }
    guard state.command == command else {
      throw PlistError(
        code: .invalidValue,
        message: "\(path) is the progress file of a run with other options; remove it to start over")
    }
    return (state, false)
  }

  /// Opens a file for appending and truncates it after the first `count` bytes.
  private static func open(_ file: OutputFile, keeping count: Int?) throws(PlistError) -> FileDescriptor {
    let path = file.path ?? ""
    func failure(_ message: String) -> PlistError {
      PlistError(code: .unwritableFile, message: "cannot write \(path): \(message)")
    }
    let status: FileStatus?
    do { status = try FileSystem.status(of: path) } catch { throw failure(error.message) }
    if status?.isRegular == false { throw failure("it is not a regular file, which --resume needs") }
    if let count, count > status?.size ?? 0 { throw failure("it is shorter than when the run was interrupted") }
    do {
      let output = try FileDescriptor(path: path, for: status == nil ? .creating(permissions: 0o666) : .writing)
      try output.truncate(to: count ?? 0)
      return output
    } catch {
      throw failure(error.message)
    }
  }

  /// Remembers the names of the columns for a later run.
  mutating func keep(columns: [String]) { state.columns = columns }

  /// Writes what precedes the rows, unless an earlier run did so.
  mutating func begin(_ data: Data) throws {
    if state.rowBytes == 0 { try write(data) }
    try save()
  }

  mutating func add(_ piece: TablePiece) throws {
    try write(piece.output)
    if !piece.errors.isEmpty {
      try errors?.write(piece.errors)
      state.errorBytes += piece.errors.count
    }
    state.counts.add(piece.counts)
    hasEnded = hasEnded || piece.isEnd
    guard let place = piece.place else { return }
    state.place = place
    if statePath != nil, .now - saved >= Self.interval { try save() }
  }

  /// Writes what follows the rows and finishes the files.
  mutating func finish(_ end: Data) throws {
    try write(end)
    try rows.finish()
    try errors?.finish()
    state.isComplete = true
    try save()
  }

  private mutating func write(_ data: Data) throws {
    if data.isEmpty { return }
    try rows.write(data)
    state.rowBytes += data.count
  }

  private mutating func save() throws {
    guard let statePath else { return }
    // Output that the state counts as written must survive even a power failure.
    try rows.synchronize()
    try errors?.synchronize()
    try state.save(to: statePath)
    saved = .now
  }
}

extension TableFiles.Destination {
  fileprivate mutating func write(_ data: Data) throws {
    switch self {
    case .standardOutput: try StandardOutput.write(data)
    case .replacement(var sink):
      // Clear `self` first: with a second reference, writing would copy the sink's buffer.
      self = .standardOutput
      defer { self = .replacement(sink) }
      try sink.write(data.bytes)
    case .appended(let file):
      if let failure = file.write(data.bytes) {
        throw PlistError(code: .unwritableFile, message: "cannot write the output: \(failure.message)")
      }
    }
  }

  fileprivate mutating func finish() throws {
    if case .replacement(var sink) = self {
      try sink.commit()
      self = .replacement(sink)
    }
  }

  fileprivate func synchronize() throws {
    guard case .appended(let file) = self else { return }
    do { try file.synchronize() } catch {
      throw PlistError(code: .unwritableFile, message: "cannot write the output: \(error.message)")
    }
  }
}

/// The progress of a run.
private struct TableState: Codable {
  /// The options and arguments that determine the rows; a run with different ones must not continue this one.
  var command: [String]
  var place = TablePlace()
  var rowBytes = 0
  var errorBytes = 0
  var counts = TableCounts()
  var columns: [String]?
  var isComplete = false

  init(command: [String]) { self.command = command }

  func save(to path: String) throws {
    let replacement = try PlistFileReplacement(path: path)
    let data = try PlistEncoder(outputFormat: .xml).encode(self)
    try replacement.write(data.bytes)
    try replacement.commit()
  }
}
#endif
