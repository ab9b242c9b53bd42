#if CommandLineTool
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct OutputFile: Sendable {
  /// The path of the file, or nil for standard output.
  let path: String?
  var makesFolders = false
  /// Whether to replace a read-only file, or nil if the command has no `--force`.
  var isForced: Bool?
  /// Whether it is an error if the file exists.
  var mustBeNew = false

  /// The name in messages.
  var name: String { path ?? "<stdout>" }

  /// Creates an output file from an argument, where `-` means standard output.
  init(_ argument: String, isForced: Bool? = nil) {
    path = argument == "-" ? nil : argument
    self.isForced = isForced
  }

  /// Creates an output file with this exact path, even if it is `-`.
  init(exact path: String, isForced: Bool? = nil) {
    self.path = path
    self.isForced = isForced
  }

  func write(_ value: PropertyList, format: PlistFormat, options: PlistWriteOptions) throws {
    try write(value.data(format: format, options: options))
  }

  /// Writes a property list atomically, and warns about characters that other XML parsers reject.
  ///
  /// `complete` can change the bytes before they are written.
  func write(
    _ value: PropertyList, format: OutputFormat, options: PlistWriteOptions,
    complete: (inout Data) throws -> Void = { _ in }
  ) throws {
    var data: Data
    do { data = try value.data(format: format.format, options: options) } catch { throw error.namingLossy }
    try complete(&data)
    try write(data)
    guard format == .xml, XMLCharacters.hasForbidden(data.bytes) else { return }
    var options = options
    options.xml.controlCharacters = .refuse
    var path: PropertyListPath?
    do { _ = try value.data(format: .xml, options: options) } catch { path = error.path }
    warnOfControlCharacters(at: path)
  }

  /// Writes an edited document atomically, and warns if the edit has added characters that other XML parsers reject.
  ///
  /// For UTF-16, where many bytes look like control characters, there is no warning.
  func write(_ data: Data, editing original: Data, advises: Bool = false) throws {
    try write(data)
    guard PlistFormat(detecting: data) == .xml, !XMLCharacters.hasForbidden(original.bytes),
      XMLCharacters.hasForbidden(data.bytes)
    else { return }
    warnOfControlCharacters(advises: advises)
  }

  /// Warns about control characters that other XML parsers reject; with `advises`, names the options that remove or
  /// refuse them.
  func warnOfControlCharacters(at path: PropertyListPath? = nil, advises: Bool = true) {
    let location = path?.messageSuffix(isWhole: true) ?? ""
    let message = "the text contains control characters, which XML does not allow, so other parsers reject the document"
    let advice =
      advises ? "; to remove the control characters, use --lossy; to refuse them, use --control-characters refuse" : ""
    Diagnostics.write("\(name): warning: \(message)\(advice)\(location)")
  }

  func write(_ data: Data) throws {
    guard let replacement = try replacement() else { return try StandardOutput.write(data) }
    try replacement.write(data.bytes)
    if mustBeNew {
      guard try replacement.commitIfNew() else { throw PlistError.existingFile }
    } else {
      try replacement.commit()
    }
    report(replacement.losses)
  }

  /// Warns about each file attribute that was lost when the file was replaced.
  func report(_ losses: [String]) {
    for loss in losses { Diagnostics.write("\(path ?? ""): warning: \(loss)") }
  }

  /// Returns a sink that replaces the file when it is committed; for XML, it warns about control characters.
  func sink(isXML: Bool, progress: Progress?) throws -> OutputSink {
    OutputSink(to: try replacement(), for: self, isXML: isXML, progress: progress)
  }

  private func replacement() throws(PlistError) -> PlistFileReplacement? {
    guard let path else { return nil }
    let folder = AtomicFile.split(path).folder
    if makesFolders, !folder.isEmpty {
      do { try FileSystem.makeFolders(String(folder.dropLast())) } catch {
        throw PlistError(code: .unwritableFile, message: "cannot create the folder \(folder): \(error.message)")
      }
    }
    if isForced != true, try isOrdinary() { try checkIsWritable(path) }
    Interruption.removeUnfinishedFiles()
    return try PlistFileReplacement(path: path)
  }

  /// Whether the path names a file itself rather than a descriptor that is already open.
  func isOrdinary() throws(PlistError) -> Bool {
    guard let path else { return false }
    do { return try DescriptorPath.descriptor(of: path) == nil } catch {
      throw PlistError(code: .unwritableFile, message: "cannot write \(path): \(error.message)")
    }
  }

  /// Throws an error if the file is read-only, although the system would let us replace it.
  private func checkIsWritable(_ path: String) throws(PlistError) {
    // If the permissions cannot be read, writing the file will report why.
    guard let isWritable = try? FileSystem.isWritable(path), !isWritable else { return }
    let quoted = "'\(path.replacing("'", with: #"'\''"#))'"
    let advice = isForced == nil ? "first make it writable: chmod u+w \(quoted)" : "use --force"
    throw PlistError(code: .readOnlyFile, message: "the file is read-only; to replace it, \(advice)")
  }

  /// The path with all symbolic links resolved, even dangling ones.
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
  /// Creates an absolute URL, because a relative one resolves `..` incorrectly after a symbolic link to a folder.
  init(exactPath path: String) {
    let folder = FileManager.default.currentDirectoryPath
    self.init(filePath: path.hasPrefix("/") ? path : "\(folder)/\(path)", directoryHint: .notDirectory)
  }
}

extension PlistError {
  /// The same error, with a message that names the option `--lossy` if that would help.
  var namingLossy: PlistError {
    guard code == .unrepresentableValue else { return self }
    let text = message.replacing("allow lossy conversion to", with: "--lossy converts it to")
    return PlistError(code: code, message: text, format: format, path: path)
  }
}
#endif
