#if !os(Windows) && !os(WASI)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#else
import Darwin
#endif

package struct FolderEntry: Sendable {
  package enum Kind: Sendable {
    case file, folder, link, other
  }

  package let name: String
  package let kind: Kind
}

extension FileSystem {
  /// Returns the entries of a folder other than `.` and `..`, sorted by the bytes of their names.
  package static func entries(ofFolder path: String) throws(SystemFailure) -> [FolderEntry] {
    guard let folder = unsafe opendir(SystemPath.bytes(path)) else { throw .last }
    defer { unsafe closedir(folder) }
    var entries: [FolderEntry] = []
    while true {
      // `readdir` returns nil both at the end and after a failure; only `errno` tells them apart.
      errno = 0
      guard let entry = unsafe readdir(folder) else { break }
      // Sound: the entry and its zero-terminated name are valid until the next call to `readdir` for this folder.
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        unsafe tuple.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: tuple.pointee)) {
          unsafe SystemPath.string(Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))))
        }
      }
      if name == "." || name == ".." { continue }
      let kind = unsafe kind(entry.pointee.d_type) ?? kind(of: path.hasSuffix("/") ? path + name : "\(path)/\(name)")
      entries.append(FolderEntry(name: name, kind: kind))
    }
    guard errno == 0 else { throw .last }
    return sorted(entries)
  }

  private static func sorted(_ entries: [FolderEntry]) -> [FolderEntry] {
    // Most names differ in their first eight bytes, so those are compared first, as a single number.
    var order = entries.enumerated().map { (start: $1.name.firstBytes, index: $0) }
    order.sort {
      $0.start == $1.start ? entries[$0.index].name.hasBytesBefore(entries[$1.index].name) : $0.start < $1.start
    }
    return order.map { entries[$0.index] }
  }

  /// Returns the kind of an entry, or nil if the file system does not report it.
  private static func kind(_ type: UInt8) -> FolderEntry.Kind? {
    switch Int(type) {
    case Int(DT_REG): .file
    case Int(DT_DIR): .folder
    case Int(DT_LNK): .link
    case Int(DT_UNKNOWN): nil
    default: .other
    }
  }

  private static func kind(of path: String) -> FolderEntry.Kind {
    if linkTarget(of: path) != nil { return .link }
    guard let status = try? status(of: path) else { return .other }
    return status.isFolder ? .folder : status.isRegular ? .file : .other
  }

  static func makeFolder(_ path: String) throws(SystemFailure) {
    // Sound: the path is zero-terminated and valid during the call.
    guard unsafe mkdir(SystemPath.bytes(path), 0o777) == 0 || errno == EEXIST else { throw .last }
  }
}

extension FileSystem {
  package static var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}
#endif
