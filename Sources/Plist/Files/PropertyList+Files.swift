#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension PropertyList {
  /// Reads the property list in a file, in any format that can be read.
  ///
  /// - Parameters:
  ///   - url: The file's URL.
  ///   - options: The limits, and what to do about duplicate keys. A file larger than ``PlistLimits/documentSize`` is
  ///     not read to its end.
  /// - Throws: ``PlistError``, of the category ``PlistError/Category/io`` where the file cannot be read.
  public init(contentsOf url: URL, options: PlistReadOptions = PlistReadOptions()) throws(PlistError) {
    try self.init(parsing: PlistFile(url, to: "read").read(limits: options.limits), options: options)
  }

  /// Writes this property list to a file, which is replaced whole or not at all.
  ///
  /// The bytes go to a temporary file beside it, which is synchronized to the disk and renamed. A symbolic link stays
  /// one, and a file that exists keeps its permissions and, where possible, its owner.
  ///
  /// - Parameters:
  ///   - url: The file's URL.
  ///   - format: The format.
  ///   - options: The order of keys, the form of real numbers, and the layout of OpenStep and JSON text.
  /// - Throws: ``PlistError``, of the category ``PlistError/Category/io`` where the file cannot be written; it is as it
  ///   was before then.
  public func write(to url: URL, format: PlistFormat, options: PlistWriteOptions = PlistWriteOptions()) throws {
    try PlistFile(url, to: "write").replace(with: data(format: format, options: options))
  }
}

/// A file by its URL, read and replaced whole.
struct PlistFile {
  let path: String

  /// Takes the path of `url`; `action` is what is about to be done, for the message where it is no file's.
  init(_ url: URL, to action: String) throws(PlistError) {
    guard url.isFileURL else {
      throw PlistError(
        code: action == "read" ? .unreadableFile : .unwritableFile,
        message: "cannot \(action) \(url.absoluteString): it is not the URL of a file")
    }
    path = url.path
  }

  func read(limits: PlistLimits) throws(PlistError) -> Data {
    do {
      let file = try FileDescriptor(path: path, for: .reading)
      if let buffer = try file.readAll(limit: limits.documentSize) { return buffer.data() }
    } catch {
      throw PlistError(code: .unreadableFile, message: "cannot read \(path): \(error.message)")
    }
    throw PlistError(
      code: .documentSizeLimit, message: "\(path) has more than \(limits.documentSize) bytes, the limit",
      offset: limits.documentSize)
  }

  /// The file's bytes, mapped into memory where it is a regular file.
  func map(limits: PlistLimits) throws(PlistError) -> Data {
    guard let file = try? MappedFile(path: path) else { return try read(limits: limits) }
    return file.data
  }

  func replace(with data: Data) throws(PlistError) {
    let file = try PlistFileReplacement(path: path)
    try file.write(data.bytes)
    try file.commit()
  }
}
