#if CommandLineTool
import ArgumentParser
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct InputFile: Sendable {
  /// The path of the file, or nil for standard input.
  let path: String?
  /// The path relative to the folder argument, or nil if the file itself is an argument.
  let pathInFolder: String?

  /// Creates an input file from an argument, where `-` means standard input.
  init(_ argument: String) {
    path = argument == "-" ? nil : argument
    pathInFolder = nil
  }

  /// Creates an input file with this exact path, even if it is `-`.
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

  func contents() throws(PlistError) -> Data { try Self.contents(of: open()) }

  /// Reads the rest of a file into memory, or throws if it has more bytes than the library's default limit.
  static func contents(of file: FileDescriptor) throws(PlistError) -> Data {
    let limit = PlistLimits().readByteCount
    let data = try reading { () throws(SystemFailure) in try file.contents(limit: limit) }
    if let data { return data }
    throw tooLarge
  }

  static var tooLarge: PlistError {
    let limit = PlistLimits().readByteCount
    return PlistError(code: .documentSizeLimit, message: "the file has more bytes than the limit of \(limit)")
  }

  /// The bytes of a property list, for commands that only read it.
  struct Bytes {
    var data: Data
    var isMapped = false
    /// A note for the user about how the bytes were found.
    var note: PlistError?

    /// Extracts the property list from a signed document.
    init(_ data: Data, isMapped: Bool = false) throws(PlistError) {
      (self.data, self.isMapped) = (data, isMapped)
      guard SignedMessage.begins(data) else { return }
      self.data = try SignedMessage.content(of: data)
      note = PlistError(code: .unverifiedSignature, message: "the file is signed; its signature was not checked")
    }
  }

  /// Returns the whole input, for commands that only read it.
  ///
  /// A regular file of at least `mappedSize` bytes is mapped, and so is a file too large for memory if it begins like a
  /// property list.
  func bytes(mappedFrom mappedSize: Int = .max) throws(PlistError) -> Bytes {
    let file = try open()
    if let data = try Self.mapped(file, from: mappedSize) { return try Bytes(data, isMapped: true) }
    return try Bytes(Self.contents(of: file))
  }

  /// Returns the whole input, and prints any note about it to standard error.
  func bytesWithNote(mappedFrom mappedSize: Int = .max) throws(PlistError) -> Bytes {
    let bytes = try bytes(mappedFrom: mappedSize)
    if let note = bytes.note { Diagnostics.write(Diagnostic(note, in: name).text) }
    return bytes
  }

  private static func mapped(_ file: FileDescriptor, from mappedSize: Int) throws(PlistError) -> Data? {
    guard let size = file.remainingCount, size >= min(mappedSize, PlistLimits().readByteCount + 1) else {
      return nil
    }
    let mapping = try reading { () throws(SystemFailure) in try MappedFile.ifPossible(file) }
    guard let data = mapping?.data, data.count == size else { return nil }
    if size > PlistLimits().readByteCount, PlistFormat(detecting: data.prefix(64)) == nil { return nil }
    return data
  }

  func propertyList(options: PlistReadOptions = PlistReadOptions()) throws(PlistError) -> PropertyList {
    try PropertyList(parsing: bytesWithNote().data, options: options)
  }

  /// Parses the file; a large one is mapped instead of being copied into memory.
  func document(options: PlistReadOptions = PlistReadOptions()) throws(PlistError) -> PlistDocument {
    var options = options
    let bytes = try bytesWithNote(mappedFrom: Self.mappedSize)
    options.limits.isMapped = bytes.isMapped
    let document = try PlistDocument(parsing: bytes.data, options: options)
    try document.checkText()
    return document
  }

  /// Files of at least this many bytes are mapped.
  private static let mappedSize = 1 << 20

  /// Converts a system error to `unreadableFile`.
  static func reading<Result>(_ body: () throws(SystemFailure) -> Result) throws(PlistError) -> Result {
    do { return try body() } catch {
      throw PlistError(code: .unreadableFile, message: error.message)
    }
  }
}

extension PlistError.Code {
  /// The note that a signed document's signature was not checked.
  static let unverifiedSignature = Self("unverifiedSignature", category: .data)
}
#endif
