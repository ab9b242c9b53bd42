import Foundation
import Plist
import PlistFuzzTargets
import Testing

/// Documents in the usual layout of their kind.
struct DocumentLayoutTests {
  private func laidOut(_ text: String, _ path: String? = nil) throws -> String {
    let data = try DocumentLayout(path: path).applied(to: Data(text.utf8))
    // Applying a layout again changes nothing.
    #expect(try DocumentLayout(path: path).applied(to: data) == data)
    #expect(try PropertyList(parsing: data) == PropertyList(parsing: Data(text.utf8)))
    return String(decoding: data, as: UTF8.self)
  }

  @Test func xml() throws {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?><!-- head --><!DOCTYPE plist PUBLIC "x" "y">
      <plist version="1.0"><!-- root --><dict> <!-- opened -->
       <key>a</key><string>x &amp; <![CDATA[y]]></string> <!-- behind -->


        <!-- detached
             on two lines -->

        <!-- of b --><key>b</key> <!-- inner --> <array  ></array><key>c</key><dict><key>d</key><real>1.50</real></dict>
        <key>data</key><data>AAAA \(String(repeating: "A", count: 68))</data><key>e</key><true />
        <key>f</key><array><integer>0x10</integer><!-- last --></array>
      </dict></plist><!-- foot -->
      """
    #expect(
      try laidOut(text) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <!-- head -->
        <!DOCTYPE plist PUBLIC "x" "y">
        <plist version="1.0">
        <!-- root -->
        <dict> <!-- opened -->
        \t<key>a</key>
        \t<string>x &amp; <![CDATA[y]]></string> <!-- behind -->

        \t<!-- detached
        \t     on two lines -->

        \t<!-- of b -->
        \t<key>b</key>
        \t<!-- inner -->
        \t<array/>
        \t<key>c</key>
        \t<dict>
        \t\t<key>d</key>
        \t\t<real>1.50</real>
        \t</dict>
        \t<key>data</key>
        \t<data>
        \t\(String(repeating: "A", count: 68))
        \tAAAA
        \t</data>
        \t<key>e</key>
        \t<true/>
        \t<key>f</key>
        \t<array>
        \t\t<integer>0x10</integer>
        \t\t<!-- last -->
        \t</array>
        </dict>
        </plist>
        <!-- foot -->

        """)
    #expect(
      try laidOut("<plist><string>a\r\nb</string></plist>") == "<plist>\r\n<string>a\r\nb</string>\r\n</plist>\r\n")
    #expect(try laidOut("<dict/>") == "<dict/>\n")
  }

  /// What has no place in the layout is refused, like what cannot be read.
  @Test func refusals() throws {
    for text in [
      "<plist><array><?php ?><true/></array></plist>", "<plist><array><plist><true/></plist></array></plist>",
      "{\"a\": 1, \"a\": 2}", "<plist><dict>", "",
    ] {
      #expect(throws: PlistError.self) { try DocumentLayout(path: nil).applied(to: Data(text.utf8)) }
    }
    let binary = try (["a": 1] as PropertyList).data(format: .binary)
    #expect(try DocumentLayout(path: nil).applied(to: binary) == binary)
  }

  @Test func openStep() throws {
    #expect(
      try laidOut(
        "// head\n{ a = ( 1 , \"b c\" /* x */, (), {} ) ; /* behind */\n b /* k */ = /* v */ <00 ff> /* w */;;\n  /* of c */ c; // end\n}\n/* foot */"
          .replacingOccurrences(of: ";;", with: ";"))
          == """
          // head
          {
          \ta = (
          \t\t1,
          \t\t"b c" /* x */,
          \t\t(),
          \t\t{},
          \t); /* behind */
          \tb /* k */ = /* v */ <00 ff> /* w */;
          \t/* of c */
          \tc; // end
          }
          /* foot */

          """)
    #expect(try laidOut("{ a // line\n = 1; }") == "{\n\ta // line\n\t = 1;\n}\n")
    #expect(try laidOut("\"a b\"") == "\"a b\"\n")
  }

  /// A table keeps its order, comments, spelling and encoding, and one empty line between pairs.
  @Test func strings() throws {
    let text = "/* File */\n\n\n\n/* A */ \"a\"=\"\\U00e4\";\n\n\n\"b\" = \"2\"; // two\n   \"c\" = 'x'   ;/* last */"
    let expected =
      "/* File */\n\n/* A */\n\"a\" = \"\\U00e4\";\n\n\"b\" = \"2\"; // two\n\"c\" = 'x'; /* last */\n"
    #expect(try laidOut(text) == expected)
    let wide = try DocumentLayout(path: nil).applied(to: try #require(text.data(using: .utf16)))
    #expect(String(data: wide, encoding: .utf16) == expected)
    #expect(try laidOut("/* nothing */") == "/* nothing */\n")
  }

  @Test func json() throws {
    #expect(try laidOut("{\"b\":[1,2.5],\"a\":{}}", "x.json").hasPrefix("{\n  \"b\": [\n    1,\n"))
    let catalog = "{\"version\":\"1.0\",\"strings\":{\"b\":{},\"a\":{}},\"sourceLanguage\":\"en\"}"
    let expected =
      "{\n  \"sourceLanguage\" : \"en\",\n  \"strings\" : {\n    \"a\" : {\n\n    },\n    \"b\" : {\n\n    }\n  },\n  \"version\" : \"1.0\"\n}"
    #expect(try laidOut(catalog, "a/Localizable.xcstrings") == expected)
    #expect(try laidOut(catalog) == expected)
  }

  static let project = """
    // !$*UTF8*$!
    {
    \tarchiveVersion = 1;
    \tclasses = {
    \t};
    \tobjects = {

    /* Begin PBXBuildFile section */
    \t\tB1 /* a b.swift in Sources */ = {isa = PBXBuildFile; fileRef = F1 /* a b.swift */; settings = {ATTRIBUTES = (Weak, ); }; };
    \t\tB2 /* (null) in Sources */ = {isa = PBXBuildFile; };
    /* End PBXBuildFile section */

    /* Begin PBXFileReference section */
    \t\t/* hand-written */
    \t\tF1 /* a b.swift */ = {isa = PBXFileReference; name = "a b.swift"; path = "x/a b.swift"; sourceTree = "<group>"; };
    /* End PBXFileReference section */

    /* Begin PBXGroup section */
    \t\tG1 = {
    \t\t\tisa = PBXGroup;
    \t\t\tchildren = (
    \t\t\t\tF1 /* a b.swift */, // first
    \t\t\t);
    \t\t\tsourceTree = "<group>";
    \t\t};
    /* End PBXGroup section */

    /* Begin PBXNativeTarget section */
    \t\tT1 /* App */ = {
    \t\t\tisa = PBXNativeTarget;
    \t\t\tbuildConfigurationList = L2 /* Build configuration list for PBXNativeTarget "App" */;
    \t\t\tbuildPhases = (
    \t\t\t\tS1 /* Sources */,
    \t\t\t);
    \t\t\tname = App;
    \t\t};
    /* End PBXNativeTarget section */

    /* Begin PBXProject section */
    \t\tP1 /* Project object */ = {
    \t\t\tisa = PBXProject;
    \t\t\tattributes = {
    \t\t\t\tTargetAttributes = {
    \t\t\t\t\tT1 = {
    \t\t\t\t\t\tTestTargetID = T1;
    \t\t\t\t\t};
    \t\t\t\t};
    \t\t\t};
    \t\t\tbuildConfigurationList = L1 /* Build configuration list for PBXProject "Demo" */;
    \t\t\tmainGroup = G1;
    \t\t\ttargets = (
    \t\t\t\tT1 /* App */,
    \t\t\t);
    \t\t};
    /* End PBXProject section */

    /* Begin PBXSourcesBuildPhase section */
    \t\tS1 /* Sources */ = {
    \t\t\tisa = PBXSourcesBuildPhase;
    \t\t\tfiles = (
    \t\t\t\tB1 /* a b.swift in Sources */,
    \t\t\t\tB2 /* (null) in Sources */,
    \t\t\t);
    \t\t};
    /* End PBXSourcesBuildPhase section */

    /* Begin XCConfigurationList section */
    \t\tL1 /* Build configuration list for PBXProject "Demo" */ = {
    \t\t\tisa = XCConfigurationList;
    \t\t};
    \t\tL2 /* Build configuration list for PBXNativeTarget "App" */ = {
    \t\t\tisa = XCConfigurationList;
    \t\t};
    /* End XCConfigurationList section */
    \t};
    \trootObject = P1 /* Project object */;
    }

    """

  @Test func projects() throws {
    #expect(try laidOut(Self.project) == Self.project)
    // The same from the values alone, without what people have written.
    let value = try PropertyList(parsing: Data(Self.project.utf8)).sortedDeeply
    let written = try DocumentLayout(path: "x/Demo.xcodeproj/project.pbxproj").applied(
      to: value.data(format: .openStep))
    let plain = Self.project.replacingOccurrences(of: "\t\t/* hand-written */\n", with: "")
      .replacingOccurrences(of: " // first", with: "")
    #expect(String(decoding: written, as: UTF8.self) == plain)
    // Outdated names are written anew.
    let renamed = Self.project.replacingOccurrences(of: "name = \"a b.swift\"", with: "name = new.swift")
    #expect(
      try laidOut(renamed).contains(
        "\t\tB1 /* new.swift in Sources */ = {isa = PBXBuildFile; fileRef = F1 /* new.swift */;"))
  }

  /// Most real project files are as Xcode writes them; in the others, somebody who resolved a conflict put lines
  /// elsewhere.
  @Test(.enabled(if: RealMerge.folder != nil), arguments: try RealMerge.all())
  func realFiles(_ merge: RealMerge) throws {
    for side in isThorough ? ["base", "ours", "theirs", "merged"] : ["ours"] {
      let data = try merge.data(side)
      guard let value = try? PropertyList(parsing: data), data.first != UInt8(ascii: "b") else { continue }
      let path = merge.name.hasSuffix("xcstrings") ? "a.xcstrings" : nil
      let once = try DocumentLayout(path: path).applied(to: data)
      #expect(try PropertyList(parsing: once) == value)
      #expect(try DocumentLayout(path: path).applied(to: once) == once)
      if merge.name.hasSuffix("pbxproj") {
        let isOwn = !Self.changedByHand.contains("\(merge.name)/\(side)")
        #expect((once == data) == isOwn, "\(merge.name)/\(side)")
      }
    }
  }

  private static let changedByHand: Set<String> = [
    "001-pbxproj/merged", "003-pbxproj/base", "003-pbxproj/ours", "003-pbxproj/merged", "009-pbxproj/merged",
    "012-pbxproj/merged", "013-pbxproj/merged", "016-pbxproj/merged", "017-pbxproj/merged", "018-pbxproj/ours",
    "018-pbxproj/merged", "023-pbxproj/merged", "026-pbxproj/merged", "028-pbxproj/ours", "030-pbxproj/base",
  ]

  @Test(.enabled(if: SharedCase.folder != nil), arguments: try SharedCase.corpus())
  func corpus(_ file: URL) throws {
    let data = try Data(contentsOf: file)
    guard let value = try? PropertyList(parsing: data), let once = try? DocumentLayout(path: nil).applied(to: data)
    else { return }
    #expect(try PropertyList(parsing: once) == value)
    #expect(try DocumentLayout(path: nil).applied(to: once) == once)
    let comments = try PlistDocument(parsing: data).commentCount
    #expect(try PlistDocument(parsing: once).commentCount >= comments || ProjectFile(value) != nil)
  }

  /// In whatever spelling, documents keep their values, and a second layout changes nothing.
  @Test(arguments: UInt64(0)..<20)
  func randomDocuments(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let target = try #require(FuzzTarget.named("layout"))
    for _ in 0..<(isThorough ? 4_000 : 100) {
      let count = Int.random(in: 1..<200, using: &generator)
      try target.check(Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }))
    }
  }
}

extension PropertyList {
  /// The value with all keys sorted.
  fileprivate var sortedDeeply: PropertyList {
    switch self {
    case .array(let elements): .array(elements.map(\.sortedDeeply))
    case .dictionary(let dictionary): .dictionary(dictionary.mapValues(\.sortedDeeply).sorted())
    default: self
    }
  }
}
