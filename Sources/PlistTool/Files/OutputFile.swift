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
  /// Whether a file is replaced though it is read-only.
  var isForced = false

  /// - Parameter argument: A path, or `-` for standard output.
  init(_ argument: String) { path = argument == "-" ? nil : argument }

  /// - Parameters:
  ///   - path: A path made of another; `-` is a name like any other.
  ///   - isForced: Whether the file is replaced though it is read-only.
  init(exact path: String, isForced: Bool = false) {
    self.path = path
    self.isForced = isForced
  }

  /// Writes a property list atomically.
  func write(_ value: PropertyList, format: PlistFormat, options: PlistWriteOptions) throws {
    try write(value.data(format: format, options: options))
  }

  /// Writes a property list atomically, and warns of XML that other parsers refuse.
  func write(_ value: PropertyList, format: OutputFormat, options: PlistWriteOptions) throws {
    let data = try value.data(format: format.format, options: options)
    try write(data)
    guard format == .xml, XMLCharacters.hasForbidden(data.bytes) else { return }
    var options = options
    options.xml.controlCharacters = .refuse
    var path: PropertyListPath?
    do { _ = try value.data(format: .xml, options: options) } catch { path = error.path }
    warnOfControlCharacters(at: path)
  }

  /// Warns of XML that other parsers refuse, and says how to prevent it.
  func warnOfControlCharacters(at path: PropertyListPath? = nil) {
    let location = path.map { $0.isRoot ? "" : " (at \($0))" } ?? ""
    let message = "text has control characters, which XML does not allow, so that other parsers refuse the document"
    let advice = "--control-characters refuse prevents it, --lossy drops them"
    Diagnostics.write("\(self.path ?? "<stdout>"): warning: \(message); \(advice)\(location)")
  }

  /// Writes a document atomically.
  func write(_ data: Data) throws {
    guard let replacement = try replacement() else { return try StandardOutput.write(data) }
    try replacement.write(data.bytes)
    try replacement.commit()
    report(replacement.losses)
  }

  /// Warns of what the new file does not have of the old one.
  func report(_ losses: [String]) {
    for loss in losses { Diagnostics.write("\(path ?? ""): warning: \(loss)") }
  }

  /// Begins to write a document piece by piece.
  ///
  /// - Parameters:
  ///   - isXML: Whether to warn of XML that other parsers refuse.
  ///   - progress: The progress bar for the bytes that were written, if any.
  /// - Returns: The sink for the bytes, which are put in place at the end.
  /// - Throws: `PlistError` if no file can be written there.
  func sink(isXML: Bool, progress: Progress?) throws -> OutputSink {
    OutputSink(to: try replacement(), for: self, isXML: isXML, progress: progress)
  }

  private func replacement() throws(PlistError) -> PlistFileReplacement? {
    guard let path else { return nil }
    let folder = AtomicFile.split(path).folder
    if makesFolders, !folder.isEmpty {
      do { try FileSystem.makeFolders(String(folder.dropLast())) } catch {
        throw PlistError(code: .unwritableFile, message: "cannot make the folder \(folder): \(error.message)")
      }
    }
    if !isForced { try Self.checkIsWritable(path) }
    Interruption.removeUnfinishedFiles()
    return try PlistFileReplacement(path: path)
  }

  /// Refuses a file that is read-only: to replace it needs no right to the file itself, so the system would not refuse.
  private static func checkIsWritable(_ path: String) throws(PlistError) {
    // If the system cannot report it, it refuses to write too.
    guard let isWritable = try? FileSystem.isWritable(path), !isWritable else { return }
    throw PlistError(code: .readOnlyFile, message: "the file is read-only; --force replaces it")
  }

  /// The path by which outputs are compared: without symbolic links, since those are followed, also to where nothing is
  /// yet.
  var resolvedPath: String? {
    guard let path else { return nil }
    let url = URL(exactPath: AtomicFile.resolvingLinks(path))
    return url.deletingLastPathComponent().resolvingSymlinksInPath().path + "/" + url.lastPathComponent
  }
}

extension PlistError.Code {
  /// A file that was to be replaced is read-only.
  static let readOnlyFile = Self("readOnlyFile", category: .io)
}

extension URL {
  /// The URL of a path as the system interprets it.
  ///
  /// A relative URL would drop `..` with the name before it, even if that is a symbolic link to another folder.
  init(exactPath path: String) {
    let folder = FileManager.default.currentDirectoryPath
    self.init(filePath: path.hasPrefix("/") ? path : "\(folder)/\(path)", directoryHint: .notDirectory)
  }
}
#endif
