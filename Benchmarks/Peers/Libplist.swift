import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#else
import Darwin
#endif

/// The functions of libplist, found at run time so that the package needs neither libplist's headers nor the library.
///
/// The unsafe code is sound if the library is libplist. The code searches for the library under its names in versions
/// 2.0 to 2.7, in which the functions have the same parameters. In the older of the versions 2.0 to 2.7, libplist's
/// functions return nothing; in the newer of these versions, the functions return an error code. The benchmark ignores
/// libplist's error code, since a null result also indicates a failure. In the C calling convention, the caller can
/// ignore a return value. The program never unloads the library, so the pointers stay valid. Each tree and each text
/// belongs to one `Owned` object, which frees the memory once.
@safe
struct Libplist: Sendable {
  private typealias ReadFunction =
    @convention(c) (UnsafePointer<CChar>?, UInt32, UnsafeMutablePointer<UnsafeMutableRawPointer?>) -> Void
  private typealias WriteFunction =
    @convention(c) (
      UnsafeMutableRawPointer?, UnsafeMutablePointer<UnsafeMutableRawPointer?>, UnsafeMutablePointer<UInt32>
    ) -> Void
  fileprivate typealias FreeFunction = @convention(c) (UnsafeMutableRawPointer?) -> Void

  /// The name under which the library was found.
  let path: String
  private let fromXML: ReadFunction
  private let fromBinary: ReadFunction
  private let toXML: WriteFunction
  private let toBinary: WriteFunction
  private let freeTree: FreeFunction
  private let freeText: FreeFunction

  /// The functions of libplist, or nil if libplist is not installed.
  static let shared = Libplist()

  /// The names under which the code searches for the library, newest first.
  private static let names = [
    "libplist-2.0.so.4", "libplist-2.0.so.3", "libplist.so.4", "libplist.so.3", "libplist-2.0.4.dylib",
    "libplist-2.0.3.dylib", "/opt/homebrew/lib/libplist-2.0.dylib", "/usr/local/lib/libplist-2.0.dylib",
  ]

  private init?() {
    for name in Self.names {
      guard let library = unsafe dlopen(name, RTLD_NOW | RTLD_LOCAL) else { continue }
      // libplist 2.3 added the function `plist_mem_free`, which frees text. In earlier versions of libplist, each
      // writer has a function of its own to free its text; these functions call `free`.
      guard let fromXML = unsafe dlsym(library, "plist_from_xml"),
        let fromBinary = unsafe dlsym(library, "plist_from_bin"), let toXML = unsafe dlsym(library, "plist_to_xml"),
        let toBinary = unsafe dlsym(library, "plist_to_bin"), let freeTree = unsafe dlsym(library, "plist_free"),
        let freeText = unsafe dlsym(library, "plist_mem_free") ?? dlsym(library, "plist_to_xml_free")
      else { continue }
      path = name
      unsafe self.fromXML = unsafeBitCast(fromXML, to: ReadFunction.self)
      unsafe self.fromBinary = unsafeBitCast(fromBinary, to: ReadFunction.self)
      unsafe self.toXML = unsafeBitCast(toXML, to: WriteFunction.self)
      unsafe self.toBinary = unsafeBitCast(toBinary, to: WriteFunction.self)
      unsafe self.freeTree = unsafeBitCast(freeTree, to: FreeFunction.self)
      unsafe self.freeText = unsafeBitCast(freeText, to: FreeFunction.self)
      return
    }
    return nil
  }
}

extension Libplist {
  /// A failure of libplist, which reports no reason for its errors.
  struct Failure: Error {}

  /// A block of memory that libplist allocated.
  @safe
  final class Owned {
    fileprivate let pointer: UnsafeMutableRawPointer
    private let free: FreeFunction

    fileprivate init(_ pointer: UnsafeMutableRawPointer?, free: FreeFunction) throws {
      guard let pointer = unsafe pointer else { throw Failure() }
      unsafe self.pointer = unsafe pointer
      unsafe self.free = free
    }

    deinit { unsafe free(pointer) }
  }

  func read(_ data: Data, _ form: Form) throws -> Owned {
    guard let size = UInt32(exactly: data.count) else { throw Failure() }
    var tree: UnsafeMutableRawPointer?
    let parse = unsafe form == .xml ? fromXML : fromBinary
    unsafe data.withUnsafeBytes { bytes in
      unsafe parse(bytes.assumingMemoryBound(to: CChar.self).baseAddress, size, &tree)
    }
    return unsafe try Owned(tree, free: freeTree)
  }

  func write(_ tree: Owned, _ form: Form) throws -> Owned {
    var text: UnsafeMutableRawPointer?
    var size: UInt32 = 0
    let write = unsafe form == .xml ? toXML : toBinary
    unsafe write(tree.pointer, &text, &size)
    return unsafe try Owned(text, free: freeText)
  }
}
