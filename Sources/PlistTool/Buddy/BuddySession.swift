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
  /// The file's format, which is kept when it is saved.
  private var format = PlistFormat.xml
  /// The file's bytes when it was last read, or nil if there was no file.
  private var original: Data?
  /// The property list when it was last read or written.
  private var loaded: PropertyList = [:]
  var isChanged = false
  /// The file's lock, which ``run(_:)`` holds if any of its commands can write.
  private var lock: FileLock?

  /// Opens the file at `path`, or starts with an empty dictionary if there is none.
  ///
  /// - Throws: `ExitCode`, after an error message, if the file cannot be read.
  init(_ path: String, isXML: Bool, followsLinks: Bool) throws {
    (self.path, self.isXML, self.followsLinks) = (path, isXML, followsLinks)
    try load()
  }

  /// Runs all commands, even after one has failed, and then saves the file.
  ///
  /// - Throws: `ExitCode`, after an error message, if a command fails or the file cannot be written.
  mutating func run(_ commands: [String]) throws {
    var isGood = true
    // If any command writes, hold the lock from reading to writing, so that no concurrent edit is lost.
    lock = commands.allSatisfy(Self.onlyReads) ? nil : try takeLock()
    defer { lock = nil }
    if lock != nil { try load(saysThatItIsNew: false) }
    for command in commands {
      guard let goesOn = try attempt(command) else {
        isGood = false
        continue
      }
      // `Exit` discards changes only in an interactive session; here they are still saved.
      if !goesOn { break }
    }
    if isChanged { try write() }
    if !isGood { throw ExitCode.failure }
  }

  /// Runs commands from standard input until it ends, and discards unsaved changes.
  ///
  /// - Throws: `ExitCode`, after an error message, if a command fails or cannot be read.
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

  /// Runs a command; if it fails, prints why and returns nil.
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
  /// Discards all changes and reads the file, or starts with an empty dictionary if there is none.
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

  /// Writes the file atomically while holding its lock.
  ///
  /// - Throws: `ExitCode`, after an error message, if the file cannot be written.
  mutating func save() throws {
    // A second lock on the file would wait for our own lock.
    let lock = try lock ?? takeLock()
    try withExtendedLifetime(lock) { try write() }
  }

  /// Writes the file atomically; the caller must hold its lock.
  private mutating func write() throws {
    do {
      // Apple's tools wrote most of the files people edit, so format real numbers the way they do.
      let options = PlistWriteOptions(realStyle: .foundation, xml: .init(carriageReturns: .raw))
      let file = OutputFile(exact: URL(exactPath: path).path)
      if let original, fileExists {
        // Editing in place keeps the layout of everything that has not changed.
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

  /// Reads a file, which may be named `-`: PlistBuddy reads commands, not files, from standard input.
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

  /// Returns the shortest prefix of `path` that is a symbolic link, if any.
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
