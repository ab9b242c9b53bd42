#if CommandLineTool
import ChildProcesses
import Foundation
import Plist
import Testing

@Suite("plist-tool table on very many files")
struct TableRunTests {
  private static let isThorough = ProcessInfo.processInfo.environment["PLIST_THOROUGH"] == "1"
  private let folder: Workspace

  init() throws { folder = try Workspace() }

  private struct Row: Decodable, Equatable {
    var file: String
    var n: Int?
    var error: String?
  }

  private func rows(_ text: String) throws -> [Row] {
    try text.split(separator: "\n").map { try JSONDecoder().decode(Row.self, from: Data($0.utf8)) }
  }

  /// Makes files, every hundredth of them broken in a different way, and returns their names.
  private func makeFiles(_ count: Int) throws -> [String] {
    try FileManager.default.createDirectory(at: folder.file("files"), withIntermediateDirectories: true)
    let formats: [PlistFormat] = [.xml, .binary, .json]
    return try (0..<count).map { number in
      let name = "files/\(number).plist"
      let value: PropertyList = [
        "n": .integer(PropertyListInteger(number)), "text": .string(String(repeating: "x", count: number % 97)),
      ]
      var data = try value.data(format: formats[number % 3])
      guard number % 100 == 7 else {
        try data.write(to: folder.file(name))
        return name
      }
      switch number / 100 % 9 {
      case 0: data = data.prefix(data.count / 2)
      case 1: data = Data([0xFE, 0xFF]) + data
      case 2: data = Data()
      case 3: data = Data("<plist><dict><key>n</key><integer>x</integer></dict></plist>".utf8)
      case 4: return name  // It is not there, as if somebody had renamed it.
      case 5:
        _ = FileManager.default.createFile(atPath: folder.file(name).path, contents: nil)
        let file = try FileHandle(forWritingTo: folder.file(name))
        try file.truncate(atOffset: 1 << 36)
        return name
      case 6:
        _ = unsafe mkfifo(folder.file(name).path, 0o600)
        return name
      case 7:
        try FileManager.default.createSymbolicLink(
          at: folder.file(name), withDestinationURL: URL(filePath: "/dev/zero"))
        return name
      default:
        try FileManager.default.createDirectory(at: folder.file(name), withIntermediateDirectories: true)
        return name
      }
      try data.write(to: folder.file(name))
      return name
    }
  }

  private func check(_ rows: [Row], _ names: [String], sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(rows.map(\.file) == names, sourceLocation: sourceLocation)
    for (number, row) in rows.enumerated() {
      let isGood = number % 100 != 7
      #expect(row.n == (isGood ? number : nil), sourceLocation: sourceLocation)
      #expect((row.error == nil) == isGood, "\(row.file): \(row.error ?? "no error")", sourceLocation: sourceLocation)
    }
  }

  @Test("Every good file has its row, and every broken one its error")
  func brokenFiles() async throws {
    let names = try makeFiles(1800)
    try folder.write(names.joined(separator: "\n"), to: "names")
    for jobs in ["1", "4"] {
      let result = try await folder.run("table", "-c", "n", "--files-from", "names", "--jobs", jobs, "--errors", "bad")
      #expect(result.status == 2)
      #expect(result.stderr == "plist-tool: 18 of 1800 files have errors, which the table shows\n")
      check(try rows(result.stdoutText), names)
      let errors = try folder.text("bad").split(separator: "\n")
      #expect(errors.count == 18)
    }
    // In a folder, only regular files are looked for, and nothing is expected to be there.
    let result = try await folder.run("table", "-c", "n", "files")
    #expect(try rows(result.stdoutText).count { $0.error == nil } == 1782)
    #expect(try rows(result.stdoutText).count { $0.error != nil } == 10)
  }

  @Test("A disk that is full ends the work of all threads with an error")
  func fullDisk() async throws {
    for number in 0..<300 { try folder.write("{\"n\": \(number)}", to: "\(number).plist") }
    let result = try await folder.shell(
      "for i in 1 2 3 4 5 6 7 8; do $TOOL table -c n --jobs 4 *.plist > /dev/full; echo $?; done")
    #expect(result.stdoutText == String(repeating: "2\n", count: 8))
    #expect(result.stderr == String(repeating: "<stdout>: error: No space left on device\n", count: 8))
  }

  @Test("Threads whose files are large and have much output do not wait for each other for ever")
  func largeFiles() async throws {
    let text =
      "{\"n\": [\(Array(repeating: "\"\(String(repeating: "y", count: 60))\"", count: 70_000).joined(separator: ","))]}"
    try folder.write(text, to: "0.plist")
    for number in 1..<40 {
      try FileManager.default.linkItem(at: folder.file("0.plist"), to: folder.file("\(number).plist"))
    }
    let result = try await folder.shell(
      "$TOOL table -c n --jobs 4 *.plist | wc -l; $TOOL table --all --jobs 4 *.plist | wc -l")
    #expect(result.stdoutText == "40\n40\n" && result.stderr.isEmpty)
  }

  @Test("Files that are renamed and shortened during the run are errors, and end nothing")
  func changingFiles() async throws {
    let names = (0..<400).map { "\($0).plist" }
    for (number, name) in names.enumerated() { try folder.write("{\"n\": \(number)}", to: name) }
    let script = """
      mkfifo names
      $TOOL table -c n --files-from names > out & tool=$!
      exec 3> names
      seq 0 199 | sed s/$/.plist/ >&3
      while [ "$(wc -l < out)" -lt 100 ]; do sleep 0.01; done
      mv 300.plist moved; : > 301.plist
      seq 200 399 | sed s/$/.plist/ >&3
      exec 3>&-
      wait $tool; echo $?
      """
    let result = try await folder.shell(script)
    #expect(
      result == ToolResult(stdout: "2\n", stderr: "plist-tool: 2 of 400 files have errors, which the table shows\n"))
    let rows = try rows(folder.text("out"))
    #expect(rows.map(\.file) == names)
    #expect(rows.filter { $0.error != nil }.map(\.file) == ["300.plist", "301.plist"])
    #expect(rows.filter { $0.error == nil }.allSatisfy { "\($0.n ?? -1).plist" == $0.file })
  }

  @Test("A pipe that the user names is read, and one in a list is not waited for")
  func pipes() async throws {
    let script = """
      mkfifo a.plist; echo '{"n": 5}' > a.plist & $TOOL table -c n a.plist
      echo a.plist | $TOOL table -c n --files-from - 2> /dev/null; $TOOL table -c n --include 'a.*' . 2> /dev/null
      """
    let result = try await folder.shell(script)
    let rows = try rows(result.stdoutText)
    #expect(rows.map(\.file) == ["a.plist", "a.plist", "."])
    #expect(rows.map(\.n) == [5, nil, nil])
    #expect(rows.map { $0.error == nil } == [true, false, false])
  }

  @Test("A killed run goes on where its state says, and the output is that of a run without an end")
  func killed() async throws {
    let names = try makeFiles(900)
    // The same files over and over, so that a run takes long enough to be killed in the middle.
    let repeats = Self.isThorough ? 20 : 10
    try folder.write(Array(repeating: names.joined(separator: "\n") + "\n", count: repeats).joined(), to: "names")
    let options = ["table", "-c", "n", "--files-from", "names", "--format", "csv", "-o"]
    let rounds = Self.isThorough ? 200 : 4
    let whole = try ChildProcess(
      ToolExecutable.url, options + ["whole", "--errors", "whole-errors"], in: folder.url,
      errors: folder.file("whole-log"))
    #expect(await whole.wait() == 2)
    // The signals are spread over the time a run takes, which the test finds out as it goes; the first come before any
    // run has ended.
    var longest = 20_000.0
    var kills = 0
    var continued = 0
    for round in 0..<rounds {
      for name in ["out", "errors", "state"] { try? FileManager.default.removeItem(at: folder.file(name)) }
      var status: Int32 = 137
      while status == 137 {
        let child = try ChildProcess(
          ToolExecutable.url,
          options + ["out", "--errors", "errors", "--resume", "state", "--jobs", round % 2 == 0 ? "3" : "1"],
          in: folder.url, errors: folder.file("log"))
        // The shell that changes the folder becomes the tool, which therefore gets the signal itself.
        if kills == 0 || Double.random(in: 0..<1) < 0.8 {
          usleep(UInt32(longest * Double.random(in: 0..<1)))
          child.kill()
        }
        status = await child.wait()
        longest *= status == 137 ? 1.3 : 0.8
        if status == 137 {
          kills += 1
          if let state = try? PropertyList(contentsOf: folder.file("state")), state["place"]?["count"]?.int ?? 0 > 0 {
            continued += 1
          }
        }
      }
      #expect(status == 2)
      #expect(try folder.data("out") == folder.data("whole"))
      #expect(try folder.data("errors") == folder.data("whole-errors"))
      let log = try folder.text("log")
      #expect(log == (try folder.text("whole-log")))
    }
    #expect(kills > 0)
    if Self.isThorough { #expect(continued > 0) }
    // A finished run has nothing left to do, and says the same.
    let again = try await folder.shell(
      "rm names; $TOOL \(options.joined(separator: " ")) out --errors errors --resume state; echo $?")
    #expect(again.stdoutText == "2\n")
    #expect(try folder.data("out") == folder.data("whole"))
  }

  @Test("A run that waits for names is killed, and goes on with the same list")
  func resumedList() async throws {
    for number in 0..<200 { try folder.write("{\"n\": \(number)}", to: "\(number)") }
    // Rows come in parts of 16 files, and the state is saved with the first of them after a quarter of a second.
    let script = """
      mkfifo names
      $TOOL table -c n --files-from names -o out --resume state --jobs 2 & tool=$!
      exec 3> names
      seq 0 99 >&3
      until [ "$(cat out 2> /dev/null | wc -l)" -ge 96 ]; do sleep 0.01; done
      sleep 0.3; seq 100 149 >&3
      count() { sed -n '/<key>count/{n;s/[^0-9]//g;p;}' state; }
      until [ "$(count)" -gt 0 ]; do sleep 0.01; done
      kill -9 $tool; wait $tool 2> /dev/null
      exec 3>&-
      count
      printf 'and a part of a ro' >> out
      $TOOL table -c n --files-from names -o out --resume state --jobs 2 & tool=$!
      seq 0 199 > names; wait $tool; echo $?
      """
    let result = try await folder.shell(script)
    let lines = result.stdoutText.split(separator: "\n").map { Int($0) ?? -1 }
    #expect(lines.count == 2)
    #expect(lines.first.map { 1...150 ~= $0 } == true, "\(result)")
    #expect(lines.last == 0)
    let rows = try rows(folder.text("out"))
    #expect(rows.map(\.file) == (0..<200).map(String.init))
    #expect(rows.map(\.n) == Array(0..<200))
  }

  /// Writes the state of a run that was killed after some files.
  private func interrupt(after place: [String: PropertyList], rowBytes: Int) throws {
    var state = try PropertyList(contentsOf: folder.file("state"))
    try state.set(false, at: "isComplete")
    try state.set(.integer(PropertyListInteger(rowBytes)), at: "rowBytes")
    for (key, value) in place { try state.set(value, at: PropertyListPath(components: ["place", key])) }
    try state.write(to: folder.file("state"), format: .xml)
  }

  @Test("In folders, a run goes on with the files whose names come later")
  func resumedFolders() async throws {
    for path in ["d/a", "d/a.b", "e"] {
      try FileManager.default.createDirectory(at: folder.file(path), withIntermediateDirectories: true)
    }
    let files = ["d/a/x.plist", "d/a/y.plist", "d/a.b/z.plist", "d/a.plist", "d/b.plist", "e/c.plist"]
    for (number, file) in files.enumerated() { try folder.write("{\"n\": \(number)}", to: file) }
    let command = "$TOOL table -c n -o out --resume state d e d/b.plist"
    #expect(try await folder.shell(command) == ToolResult())
    let all = try folder.text("out")
    let lines = all.split(separator: "\n", omittingEmptySubsequences: true).map { "\($0)\n" }
    #expect(try rows(all).map(\.file) == files + ["d/b.plist"])
    let places: [(Int, String?)] = [
      (0, "a/x.plist"), (0, "a/y.plist"), (0, "a.b/z.plist"), (0, "a.plist"), (0, "b.plist"), (1, "c.plist"), (2, nil),
    ]
    for (done, (argument, path)) in places.enumerated() {
      var place: [String: PropertyList] = [
        "count": .integer(PropertyListInteger(done + 1)), "argument": .integer(PropertyListInteger(argument)),
      ]
      if let path { place["pathInFolder"] = .string(path) }
      var state = try PropertyList(contentsOf: folder.file("state"))
      if state["place"]?["pathInFolder"] != nil { try state.remove(at: "place.pathInFolder") }
      try state.write(to: folder.file("state"), format: .xml)
      try interrupt(after: place, rowBytes: lines[...done].joined().utf8.count)
      #expect(try await folder.shell(command) == ToolResult())
      #expect(try folder.text("out") == all, "after \(done + 1) files")
    }
  }

  @Test("A run does not go on with another list, other options, a shorter output, or beside itself")
  func refusals() async throws {
    for number in 0..<3 { try folder.write("{\"n\": \(number)}", to: "\(number)") }
    try folder.write("0\n1\n2\n", to: "names")
    let command = "$TOOL table -c n --files-from names -o out --resume state"
    #expect(try await folder.shell(command) == ToolResult())
    let all = try folder.text("out")
    func refusal(_ script: String) async throws -> String {
      let result = try await folder.shell(script)
      #expect(result.status != 0)
      return result.stderr
    }
    #expect(try await refusal(command + " -c m").contains("other options"))
    try interrupt(after: ["count": 2], rowBytes: 10)
    #expect(try await refusal(command).contains("not those of the interrupted run"))
    try interrupt(after: ["count": 3], rowBytes: 10_000)
    #expect(try await refusal(command).contains("shorter"))
    #expect(try await refusal("rm out; \(command)").contains("shorter"))
    try folder.write("text", to: "state")
    #expect(try await refusal(command).contains("not a progress file"))
    #expect(
      try await refusal("rm state; mkfifo pipe; $TOOL table -c n --files-from names -o pipe --resume state").contains(
        "regular"))
    try folder.write("old", to: "out")
    #expect(try await folder.shell("rm -f state; \(command)") == ToolResult())
    #expect(try folder.text("out") == all)
    #expect(
      try await refusal(
        """
        rm state out; mkfifo list; exec 3<> list; c='$TOOL table -c n --files-from list -o out --resume state'
        eval exec $c & until [ -e out ]; do sleep 0.01; done; eval $c; status=$?; kill -9 $!; exit $status
        """
      ).contains("another process"))
  }

  @Test("Many files take no more memory than few", .enabled(if: FileManager.default.fileExists(atPath: "/proc")))
  func memory() async throws {
    try folder.write("{\"n\": 1, \"text\": \"\(String(repeating: "x", count: 2000))\"}", to: "file")
    let script = """
      peak() {
        mkfifo $1.names; $TOOL table -c n -c text --files-from $1.names --jobs 2 > $1.out & tool=$!
        exec 3> $1.names; yes file | head -n $1 >&3
        until [ "$(wc -l < $1.out)" -ge $(($1 - 16)) ]; do sleep 0.01; done
        sed -n 's/VmHWM: *//p' /proc/$tool/status | tr -cd '0-9\\n'; exec 3>&-; wait $tool
      }
      peak 320; peak 32000
      """
    let result = try await folder.shell(script)
    let peaks = result.stdoutText.split(separator: "\n").compactMap { Int($0) }
    try #require(peaks.count == 2, "\(result)")
    #expect(peaks[1] < 100_000, "KiB")
    #expect(peaks[1] - peaks[0] < 20_000, "KiB")
  }

  @Test("Python's json and csv and sqlite3 read what plistlib reads")
  func comparedWithPython() async throws {
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/python3") else { return }
    let script = Workspace.fixture("../Tests/Peers/check-tables.py").path
    let count = Self.isThorough ? 10_000 : 400
    let result = try await folder.shell("python3 '\(script)' $TOOL \(count) \(UInt32.random(in: 0...UInt32.max))")
    #expect(result.status == 0, "\(result)")
    #expect(result.stdoutText.hasPrefix("\(count) documents"))
  }
}
#endif
