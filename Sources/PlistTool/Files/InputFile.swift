#if CommandLineTool
import ArgumentParser
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct InputFile: Sendable {
  /// The path of the input file, or nil for standard input.
  let path: String?
  /// The path relative to the folder argument that contains the file, or nil if the file itself is an argument.
  let pathInFolder: String?

  /// Creates an input file; the argument `-` stands for standard input.
  init(_ argument: String) {
    path = argument == "-" ? nil : argument
    pathInFolder = nil
  }

  /// Treats the path `-` as a file name, not as standard input.
  init(exact path: String) {
    self.path = path
    pathInFolder = nil
  }

  init(found path: String, as pathInFolder: String) {
    self.path = path
    self.pathInFolder = pathInFolder
  }

  var name: String { path ?? "<stdin>" }

  static func checkNames(_ arguments: [String]) throws {
    if arguments.contains("") { throw ValidationError("A file name must not be empty.") }
    if arguments.count(where: { $0 == "-" }) > 1 { throw ValidationError("Standard input (-) can be read only once.") }
  }

  func open() throws(PlistError) -> FileDescriptor {
    if path == nil, FileDescriptor.standardInput.isTerminal {
      Diagnostics.write(
        "plist-tool reads standard input from the terminal; press Ctrl-D to end the input, or use --help.")
    }
    return try Self.reading { () throws(SystemFailure) in
      try path.map { path throws(SystemFailure) in try FileDescriptor(path: path, for: .reading) } ?? .standardInput
    }
  }

  func contents() throws(PlistError) -> Data {
    let file = try open()
    return try Self.reading { () throws(SystemFailure) in try file.contents(limit: .max) ?? Data() }
  }

  /// Returns the contents of the file; a regular file is mapped into memory.
  private func mapped() throws(PlistError) -> Data {
    guard let path, let file = try? MappedFile(path: path) else { return try contents() }
    return file.data
  }

  func propertyList(options: PlistReadOptions = PlistReadOptions()) throws(PlistError) -> PropertyList {
    try PropertyList(parsing: contents(), options: options)
  }

  /// Parses the file; a large file is mapped into memory instead of being copied.
  func document(options: PlistReadOptions = PlistReadOptions()) throws(PlistError) -> PlistDocument {
    let size = path.flatMap { try? FileSystem.status(of: $0)?.size } ?? 0
    let document = try PlistDocument(parsing: size >= Self.mappedSize ? mapped() : contents(), options: options)
    try document.checkText()
    return document
  }

  /// The minimum size, in bytes, of a file that the tool maps into memory.
  private static let mappedSize = 1 << 20

  /// Converts a system error into an error with the code `unreadableFile`.
  static func reading<Result>(_ body: () throws(SystemFailure) -> Result) throws(PlistError) -> Result {
    do { return try body() } catch {
      throw PlistError(code: .unreadableFile, message: error.message)
    }
  }
}
#endif
