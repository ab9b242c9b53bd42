#if !os(Windows) && !os(WASI)
extension FileSystem {
  package static func makeFolders(_ path: String) throws(SystemFailure) {
    var missing: [String] = []
    var folder = path
    while !folder.isEmpty, try status(of: folder) == nil {
      missing.append(folder)
      let parent = AtomicFile.split(folder).folder
      folder = String(parent.dropLast(parent.count > 1 ? 1 : 0))
    }
    for folder in missing.reversed() { try makeFolder(folder) }
  }
}
#endif
