#if CommandLineTool
import Foundation
import Plist
import Testing

/// Real repositories with plist-tool as git's driver.
@Suite("plist-tool and git")
struct GitTests {
  private let folder: Workspace

  /// Runs before each script: a repository with the drivers, and a file of its own in `main`.
  private static let preamble = """
    set -e
    export HOME="$PWD" GIT_CONFIG_NOSYSTEM=1
    unset XDG_CONFIG_HOME
    git config --global user.name Test
    git config --global user.email test@example.com
    git config --global init.defaultBranch main
    git config --global advice.diverging false
    git init -q repository
    cd repository
    "$TOOL" git install > ../installed

    """

  init() throws { folder = try Workspace() }

  private func git(_ script: String, status: Int32 = 0, sourceLocation: SourceLocation = #_sourceLocation) async throws
    -> ToolResult
  {
    let result = try await folder.shell(Self.preamble + script)
    #expect(result.status == status, "\(result)", sourceLocation: sourceLocation)
    return result
  }

  /// Commits a file, a change of it on the branch `topic`, and another on `main`.
  private func branches(_ name: String, _ base: Data, _ ours: Data, _ theirs: Data) throws -> String {
    for (side, data) in [("base", base), ("ours", ours), ("theirs", theirs)] { try data.write(to: folder.file(side)) }
    return """
      cp ../base \(name); git add .; git commit -qm base
      git checkout -qb topic; cp ../theirs \(name); git commit -qam theirs
      git checkout -q main; cp ../ours \(name); git commit -qam ours

      """
  }

  private static let project = """
    // !$*UTF8*$!
    {
    \tarchiveVersion = 1;
    \tobjects = {

    /* Begin PBXFileReference section */
    \t\tA1 /* a.swift */ = {isa = PBXFileReference; path = a.swift; sourceTree = "<group>"; };
    /* End PBXFileReference section */

    /* Begin PBXGroup section */
    \t\tD1 = {
    \t\t\tisa = PBXGroup;
    \t\t\tchildren = (
    \t\t\t\tA1 /* a.swift */,
    \t\t\t);
    \t\t\tsourceTree = "<group>";
    \t\t};
    /* End PBXGroup section */
    \t};
    \trootObject = D1;
    }

    """

  private static func project(adding identifier: String, _ name: String) -> String {
    let reference =
      "\t\t\(identifier) /* \(name) */ = {isa = PBXFileReference; path = \(name); sourceTree = \"<group>\"; };\n"
    return project.replacingOccurrences(of: "/* End PBXFile", with: reference + "/* End PBXFile")
      .replacingOccurrences(of: "\t\t\t);", with: "\t\t\t\t\(identifier) /* \(name) */,\n\t\t\t);")
  }

  private static let merged = project(adding: "A2", "o.swift").replacingOccurrences(
    of: "/* End PBXFile",
    with: "\t\tA3 /* t.swift */ = {isa = PBXFileReference; path = t.swift; sourceTree = \"<group>\"; };\n/* End PBXFile"
  )
  .replacingOccurrences(of: "\t\t\t);", with: "\t\t\t\tA3 /* t.swift */,\n\t\t\t);")

  @Test(
    "All commands that merge do without a conflict, of which git alone has two",
    arguments: [
      "git merge -q -m merged topic", "git rebase -q topic main", "git cherry-pick topic",
      "cp ../base project.pbxproj; git commit -qam back; cp ../theirs project.pbxproj; git stash -q; cp ../ours project.pbxproj; git commit -qam ours; git stash pop -q",
    ])
  func commands(_ command: String) async throws {
    let script = try branches(
      "project.pbxproj", Data(Self.project.utf8), Data(Self.project(adding: "A2", "o.swift").utf8),
      Data(Self.project(adding: "A3", "t.swift").utf8))
    _ = try await git(script + command + "; git diff --quiet --diff-filter=U; test -z \"$(git ls-files -u)\"")
    let result = try folder.text("repository/project.pbxproj")
    let value = try PropertyList(parsing: Data(result.utf8))
    #expect(value == (try PropertyList(parsing: Data(Self.merged.utf8))) || command.contains("rebase"))
    #expect(Set(value["objects"]?["D1"]?["children"]?.array ?? []) == ["A1", "A2", "A3"])
    if command.contains("merge") { #expect(result == Self.merged) }
  }

  @Test func everyFormat() async throws {
    func strings(_ lines: String) throws -> Data { try #require(lines.data(using: .utf16)) }
    let text = "\"a\" = \"1\";\n"
    let catalog = "{\n  \"strings\" : {\n    \"a\" : {\n\n    }\n  },\n  \"version\" : \"1.0\"\n}\n"
    func catalogAdding(_ key: String) -> Data {
      Data(catalog.replacingOccurrences(of: "    }\n  }", with: "    },\n    \"\(key)\" : {\n\n    }\n  }").utf8)
    }
    let list: PropertyList = ["a": 1]
    func lists(_ key: String, _ format: PlistFormat) throws -> Data {
      try (["a": 1, key: 2] as PropertyList).data(format: format)
    }
    let cases: [(String, Data, Data, Data)] = [
      ("l.strings", try strings(text), try strings(text + "\"o\" = \"ö\";\n"), try strings(text + "\"t\" = \"ü\";\n")),
      ("c.xcstrings", Data(catalog.utf8), catalogAdding("o"), catalogAdding("t")),
      ("x.plist", try list.data(format: .xml), try lists("o", .xml), try lists("t", .xml)),
      ("b.plist", try list.data(format: .binary), try lists("o", .binary), try lists("t", .binary)),
    ]
    for (name, base, ours, theirs) in cases {
      let folder = try Workspace()
      for (side, data) in [("base", base), ("ours", ours), ("theirs", theirs)] { try data.write(to: folder.file(side)) }
      let script = """
        cp ../base \(name); git add .; git commit -qm base
        git checkout -qb topic; cp ../theirs \(name); git commit -qam theirs
        git checkout -q main; cp ../ours \(name); git commit -qam ours
        git merge -q -m merged topic
        """
      let result = try await folder.shell(Self.preamble + script)
      #expect(result.status == 0, "\(name): \(result)")
      let merged = try PropertyList(parsing: try folder.data("repository/\(name)"))
      let keys = (name.hasSuffix("xcstrings") ? merged["strings"] : merged)?.dictionary?.keys
      #expect(keys?.elementsEqual(["a", "o", "t"]) == true, "\(name)")
      #expect(try PlistFormat(detecting: folder.data("repository/\(name)")) == PlistFormat(detecting: ours))
    }
  }

  @Test func aConflictLeavesMarkersAndTheIndex() async throws {
    let script = try branches(
      "x.strings", Data("\"a\" = \"1\";\n\"b\" = \"1\";\n".utf8),
      Data("\"a\" = \"2\";\n\"b\" = \"1\";\n\"o\" = \"1\";\n".utf8),
      Data("\"a\" = \"3\";\n\"b\" = \"1\";\n\"t\" = \"1\";\n".utf8))
    let result = try await git(
      script + """
        git config merge.conflictStyle diff3
        set +e
        git merge topic > ../output 2>&1; echo "merge $?"
        git ls-files -u | cut -f2 | sort | uniq -c | tr -d ' '
        git status --porcelain
        """)
    #expect(result.stdoutText == "merge 1\n3x.strings\nUU x.strings\n")
    #expect(try folder.text("output").contains("x.strings: conflict: \"a\": both changed: \"1\" → \"2\" or \"3\"\n"))
    #expect(
      try folder.text("repository/x.strings") == """
        <<<<<<< ours
        "a" = "2";
        ||||||| base
        "a" = "1";
        =======
        "a" = "3";
        >>>>>>> theirs
        "b" = "1";
        "o" = "1";
        "t" = "1";

        """)
  }

  /// Anything but a property list is merged as git would.
  @Test func otherText() async throws {
    let lines = (1...9).map { "line \($0) <\n" }
    func changed(_ number: Int, _ text: String) -> Data {
      Data((lines[..<number] + [text] + lines[(number + 1)...]).joined().utf8)
    }
    let script = try branches("t.plist", Data(lines.joined().utf8), changed(1, "ours\n"), changed(7, "theirs\n"))
    _ = try await git(script + "git merge -q -m merged topic")
    #expect(try folder.text("repository/t.plist").contains("ours\nline 3"))
    #expect(try folder.text("repository/t.plist").contains("theirs\nline 9"))
    for (name, data) in [
      ("base", lines.joined()), ("o", "a\n" + lines.dropFirst().joined()), ("t", "b\n" + lines.dropFirst().joined()),
    ] {
      try folder.write(data, to: name)
    }
    let ours = try await folder.shell("\"$TOOL\" merge --base base --label ours --label base --label theirs o t")
    let git = try await folder.shell("git merge-file -p -L ours -L base -L theirs o base t")
    #expect(ours.status == 1 && ours.stdout == git.stdout)
    #expect(ours.stderr.contains("the lines are merged as text"))
  }

  @Test func resolve() async throws {
    let script = try branches(
      "project.pbxproj", Data(Self.project.utf8), Data(Self.project(adding: "A2", "o.swift").utf8),
      Data(Self.project(adding: "A3", "t.swift").utf8))
    let result = try await git(
      script + """
        "$TOOL" git uninstall > ../uninstalled
        test -z "$(git config --get-regexp plist-tool)"; test ! -s .git/info/attributes
        git merge topic > /dev/null || true
        grep -q '<<<<<<<' project.pbxproj
        mkdir -p sub; cd sub
        "$TOOL" git resolve
        git commit -qm merged
        """)
    #expect(result.stdoutText == "project.pbxproj: resolved\n")
    #expect(try folder.text("repository/project.pbxproj") == Self.merged)
    #expect(try folder.text("uninstalled").contains("--remove-section merge.plist-tool"))
  }

  @Test func resolveWithConflicts() async throws {
    let script = try branches("a.plist", Data("{ a = 1; }".utf8), Data("{ a = 2; }".utf8), Data("{ a = 3; }".utf8))
    let result = try await git(
      script + """
        git merge topic > /dev/null 2>&1 || true
        echo broken > a.plist
        "$TOOL" git resolve a.plist
        """, status: 1)
    #expect(result.stdoutText == "a.plist: conflicts are left\n")
    #expect(try folder.text("repository/a.plist") == "<<<<<<< ours\n{ a = 2; }\n=======\n{ a = 3; }\n>>>>>>> theirs\n")
  }

  /// Things that are not files, files that git converts, and names that look like options or patterns.
  @Test func resolveUnusualFiles() async throws {
    for (side, number) in [("base", 1), ("ours", 2), ("theirs", 3)] {
      try folder.write("{\n\ta = \(side == "ours" ? 2 : 1);\n\tb = \(side == "theirs" ? 2 : 1);\n}\n", to: side)
      try folder.write("precious \(number)\n", to: "target\(number)")
    }
    let result = try await git(
      """
      "$TOOL" git uninstall > /dev/null
      printf '*.strings text working-tree-encoding=UTF-16LE-BOM\\nlines.plist text eol=crlf\\n' > .gitattributes
      make() {
        for name in '-dash.plist' 'x*.plist' lines.plist; do cp ../$1 "./$name"; done
        { printf '\\377\\376'; iconv -t UTF-16LE ../$1; } > wide.strings
        echo "$1 word" > xa.plist; echo $1 > VERSION; ln -sfn ../target$2 link
        chmod +x lines.plist
        git add .; git commit -qm $1
      }
      make base 1
      git checkout -qb topic; make theirs 3
      git checkout -q main; make ours 2
      git merge topic > /dev/null 2>&1 || true
      rm lines.plist
      "$TOOL" git resolve || echo "status $?"
      git status --short | grep -v '^M ' || true
      test -x lines.plist; grep -c "$(printf '\\r')" lines.plist
      iconv -f UTF-16 wide.strings | grep 'b = '
      cat ../target2
      """)
    #expect(
      result.stdoutText == """
        -dash.plist: resolved
        VERSION: not a property list
        lines.plist: resolved
        link: not a property list
        wide.strings: resolved
        x*.plist: resolved
        xa.plist: not a property list
        status 1
        UU VERSION
        UU link
        UU xa.plist
        4
        \tb = 2;
        precious 2

        """, "\(result)")
  }

  /// File names that begin like options, and a program whose path has a percent sign.
  @Test func driverWithUnusualNames() async throws {
    for (side, text) in [("base", "a = 1;\nb = 1;\n"), ("ours", "a = 2;\nb = 1;\n"), ("theirs", "a = 1;\nb = 2;\n")] {
      try folder.write(text, to: side)
    }
    let result = try await git(
      """
      mkdir '../q %O d'; ln -s "$TOOL" '../q %O d/plist-tool'
      '../q %O d/plist-tool' git install > /dev/null
      cp ../base ./-x.plist; git add .; git commit -qm base
      git checkout -qb topic; cp ../theirs ./-x.plist; git commit -qam theirs
      git checkout -q main; cp ../ours ./-x.plist; git commit -qam ours
      git merge -q topic -m merged
      cat ./-x.plist
      """)
    #expect(result.stdoutText.hasSuffix("a = 2;\nb = 2;\n"), "\(result)")
  }

  @Test func install() async throws {
    let result = try await git(
      """
      echo '*.png binary' > .git/info/attributes
      "$TOOL" git install --for '*.pbxproj' > /dev/null
      "$TOOL" git install --for '*.pbxproj' > /dev/null
      cat .git/info/attributes
      "$TOOL" git uninstall > /dev/null
      cat .git/info/attributes
      "$TOOL" git install --global > /dev/null
      git check-attr merge x.strings
      "$TOOL" git uninstall --global > /dev/null
      git check-attr merge x.strings
      """)
    #expect(
      result.stdoutText == """
        *.png binary
        # plist-tool: property lists by value
        *.pbxproj merge=plist-tool diff=plist-tool
        # plist-tool: end
        *.png binary
        x.strings: merge: plist-tool
        x.strings: merge: unspecified

        """)
    #expect(try folder.text("installed").contains("*.pbxproj merge=plist-tool diff=plist-tool"))
    #expect(try folder.text("installed").contains("git config --local merge.plist-tool.driver"))
  }

  @Test func textconvAndExternalDiff() async throws {
    let result = try await git(
      """
      printf 'a = 1;\\nb = 2;\\n' > a.plist; printf '\\001\\002' > b.plist
      git add .; git commit -qm one
      printf '/* new */ a = 1; b = 3;\\n' > a.plist; printf '\\003' > b.plist
      git diff | grep '^[-+]  '
      git diff > /dev/null
      printf 'c = 1;' > c.plist; git add c.plist; rm b.plist; git add b.plist
      GIT_EXTERNAL_DIFF="$TOOL diff" git diff HEAD 2>/dev/null
      """)
    #expect(
      result.stdoutText == """
        -  "b": "2"
        +  "b": "3"
        a.plist
        ~ b: "2" → "3"
        b.plist
        c.plist
        + c: "1"

        """)
    try folder.write(Self.project, to: "p.pbxproj")
    let text = try await folder.run("git-textconv", "p.pbxproj")
    #expect(text.status == 0 && text.stdoutText.contains("0: \"A1 a.swift\""))
    try folder.write("<plist>", to: "bad")
    #expect(try await folder.run("git-textconv", "bad") == ToolResult(stdout: "<plist>"))
  }

  @Test func conflictsAndReports() async throws {
    try folder.write("{ a = 1; }\n", to: "base")
    try folder.write("{ a = 2; }\n", to: "ours")
    try folder.write("{ a = 3; }\n", to: "theirs")
    let conflict = "ours: conflict: \"a\": both changed: \"1\" → \"2\" or \"3\"\n"
    for (kind, expected) in [
      ("ours", ToolResult(stdout: "{ a = 2; }\n")), ("theirs", ToolResult(stdout: "{ a = 3; }\n")),
      ("report", ToolResult(stdout: "{ a = 2; }\n", stderr: conflict, status: 1)),
      (
        "markers",
        ToolResult(
          stdout: "<<<<<<< ours\n{ a = 2; }\n=======\n{ a = 3; }\n>>>>>>> theirs\n", stderr: conflict, status: 1)
      ),
    ] {
      try await folder.expect("merge", "--base", "base", "--conflicts", kind, "ours", "theirs", gives: expected)
    }
    try await folder.expect(
      "merge", "--base", "base", "--higher-version", "a", "theirs", "ours", gives: ToolResult(stdout: "{ a = 3; }\n"))
    let binary = try (["a": 4] as PropertyList).data(format: .binary)
    try binary.write(to: folder.file("binary"))
    let result = try await folder.run("merge", "--base", "base", "-o", "out", "binary", "ours")
    #expect(result.status == 1 && result.stderr.contains("the file is binary"))
    #expect(try folder.data("out") == binary)
    for arguments in [
      ["--base", "base", "ours"], ["--conflicts", "ours", "ours", "theirs"],
      ["--base", "base", "--to", "xml", "ours", "theirs"],
    ] {
      let result = try await folder.shell("\"$TOOL\" merge \(arguments.joined(separator: " "))")
      #expect(result.status == 64)
    }
  }

  /// Faults that only the merged project has are reported.
  @Test func projectFindings() async throws {
    let removed = Self.project.replacingOccurrences(of: "\t\t\t\tA1 /* a.swift */,\n", with: "")
      .split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.hasPrefix("\t\tA1") }.joined(
        separator: "\n")
    let used = Self.project.replacingOccurrences(
      of: "\t\tD1 = {", with: "\t\tD0 = {isa = PBXGroup; children = (A1, ); };\n\t\tD1 = {")
    try folder.write(Self.project, to: "base")
    try folder.write(removed, to: "ours")
    try folder.write(used, to: "theirs")
    let result = try await folder.run("merge", "--base", "base", "-o", "out", "ours", "theirs")
    #expect(
      result.stderr == "ours: warning: children of D0 (PBXGroup) refers to A1, which does not exist\n", "\(result)")
    #expect(result.status == 0)
  }
}
#endif
