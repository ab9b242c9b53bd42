#if CommandLineTool
import ArgumentParser
import Foundation
import Plist

/// A file that PlistBuddy works on, with the changes since it was last saved.
struct BuddySession {
  private let path: String
  /// Whether values are printed as XML.
  let isXML: Bool
  private let followsLinks: Bool
  /// The value as it is now.
  var root: PropertyList = [:]
  /// The format of the file, which is kept.
  private var format = PlistFormat.xml
  /// Whether there are changes that are not saved.
  var isChanged = false

  /// Reads the file at `path`, or begins a new one.
  ///
  /// - Throws: `ExitCode` where it cannot be read, after a message.
  init(_ path: String, isXML: Bool, followsLinks: Bool) throws {
    (self.path, self.isXML, self.followsLinks) = (path, isXML, followsLinks)
    try load()
  }

  /// Runs commands one after the other, whether or not one fails, and saves.
  ///
  /// - Throws: `ExitCode` where a command failed or the file could not be written, after the messages.
  mutating func run(_ commands: [String]) throws {
    var isGood = true
    for command in commands {
      guard let goesOn = try attempt(command) else {
        isGood = false
        continue
      }
      // Exit ends, but what was done is kept: only in a dialogue does it mean to give up the changes.
      if !goesOn { break }
    }
    if isChanged { try save() }
    if !isGood { throw ExitCode.failure }
  }

  /// Asks for commands until there are no more; changes that were not saved are lost.
  ///
  /// - Throws: `ExitCode` where a command failed, after the messages.
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

  /// Runs a command.
  ///
  /// - Returns: Whether others may follow, or nil where it failed and the message is written.
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

/// The file.
extension BuddySession {
  /// Reads the file, whose changes are lost; what does not exist is an empty dictionary.
  mutating func load() throws {
    isChanged = false
    if !followsLinks, let link = Self.symbolicLink(in: path) {
      Diagnostics.write("Error Opening File: \(link) [Too many levels of symbolic links]")
      throw try readingFailed()
    }
    guard FileManager.default.fileExists(atPath: path) else {
      try StandardOutput.write("File Doesn't Exist, Will Create: \(path)\n")
      (root, format) = ([:], .xml)
      return
    }
    do {
      let data = try Self.contents(of: path)
      (root, format) = (try PropertyList(parsing: data), PlistFormat(detecting: data) ?? .xml)
    } catch {
      Diagnostics.write(Self.text(of: error, path))
      throw try readingFailed()
    }
  }

  /// Writes the file, whole or not at all.
  ///
  /// - Throws: `ExitCode`, after a message.
  mutating func save() throws {
    do {
      // As Apple's tools write real numbers, since they wrote most of the files there are.
      try root.write(to: URL(exactPath: path), format: format, options: PlistWriteOptions(realStyle: .foundation))
      isChanged = false
    } catch let error as PlistError {
      Diagnostics.write(error.description)
      Diagnostics.write("Error Writing File: \(path)")
      throw ExitCode.failure
    }
  }

  /// All the bytes of a file; `-` is a name like any other, since standard input has the commands.
  static func contents(of path: String) throws(PlistError) -> Data {
    try InputFile(path == "-" ? "./-" : path).contents()
  }

  /// What is wrong with a file.
  static func text(of error: PlistError, _ path: String) -> String {
    error.category == .io ? "Error Opening File: \(path) [\(error.message)]" : "\(path): \(error)"
  }

  private func readingFailed() throws -> ExitCode {
    try StandardOutput.write("Error Reading File: \(path)\n")
    return .failure
  }

  /// The first part of `path` that is a symbolic link.
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
