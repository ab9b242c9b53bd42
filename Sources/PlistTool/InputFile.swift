#if CommandLineTool
import ArgumentParser
import Foundation
import Plist

/// A file to read, or standard input.
struct InputFile {
  /// The path as given, or nil for standard input.
  let path: String?

  /// - Parameter argument: A path, or `-` for standard input.
  init(_ argument: String) { path = argument == "-" ? nil : argument }

  /// How messages call it.
  var name: String { path ?? "<stdin>" }

  /// The files that arguments name; standard input when there are none.
  static func inputs(named arguments: [String]) -> [InputFile] {
    arguments.isEmpty ? [InputFile("-")] : arguments.map(InputFile.init)
  }

  /// Refuses arguments that cannot be meant.
  static func checkNames(_ arguments: [String]) throws {
    if arguments.contains("") { throw ValidationError("A file name must not be empty.") }
    if arguments.count(where: { $0 == "-" }) > 1 { throw ValidationError("Standard input (-) can be read only once.") }
  }

  /// All the bytes.
  ///
  /// - Throws: `PlistError` with the system's reason, without the name.
  func contents() throws(PlistError) -> Data { try InputChunks(self).whole() }

  /// The property list in it.
  func propertyList() throws(PlistError) -> PropertyList {
    try PropertyList(parsing: contents())
  }
}

extension URL {
  /// The URL of a path as the system understands it: a relative URL would drop `..` with the name before it, even where
  /// that is a symbolic link to elsewhere.
  init(exactPath path: String) {
    let folder = FileManager.default.currentDirectoryPath
    self.init(filePath: path.hasPrefix("/") ? path : "\(folder)/\(path)", directoryHint: .notDirectory)
  }
}
#endif
