import Foundation
import ObservableDefaults
import Plist
import Testing

/// Removing a store's file: with its last value, or because it is unreadable.
struct RemovalTests {
  let folder: TestFolder
  private let valid: PropertyList = ["count": 1]

  init() throws { folder = try TestFolder() }

  /// Runs `body` while the folder is read-only, on a thread without superuser rights.
  ///
  /// The superuser could change the folder all the same.
  private func withReadOnlyFolder(_ body: @escaping @Sendable () -> Void) throws {
    // The thread's user owns the folder, and so can still change its permissions. Sound: the paths are valid during the
    // calls.
    let user: uid_t = 54321
    let path = folder.url.path
    if geteuid() == 0 {
      for path in [path] + (try FileManager.default.subpathsOfDirectory(atPath: path).map { "\(path)/\($0)" }) {
        let status = unsafe chown(path, user, user)
        #expect(status == 0)
      }
    }
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: path)
    defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path) }
    onThreads(1) { _ in
      // On Linux, only this thread gives up its rights.
      if geteuid() == 0 { Self.setFileSystemUser(user) }
      defer { if geteuid() == 0 { Self.setFileSystemUser(0) } }
      body()
    }
  }

  private static func setFileSystemUser(_ user: uid_t) {
    #if os(Linux)
    // Swift does not import `setfsuid`. Sound: `Function` is the type given in the manual page.
    typealias Function = @convention(c) (uid_t) -> Int32
    let function = unsafe dlsym(nil, "setfsuid").map { unsafe unsafeBitCast($0, to: Function.self) }
    _ = function?(user)
    #endif
  }

  private static var canBeRefused: Bool {
    #if os(Linux)
    true
    #else
    geteuid() != 0
    #endif
  }

  @Test(.enabled(if: canBeRefused)) func aFailedRemovalIsAnError() throws {
    let url = folder.file()
    @Shared(.fileStorage(url, saving: .immediately)) var count = 1
    count = 2
    let reference = $count
    let codes = Recorder<DefaultsError.Code?>()
    try withReadOnlyFolder {
      reference.reset()
      codes.record((reference.error as? DefaultsError)?.code)
    }
    #expect(codes.events == [.unwritableFile])
    #expect(try PropertyList(contentsOf: url) == 2)
    reference.reset()
    #expect(reference.error == nil)
    #expect(try folder.names() == [])
  }

  @Test func aRemovedFileCountsAsRemoved() throws {
    @Shared(.fileStorage(folder.file(), saving: .immediately)) var count = 1
    count = 2
    try FileManager.default.removeItem(at: folder.file())
    $count.reset()
    #expect($count.error == nil)
    #expect(count == 1)
  }

  @Test func discardingKeepsAFolder() throws {
    try FileManager.default.createDirectory(at: folder.file(), withIntermediateDirectories: true)
    try valid.write(to: folder.file("settings.plist/other.plist"), format: .xml)
    let store = PropertyListFileStore(url: folder.file())
    let error = #expect(throws: DefaultsError.self) { try store.discardUnreadableFile() }
    #expect(error?.code == .unreadableFile)
    #expect(try folder.contents("settings.plist/other.plist") == valid.dictionary)
  }

  @Test(.enabled(if: canBeRefused)) func discardingKeepsAFileThatCannotBeOpened() throws {
    let url = folder.file()
    // Released at once, so that the next store does not use its cache.
    try PropertyListFileStore(url: url).save(1, for: "count")
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: url.path)
    let (path, codes) = (folder.url.path, Recorder<DefaultsError.Code?>())
    try withReadOnlyFolder {
      let status = unsafe chmod(path, 0o755)
      #expect(status == 0)
      do { try PropertyListFileStore(url: url).discardUnreadableFile() } catch {
        codes.record((error as? DefaultsError)?.code)
      }
    }
    #expect(codes.events == [.unreadableFile])
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
    #expect(try folder.contents() == valid.dictionary)
  }

  @Test func discardingNeedsACopy() throws {
    try Data("damaged".utf8).write(to: folder.file())
    // Every name that a copy could have is taken, so the store cannot make one.
    for number in 1...1000 {
      try Data().write(to: folder.file("settings.plist.corrupt\(number == 1 ? "" : "-\(number)")"))
    }
    let store = PropertyListFileStore(url: folder.file())
    let error = #expect(throws: DefaultsError.self) { try store.discardUnreadableFile() }
    #expect(error?.code == .unwritableFile)
    #expect(error?.message.contains("copy") == true)
    #expect(try String(contentsOf: folder.file(), encoding: .utf8) == "damaged")
    try FileManager.default.removeItem(at: folder.file("settings.plist.corrupt-7"))
    try store.discardUnreadableFile()
    #expect(try String(contentsOf: folder.file("settings.plist.corrupt-7"), encoding: .utf8) == "damaged")
    #expect(try store.load("count") == nil)
  }
}
