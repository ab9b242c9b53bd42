import Foundation
import Plist
import PlistFuzzTargets
import Testing

/// Merges of text; ``RealMergeTests`` has real ones.
struct PlistMergeTests {
  private func merge(
    _ base: String?, _ ours: String, _ theirs: String, _ encoding: String.Encoding = .utf8
  ) throws -> PlistMerge {
    func data(_ text: String) -> Data { text.data(using: encoding) ?? Data() }
    return try PlistMerge(base: base.map(data), ours: data(ours), theirs: data(theirs))
  }

  private func text(_ merge: PlistMerge) -> String { String(decoding: merge.data, as: UTF8.self) }

  private static let strings = "/* A */\n\"a\" = \"1\";\n\n/* B */\n\"b\" = \"2\";\n"

  /// Two additions at the end of a file are a conflict for git, but not for us.
  @Test func bothAddAtTheEnd() throws {
    let ours = Self.strings + "\n/* Ours */\n\"o\" = \"3\";\n"
    let theirs = Self.strings + "\n/* Theirs */\n\"t\" = \"4\"; // new\n"
    let merged = try merge(Self.strings, ours, theirs)
    #expect(text(merged) == ours + "/* Theirs */\n\"t\" = \"4\"; // new\n")
    #expect(merged.conflicts.isEmpty && merged.value == ["a": "1", "b": "2", "o": "3", "t": "4"])
    #expect(try merged.data(with: PlistMergeMarkers()) == merged.data)
  }

  /// A comment or a spelling that only theirs has changed comes from theirs.
  @Test func commentsAndSpelling() throws {
    let ours = Self.strings.replacingOccurrences(of: "\"1\"", with: "\"one\"")
    let theirs = Self.strings.replacingOccurrences(of: "/* B */", with: "/* Bee */")
    #expect(text(try merge(Self.strings, ours, theirs)) == ours.replacingOccurrences(of: "/* B */", with: "/* Bee */"))
  }

  @Test func encodingsAndLineEnds() throws {
    let ours = Self.strings.replacingOccurrences(of: "\"1\"", with: "\"ä\"")
    let theirs = Self.strings + "\"é\" = \"5\";\n"
    let merged = try PlistMerge(
      base: Data(Self.strings.utf8), ours: try #require(ours.data(using: .utf16)),
      theirs: Data(theirs.replacingOccurrences(of: "\n", with: "\r\n").utf8))
    #expect(String(data: merged.data, encoding: .utf16) == ours + "\"é\" = \"5\";\n")
    let windows = ours.replacingOccurrences(of: "\n", with: "\r\n")
    #expect(text(try merge(Self.strings, windows, theirs)) == windows + "\"é\" = \"5\";\r\n")
  }

  @Test func markers() throws {
    let base =
      "<plist>\n<dict>\n\t<key>a</key>\n\t<string>1</string>\n\t<key>b</key>\n\t<string>2</string>\n</dict>\n</plist>\n"
    let ours = base.replacingOccurrences(of: "1", with: "one").replacingOccurrences(of: "2", with: "two")
    let theirs = base.replacingOccurrences(of: "1", with: "eins")
      .replacingOccurrences(of: "</dict>", with: "\t<key>c</key>\n\t<true/>\n</dict>")
    let merged = try merge(base, ours, theirs)
    #expect(merged.conflicts.map(\.path) == ["a"])
    let marked = try #require(try merged.data(with: PlistMergeMarkers(ours: "HEAD", theirs: "topic", showsBase: true)))
    #expect(
      String(decoding: marked, as: UTF8.self) == """
        <plist>
        <dict>
        \t<key>a</key>
        <<<<<<< HEAD
        \t<string>one</string>
        ||||||| base
        \t<string>1</string>
        =======
        \t<string>eins</string>
        >>>>>>> topic
        \t<key>b</key>
        \t<string>two</string>
        \t<key>c</key>
        \t<true/>
        </dict>
        </plist>

        """)
    let plain = try #require(try merged.data(with: PlistMergeMarkers(size: 9)))
    #expect(String(decoding: plain, as: UTF8.self).contains("<<<<<<<<< ours\n\t<string>one</string>\n=========\n"))
  }

  /// A pair that one side removed and the other changed is between the markers with all its lines.
  @Test func removedAndChanged() throws {
    let base = "{\n\ta = 1;\n\tb = {\n\t\tx = 1;\n\t\ty = 2;\n\t};\n\tc = 3;\n}\n"
    let ours = "{\n\ta = 1;\n\tc = 3;\n}\n"
    let theirs = base.replacingOccurrences(of: "x = 1", with: "x = 9")
    let merged = try merge(base, ours, theirs)
    #expect(merged.conflicts.map(\.kind) == [.changedAndRemoved])
    let marked = try #require(try merged.data(with: PlistMergeMarkers()))
    #expect(
      String(decoding: marked, as: UTF8.self)
        == "{\n\ta = 1;\n<<<<<<< ours\n=======\n\tb = {\n\t\tx = 9;\n\t\ty = 2;\n\t};\n>>>>>>> theirs\n\tc = 3;\n}\n")
    #expect(Data(marked.resolved(takesTheirs: true)) == Data(theirs.utf8))
  }

  /// Keys that both have added in different places are a conflict, which git does not notice.
  @Test func sameKeyInTwoPlaces() throws {
    let base = "\"a\" = \"1\";\n\"b\" = \"2\";\n\"c\" = \"3\";\n"
    let merged = try merge(base, "\"n\" = \"x\";\n" + base, base + "\"n\" = \"y\";\n")
    #expect(merged.conflicts.map(\.path) == ["n"])
    #expect(text(merged) == "\"n\" = \"x\";\n" + base)
  }

  // MARK: Comments

  /// Documents with one comment, as far as the format has them.
  ///
  /// `comment` is its text, `value` that of the key `a`, and `extra` the number of other items.
  static let commented: [(@Sendable (_ comment: String, _ value: String, _ extra: Int) -> String)] = [
    { "/* \($0) */\n\"a\" = \"\($1)\";\n" + (0..<$2).map { "\"x\($0)\" = \"y\";\n" }.joined() },
    { "{\n\t// \($0)\n\ta = \($1);\n" + (0..<$2).map { "\tx\($0) = y;\n" }.joined() + "}\n" },
    {
      "<plist>\n<dict>\n\t<!-- \($0) -->\n\t<key>a</key>\n\t<string>\($1)</string>\n"
        + (0..<$2).map { "\t<key>x\($0)</key>\n\t<string>y</string>\n" }.joined() + "</dict>\n</plist>\n"
    },
    {
      "// !$*UTF8*$!\n{\n\tobjects = {\n\n/* Begin A section */\n\t\t/* \($0) */\n\t\tA1 /* \($1) */ = {isa = A; a = \($1); };\n"
        + (2..<2 + $2).map { "\t\tA\($0) /* x */ = {isa = A; };\n" }.joined()
        + "/* End A section */\n\t};\n\trootObject = A1 /* \($1) */;\n}\n"
    },
  ]

  /// A comment that both have changed is a conflict about its lines, like a value.
  @Test(arguments: commented.indices)
  func commentsOfBoth(_ index: Int) throws {
    let text = Self.commented[index]
    let merged = try merge(text("A", "1", 0), text("B", "1", 1), text("C", "1", 0))
    #expect(merged.conflicts.map(\.kind) == [.comments])
    #expect(merged.conflicts.first?.path == (index == 3 ? "objects.A1" : "a"))
    #expect(merged.conflicts.first?.base?.string?.contains("A") == true)
    #expect(self.text(merged) == text("B", "1", 1))
    #expect(try merged.data(resolving: .theirs) == Data(text("C", "1", 1).utf8))
    #expect(try merged.data(resolving: .base) == Data(text("A", "1", 1).utf8))
    let marked = try #require(try merged.data(with: PlistMergeMarkers()))
    #expect(Data(marked.resolved(takesTheirs: true)) == Data(text("C", "1", 1).utf8))
    let lines = String(decoding: marked, as: UTF8.self).split(separator: "\n")
    let start = try #require(lines.firstIndex(of: "<<<<<<< ours"))
    #expect(lines[start + 2] == "=======" && lines[start + 4] == ">>>>>>> theirs")
    // With the value next to it, both are between markers.
    let both = try merge(text("A", "1", 0), text("B", "2", 0), text("C", "3", 0))
    #expect(both.conflicts.map(\.kind) == [.bothChanged, .comments])
    let all = try #require(try both.data(with: PlistMergeMarkers()))
    let other = Data(all.resolved(takesTheirs: true))
    #expect(
      index == 3 ? String(decoding: other, as: UTF8.self).contains("/* C */") : other == Data(text("C", "3", 0).utf8))
  }

  /// A comment that only theirs has changed comes from theirs, even if the lines cannot be merged or the value next to
  /// it is a conflict.
  @Test(arguments: commented.indices)
  func commentsOfTheirs(_ index: Int) throws {
    let text = Self.commented[index]
    let changed = try merge(text("A", "1", 0), text("A", "2", 1), text("C", "1", 0))
    #expect(changed.conflicts.isEmpty && self.text(changed) == text("C", "2", 1))
    let conflict = try merge(text("A", "1", 0), text("A", "2", 0), text("C", "3", 0))
    #expect(conflict.conflicts.map(\.kind) == [.bothChanged])
    #expect(self.text(conflict) == text("C", "2", 0))
    let ours = try merge(text("A", "1", 0), text("B", "1", 0), text("A", "3", 0))
    #expect(ours.conflicts.isEmpty && self.text(ours).contains("B"))
  }

  /// If both have added a key at different places, the lines have it twice, and comments are merged by their places.
  @Test func commentsBesideDoubledKeys() throws {
    let base = "/* A */\n\"a\" = \"1\";\n\n\"b\" = \"2\";\n"
    let theirs =
      base.replacingOccurrences(of: "/* A */", with: "/* Alpha */")
      .replacingOccurrences(of: "\"b\"", with: "// of b\n\"b\"") + "\"n\" = \"x\";\n"
    let merged = try merge(base, "\"n\" = \"x\";\n" + base, theirs)
    #expect(merged.conflicts.isEmpty)
    #expect(
      text(merged)
        == "\"n\" = \"x\";\n/* Alpha */\n\"a\" = \"1\";\n\n// of b\n\"b\" = \"2\";\n")
  }

  /// What theirs has written at a value that ours has removed is a conflict without lines.
  @Test func commentsOfRemovedValues() throws {
    let base = "{\n\t/* A */\n\ta = 1;\n\tb = 2;\n}\n"
    let merged = try merge(base, "{\n\tb = 2;\n}\n", base.replacingOccurrences(of: "A", with: "C"))
    #expect(
      merged.conflicts.map(\.description) == ["\"a\": both changed the comments: \"/* A */\" → none or \"/* C */\""])
    #expect(try merged.data(with: PlistMergeMarkers()) == merged.data)
    // A comment that disappears with its value is no conflict.
    #expect(try merge(base, base.replacingOccurrences(of: "2", with: "3"), "{\n\tb = 2;\n}\n").conflicts.isEmpty)
  }

  @Test func otherFormats() throws {
    let value: PropertyList = ["a": 1, "b": ["x"]]
    let binary = try value.data(format: .binary)
    let theirs = try (["a": 2, "b": ["x"]] as PropertyList).data(format: .xml)
    let merged = try PlistMerge(base: try value.data(format: .xml), ours: binary, theirs: theirs)
    #expect(merged.format == .binary && merged.value == ["a": 2, "b": ["x"]])
    #expect(try PropertyList(parsing: merged.data) == merged.value)
    #expect(try PlistMerge(base: binary, ours: binary, theirs: binary).data == binary)
    let conflict = try PlistMerge(
      base: binary, ours: try (["a": 3, "b": []] as PropertyList).data(format: .binary), theirs: theirs)
    #expect(conflict.conflicts.count == 1)
    #expect(try conflict.data(with: PlistMergeMarkers()) == nil)
    var markers = PlistMergeMarkers()
    markers.size = -1
    let short = try PlistMerge(base: Data("a = 1;".utf8), ours: Data("a = 2;".utf8), theirs: Data("a = 3;".utf8))
    #expect(try short.data(with: markers) == short.data(with: PlistMergeMarkers(size: 1)))
    #expect(throws: PlistError.self) { try PlistMerge(base: nil, ours: binary, theirs: Data("<plist>".utf8)) }
    let empty = try PlistMerge(base: Data(), ours: Data("{ a = 1; }".utf8), theirs: Data("{ b = 2; }".utf8))
    #expect(text(empty) == "{ a = 1; b = 2; }")
  }

  /// A new object of a project file goes to the section of its class, at the place of its identifier.
  @Test func projectSections() throws {
    func project(_ objects: String) -> String {
      "// !$*UTF8*$!\n{\n\tobjects = {\n\n\(objects)\t};\n\trootObject = R;\n}\n"
    }
    func section(_ name: String, _ identifiers: String...) -> String {
      "/* Begin \(name) section */\n"
        + identifiers.map { "\t\t\($0) /* of \($0) */ = {isa = \(name); x = 1; };\n" }.joined()
        + "/* End \(name) section */\n\n"
    }
    let base = project(section("PBXA", "A5") + section("PBXC", "C5"))
    let ours = project(section("PBXA", "A4", "A5", "A7") + section("PBXB", "B2") + section("PBXC", "C5"))
    let theirs = project(
      section("PBXA", "A3", "A5", "A6", "A8") + section("PBXB", "B1", "B3") + section("PBXBB", "BB")
        + section("PBXC", "C4", "C5"))
    let merged = try merge(base, ours, theirs)
    #expect(
      text(merged)
        == project(
          section("PBXA", "A3", "A4", "A5", "A6", "A7", "A8") + section("PBXB", "B1", "B2", "B3")
            + section("PBXBB", "BB") + section("PBXC", "C4", "C5")))
  }

  @Test func examples() throws {
    let file = URL(filePath: "/dev/null")
    let (base, ours, theirs) = (Data("{ a = 1; }".utf8), Data("{ a = 2; }".utf8), Data("{ a = 3; }".utf8))
    let merge = try PlistMerge(base: base, ours: ours, theirs: theirs)
    if merge.conflicts.isEmpty {
      try merge.data.write(to: file)
    } else {
      try merge.data(with: PlistMergeMarkers())?.write(to: file)
    }
  }

  @Test(arguments: UInt64(0)..<8)
  func randomDocuments(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let target = try #require(FuzzTarget.named("merge"))
    for _ in 0..<(isThorough ? 4_000 : 100) {
      let count = Int.random(in: 17..<200, using: &generator)
      try target.check(Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }))
    }
  }
}
