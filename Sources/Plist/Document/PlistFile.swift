#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct PlistFile {
  let path: String

  /// Takes the path of `url`, or throws if it is not a file URL; `action` is the verb for the error message, such as
  /// `read`.
  init(_ url: URL, to action: String) throws(PlistError) {
    guard url.isFileURL else {
      throw PlistError(
        code: action == "read" ? .unreadableFile : .unwritableFile,
        message: "cannot \(action) \(url.absoluteString): it is not the URL of a file")
    }
    path = url.path
  }

  func open() throws(PlistError) -> FileDescriptor {
    do { return try FileDescriptor(path: path, for: .reading) } catch {
      throw PlistError(reading: path, error)
    }
  }

  /// Reads the file, or maps it if it's a regular file and the options request that; `options` is updated if it was
  /// mapped.
  func read(_ options: inout PlistReadOptions) throws(PlistError) -> Data { try read(open(), &options) }

  /// Reads from a descriptor that is already open, because opening a named pipe twice would lose bytes.
  func read(_ file: FileDescriptor, _ options: inout PlistReadOptions) throws(PlistError) -> Data {
    let limit = options.limits.readByteCount
    do {
      if options.fileAccess == .mapped, let mapping = try MappedFile.ifPossible(file) {
        options.limits.isMapped = true
        return mapping.data
      }
      if let data = try file.contents(limit: limit) { return data }
    } catch {
      throw PlistError(reading: path, error)
    }
    throw tooLarge(options.limits)
  }

  func tooLarge(_ limits: PlistLimits) -> PlistError {
    PlistError(
      code: .documentSizeLimit, message: "\(path) has more bytes than the limit of \(limits.readByteCount)",
      offset: limits.readByteCount)
  }

  func replace(with data: Data) throws(PlistError) {
    let file = try PlistFileReplacement(path: path)
    try file.write(data.bytes)
    try file.commit()
  }
}
