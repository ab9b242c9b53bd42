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

/// libplist's functions, found at run time so that the package needs neither its headers nor the library.
///
/// The unsafe code is sound if the library is libplist. It is looked up under the names of versions 2.0 to 2.7, whose
/// functions take the same parameters. The newer versions return an error code and the older ones nothing; a C caller
/// may ignore the code, and a null result indicates a failure just as well. The library is never unloaded, so the
/// pointers stay valid. Each tree and each text belongs to one `Owned` object, which frees it once.
@safe
struct Libplist: Sendable {
  private typealias ReadFunction =
    @convention(c) (UnsafePointer<CChar>?, UInt32, UnsafeMutablePointer<UnsafeMutableRawPointer?>) -> Void
  private typealias WriteFunction =
    @convention(c) (
      UnsafeMutableRawPointer?, UnsafeMutablePointer<UnsafeMutableRawPointer?>, UnsafeMutablePointer<UInt32>
    ) -> Void
  fileprivate typealias FreeFunction = @convention(c) (UnsafeMutableRawPointer?) -> Void

  /// The name the library was found under.
  let path: String
  private let fromXML: ReadFunction
  private let fromBinary: ReadFunction
  private let toXML: WriteFunction
  private let toBinary: WriteFunction
  private let freeTree: FreeFunction
  private let freeText: FreeFunction

  /// The library, or nil if it is not installed.
  static let shared = Libplist()

  /// The names to look for, newest first.
  private static let names = [
    "libplist-2.0.so.4", "libplist-2.0.so.3", "libplist.so.4", "libplist.so.3", "libplist-2.0.4.dylib",
    "libplist-2.0.3.dylib", "/opt/homebrew/lib/libplist-2.0.dylib", "/usr/local/lib/libplist-2.0.dylib",
  ]

  private init?() {
    for name in Self.names {
      guard let library = unsafe dlopen(name, RTLD_NOW | RTLD_LOCAL) else { continue }
      // `plist_mem_free` frees text since 2.3. Before that, each writer had its own function for this, all of which
      // call `free`.
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
  /// A failure without a reason, since libplist doesn't give any.
  struct Failure: Error {}

  /// Memory that libplist has allocated.
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
