#if CommandLineTool
import ArgumentParser
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct BuddySession {
  let path: String
  let isXML: Bool
  private let followsLinks: Bool
  var root: PropertyList = [:]
  /// The format of the property list file; saving preserves the format.
  private var format = PlistFormat.xml
  /// The bytes of the file at the last read, or nil if the file did not exist.
  private var original: Data?
  /// The property list in the file at the last read or write.
  private var loaded: PropertyList = [:]
  var isChanged = false
  /// The lock of the file, which ``run(_:)`` holds if at least one of its commands can write.
  private var lock: FileLock?

  /// If no file exists at `path`, the session starts with an empty dictionary.
  ///
  /// - Throws: `ExitCode` if the file cannot be read; the initializer first writes an error message.
  init(_ path: String, isXML: Bool, followsLinks: Bool) throws {
    (self.path, self.isXML, self.followsLinks) = (path, isXML, followsLinks)
    try load()
  }

  /// Runs all commands in order, even if a command fails, and then saves the file.
  ///
  /// - Throws: `ExitCode` if a command fails or the file cannot be written; the method first writes error messages.
  mutating func run(_ commands: [String]) throws {
    var isGood = true
    // If any command writes, the session holds the file's lock from reading to writing, so concurrent edits by several
    // processes are not lost.
    lock = commands.allSatisfy(Self.onlyReads) ? nil : try takeLock()
    defer { lock = nil }
    if lock != nil { try load(saysThatItIsNew: false) }
    for command in commands {
      guard let goesOn = try attempt(command) else {
        isGood = false
        continue
      }
      // After the command `Exit`, a session that is not interactive saves the changes.
      if !goesOn { break }
    }
    if isChanged { try write() }
    if !isGood { throw ExitCode.failure }
  }

  /// Reads and runs commands until the end of the input, and discards unsaved changes.
  ///
  /// - Throws: `ExitCode` if a command fails or cannot be read; the method first writes error messages.
  mutating func runInteractively() throws {
    var isGood = true
    var lines = InputLines()
    while true {
      try StandardOutput.write("Command: ")
      let line: String?
      do { line = try lines.next() } catch {
        Diagnostics.write("Error Reading Commands: \(error.message)")
        throw ExitCode.failure
      }
      guard let line else { break }
      if line.allSatisfy(\.isWhitespace) { continue }
      guard let goesOn = try attempt(line) else {
        isGood = false
        continue
      }
      if !goesOn { break }
    }
    if !isGood { throw ExitCode.failure }
  }

  /// Runs a command; after a failure, writes a message and returns nil.
  private mutating func attempt(_ command: String) throws -> Bool? {
    do {
      return try execute(command)
    } catch let error as BuddyError {
      if let cause = error.cause { Diagnostics.write(cause) }
      if error.isOutput { try StandardOutput.write(error.message + "\n") } else { Diagnostics.write(error.message) }
      return nil
    }
  }
}

extension BuddySession {
  /// Discards all changes and reads the file; a missing file counts as an empty dictionary.
  mutating func load(saysThatItIsNew: Bool = true) throws {
    isChanged = false
    if !followsLinks, let link = Self.symbolicLink(in: path) {
      Diagnostics.write("Error Opening File: \(link) [Too many levels of symbolic links]")
      throw try readingFailed()
    }
    guard fileExists else {
      if saysThatItIsNew { try StandardOutput.write("File Doesn't Exist, Will Create: \(path)\n") }
      (root, loaded, original, format) = ([:], [:], nil, .xml)
      return
    }
    do {
      let data = try Self.contents(of: path)
      loaded = try PropertyList(parsing: data)
      (root, original, format) = (loaded, data, PlistFormat.forWriting(data) ?? .xml)
    } catch {
      Diagnostics.write(Self.text(of: error, path))
      throw try readingFailed()
    }
  }

  /// Writes the file atomically while holding the file's lock.
  ///
  /// - Throws: `ExitCode` if the file cannot be written; the method first writes an error message.
  mutating func save() throws {
    // A second lock on the same file would wait for the lock that this session already holds.
    let lock = try lock ?? takeLock()
    try withExtendedLifetime(lock) { try write() }
  }

  /// Writes the file atomically; the caller must hold the file's lock.
  private mutating func write() throws {
    do {
      // The command `buddy` formats real numbers as Apple's tools do, since Apple's tools wrote most existing files.
      let options = PlistWriteOptions(realStyle: .foundation, xml: .init(carriageReturns: .raw))
      let file = OutputFile(exact: URL(exactPath: path).path)
      if let original, fileExists {
        // An edit in place preserves the layout of the unchanged parts of a text document.
        let current = try Self.contents(of: path)
        var document = try EditedDocument(current, isForced: true, writeOptions: options)
        if current == original { try document.become(root) } else { try document.apply(root.difference(from: loaded)) }
        try file.write(document.data())
      } else {
        try file.write(root, format: format, options: options)
      }
      (isChanged, loaded) = (false, root)
      self.original = try Self.contents(of: path)
    } catch let error as PlistError {
      Diagnostics.write(error.description)
      Diagnostics.write("Error Writing File: \(path)")
      throw ExitCode.failure
    }
  }

  private var fileExists: Bool { (try? FileSystem.status(of: path)) ?? nil != nil }

  private func takeLock() throws -> FileLock? {
    do { return try EditLock.take(path) } catch {
      Diagnostics.write(error.description)
      Diagnostics.write("Error Writing File: \(path)")
      throw ExitCode.failure
    }
  }

  private static func onlyReads(_ command: String) -> Bool {
    var words = BuddyWords(command)
    return ["help", "exit", "quit", "bye", "print", "ls"].contains(words.name().lowercased())
  }

  /// The path `-` means a file with the name `-`, since PlistBuddy reads commands from standard input.
  static func contents(of path: String) throws(PlistError) -> Data {
    try InputFile(path == "-" ? "./-" : path).contents()
  }

  static func text(of error: PlistError, _ path: String) -> String {
    error.category == .io ? "Error Opening File: \(path) [\(error.message)]" : "\(path): \(error)"
  }

  private func readingFailed() throws -> ExitCode {
    try StandardOutput.write("Error Reading File: \(path)\n")
    return .failure
  }

  /// Returns the shortest prefix of `path` that is a symbolic link, or nil if no prefix is a symbolic link.
  private static func symbolicLink(in path: String) -> String? {
    path.indices.lazy.filter { path[$0] == "/" && $0 > path.startIndex }.map { String(path[..<$0]) }
      .first(where: isSymbolicLink) ?? (isSymbolicLink(path) ? path : nil)
  }

  private static func isSymbolicLink(_ path: String) -> Bool {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return attributes?[.type] as? FileAttributeType == .typeSymbolicLink
  }
}
#endif
