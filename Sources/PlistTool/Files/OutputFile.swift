#if CommandLineTool
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A file to write, or standard output.
struct OutputFile: Sendable {
  /// The path, or nil for standard output.
  let path: String?
  /// Whether folders that are missing on the way are made.
  var makesFolders = false

  /// - Parameter argument: A path, or `-` for standard output.
  init(_ argument: String) { path = argument == "-" ? nil : argument }

  /// - Parameter path: A path made of another; `-` is a name like any other.
  init(exact path: String) { self.path = path }

  /// Writes a property list, whole or not at all.
  func write(_ value: PropertyList, format: PlistFormat, options: PlistWriteOptions) throws {
    try write(value.data(format: format, options: options))
  }

  /// Writes a document, whole or not at all.
  func write(_ data: Data) throws {
    guard let replacement = try replacement() else { return try StandardOutput.write(data) }
    try replacement.write(data.bytes)
    try replacement.commit()
  }

  /// Begins to write a document piece by piece.
  ///
  /// - Parameter progress: What is told about the bytes that were written, if anything.
  /// - Returns: What takes the bytes, to be put in place at the end.
  /// - Throws: `PlistError` where no file can be written there.
  func sink(progress: Progress?) throws -> OutputSink {
    OutputSink(to: try replacement(), progress: progress)
  }

  private func replacement() throws(PlistError) -> PlistFileReplacement? {
    guard let path else { return nil }
    let folder = AtomicFile.split(path).folder
    if makesFolders, !folder.isEmpty {
      do { try FileSystem.makeFolders(String(folder.dropLast())) } catch {
        throw PlistError(code: .unwritableFile, message: "cannot make the folder \(folder): \(error.message)")
      }
    }
    return try PlistFileReplacement(path: path)
  }

  /// The path by which outputs are compared: without symbolic links, since those are followed, also to where nothing is
  /// yet.
  var resolvedPath: String? {
    guard let path else { return nil }
    let url = URL(exactPath: AtomicFile.resolvingLinks(path))
    return url.deletingLastPathComponent().resolvingSymlinksInPath().path + "/" + url.lastPathComponent
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
