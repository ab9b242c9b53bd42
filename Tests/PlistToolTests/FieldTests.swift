#if CommandLineTool
import Foundation
import Testing

/// The folder with the files, outside this repository.
private let fieldFolder = ProcessInfo.processInfo.environment["PLIST_SHARED"].flatMap { shared -> URL? in
  let folder = URL(filePath: shared).appending(path: "field")
  return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
}

/// Files that people asked about in public, rebuilt: what the tool says about each, and that none of them changes.
@Suite("plist-tool on files of people", .enabled(if: fieldFolder != nil))
struct FieldTests {
  struct Run: Sendable, CustomStringConvertible {
    let arguments: [String]
    let stdout: String
    let stderr: String
    let status: Int32

    init(_ arguments: String, _ stdout: String, _ stderr: String, _ status: Int32) {
      self.arguments = arguments.split(separator: " ").map(String.init)
      (self.stdout, self.stderr, self.status) = (stdout, stderr, status)
    }

    var description: String { arguments.joined(separator: " ") }
  }

  @Test("Every file gives the value, the warning or the message, and stays as it is", arguments: runs)
  func run(run: Run) async throws {
    let folder = try Workspace()
    let files = try #require(fieldFolder)
    let name = try #require(
      run.arguments.first { FileManager.default.fileExists(atPath: files.appending(path: $0).path) })
    let bytes = try Data(contentsOf: files.appending(path: name))
    try bytes.write(to: folder.file(name))
    let command = run.arguments.map { "'\($0)'" }.joined(separator: " ")
    let result = try await folder.shell("$TOOL \(command)")
    #expect(result == ToolResult(stdout: Data(run.stdout.utf8), stderr: run.stderr, status: run.status))
    #expect(try folder.data(name) == bytes)
    #expect(try folder.names() == [name])
  }

  @Test func everyFileIsHere() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: #require(fieldFolder).path)
    let known = Set(Self.runs.flatMap(\.arguments))
    #expect(files.filter { !known.contains($0) } == ["README.md"])
  }

  static let runs: [Run] = [
    archiveCycleBplist,
    boolsPbxproj,
    boolsPlist,
    braceInCommentLinePbxproj,
    byteSummaryPlist,
    cmsWrappedMobileprovision,
    commentTripleEndPlist,
    conflictXmlPlist,
    conflictPbxproj,
    dateHugeBplist,
    dateInfBplist,
    dateNanBplist,
    dateYear2147483647Plist,
    doubleBomStrings,
    doubleHyphenPlist,
    idrefIntegerPlist,
    idrefStringsPlist,
    invalidUtf8Plist,
    machoInfoPlistBin,
    smartQuotesStrings,
    subsecondBplist,
    textBeforeXmlPlist,
    tmutilPlist,
    trailingNulPlist,
    typedGlyphs,
    utf8InAsciiBplist,
    zwspStrings,
  ].flatMap { $0 }

  private static let archiveCycleBplist: [Run] = [
    Run(
      "print archive-cycle.bplist",
      """
      {
        "$archiver": "NSKeyedArchiver"
        "$objects": [
          0: "$null"
          1: {
            "$class": uid(5)
            "NS.objects": [
              0: uid(2)
              1: uid(2)
            ]
          }
          2: {
            "$class": uid(4)
            "Me": uid(2)
            "Sender": uid(3)
            "flags": 4
          }
          3: "sam"
          4: {
            "$classes": [
              0: "InstantMessage"
              1: "NSObject"
            ]
            "$classname": "InstantMessage"
          }
          5: {
            "$classes": [
              0: "NSMutableArray"
              1: "NSArray"
              2: "NSObject"
            ]
            "$classname": "NSMutableArray"
          }
        ]
        "$top": {
          "root": uid(1)
        }
        "$version": 100000
      }

      """,
      "",
      0),
    Run(
      "lint --strict archive-cycle.bplist",
      "archive-cycle.bplist: OK\n",
      "",
      0),
    Run(
      "convert --to xml archive-cycle.bplist",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
      \t<key>$archiver</key>
      \t<string>NSKeyedArchiver</string>
      \t<key>$objects</key>
      \t<array>
      \t\t<string>$null</string>
      \t\t<dict>
      \t\t\t<key>$class</key>
      \t\t\t<dict>
      \t\t\t\t<key>CF$UID</key>
      \t\t\t\t<integer>5</integer>
      \t\t\t</dict>
      \t\t\t<key>NS.objects</key>
      \t\t\t<array>
      \t\t\t\t<dict>
      \t\t\t\t\t<key>CF$UID</key>
      \t\t\t\t\t<integer>2</integer>
      \t\t\t\t</dict>
      \t\t\t\t<dict>
      \t\t\t\t\t<key>CF$UID</key>
      \t\t\t\t\t<integer>2</integer>
      \t\t\t\t</dict>
      \t\t\t</array>
      \t\t</dict>
      \t\t<dict>
      \t\t\t<key>$class</key>
      \t\t\t<dict>
      \t\t\t\t<key>CF$UID</key>
      \t\t\t\t<integer>4</integer>
      \t\t\t</dict>
      \t\t\t<key>Me</key>
      \t\t\t<dict>
      \t\t\t\t<key>CF$UID</key>
      \t\t\t\t<integer>2</integer>
      \t\t\t</dict>
      \t\t\t<key>Sender</key>
      \t\t\t<dict>
      \t\t\t\t<key>CF$UID</key>
      \t\t\t\t<integer>3</integer>
      \t\t\t</dict>
      \t\t\t<key>flags</key>
      \t\t\t<integer>4</integer>
      \t\t</dict>
      \t\t<string>sam</string>
      \t\t<dict>
      \t\t\t<key>$classes</key>
      \t\t\t<array>
      \t\t\t\t<string>InstantMessage</string>
      \t\t\t\t<string>NSObject</string>
      \t\t\t</array>
      \t\t\t<key>$classname</key>
      \t\t\t<string>InstantMessage</string>
      \t\t</dict>
      \t\t<dict>
      \t\t\t<key>$classes</key>
      \t\t\t<array>
      \t\t\t\t<string>NSMutableArray</string>
      \t\t\t\t<string>NSArray</string>
      \t\t\t\t<string>NSObject</string>
      \t\t\t</array>
      \t\t\t<key>$classname</key>
      \t\t\t<string>NSMutableArray</string>
      \t\t</dict>
      \t</array>
      \t<key>$top</key>
      \t<dict>
      \t\t<key>root</key>
      \t\t<dict>
      \t\t\t<key>CF$UID</key>
      \t\t\t<integer>1</integer>
      \t\t</dict>
      \t</dict>
      \t<key>$version</key>
      \t<integer>100000</integer>
      </dict>
      </plist>

      """,
      "",
      0),
    Run(
      "print --archive archive-cycle.bplist",
      """
      [
        0: {
          "$object": 2
          "Me": "→ object 2"
          "Sender": "sam"
          "flags": 4
          "$class": "InstantMessage"
        }
        1: {
          "$object": 2
          "Me": "→ object 2"
          "Sender": "sam"
          "flags": 4
          "$class": "InstantMessage"
        }
      ]

      """,
      "",
      0),
  ]

  private static let boolsPbxproj: [Run] = [
    Run(
      "print bools.pbxproj",
      """
      {
        "defaultConfigurationIsVisible": "0"
        "proxyType": "1"
        "fileEncoding": "4"
      }

      """,
      "",
      0),
    Run(
      "lint --strict bools.pbxproj",
      "bools.pbxproj: OK\n",
      "",
      0),
    Run(
      "convert --to xml bools.pbxproj",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
      \t<key>defaultConfigurationIsVisible</key>
      \t<string>0</string>
      \t<key>proxyType</key>
      \t<string>1</string>
      \t<key>fileEncoding</key>
      \t<string>4</string>
      </dict>
      </plist>

      """,
      "",
      0),
    Run(
      "set -o - bools.pbxproj zz 1",
      """
      { defaultConfigurationIsVisible = 0; proxyType = 1; fileEncoding = 4; zz = 1; }
      """,
      "",
      0),
  ]

  private static let boolsPlist: [Run] = [
    Run(
      "print bools.plist",
      """
      {
        "defaultConfigurationIsVisible": false
        "proxyType": 1
        "fileEncoding": "4"
      }

      """,
      "",
      0),
    Run(
      "lint --strict bools.plist",
      "bools.plist: OK\n",
      "",
      0),
    Run(
      "convert --to xml bools.plist",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
      \t<key>defaultConfigurationIsVisible</key>
      \t<false/>
      \t<key>proxyType</key>
      \t<integer>1</integer>
      \t<key>fileEncoding</key>
      \t<string>4</string>
      </dict>
      </plist>

      """,
      "",
      0),
    Run(
      "set -o - bools.plist zz 1",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict><key>defaultConfigurationIsVisible</key><false/><key>proxyType</key><integer>1</integer><key>fileEncoding</key><string>4</string><key>zz</key><integer>1</integer></dict>
      </plist>

      """,
      "",
      0),
  ]

  private static let braceInCommentLinePbxproj: [Run] = [
    Run(
      "print brace-in-comment-line.pbxproj",
      "",
      "brace-in-comment-line.pbxproj:6:1: error: expected a key, found '}'; the '{' on line 1 is part of a comment\n",
      1),
    Run(
      "lint --strict brace-in-comment-line.pbxproj",
      "",
      "brace-in-comment-line.pbxproj:6:1: error: expected a key, found '}'; the '{' on line 1 is part of a comment\n",
      1),
    Run(
      "convert --to xml brace-in-comment-line.pbxproj",
      "",
      "brace-in-comment-line.pbxproj:6:1: error: expected a key, found '}'; the '{' on line 1 is part of a comment\n",
      1),
    Run(
      "print --lenient brace-in-comment-line.pbxproj",
      """
      {
        "archiveVersion": "1"
        "classes": {}
        "objectVersion": "46"
      }

      """,
      "brace-in-comment-line.pbxproj:6:1: warning: expected a key, found '}'; the '{' on line 1 is part of a comment; read as nothing\n",
      0),
    Run(
      "set -o - brace-in-comment-line.pbxproj zz 1",
      "",
      "brace-in-comment-line.pbxproj:6:1: error: expected a key, found '}'; the '{' on line 1 is part of a comment\n",
      1),
  ]

  private static let byteSummaryPlist: [Run] = [
    Run(
      "print byte-summary.plist",
      """
      {
        "k": "{length = 1163, bytes = 0x62706c69 73743030 ... 00000397 }"
      }

      """,
      "",
      0),
    Run(
      "lint --strict byte-summary.plist",
      "",
      """
      byte-summary.plist:2:6: warning: found the shortened output of "defaults read" for data: most of the bytes are not in the document (key path: k)
      byte-summary.plist: warning: the document is OpenStep text, an old format that Apple's tools read but do not write

      """,
      1),
    Run(
      "convert --to xml byte-summary.plist",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
      \t<key>k</key>
      \t<string>{length = 1163, bytes = 0x62706c69 73743030 ... 00000397 }</string>
      </dict>
      </plist>

      """,
      "",
      0),
    Run(
      "set -o - byte-summary.plist zz 1",
      """
      {
       k = "{length = 1163, bytes = 0x62706c69 73743030 ... 00000397 }";
       zz = 1;
      }

      """,
      "",
      0),
  ]

  private static let cmsWrappedMobileprovision: [Run] = [
    Run(
      "print cms-wrapped.mobileprovision",
      """
      {
        "Name": "Team Profile"
      }

      """,
      "cms-wrapped.mobileprovision: note: the file is signed; its signature was not checked\n",
      0),
    Run(
      "lint --strict cms-wrapped.mobileprovision",
      "cms-wrapped.mobileprovision: OK\n",
      "cms-wrapped.mobileprovision: note: the file is signed; its signature was not checked\n",
      0),
    Run(
      "convert --to xml cms-wrapped.mobileprovision",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
      \t<key>Name</key>
      \t<string>Team Profile</string>
      </dict>
      </plist>

      """,
      "cms-wrapped.mobileprovision: note: the file is signed; its signature was not checked\n",
      0),
    Run(
      "set -o - cms-wrapped.mobileprovision zz 1",
      "",
      "cms-wrapped.mobileprovision: error: the file is signed, and a change would remove the signature; convert --to xml -o FILE writes a copy\n",
      1),
  ]

  private static let commentTripleEndPlist: [Run] = [
    Run(
      "print comment-triple-end.plist",
      """
      {
        "a": true
      }

      """,
      "",
      0),
    Run(
      "lint --strict comment-triple-end.plist",
      "",
      """
      comment-triple-end.plist:4:8: warning: the comment ends with "--->"; other XML parsers refuse that
      comment-triple-end.plist:4:37: warning: the comment begins with '>' or "->", at which some parsers end it

      """,
      1),
    Run(
      "convert --to xml comment-triple-end.plist",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
      \t<key>a</key>
      \t<true/>
      </dict>
      </plist>

      """,
      "",
      0),
    Run(
      "set -o - comment-triple-end.plist zz 1",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <!-- a ---><dict><!----><key>a</key><!--->--><true/><key>zz</key><integer>1</integer></dict>
      </plist>

      """,
      "",
      0),
  ]

  private static let conflictXmlPlist: [Run] = [
    Run(
      "print conflict-xml.plist",
      "",
      "conflict-xml.plist:5:2: error: found \"<<<<<<<\", the mark of a merge conflict that is not resolved\n",
      1),
    Run(
      "lint --strict conflict-xml.plist",
      "",
      "conflict-xml.plist:5:2: error: found \"<<<<<<<\", the mark of a merge conflict that is not resolved\n",
      1),
    Run(
      "convert --to xml conflict-xml.plist",
      "",
      "conflict-xml.plist:5:2: error: found \"<<<<<<<\", the mark of a merge conflict that is not resolved\n",
      1),
    Run(
      "print --lenient conflict-xml.plist",
      "",
      "conflict-xml.plist:5:2: error: found \"<<<<<<<\", the mark of a merge conflict that is not resolved\n",
      1),
    Run(
      "set -o - conflict-xml.plist zz 1",
      "",
      "conflict-xml.plist:5:2: error: found \"<<<<<<<\", the mark of a merge conflict that is not resolved\n",
      1),
  ]

  private static let conflictPbxproj: [Run] = [
    Run(
      "print conflict.pbxproj",
      "",
      "conflict.pbxproj:2:1: error: found \"<<<<<<<\", the mark of a merge conflict that is not resolved\n",
      1),
    Run(
      "lint --strict conflict.pbxproj",
      "",
      "conflict.pbxproj:2:1: error: found \"<<<<<<<\", the mark of a merge conflict that is not resolved\n",
      1),
    Run(
      "convert --to xml conflict.pbxproj",
      "",
      "conflict.pbxproj:2:1: error: found \"<<<<<<<\", the mark of a merge conflict that is not resolved\n",
      1),
    Run(
      "print --lenient conflict.pbxproj",
      "",
      "conflict.pbxproj:2:1: error: found \"<<<<<<<\", the mark of a merge conflict that is not resolved\n",
      1),
    Run(
      "set -o - conflict.pbxproj zz 1",
      "",
      "conflict.pbxproj:2:1: error: found \"<<<<<<<\", the mark of a merge conflict that is not resolved\n",
      1),
  ]

  private static let dateHugeBplist: [Run] = [
    Run(
      "print date-huge.bplist",
      "date(1e+20)\n",
      "",
      0),
    Run(
      "lint --strict date-huge.bplist",
      "",
      "date-huge.bplist: warning: byte 8: the date is NaN, or too far from the year 2001 for XML\n",
      1),
    Run(
      "convert --to xml date-huge.bplist",
      "",
      "date-huge.bplist: error: the date is NaN, or too far from the year 2001; to write the nearest date, use --lossy\n",
      1),
    Run(
      "convert --to xml --lossy date-huge.bplist",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <date>2147483647-12-31T23:59:52Z</date>
      </plist>

      """,
      "date-huge.bplist: warning: a date is NaN or too far from 2001; wrote the nearest one instead\n",
      0),
  ]

  private static let dateInfBplist: [Run] = [
    Run(
      "print date-inf.bplist",
      "date(inf)\n",
      "",
      0),
    Run(
      "lint --strict date-inf.bplist",
      "",
      "date-inf.bplist: warning: byte 8: the date is NaN, or too far from the year 2001 for XML\n",
      1),
    Run(
      "convert --to xml date-inf.bplist",
      "",
      "date-inf.bplist: error: the date is NaN, or too far from the year 2001; to write the nearest date, use --lossy\n",
      1),
    Run(
      "convert --to xml --lossy date-inf.bplist",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <date>2147483647-12-31T23:59:52Z</date>
      </plist>

      """,
      "date-inf.bplist: warning: a date is NaN or too far from 2001; wrote the nearest one instead\n",
      0),
  ]

  private static let dateNanBplist: [Run] = [
    Run(
      "print date-nan.bplist",
      "date(nan)\n",
      "",
      0),
    Run(
      "lint --strict date-nan.bplist",
      "",
      "date-nan.bplist: warning: byte 8: the date is NaN, or too far from the year 2001 for XML\n",
      1),
    Run(
      "convert --to xml date-nan.bplist",
      "",
      "date-nan.bplist: error: the date is NaN, or too far from the year 2001; to write the nearest date, use --lossy\n",
      1),
    Run(
      "convert --to xml --lossy date-nan.bplist",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <date>2001-01-01T00:00:00Z</date>
      </plist>

      """,
      "date-nan.bplist: warning: a date is NaN or too far from 2001; wrote the nearest one instead\n",
      0),
  ]

  private static let dateYear2147483647Plist: [Run] = [
    Run(
      "print date-year-2147483647.plist",
      """
      {
        "expires": date(6.77679752416608e+16)
      }

      """,
      "",
      0),
    Run(
      "lint --strict date-year-2147483647.plist",
      "date-year-2147483647.plist: OK\n",
      "",
      0),
    Run(
      "convert --to xml date-year-2147483647.plist",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
      \t<key>expires</key>
      \t<date>2147483647-07-28T00:00:00Z</date>
      </dict>
      </plist>

      """,
      "",
      0),
    Run(
      "set -o - date-year-2147483647.plist zz 1",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict><key>expires</key><date>2147483647-07-28T00:00:00Z</date><key>zz</key><integer>1</integer></dict>
      </plist>

      """,
      "",
      0),
  ]

  private static let doubleBomStrings: [Run] = [
    Run(
      "print double-bom.strings",
      "",
      "double-bom.strings:1:1: error: found a second byte-order mark (U+FEFF) where a property list should begin\n",
      1),
    Run(
      "lint --strict double-bom.strings",
      "",
      "double-bom.strings:1:1: error: found a second byte-order mark (U+FEFF) where a property list should begin\n",
      1),
    Run(
      "convert --to xml double-bom.strings",
      "",
      "double-bom.strings:1:1: error: found a second byte-order mark (U+FEFF) where a property list should begin\n",
      1),
    Run(
      "print --lenient double-bom.strings",
      """
      {
        "a": "1"
      }

      """,
      "double-bom.strings:1:1: warning: found the character U+FEFF before the property list; read as nothing\n",
      0),
    Run(
      "set -o - double-bom.strings zz 1",
      "",
      "double-bom.strings:1:1: error: found a second byte-order mark (U+FEFF) where a property list should begin\n",
      1),
  ]

  private static let doubleHyphenPlist: [Run] = [
    Run(
      "print double-hyphen.plist",
      "{}\n",
      "",
      0),
    Run(
      "lint --strict double-hyphen.plist",
      "",
      "double-hyphen.plist:4:19: warning: the comment contains \"--\"; other XML parsers refuse that\n",
      1),
    Run(
      "convert --to xml double-hyphen.plist",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict/>
      </plist>

      """,
      "",
      0),
    Run(
      "set -o - double-hyphen.plist zz 1",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <!-- for codesign --deep -->
      <dict>
      \t<key>zz</key>
      \t<integer>1</integer>
      </dict>
      </plist>

      """,
      "",
      0),
  ]

  private static let idrefIntegerPlist: [Run] = [
    Run(
      "print idref-integer.plist",
      "",
      "idref-integer.plist:4:39: error: <integer> has the attribute IDREF=\"2\", so it stands for another element, as in property lists of the kernel; such references are not read (key path: UIDeviceFamily.0)\n",
      1),
    Run(
      "lint --strict idref-integer.plist",
      "",
      "idref-integer.plist:4:39: error: <integer> has the attribute IDREF=\"2\", so it stands for another element, as in property lists of the kernel; such references are not read (key path: UIDeviceFamily.0)\n",
      1),
    Run(
      "convert --to xml idref-integer.plist",
      "",
      "idref-integer.plist:4:39: error: <integer> has the attribute IDREF=\"2\", so it stands for another element, as in property lists of the kernel; such references are not read (key path: UIDeviceFamily.0)\n",
      1),
    Run(
      "print --lenient idref-integer.plist",
      "",
      "idref-integer.plist:4:39: error: <integer> has the attribute IDREF=\"2\", so it stands for another element, as in property lists of the kernel; such references are not read (key path: UIDeviceFamily.0)\n",
      1),
    Run(
      "set -o - idref-integer.plist zz 1",
      "",
      "idref-integer.plist:4:39: error: <integer> has the attribute IDREF=\"2\", so it stands for another element, as in property lists of the kernel; such references are not read (key path: UIDeviceFamily.0)\n",
      1),
  ]

  private static let idrefStringsPlist: [Run] = [
    Run(
      "print idref-strings.plist",
      "",
      "idref-strings.plist:1:60: error: <string> has the attribute IDREF=\"1\", so it stands for another element, as in property lists of the kernel; such references are not read (key path: B)\n",
      1),
    Run(
      "lint --strict idref-strings.plist",
      "",
      """
      idref-strings.plist:1:1: warning: the document has no XML declaration
      idref-strings.plist:1:1: warning: the document has no DOCTYPE
      idref-strings.plist:1:1: warning: the root value is not inside a <plist> element
      idref-strings.plist:1:27: warning: <string> has the attribute ID, which no property list has and which readers ignore
      idref-strings.plist:1:60: error: <string> has the attribute IDREF="1", so it stands for another element, as in property lists of the kernel; such references are not read (key path: B)

      """,
      1),
    Run(
      "convert --to xml idref-strings.plist",
      "",
      "idref-strings.plist:1:60: error: <string> has the attribute IDREF=\"1\", so it stands for another element, as in property lists of the kernel; such references are not read (key path: B)\n",
      1),
    Run(
      "print --lenient idref-strings.plist",
      "",
      "idref-strings.plist:1:60: error: <string> has the attribute IDREF=\"1\", so it stands for another element, as in property lists of the kernel; such references are not read (key path: B)\n",
      1),
    Run(
      "set -o - idref-strings.plist zz 1",
      "",
      "idref-strings.plist:1:60: error: <string> has the attribute IDREF=\"1\", so it stands for another element, as in property lists of the kernel; such references are not read (key path: B)\n",
      1),
  ]

  private static let invalidUtf8Plist: [Run] = [
    Run(
      "print invalid-utf8.plist",
      "",
      "invalid-utf8.plist:4:35: error: byte 0xE9 is not valid UTF-8 here (key path: Artist)\n",
      1),
    Run(
      "lint --strict invalid-utf8.plist",
      "",
      "invalid-utf8.plist:4:35: error: byte 0xE9 is not valid UTF-8 here (key path: Artist)\n",
      1),
    Run(
      "convert --to xml invalid-utf8.plist",
      "",
      "invalid-utf8.plist:4:35: error: byte 0xE9 is not valid UTF-8 here (key path: Artist)\n",
      1),
    Run(
      "print --lenient invalid-utf8.plist",
      """
      {
        "Artist": "Café ’"
      }

      """,
      """
      invalid-utf8.plist:4:35: warning: byte 0xE9 is not valid UTF-8 here; read as 'é', as in windows-1252
      invalid-utf8.plist:4:37: warning: byte 0x92 is not valid UTF-8 here; read as '’', as in windows-1252

      """,
      0),
    Run(
      "set -o - invalid-utf8.plist zz 1",
      "",
      "invalid-utf8.plist:4:35: error: byte 0xE9 is not valid UTF-8 here (key path: Artist)\n",
      1),
  ]

  private static let machoInfoPlistBin: [Run] = [
    Run(
      "print macho-info-plist.bin",
      "",
      "macho-info-plist.bin: error: the document is a Mach-O executable, not a property list; a property list seems to begin at byte 64\n",
      1),
    Run(
      "lint --strict macho-info-plist.bin",
      "",
      "macho-info-plist.bin: error: the document is a Mach-O executable, not a property list; a property list seems to begin at byte 64\n",
      1),
    Run(
      "convert --to xml macho-info-plist.bin",
      "",
      "macho-info-plist.bin: error: the document is a Mach-O executable, not a property list; a property list seems to begin at byte 64\n",
      1),
    Run(
      "print --lenient macho-info-plist.bin",
      """
      {
        "a": true
      }

      """,
      """
      macho-info-plist.bin:1:1: warning: found a Mach-O executable before the property list; read as nothing
      macho-info-plist.bin:6:1: warning: found a NUL byte, which XML does not allow, after the end of the property list; read as the end of the document

      """,
      0),
  ]

  private static let smartQuotesStrings: [Run] = [
    Run(
      "print smart-quotes.strings",
      "",
      "smart-quotes.strings:1:1: error: found a typographic quotation mark (U+201C) where a property list should begin; the quotation marks of OpenStep text are \" and '\n",
      1),
    Run(
      "lint --strict smart-quotes.strings",
      "",
      "smart-quotes.strings:1:1: error: found a typographic quotation mark (U+201C) where a property list should begin; the quotation marks of OpenStep text are \" and '\n",
      1),
    Run(
      "convert --to xml smart-quotes.strings",
      "",
      "smart-quotes.strings:1:1: error: found a typographic quotation mark (U+201C) where a property list should begin; the quotation marks of OpenStep text are \" and '\n",
      1),
    Run(
      "print --lenient smart-quotes.strings",
      """
      {
        "a": "b"
      }

      """,
      """
      smart-quotes.strings:1:1: warning: expected a value, found '“'; it is a typographic quotation mark, and a quotation mark is " or '; read as a string
      smart-quotes.strings:1:7: warning: expected a value for the key "“a”", found '“'; it is a typographic quotation mark, and a quotation mark is " or '; read as a string (key path: “a”)

      """,
      0),
    Run(
      "set -o - smart-quotes.strings zz 1",
      "",
      "smart-quotes.strings:1:1: error: found a typographic quotation mark (U+201C) where a property list should begin; the quotation marks of OpenStep text are \" and '\n",
      1),
  ]

  private static let subsecondBplist: [Run] = [
    Run(
      "print subsecond.bplist",
      """
      [
        0: 2020-03-07T05:06:07.25Z
        1: 2000-12-31T23:59:59.25Z
      ]

      """,
      "",
      0),
    Run(
      "lint --strict subsecond.bplist",
      "",
      """
      subsecond.bplist: warning: byte 11: the date has a fraction of a second, which XML does not hold (key path: 0)
      subsecond.bplist: warning: byte 20: the date has a fraction of a second, which XML does not hold (key path: 1)

      """,
      1),
    Run(
      "convert --to xml subsecond.bplist",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <array>
      \t<date>2020-03-07T05:06:07Z</date>
      \t<date>2000-12-31T23:59:59Z</date>
      </array>
      </plist>

      """,
      "subsecond.bplist: warning: 2 dates lost their fractions of a second (key path: 0)\n",
      0),
    Run(
      "convert --to xml --lossy subsecond.bplist",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <array>
      \t<date>2020-03-07T05:06:07Z</date>
      \t<date>2000-12-31T23:59:59Z</date>
      </array>
      </plist>

      """,
      "subsecond.bplist: warning: 2 dates lost their fractions of a second (key path: 0)\n",
      0),
  ]

  private static let textBeforeXmlPlist: [Run] = [
    Run(
      "print text-before-xml.plist",
      "",
      "text-before-xml.plist:1:9: error: expected '=' or ';' after the key \"License\", found 'a'; a property list seems to begin on line 3, after other text (key path: License)\n",
      1),
    Run(
      "lint --strict text-before-xml.plist",
      "",
      "text-before-xml.plist:1:9: error: expected '=' or ';' after the key \"License\", found 'a'; a property list seems to begin on line 3, after other text (key path: License)\n",
      1),
    Run(
      "convert --to xml text-before-xml.plist",
      "",
      "text-before-xml.plist:1:9: error: expected '=' or ';' after the key \"License\", found 'a'; a property list seems to begin on line 3, after other text (key path: License)\n",
      1),
    Run(
      "print --lenient text-before-xml.plist",
      """
      {
        "a": true
      }

      """,
      "text-before-xml.plist:1:1: warning: found other text before the property list; read as nothing\n",
      0),
    Run(
      "set -o - text-before-xml.plist zz 1",
      "",
      "text-before-xml.plist:1:9: error: expected '=' or ';' after the key \"License\", found 'a'; a property list seems to begin on line 3, after other text (key path: License)\n",
      1),
    Run(
      "print --all text-before-xml.plist",
      """
      [
        0: {
          "a": true
        }
      ]

      """,
      "text-before-xml.plist:1:1: warning: found other text before the property list; read as nothing\n",
      0),
  ]

  private static let tmutilPlist: [Run] = [
    Run(
      "print tmutil.plist",
      "",
      "tmutil.plist:1:8: error: expected '=' or ';' after the key \"Backup\", found 's'; a property list seems to begin on line 2, after other text (key path: Backup)\n",
      1),
    Run(
      "lint --strict tmutil.plist",
      "",
      "tmutil.plist:1:8: error: expected '=' or ';' after the key \"Backup\", found 's'; a property list seems to begin on line 2, after other text (key path: Backup)\n",
      1),
    Run(
      "convert --to xml tmutil.plist",
      "",
      "tmutil.plist:1:8: error: expected '=' or ';' after the key \"Backup\", found 's'; a property list seems to begin on line 2, after other text (key path: Backup)\n",
      1),
    Run(
      "print --lenient tmutil.plist",
      """
      {
        "ClientID": "com.apple.backupd"
        "Progress": {
          "Percent": "0.46"
          "_raw_totalBytes": "488283963392"
        }
        "Running": "1"
      }

      """,
      "tmutil.plist:1:1: warning: found other text before the property list; read as nothing\n",
      0),
    Run(
      "set -o - tmutil.plist zz 1",
      "",
      "tmutil.plist:1:8: error: expected '=' or ';' after the key \"Backup\", found 's'; a property list seems to begin on line 2, after other text (key path: Backup)\n",
      1),
  ]

  private static let trailingNulPlist: [Run] = [
    Run(
      "print trailing-nul.plist",
      "",
      "trailing-nul.plist:6:1: error: found a NUL byte, which XML does not allow, after the end of the property list\n",
      1),
    Run(
      "lint --strict trailing-nul.plist",
      "",
      "trailing-nul.plist:6:1: error: found a NUL byte, which XML does not allow, after the end of the property list\n",
      1),
    Run(
      "convert --to xml trailing-nul.plist",
      "",
      "trailing-nul.plist:6:1: error: found a NUL byte, which XML does not allow, after the end of the property list\n",
      1),
    Run(
      "print --lenient trailing-nul.plist",
      "{}\n",
      "trailing-nul.plist:6:1: warning: found a NUL byte, which XML does not allow, after the end of the property list; read as the end of the document\n",
      0),
    Run(
      "set -o - trailing-nul.plist zz 1",
      "",
      "trailing-nul.plist:6:1: error: found a NUL byte, which XML does not allow, after the end of the property list\n",
      1),
    Run(
      "print --all trailing-nul.plist",
      """
      [
        0: {}
      ]

      """,
      "",
      0),
  ]

  private static let typedGlyphs: [Run] = [
    Run(
      "print typed.glyphs",
      """
      {
        "A": [
          0: "754"
          1: "30"
          2: "7"
          3: "51"
          4: "80"
          5: "-1.5"
          6: "0041"
          7: ""
        ]
      }

      """,
      "",
      0),
    Run(
      "lint --strict typed.glyphs",
      "typed.glyphs: OK\n",
      "",
      0),
    Run(
      "convert --to xml typed.glyphs",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
      \t<key>A</key>
      \t<array>
      \t\t<string>754</string>
      \t\t<string>30</string>
      \t\t<string>7</string>
      \t\t<string>51</string>
      \t\t<string>80</string>
      \t\t<string>-1.5</string>
      \t\t<string>0041</string>
      \t\t<string></string>
      \t</array>
      </dict>
      </plist>

      """,
      "",
      0),
    Run(
      "set -o - typed.glyphs zz 1",
      "{ A = ( \"754\", \"30\", 7, 51, \"80\", -1.5, 0041, \"\" ); zz = 1; }\n",
      "",
      0),
  ]

  private static let utf8InAsciiBplist: [Run] = [
    Run(
      "print utf8-in-ascii.bplist",
      "",
      "utf8-in-ascii.bplist: error: byte 17: a string that is marked as ASCII contains the byte 0xE5 (key path: name)\n",
      1),
    Run(
      "lint --strict utf8-in-ascii.bplist",
      "",
      "utf8-in-ascii.bplist: error: byte 17: a string that is marked as ASCII contains the byte 0xE5 (key path: name)\n",
      1),
    Run(
      "convert --to xml utf8-in-ascii.bplist",
      "",
      "utf8-in-ascii.bplist: error: byte 17: a string that is marked as ASCII contains the byte 0xE5 (key path: name)\n",
      1),
    Run(
      "print --lenient utf8-in-ascii.bplist",
      """
      {
        "name": "廚房"
      }

      """,
      "utf8-in-ascii.bplist: warning: byte 17: a string that is marked as ASCII contains the byte 0xE5; read as UTF-8\n",
      0),
  ]

  private static let zwspStrings: [Run] = [
    Run(
      "print zwsp.strings",
      "",
      "zwsp.strings:1:1: error: found a zero-width space (U+200B) where a property list should begin\n",
      1),
    Run(
      "lint --strict zwsp.strings",
      "",
      "zwsp.strings:1:1: error: found a zero-width space (U+200B) where a property list should begin\n",
      1),
    Run(
      "convert --to xml zwsp.strings",
      "",
      "zwsp.strings:1:1: error: found a zero-width space (U+200B) where a property list should begin\n",
      1),
    Run(
      "print --lenient zwsp.strings",
      """
      {
        "a": "1"
      }

      """,
      "zwsp.strings:1:1: warning: found the character U+200B before the property list; read as nothing\n",
      0),
    Run(
      "set -o - zwsp.strings zz 1",
      "",
      "zwsp.strings:1:1: error: found a zero-width space (U+200B) where a property list should begin\n",
      1),
  ]
}
#endif
