/// libplist, which is measured only if the shared library is installed.
enum LibplistPeer {
  static let name = "libplist"

  static func reading(_ form: Form) -> Contestant? {
    Libplist.shared.map { library in
      Contestant(name, from: { $0[form] }, { try library.read($0, form) })
    }
  }

  /// Writes a tree that libplist itself has read.
  static func writing(_ form: Form) -> Contestant? {
    Libplist.shared.map { library in
      Contestant(name, from: { try library.read($0.binary, .binary) }, { try library.write($0, form) })
    }
  }
}
