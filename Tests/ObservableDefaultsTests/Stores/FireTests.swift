import Foundation
import ObservableDefaults
import Plist
import Testing

@Suite(.serialized)
struct FireTests {
  private static let isThorough = ProcessInfo.processInfo.environment["PLIST_THOROUGH"] == "1"
  private static let kinds = ["save", "xml", "update", "reference", "withLock", "shared", "flush", "removal", "value"]

  let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private struct Expectation {
    var values: [String: Int?] = [:]
    var total = 0

    mutating func acknowledge(_ lines: [String], prefix: String, isRemoving: Bool) {
      for line in lines {
        if line == "total" {
          total += 1
        } else if line.hasPrefix("-") {
          values[String(line.dropFirst())] = .some(nil)
        } else {
          values[line] = Int(line.dropFirst(prefix.count))
        }
      }
      if isRemoving, let last = lines.last { values.removeValue(forKey: last) }
    }

    func lost(in contents: PropertyListDictionary) -> [String] {
      var lost = values.filter { contents[$0.key]?.int != $0.value }.map(\.key)
      if (contents["total"]?.int ?? 0) < total { lost.append("total") }
      return lost
    }
  }

  @Test func killedWritersLoseNothing() async throws {
    // The writers run until they are killed. On a busy concurrency pool that could take long, hence the thread.
    try await onThread { [self] in try killWriters() }
  }

  private func killWriters() throws {
    let rounds = Self.isThorough ? 300 : 6
    var (kills, acknowledged, next) = (0, 0, 0)
    var expectation = Expectation()
    for round in 0..<rounds {
      if round % 10 == 0 { expectation = Expectation() }
      let file = folder.file("settings-\(round / 10).plist")
      var writers: [(probe: Probe, kind: String, prefix: String, file: URL)] = []
      for writer in 0..<(round % 3 == 0 ? 4 : 3) {
        let (kind, prefix) = (Self.kinds[next % Self.kinds.count], "\(round).\(writer).")
        next += 1
        let own = kind == "value" ? folder.file("value-\(round)-\(writer).plist") : file
        writers.append((try Probe("fire", kind, own.path, prefix), kind, prefix, own))
      }
      for writer in writers {
        if Int.random(in: 0..<8) > 0 { #expect(eventually { !writer.probe.lines.isEmpty }) }
        usleep(.random(in: 0...30_000))
        writer.probe.kill()
        #expect(writer.probe.status() == 128 + SIGKILL)
        kills += 1
      }
      for writer in writers {
        let lines = writer.probe.lines
        acknowledged += lines.count
        if writer.kind == "value" {
          let stored = lines.isEmpty ? 0 : try PropertyList(contentsOf: writer.file).int ?? -1
          #expect(stored >= lines.last.flatMap { Int($0) } ?? 0)
        } else {
          expectation.acknowledge(lines, prefix: writer.prefix, isRemoving: writer.kind == "removal")
        }
      }
      if FileManager.default.fileExists(atPath: file.path) {
        let contents = try folder.contents(file.lastPathComponent)
        #expect(expectation.lost(in: contents) == [])
      }
      try PropertyListFileStore(url: file).save(PropertyList(round), for: "last")
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
      #expect(names.filter { $0.contains(file.lastPathComponent) }.count == 2, "\(names)")
      #expect(!names.contains { $0.contains(".corrupt") })
    }
    #expect(kills == rounds / 3 * 10)
    #expect(acknowledged > kills)
    if Self.isThorough { print("fire: \(rounds) rounds, \(kills) kills, \(acknowledged) acknowledged writes") }
  }

  private func expectFullDisk(_ probe: Probe, _ file: URL) async throws {
    #expect(await probe.status() == 0)
    let lines = probe.lines
    #expect(lines.count == 3 && lines.first == "unwritableFile" && lines.last == "after", "\(lines)")
    let contents = try #require(try PropertyList(contentsOf: file).dictionary)
    #expect(contents["text"]?.string?.utf8.count == Int(lines[1]) && contents["after"] == "small")
    let names = try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path).sorted()
    #expect(names == [".\(file.lastPathComponent).lock", file.lastPathComponent])
  }

  @Test func aFileThatMayNotGrowKeepsItsContents() async throws {
    try await expectFullDisk(Probe("fill", folder.file().path, "20000"), folder.file())
  }

  #if os(Linux)
  @Test(.enabled(if: isThorough && getuid() == 0)) func aFullDiskKeepsTheFile() async throws {
    let disk = folder.file("disk")
    try FileManager.default.createDirectory(at: disk, withIntermediateDirectories: false)
    let mount = try Probe(
      URL(filePath: "/bin/mount"), ["-t", "tmpfs", "-o", "size=256k", "tmpfs", disk.path])
    // In some containers not even the superuser may mount a disk; then there is nothing to test.
    guard await mount.status() == 0 else { return }
    let probe = try Probe("fill", disk.appending(path: "settings.plist").path)
    do { try await expectFullDisk(probe, disk.appending(path: "settings.plist")) } catch { Issue.record(error) }
    let unmount = try Probe(URL(filePath: "/bin/umount"), [disk.path])
    #expect(await unmount.status() == 0)
  }
  #endif

  @Test func aFolderThatIsReadOnlyKeepsTheFile() async throws {
    try PropertyListFileStore(url: folder.file()).save(1, for: "count")
    let manager = FileManager.default
    try manager.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder.file().path)
    try manager.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.url.path)
    defer { try? manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.url.path) }
    let before = try Data(contentsOf: folder.file())
    for _ in 0..<2 {
      let probe = try Probe("trespass", folder.file().path)
      #expect(await probe.status() == 0)
      #expect(probe.lines == ["1", "unwritableFile", "unwritableFile"])
      #expect(try Data(contentsOf: folder.file()) == before)
      try manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.url.path)
      try? manager.removeItem(at: folder.file(".settings.plist.lock"))
      try manager.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.url.path)
    }
  }

  @Test(arguments: [PlistFormat.binary, .xml]) func damagedFilesAreLeftAlone(_ format: PlistFormat) throws {
    let list: PropertyList = ["count": 5, "name": "somebody", "tags": ["a", "b"]]
    let good = try list.data(format: format)
    let step = Self.isThorough ? 1 : 9
    var damaged = stride(from: 1, to: good.count, by: step).map { good.prefix($0) }
    for index in stride(from: 0, to: good.count, by: step) {
      var bytes = good
      bytes[index] ^= UInt8.random(in: 1...255)
      damaged.append(bytes)
    }
    var refused = 0
    for (number, bytes) in damaged.enumerated() {
      let file = folder.file("\(number).plist")
      try bytes.write(to: file)
      let store = PropertyListFileStore(url: file)
      do {
        _ = try store.load("count")
      } catch {
        refused += 1
        #expect((error as? DefaultsError)?.code == .corruptFile)
        #expect(throws: DefaultsError.self) { try store.save(1, for: "count") }
        #expect(try Data(contentsOf: file) == bytes)
        try store.discardUnreadableFile()
        #expect(try Data(contentsOf: folder.file("\(number).plist.corrupt")) == bytes)
      }
      for name in try folder.names() { try FileManager.default.removeItem(at: folder.file(name)) }
    }
    #expect(refused > damaged.count / 3)
  }

  @Test func aStoppedProcessGivesAnError() async throws {
    try PropertyListFileStore(url: folder.file()).save(1, for: "count")
    let holder = try Probe("hold", folder.file().path)
    #expect(await eventually { holder.lines == ["holding"] })
    holder.stop()
    let store = PropertyListFileStore(url: folder.file())
    let start = ContinuousClock.now
    // The save waits ten seconds for the lock, so keep it off the concurrency pool.
    let error = await #expect(throws: DefaultsError.self) { try await onThread { try store.save(2, for: "count") } }
    #expect(error?.code == .lockedFile)
    #expect(ContinuousClock.now - start >= .seconds(9))
    #expect(try store.load("count") == 1)
    holder.kill()
    #expect(await holder.status() == 128 + SIGKILL)
    try store.save(3, for: "count")
    #expect(try folder.contents() == ["count": 3])
  }
}
