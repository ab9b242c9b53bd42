#if CommandLineTool
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct OutputFile: Sendable {
  /// The path is nil for standard output.
  let path: String?
  var makesFolders = false
  /// Whether a read-only file is replaced.
  var isForced = false

  /// The argument `-` stands for standard output.
  init(_ argument: String) { path = argument == "-" ? nil : argument }

  /// The path `-` is a file name here, and does not stand for standard output.
  init(exact path: String, isForced: Bool = false) {
    self.path = path
    self.isForced = isForced
  }

  func write(_ value: PropertyList, format: PlistFormat, options: PlistWriteOptions) throws {
    try write(value.data(format: format, options: options))
  }

  /// The file is written atomically; a warning reports characters in XML that other parsers reject.
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

  /// The file is written atomically.
  func write(_ data: Data) throws {
    guard let replacement = try replacement() else { return try StandardOutput.write(data) }
    try replacement.write(data.bytes)
    try replacement.commit()
    report(replacement.losses)
  }

  /// Replacing a file can lose attributes of the old file; a warning reports each loss.
  func report(_ losses: [String]) {
    for loss in losses { Diagnostics.write("\(path ?? ""): warning: \(loss)") }
  }

  /// Committing the sink puts the file in place.
  ///
  /// If `isXML` is true, control characters that other parsers reject cause a warning.
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

  /// The system allows the replacement of a read-only file, since a replacement needs no permission for the file
  /// itself.
  private static func checkIsWritable(_ path: String) throws(PlistError) {
    // If the file's permission cannot be determined, no error is thrown here, since writing the file will fail.
    guard let isWritable = try? FileSystem.isWritable(path), !isWritable else { return }
    throw PlistError(code: .readOnlyFile, message: "the file is read-only; to replace it, use --force")
  }

  /// All symbolic links are resolved, even if their target does not exist yet, so that outputs can be compared.
  var resolvedPath: String? {
    guard let path else { return nil }
    let url = URL(exactPath: AtomicFile.resolvingLinks(path))
    return url.deletingLastPathComponent().resolvingSymlinksInPath().path + "/" + url.lastPathComponent
  }
}

extension PlistError.Code {
  static let readOnlyFile = Self("readOnlyFile", category: .io)
}

extension URL {
  /// A relative URL would remove `..` and the name before `..`, even if this name is a symbolic link to another folder.
  init(exactPath path: String) {
    let folder = FileManager.default.currentDirectoryPath
    self.init(filePath: path.hasPrefix("/") ? path : "\(folder)/\(path)", directoryHint: .notDirectory)
  }
}
#endif
