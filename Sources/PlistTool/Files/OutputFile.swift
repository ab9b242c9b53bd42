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
  /// Whether missing folders on the path are created.
  var makesFolders = false
  /// Whether a read-only file is replaced.
  var isForced = false

  /// - Parameter argument: A path, or `-` for standard output.
  init(_ argument: String) { path = argument == "-" ? nil : argument }

  /// - Parameters:
  ///   - path: A path derived from another path; `-` is a file name, not standard output.
  ///   - isForced: Whether a read-only file is replaced.
  init(exact path: String, isForced: Bool = false) {
    self.path = path
    self.isForced = isForced
  }

  /// Writes a property list atomically.
  func write(_ value: PropertyList, format: PlistFormat, options: PlistWriteOptions) throws {
    try write(value.data(format: format, options: options))
  }

  /// Writes a property list atomically, and warns if the XML contains characters that other parsers reject.
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

  /// Warns that other parsers reject control characters in the XML, and names the option that prevents such output.
  func warnOfControlCharacters(at path: PropertyListPath? = nil) {
    let location = path.map { $0.isRoot ? "" : " (at \($0))" } ?? ""
    let message = "text has control characters, which XML does not allow, so that other parsers refuse the document"
    let advice = "with --control-characters refuse such text is an error, and with --lossy the characters are removed"
    Diagnostics.write("\(self.path ?? "<stdout>"): warning: \(message); \(advice)\(location)")
  }

  /// Writes a document atomically.
  func write(_ data: Data) throws {
    guard let replacement = try replacement() else { return try StandardOutput.write(data) }
    try replacement.write(data.bytes)
    try replacement.commit()
    report(replacement.losses)
  }

  /// Warns of file attributes that the new file lost in the replacement.
  func report(_ losses: [String]) {
    for loss in losses { Diagnostics.write("\(path ?? ""): warning: \(loss)") }
  }

  /// Begins to write a document piece by piece.
  ///
  /// - Parameters:
  ///   - isXML: Whether to warn of control characters in XML, which other parsers reject.
  ///   - progress: The progress bar for the bytes written, or nil.
  /// - Returns: The sink for the bytes; committing the sink puts the file in place.
  /// - Throws: `PlistError` if the file cannot be created.
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

  /// Throws an error for a read-only file; the system would allow the replacement, which needs no permission for the
  /// file itself.
  private static func checkIsWritable(_ path: String) throws(PlistError) {
    // If the file's permission cannot be determined, no error is thrown here, since writing the file will fail.
    guard let isWritable = try? FileSystem.isWritable(path), !isWritable else { return }
    throw PlistError(code: .readOnlyFile, message: "the file is read-only; to replace it, use --force")
  }

  /// The path with all symbolic links resolved, even if their target does not exist yet; it is used to compare outputs.
  var resolvedPath: String? {
    guard let path else { return nil }
    let url = URL(exactPath: AtomicFile.resolvingLinks(path))
    return url.deletingLastPathComponent().resolvingSymlinksInPath().path + "/" + url.lastPathComponent
  }
}

extension PlistError.Code {
  /// The file to replace is read-only.
  static let readOnlyFile = Self("readOnlyFile", category: .io)
}

extension URL {
  /// The URL of a path as the system interprets it.
  ///
  /// A relative URL would remove `..` together with the name before it, even if this name is a symbolic link to another
  /// folder.
  init(exactPath path: String) {
    let folder = FileManager.default.currentDirectoryPath
    self.init(filePath: path.hasPrefix("/") ? path : "\(folder)/\(path)", directoryHint: .notDirectory)
  }
}
#endif
