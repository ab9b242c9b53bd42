@_exported public import SwiftWASILibc

// What the overlay adds: C functions with a variable number of arguments, and macros that Swift does not import.
public var errno: Int32 {
  get { 0 }
  set {}
}
public func open(_ path: UnsafePointer<CChar>, _ oflag: Int32) -> Int32 { -1 }
public func open(_ path: UnsafePointer<CChar>, _ oflag: Int32, _ mode: mode_t) -> Int32 { -1 }
public var S_IFMT: mode_t { 0o170000 }
public var S_IFDIR: mode_t { 0o040000 }
public var S_IFREG: mode_t { 0o100000 }
