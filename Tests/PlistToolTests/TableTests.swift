#if CommandLineTool
import Foundation
import Testing

@Suite("plist-tool table")
struct TableTests {
  private let folder: Workspace

  init() throws {
    folder = try Workspace()
    try FileManager.default.createDirectory(at: folder.file("d/e"), withIntermediateDirectories: true)
    try folder.write(#"{"a": {"b": 1}, "n": "x,y", "list": [{"port": 80}, {"port": 443}]}"#, to: "d/a.plist")
    try folder.write(
      "<plist><dict><key>a</key><dict><key>b</key><string>12</string></dict></dict></plist>", to: "d/e/b.plist")
    try folder.write("<plist><dict><key>a</key>", to: "d/c.plist")
    try folder.write("not one", to: "d/readme.txt")
  }

  private static let fault = "line 1, column 26: the document ends inside the <dict> that begins on line 1"
  private static let oneBad = "plist-tool: 1 of 3 files have errors, which the table shows\n"

  struct Case: Sendable, CustomStringConvertible {
    let description: String
    let stdout: String
    var stderr = ""
    var status: Int32 = 0

    init(_ script: String, _ stdout: String, _ stderr: String = "", status: Int32 = 0) {
      description = script
      self.stdout = stdout
      self.stderr = stderr
      self.status = status
    }
  }

  static let cases = [
    Case(
      "$TOOL table -c a.b -c 'ports=list.*.port' -c @size d",
      """
      {"file":"d/a.plist","a.b":1,"ports":[80,443],"size":66,"error":null}
      {"file":"d/c.plist","a.b":null,"ports":null,"size":25,"error":"\(fault)"}
      {"file":"d/e/b.plist","a.b":"12","ports":[],"size":84,"error":null}

      """, oneBad, status: 1),
    Case(
      "$TOOL table -c x=a.b:integer -c n -f csv d",
      "file,x,n,error\r\nd/a.plist,1,\"x,y\",\r\nd/c.plist,,,\"\(fault)\"\r\nd/e/b.plist,12,,\r\n", oneBad, status: 1),
    Case(
      "$TOOL table -c x=a.b:integer --format sqlite --table-name t d/a.plist d/e/b.plist",
      """
      BEGIN;
      CREATE TABLE "t"("file" TEXT, "x" INTEGER, "error" TEXT);
      INSERT INTO "t" VALUES('d/a.plist',1,NULL);
      INSERT INTO "t" VALUES('d/e/b.plist',12,NULL);
      COMMIT;

      """),
    Case(
      "$TOOL table -c x=n:integer d/a.plist",
      """
      {"file":"d/a.plist","x":null,"error":"expected an integer for the column \\"x\\", found a string (key path: n)"}

      """, "plist-tool: 1 of 1 files have errors, which the table shows\n", status: 1),
    Case(
      "$TOOL table -c e=@error -c f=@file -c k=@format d/a.plist d/e/b.plist",
      "{\"e\":null,\"f\":\"d/a.plist\",\"k\":\"json\"}\n{\"e\":null,\"f\":\"d/e/b.plist\",\"k\":\"xml\"}\n"),
    Case(
      "touch -d 2024-02-29T12:00:00Z d/a.plist; $TOOL table -c @modified d/a.plist",
      "{\"file\":\"d/a.plist\",\"modified\":\"2024-02-29T12:00:00Z\",\"error\":null}\n"),
    Case(
      "$TOOL table --all --format csv d",
      "file,a.b,n,list,error\r\nd/a.plist,1,\"x,y\",\"[{\"\"port\"\":80},{\"\"port\"\":443}]\",\r\nd/c.plist,,,,\"\(fault)\"\r\n"
        + "d/e/b.plist,12,,,\r\n", oneBad, status: 1),
    Case(
      "$TOOL table --each 'list.*' -c port d",
      """
      {"file":"d/a.plist","key":"0","port":80,"error":null}
      {"file":"d/a.plist","key":"1","port":443,"error":null}
      {"file":"d/c.plist","key":null,"port":null,"error":"\(fault)"}

      """, oneBad, status: 1),
    Case(
      "$TOOL table --each a -c value= d/a.plist d/e/b.plist",
      """
      {"file":"d/a.plist","key":"b","value":1,"error":null}
      {"file":"d/e/b.plist","key":"b","value":"12","error":null}

      """),
    Case(
      "$TOOL table --each '**.port' -c value=:string d/a.plist",
      """
      {"file":"d/a.plist","key":"list.0.port","value":"80","error":null}
      {"file":"d/a.plist","key":"list.1.port","value":"443","error":null}

      """),
    Case(
      "$TOOL table --each n -c x d/a.plist",
      """
      {"file":"d/a.plist","key":null,"x":null,"error":"expected an array or a dictionary, found a string (key path: n)"}

      """, "plist-tool: 1 of 1 files have errors, which the table shows\n", status: 1),
    Case(
      "$TOOL table --each list --all d/a.plist",
      "{\"file\":\"d/a.plist\",\"key\":\"0\",\"port\":80,\"error\":null}\n"
        + "{\"file\":\"d/a.plist\",\"key\":\"1\",\"port\":443,\"error\":null}\n"),
    Case(
      "cat d/a.plist d/e/b.plist d/a.plist | $TOOL table --documents -c a.b",
      """
      {"file":"<stdin>","document":0,"a.b":1,"error":null}
      {"file":"<stdin>","document":1,"a.b":"12","error":null}
      {"file":"<stdin>","document":2,"a.b":1,"error":null}

      """),
    Case("$TOOL table -c a.b < d/a.plist", "{\"file\":\"<stdin>\",\"a.b\":1,\"error\":null}\n"),
    Case(
      "mkdir empty; printf 'd/a.plist\\n\\nempty\\nnone\\n' > names; $TOOL table --files-from names -c n",
      """
      {"file":"d/a.plist","n":"x,y","error":null}
      {"file":"empty","n":null,"error":"the file is a folder"}
      {"file":"none","n":null,"error":"No such file or directory"}

      """, "plist-tool: 2 of 3 files have errors, which the table shows\n", status: 2),
    Case(
      "mkdir empty; $TOOL table -c n empty",
      "{\"file\":\"empty\",\"n\":null,\"error\":\"no file name in the folder matches the patterns of --include\"}\n",
      "plist-tool: 1 of 1 files have errors, which the table shows\n", status: 2),
    Case(
      "$TOOL table --strict -c a.b d",
      "{\"file\":\"d/a.plist\",\"a.b\":1,\"error\":null}\n{\"file\":\"d/c.plist\",\"a.b\":null,\"error\":\"\(fault)\"}\n",
      "plist-tool: stopped at the first error, in row 2\n", status: 1),
    Case(
      "echo old > out; $TOOL table --strict -o out -c a.b d 2> /dev/null; echo $?; cat out", "1\nold\n"),
    Case(
      "$TOOL table -c a.b --errors errors -o out d 2> /dev/null; cat errors",
      """
      {"file":"d/c.plist","severity":"error","code":"truncated","line":1,"column":26,"offset":25,"path":"","message":"the document ends inside the <dict> that begins on line 1"}

      """),
    Case(
      "mv d/a.plist d/-x:integer; $TOOL table -c n 'd/-x:integer'",
      "{\"file\":\"d/-x:integer\",\"n\":\"x,y\",\"error\":null}\n"),
    Case(
      #"echo '{"a:integer": 1, "@size": 2, "x": 3}' > k; $TOOL table -c 'a\:integer' -c '\@size' -c x:real k"#,
      "{\"file\":\"k\",\"a\\\\:integer\":1,\"\\\\@size\":2,\"x\":3.0,\"error\":null}\n"),
    Case(
      "$TOOL table --max-size 70 -c n d/a.plist d/e/b.plist",
      """
      {"file":"d/a.plist","n":"x,y","error":null}
      {"file":"d/e/b.plist","n":null,"error":"the file has more than 70 bytes; see --max-size"}

      """, "plist-tool: 1 of 2 files have errors, which the table shows\n", status: 2),
  ]

  @Test("Rows and their forms", arguments: cases)
  func rows(_ testCase: Case) async throws {
    let result = try await folder.shell(testCase.description)
    #expect(
      result == ToolResult(stdout: testCase.stdout, stderr: testCase.stderr, status: testCase.status))
  }

  @Test(
    "Options that do not go together are mistakes",
    arguments: [
      ["d"], ["-c", "a", "-c", "a", "d"], ["-c", "file", "d"], ["-c", "@files", "d"], ["-c", "=a", "d"],
      ["--all", "--tar"], ["--all"], ["--all", "--files-from", "-"], ["-c", "a", "--tar", "d"],
      ["-c", "a", "--tar", "--documents"], ["-c", "a", "--resume", "s", "d"], ["-c", "a", "--max-size", "0", "d"],
      ["-c", "a", "--resume", "s", "-o", "o", "--strict", "d"], ["-c", "Error", "-f", "sqlite", "d"],
      ["-c", "a", "--jobs", "0", "d"],
    ])
  func mistakes(arguments: [String]) async throws {
    let quoted = arguments.map { "'\($0)'" }.joined(separator: " ")
    let result = try await folder.shell("$TOOL table \(quoted) < /dev/null")
    #expect(result.status == 64)
    #expect(result.stdout.isEmpty)
    #expect(result.stderr.hasPrefix("Error: "))
  }

  @Test("--all gives distinct names where sqlite3 sees none")
  func distinctNames() async throws {
    try folder.write(#"{"a": 1, "A": 2, "file": 3}"#, to: "names")
    let result = try await folder.run("table", "--all", "--format", "sqlite", "names")
    #expect(result.stdoutText.contains(#"("file" TEXT, "a", "A_2", "file_2", "error" TEXT)"#))
    #expect(try await folder.run("table", "--all", "names").stdoutText.contains(#""a":1,"A":2,"file_2":3"#))
  }

  @Test("Signed files and archives")
  func signedFilesAndArchives() async throws {
    try folder.copy("Valid/keyed-archive.binary.plist", as: "archive")
    try await folder.expect(
      "table", "--archive", "-c", "title", "archive", "d/a.plist",
      gives: ToolResult(
        stdout: """
          {"file":"archive","title":"Q3 plan","error":null}
          {"file":"d/a.plist","title":null,"error":"the document is not a keyed archive: the key \\"$archiver\\" is missing, on line 1"}

          """, stderr: "plist-tool: 1 of 2 files have errors, which the table shows\n", status: 1))
    try await folder.expect(
      "table", "-c", "k=$archiver", "archive",
      gives: ToolResult(stdout: "{\"file\":\"archive\",\"k\":\"NSKeyedArchiver\",\"error\":null}\n"))
    let list = Data("<plist><dict><key>Name</key><string>Team</string></dict></plist>".utf8)
    try SignedFileTests.message(of: list).write(to: folder.file("signed"))
    try await folder.expect(
      "table", "-c", "Name", "signed", "signed",
      gives: ToolResult(
        stdout: String(repeating: "{\"file\":\"signed\",\"Name\":\"Team\",\"error\":null}\n", count: 2),
        stderr: "plist-tool: note: 2 files are signed; their signatures were not checked\n"))
  }

  @Test("The names of files are bytes", .enabled(if: FileManager.default.fileExists(atPath: "/proc")))
  func namesAreBytes() async throws {
    let script = """
      cp d/a.plist "$(printf 'caf\\351.plist')"; cp d/a.plist "$(printf 'a\\nb')"
      printf 'caf\\351.plist\\0a\\nb\\0' | $TOOL table --files-from0 - -c a.b
      """
    let result = try await folder.shell(script)
    #expect(
      result
        == ToolResult(
          stdout:
            "{\"file\":\"caf\\\\xE9.plist\",\"a.b\":1,\"error\":null}\n{\"file\":\"a\\nb\",\"a.b\":1,\"error\":null}\n")
    )
  }

  @Test("The output does not depend on the number of threads")
  func jobs() async throws {
    for number in 0..<300 {
      try folder.write(
        "{\"n\": \(number), \"s\": \"\(String(repeating: "x", count: number * 7))\"}", to: "d/\(number).plist")
    }
    let one = try await folder.run("table", "-c", "n", "-c", "s", "--jobs", "1", "d")
    let many = try await folder.run("table", "-c", "n", "-c", "s", "--jobs", "7", "d")
    #expect(one.stdoutText.split(separator: "\n").count == 303)
    #expect(one == many)
  }

  @Test("A file whose elements are more than fit is read in pieces, and has rows up to a fault")
  func largeFile() async throws {
    var text = "<plist version=\"1.0\"><dict><key>Tracks</key><dict>"
    for number in 0..<40_000 { text += "<key>\(number)</key><dict><key>Name</key><string>T\(number)</string></dict>\n" }
    try folder.write(text + "</dict><key>x</key><true/></dict></plist>", to: "large.plist")
    try folder.write(text + "<key>y</key><oops/>", to: "broken.plist")
    let good = try await folder.run("table", "--each", "Tracks", "-c", "Name", "--max-size", "1000", "large.plist")
    let lines = good.stdoutText.split(separator: "\n")
    #expect(good.status == 0)
    #expect(lines.count == 40_000)
    #expect(lines.last == "{\"file\":\"large.plist\",\"key\":\"39999\",\"Name\":\"T39999\",\"error\":null}")
    let broken = try await folder.run(
      "table", "--each", "Tracks.*", "-c", "Name", "--jobs", "3", "large.plist", "broken.plist", "large.plist")
    let all = broken.stdoutText.split(separator: "\n")
    #expect(broken.status == 1)
    #expect(all.count == 120_001)
    #expect(all[80_000].contains("oops"))
    #expect(broken.stderr == "plist-tool: 1 of 3 files have errors, which the table shows\n")
    // From a pipe, and from a document larger than the limit whose elements are not.
    let piped = try await folder.shell(
      "cat large.plist | $TOOL table --each Tracks -c Name --max-size 1000 | tail -n 1")
    #expect(piped.stdoutText == "{\"file\":\"<stdin>\",\"key\":\"39999\",\"Name\":\"T39999\",\"error\":null}\n")
  }
}
#endif
