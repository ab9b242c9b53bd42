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
  /// The path relative to the folder argument that contains the file, or nil if the file itself is an argument.
  let pathInFolder: String?

  /// - Parameter argument: A path, or `-` for standard input.
  init(_ argument: String) {
    path = argument == "-" ? nil : argument
    pathInFolder = nil
  }

  /// - Parameter path: A path derived from another path; `-` is a file name, not standard input.
  init(exact path: String) {
    self.path = path
    pathInFolder = nil
  }

  /// Creates an input for a file that was found in a folder.
  init(found path: String, as pathInFolder: String) {
    self.path = path
    self.pathInFolder = pathInFolder
  }

  /// The name in messages.
  var name: String { path ?? "<stdin>" }

  /// Throws an error for invalid file arguments.
  static func checkNames(_ arguments: [String]) throws {
    if arguments.contains("") { throw ValidationError("A file name must not be empty.") }
    if arguments.count(where: { $0 == "-" }) > 1 { throw ValidationError("Standard input (-) can be read only once.") }
  }

  /// Opens the file.
  ///
  /// - Throws: `PlistError` with the system's reason, without the file's name.
  func open() throws(PlistError) -> FileDescriptor {
    if path == nil, FileDescriptor.standardInput.isTerminal {
      Diagnostics.write(
        "plist-tool reads standard input from the terminal; press Ctrl-D to end the input, or use --help.")
    }
    return try Self.reading { () throws(SystemFailure) in
      try path.map { path throws(SystemFailure) in try FileDescriptor(path: path, for: .reading) } ?? .standardInput
    }
  }

  /// Returns all bytes of the file.
  ///
  /// - Throws: `PlistError` with the system's reason, without the file's name.
  func contents() throws(PlistError) -> Data {
    let file = try open()
    return try Self.reading { () throws(SystemFailure) in try file.contents(limit: .max) ?? Data() }
  }

  /// Returns all bytes of the file; a regular file is mapped into memory.
  private func mapped() throws(PlistError) -> Data {
    guard let path, let file = try? MappedFile(path: path) else { return try contents() }
    return file.data
  }

  /// Returns the property list in the file.
  func propertyList(options: PlistReadOptions = PlistReadOptions()) throws(PlistError) -> PropertyList {
    try PropertyList(parsing: contents(), options: options)
  }

  /// Returns the property list in the file as a document; a large file is mapped into memory, not copied.
  func document(options: PlistReadOptions = PlistReadOptions()) throws(PlistError) -> PlistDocument {
    let size = path.flatMap { try? FileSystem.status(of: $0)?.size } ?? 0
    return try PlistDocument(parsing: size >= Self.mappedSize ? mapped() : contents(), options: options)
  }

  /// The size in bytes from which a file is mapped for looking up values.
  private static let mappedSize = 1 << 20

  /// Calls `body`, and reports a failure of the system as an unreadable file.
  static func reading<Result>(_ body: () throws(SystemFailure) -> Result) throws(PlistError) -> Result {
    do { return try body() } catch {
      throw PlistError(code: .unreadableFile, message: error.message)
    }
  }
}
#endif
