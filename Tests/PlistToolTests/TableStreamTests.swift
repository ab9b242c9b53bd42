#if CommandLineTool
import Foundation
import Testing

@Suite("plist-tool table on archives and streams of documents")
struct TableStreamTests {
  private let folder: Workspace

  init() throws { folder = try Workspace() }

  private static let hasPython = FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")
  private static let long = "folder/" + String(repeating: "long-name-", count: 20) + ".plist"

  @Test(
    "The members of every kind of tar archive", .enabled(if: hasPython), arguments: ["USTAR", "PAX", "GNU"])
  func members(format: String) async throws {
    let names =
      format == "USTAR" ? ["a.plist", "deep/\(String(repeating: "p", count: 90))/b.plist"] : ["a.plist", Self.long]
    let script = """
      import io, sys, tarfile
      archive = tarfile.open(fileobj=sys.stdout.buffer, mode="w|", format=tarfile.\(format)_FORMAT)
      def add(name, data=b"", kind=tarfile.REGTYPE, **values):
          member = tarfile.TarInfo(name)
          member.size, member.type, member.mtime = len(data), kind, 1709208000
          for key, value in values.items(): setattr(member, key, value)
          archive.addfile(member, io.BytesIO(data))
      add("folder", kind=tarfile.DIRTYPE)
      for number, name in enumerate(\(names)): add(name, b'{"n": %d, "x": "%s"}' % (number, b"x" * 1000 * number))
      add("link.plist", kind=tarfile.SYMTYPE, linkname="x" * \(format == "USTAR" ? 90 : 150))
      add("notes.txt", b"no property list")
      add("./.hidden.plist", b'{"n": 9}')
      add("bad.plist", b"<plist>")
      add("large.plist", b"{" + b" " * 3000 + b"}")
      add("last.plist", b'{"n": 3}')
      archive.close()
      """
    try folder.write(script, to: "make.py")
    let result = try await folder.shell(
      "python3 make.py | $TOOL table --tar -c n -c @modified -c @size --max-size 3000 --jobs 3")
    let (one, two) = (names[0], names[1])
    let time = "\"modified\":\"2024-02-29T12:00:00Z\""
    #expect(
      result
        == ToolResult(
          stdout: """
            {"file":"\(one)","n":0,\(time),"size":17,"error":null}
            {"file":"\(two)","n":1,\(time),"size":1017,"error":null}
            {"file":"bad.plist","n":null,\(time),"size":7,"error":"line 1, column 8: the document ends inside the <plist> that begins on line 1"}
            {"file":"large.plist","n":null,\(time),"size":3002,"error":"the file has more than 3000 bytes; see --max-size"}
            {"file":"last.plist","n":3,\(time),"size":8,"error":null}

            """, stderr: "plist-tool: 2 of 5 files have errors, which the table shows\n", status: 2))
  }

  /// A ustar header with a correct checksum.
  private func header(_ name: String, size: [UInt8], type: UInt8 = 0x30) -> Data {
    var block = [UInt8](repeating: 0, count: 512)
    block.replaceSubrange(0..<name.utf8.count, with: name.utf8)
    block.replaceSubrange(124..<124 + size.count, with: size)
    block[156] = type
    block.replaceSubrange(257..<265, with: "ustar\u{0}00".utf8)
    block.replaceSubrange(148..<156, with: repeatElement(0x20, count: 8))
    let sum = String(block.reduce(0) { $0 + Int($1) }, radix: 8)
    block.replaceSubrange(148..<156, with: (String(repeating: "0", count: 6 - sum.count) + sum + "\0 ").utf8)
    return Data(block)
  }

  private func block(_ text: String) -> Data { Data(text.utf8) + Data(count: 512 - text.utf8.count) }

  @Test("Archives that lie about sizes, or end too early, are errors after their good members")
  func hostileArchives() async throws {
    let good = header("a.plist", size: Array("10\0".utf8)) + block("{\"n\": 1}")
    let cases: [(name: String, rest: Data, message: String)] = [
      (
        "huge", header("b.plist", size: [0x80, 0, 0, 0, 0, 0x7F, 0, 0, 0, 0, 0, 0]) + block("{}"),
        "ends within a member"
      ),
      ("negative", header("b.plist", size: [UInt8](repeating: 0xFF, count: 12)) + block("{}"), "an invalid size"),
      ("overflow", header("b.plist", size: Array("777777777777".utf8)) + block("{}"), "ends within a member"),
      ("not octal", header("b.plist", size: Array("9x".utf8)) + block("{}"), "an invalid size"),
      ("short", header("b.plist", size: Array("100000\0".utf8)) + block("{}"), "ends within b.plist"),
      ("half a header", header("b.plist", size: Array("1\0".utf8)).prefix(100), "ends within a header"),
      ("no header", Data(repeating: 0x41, count: 1024), "a wrong checksum"),
      (
        "long name", header("x", size: Array("77777777\0".utf8), type: 0x4C) + block("{}"),
        "a long name of 16777215 bytes"
      ),
      (
        "pax", header("x", size: Array("10\0".utf8), type: 0x78) + block("99999999999999999999 path=x\n"),
        "malformed pax"
      ),
      ("pax size", header("x", size: Array("14\0".utf8), type: 0x78) + block("12 size=-10\n"), "an invalid size"),
    ]
    for (name, rest, message) in cases {
      let result = try await folder.run("table", "--tar", "-c", "n", stdin: good + rest)
      let lines = result.stdoutText.split(separator: "\n")
      #expect(lines.first == "{\"file\":\"a.plist\",\"n\":1,\"error\":null}", "\(name)")
      #expect(lines.count == 2, "\(name): \(result)")
      #expect(lines.last?.contains(message) == true, "\(name): \(result)")
      #expect(result.status != 0)
    }
    // An archive need not end in zeros.
    #expect(try await folder.run("table", "--tar", "-c", "n", stdin: good).status == 0)
    #expect(try await folder.run("table", "--tar", "-c", "n", stdin: Data()) == ToolResult())
  }

  @Test("A stream of documents is cut where each ends")
  func documents() async throws {
    let documents = [
      "<?xml version=\"1.0\"?>\n<!DOCTYPE plist PUBLIC \"a\" 'b'>\n<!-- </plist> <a> -->"
        + "<plist version='1'><dict><key>n</key><string><![CDATA[</plist>]]></string><key>e</key><array/></dict></plist>",
      "\n\n<dict><key>n</key><dict><key>a</key><dict/></dict></dict>",
      "{\"n\": \"}{\\\"]\", \"m\": [[{}]]}",
      "[{\"n\": 1}]", " <plist><dict><key>n</key><true/></dict></plist>", "<plist><oops/></plist>",
      "{ n = (a, \"b)\"); }",
    ]
    let result = try await folder.run(
      "table", "--documents", "-c", "n", "-c", "first=0.n", stdin: Data(documents.joined().utf8))
    #expect(
      result.stdoutText.split(separator: "\n").map { $0.replacing(/"error":"[^"]*"/, with: "\"error\":1") } == [
        "{\"file\":\"<stdin>\",\"document\":0,\"n\":\"</plist>\",\"first\":null,\"error\":null}",
        "{\"file\":\"<stdin>\",\"document\":1,\"n\":{\"a\":{}},\"first\":null,\"error\":null}",
        "{\"file\":\"<stdin>\",\"document\":2,\"n\":\"}{\\\"]\",\"first\":null,\"error\":null}",
        "{\"file\":\"<stdin>\",\"document\":3,\"n\":null,\"first\":1,\"error\":null}",
        "{\"file\":\"<stdin>\",\"document\":4,\"n\":true,\"first\":null,\"error\":null}",
        "{\"file\":\"<stdin>\",\"document\":5,\"n\":null,\"first\":null,\"error\":1}",
        "{\"file\":\"<stdin>\",\"document\":6,\"n\":[\"a\",\"b)\"],\"first\":null,\"error\":null}",
      ])
    #expect(result.status == 1)
  }

  @Test("A document that is too large is an error, and the next is read; a binary one is the last")
  func largeDocuments() async throws {
    let script = """
      { printf '{"n": 1}{"n": "'; head -c 300000 /dev/zero | tr '\\0' x; printf '"}<plist><dict/></plist>'
        echo '{"n": 2}' | $TOOL convert --to binary; } | $TOOL table --documents -c n --max-size 1000
      """
    let result = try await folder.shell(script)
    #expect(
      result.stdoutText == """
        {"file":"<stdin>","document":0,"n":1,"error":null}
        {"file":"<stdin>","document":1,"n":null,"error":"the file has more than 1000 bytes; see --max-size"}
        {"file":"<stdin>","document":2,"n":null,"error":null}
        {"file":"<stdin>","document":3,"n":2,"error":null}

        """)
  }

  @Test(
    "On a terminal, a line shows the rate and the time that is left, and is erased",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script")))
  func progress() async throws {
    try folder.write("{\"n\": 1}", to: "a")
    let script = """
      yes a | head -n 20000 > names
      script -qec '$TOOL table -c n --files-from names -o out' /dev/null < /dev/null
      $TOOL table -c n --files-from names -o out 2>&1
      """
    let result = try await folder.shell(script)
    #expect(result.stdoutText.contains(/\r\[#*-*\] +\d+ %  \d+ of 20000 files  \d+ files\/s  \d+ (s|min) left/))
    #expect(result.stdoutText.hasSuffix("\r\u{1B}[K"))
  }
}
#endif
