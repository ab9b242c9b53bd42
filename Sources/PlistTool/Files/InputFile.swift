#if CommandLineTool
import ArgumentParser
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A file to read, or standard input.
struct InputFile: Sendable {
  /// The path, or nil for standard input.
  let path: String?
  /// The path below the folder that was given, if one was.
  let pathInFolder: String?

  /// - Parameter argument: A path, or `-` for standard input.
  init(_ argument: String) {
    path = argument == "-" ? nil : argument
    pathInFolder = nil
  }

  /// - Parameter path: A path made of another; `-` is a name like any other.
  init(exact path: String) {
    self.path = path
    pathInFolder = nil
  }

  /// A file that was found in a folder.
  init(found path: String, as pathInFolder: String) {
    self.path = path
    self.pathInFolder = pathInFolder
  }

  /// The name in messages.
  var name: String { path ?? "<stdin>" }

  /// Refuses arguments that cannot be meant.
  static func checkNames(_ arguments: [String]) throws {
    if arguments.contains("") { throw ValidationError("A file name must not be empty.") }
    if arguments.count(where: { $0 == "-" }) > 1 { throw ValidationError("Standard input (-) can be read only once.") }
  }

  /// Opens the file.
  ///
  /// - Throws: `PlistError` with the system's reason, without the name.
  func open() throws(PlistError) -> FileDescriptor {
    if path == nil, FileDescriptor.standardInput.isTerminal {
      Diagnostics.write("plist-tool reads standard input from the terminal; Ctrl-D ends it, and --help shows more.")
    }
    return try Self.reading { () throws(SystemFailure) in
      try path.map { path throws(SystemFailure) in try FileDescriptor(path: path, for: .reading) } ?? .standardInput
    }
  }

  /// All the bytes.
  ///
  /// - Throws: `PlistError` with the system's reason, without the name.
  func contents() throws(PlistError) -> Data {
    let file = try open()
    return try Self.reading { () throws(SystemFailure) in try file.contents(limit: .max) ?? Data() }
  }

  /// All the bytes, mapped into memory where they are in a regular file.
  private func mapped() throws(PlistError) -> Data {
    guard let path, let file = try? MappedFile(path: path) else { return try contents() }
    return file.data
  }

  /// The property list in it.
  func propertyList(options: PlistReadOptions = PlistReadOptions()) throws(PlistError) -> PropertyList {
    try PropertyList(parsing: contents(), options: options)
  }

  /// The property list in it; a large file is mapped, not copied.
  func document(options: PlistReadOptions = PlistReadOptions()) throws(PlistError) -> PlistDocument {
    let size = path.flatMap { try? FileSystem.status(of: $0)?.size } ?? 0
    return try PlistDocument(parsing: size >= Self.mappedSize ? mapped() : contents(), options: options)
  }

  /// Files of at least so many bytes are mapped to look values up in them.
  private static let mappedSize = 1 << 20

  /// Calls `body`, and says of what the system refuses that the file cannot be read.
  static func reading<Result>(_ body: () throws(SystemFailure) -> Result) throws(PlistError) -> Result {
    do { return try body() } catch {
      throw PlistError(code: .unreadableFile, message: error.message)
    }
  }
}
#endif
