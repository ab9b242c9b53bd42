#if CommandLineTool
import ArgumentParser
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct BuddySession {
  private let path: String
  let isXML: Bool
  private let followsLinks: Bool
  var root: PropertyList = [:]
  /// The format of the file is preserved when the file is saved.
  private var format = PlistFormat.xml
  /// The original bytes are nil if the file did not exist at the last read.
  private var original: Data?
  /// The value of the file when the file was last read or written.
  private var loaded: PropertyList = [:]
  var isChanged = false

  /// Without a file at `path`, the session starts with an empty dictionary.
  ///
  /// - Throws: `ExitCode` if the file cannot be read, after a message.
  init(_ path: String, isXML: Bool, followsLinks: Bool) throws {
    (self.path, self.isXML, self.followsLinks) = (path, isXML, followsLinks)
    try load()
  }

  /// All commands run in order, even if one of them fails; then the file is saved.
  ///
  /// - Throws: `ExitCode` if a command failed or the file could not be written, after the messages.
  mutating func run(_ commands: [String]) throws {
    var isGood = true
    // The lock is held from reading to writing if any command writes, so that several processes edit the file in turn.
    let lock = commands.allSatisfy(Self.onlyReads) ? nil : try takeLock()
    defer { withExtendedLifetime(lock) {} }
    if lock != nil { try load(saysThatItIsNew: false) }
    for command in commands {
      guard let goesOn = try attempt(command) else {
        isGood = false
        continue
      }
      // `Exit` ends the session and keeps the changes; only an interactive session discards the changes.
      if !goesOn { break }
    }
    if isChanged { try write() }
    if !isGood { throw ExitCode.failure }
  }

  /// Commands are read until the input ends; unsaved changes are lost.
  ///
  /// - Throws: `ExitCode` if a command failed, after the messages.
  mutating func runInteractively() throws {
    var isGood = true
    while true {
      try StandardOutput.write("Command: ")
      guard let line = readLine() else { break }
      if line.allSatisfy(\.isWhitespace) { continue }
      guard let goesOn = try attempt(line) else {
        isGood = false
        continue
      }
      if !goesOn { break }
    }
    if !isGood { throw ExitCode.failure }
  }

  /// Returns nil if the command failed; in this case a message has been written.
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
  /// All changes are discarded; a file that does not exist is read as an empty dictionary.
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
      (root, original, format) = (loaded, data, PlistFormat(detecting: data) ?? .xml)
    } catch {
      Diagnostics.write(Self.text(of: error, path))
      throw try readingFailed()
    }
  }

  /// The file is written atomically, while the file's lock is held.
  ///
  /// - Throws: `ExitCode`, after a message.
  mutating func save() throws {
    let lock = try takeLock()
    try withExtendedLifetime(lock) { try write() }
  }

  /// The file is written atomically; the caller holds the file's lock.
  private mutating func write() throws {
    do {
      // Real numbers are written as Apple's tools write them, since most existing files come from those tools.
      let options = PlistWriteOptions(realStyle: .foundation, xml: .init(carriageReturns: .raw))
      let file = OutputFile(exact: URL(exactPath: path).path)
      if let original, fileExists {
        // The changes are applied to the current contents of the file; the rest of a text document keeps its layout.
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

  /// The argument `-` is a file name, since standard input contains the commands.
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

  /// Returns the shortest beginning of `path` that is a symbolic link, or nil.
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
