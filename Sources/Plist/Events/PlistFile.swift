#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct PlistFile {
  let path: String

  /// Throws an error if the URL is not a file URL; the error message contains the verb `action`, such as `read`.
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

  /// Reads the file; if the options request mapping, a regular file is mapped instead.
  func read(_ options: PlistReadOptions) throws(PlistError) -> Data { try read(open(), options) }

  /// Reads the file from an open descriptor, because a named pipe loses its bytes if the pipe is opened twice.
  func read(_ file: FileDescriptor, _ options: PlistReadOptions) throws(PlistError) -> Data {
    let limits = options.limits
    // System files, such as the files in `/proc`, have the size 0 but can contain bytes.
    if options.fileAccess == .mapped, let mapping = try? MappedFile(file), mapping.count > 0 {
      guard mapping.count <= limits.maximumByteCount else { throw tooLarge(limits) }
      return mapping.data
    }
    do {
      if let data = try file.contents(limit: limits.maximumByteCount) { return data }
    } catch {
      throw PlistError(reading: path, error)
    }
    throw tooLarge(limits)
  }

  func tooLarge(_ limits: PlistLimits) -> PlistError {
    PlistError(
      code: .documentSizeLimit, message: "\(path) has more bytes than the limit of \(limits.maximumByteCount)",
      offset: limits.maximumByteCount)
  }

  func replace(with data: Data) throws(PlistError) {
    let file = try PlistFileReplacement(path: path)
    try file.write(data.bytes)
    try file.commit()
  }
}
