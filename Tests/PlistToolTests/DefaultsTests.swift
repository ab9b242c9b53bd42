#if CommandLineTool
import Foundation
import Plist
import Testing

#if os(Linux)
@Suite("plist-tool defaults")
struct DefaultsTests {
  private let folder: Workspace

  init() throws { folder = try Workspace() }

  private func expect(
    _ script: String, gives output: String, errors: String = "", status: Int32 = 0,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let preparation = "mkdir -p bin; [ -e bin/defaults ] || ln -s \"$TOOL\" bin/defaults; PATH=$PWD/bin:$PATH\n"
    let result = try await folder.shell(preparation + script)
    #expect(
      result == ToolResult(stdout: output, stderr: errors, status: status), sourceLocation: sourceLocation)
  }

  @Test("Preferences of an application, as people write them for macOS")
  func application() async throws {
    try await expect(
      """
      defaults write com.example.Editor FontName -string "Fira Code"
      defaults write com.example.Editor FontSize -int 13
      defaults write com.example.Editor LineHeight -float 1.25
      defaults write com.example.Editor ShowInvisibles -bool true
      defaults write com.example.Editor WrapLines -boolean NO
      defaults write com.example.Editor LastOpened -date "2024-02-29 12:30:00 +0000"
      defaults write com.example.Editor Bookmark -data 626f6f6b38020000
      defaults write com.example.Editor Cache -data \(String(repeating: "0123456789abcdef", count: 4))
      defaults write com.example.Editor Theme Solarized
      defaults write com.example.Editor "Window Frame" "100 200 800 600 0 0 1920 1080"
      defaults write com.example.Editor _Private -integer -1
      defaults write com.example.Editor Path '~/Documents'
      defaults write com.example.Editor Name 'Zoë 😀'
      defaults write com.example.Editor Empty ''
      defaults read com.example.Editor
      """,
      gives: #"""
        {
            Bookmark = {length = 8, bytes = 0x626f6f6b38020000};
            Cache = {length = 32, bytes = 0x01234567 89abcdef 01234567 89abcdef ... 01234567 89abcdef };
            Empty = "";
            FontName = "Fira Code";
            FontSize = 13;
            LastOpened = "2024-02-29 12:30:00 +0000";
            LineHeight = "1.25";
            Name = "Zo\U00eb \Ud83d\Ude00";
            Path = "~/Documents";
            ShowInvisibles = 1;
            Theme = Solarized;
            "Window Frame" = "100 200 800 600 0 0 1920 1080";
            WrapLines = 0;
            "_Private" = "-1";
        }

        """#)
    try await expect(
      """
      for key in FontName FontSize LineHeight ShowInvisibles LastOpened Bookmark Name _Private; do
        defaults read com.example.Editor $key; defaults read-type com.example.Editor $key
      done
      """,
      gives: """
        Fira Code
        Type is string
        13
        Type is integer
        1.25
        Type is float
        1
        Type is boolean
        2024-02-29 12:30:00 +0000
        Type is date
        {length = 8, bytes = 0x626f6f6b38020000}
        Type is data
        Zoë 😀
        Type is string
        -1
        Type is integer

        """)
    #expect(try PlistFormat(detecting: folder.data("config/com.example.Editor.plist")) == .binary)
    let permissions = try await folder.shell("ls -l config/com.example.Editor.plist | cut -c1-10; ls -A config")
    #expect(permissions == ToolResult(stdout: "-rw-------\ncom.example.Editor.plist\n"))
  }

  @Test("Arrays and dictionaries, added to and nested")
  func containers() async throws {
    try await expect(
      """
      defaults write com.example.Dock recent -array a 'b c' -int 3 -bool yes
      defaults write com.example.Dock recent -array-add '{ label = Safari; tiles = (1, 2); }' '<dict><key>k</key><real>0.5</real></dict>'
      defaults write com.example.Dock fresh -array-add one
      defaults write com.example.Dock sizes -dict small -int 1 'very large' -float 2.5
      defaults write com.example.Dock sizes -dict-add small -int 2 tags '(x, y)'
      defaults write com.example.Dock new -dict-add k v
      defaults write com.example.Dock empty -array
      defaults write com.example.Dock none -dict
      defaults write com.example.Dock parsed '{ "a b" = <0102>; c = "d\\"e"; }'
      defaults read com.example.Dock
      defaults read com.example.Dock recent
      defaults read-type com.example.Dock recent; defaults read-type com.example.Dock sizes
      """,
      gives: #"""
        {
            empty =     (
            );
            fresh =     (
                one
            );
            new =     {
                k = v;
            };
            none =     {
            };
            parsed =     {
                "a b" = {length = 2, bytes = 0x0102};
                c = "d\"e";
            };
            recent =     (
                a,
                "b c",
                3,
                1,
                        {
                    label = Safari;
                    tiles =             (
                        1,
                        2
                    );
                },
                        {
                    k = "0.5";
                }
            );
            sizes =     {
                small = 2;
                tags =         (
                    x,
                    y
                );
                "very large" = "2.5";
            };
        }
        (
            a,
            "b c",
            3,
            1,
                {
                label = Safari;
                tiles =         (
                    1,
                    2
                );
            },
                {
                k = "0.5";
            }
        )
        Type is array
        Type is dictionary

        """#)
    let message = "Value for key new is not an array; cannot append; leaving defaults unchanged.\n"
    try await expect("defaults write com.example.Dock new -array-add x", gives: "", errors: message, status: 1)
    let other = "Value for key fresh is not a dictionary; cannot add pairs; leaving defaults unchanged.\n"
    try await expect("defaults write com.example.Dock fresh -dict-add x y", gives: "", errors: other, status: 1)
  }

  @Test("delete, rename, domains, find, and the global domain")
  func keys() async throws {
    try await expect(
      """
      defaults write -g AppleLocale en_GB; defaults write NSGlobalDomain Scale 2; defaults write b.app color Blue
      defaults write a.app old 1; defaults write a.app gone 2; defaults rename a.app old new; defaults delete a.app gone
      defaults domains; defaults read -globalDomain AppleLocale; defaults read
      defaults find BLUE; defaults find apple; defaults find nothing-like-it; ls -A config
      defaults delete b.app; defaults domains
      """,
      gives: """
        a.app, b.app
        en_GB
        {
            "Apple Global Domain" =     {
                AppleLocale = "en_GB";
                Scale = 2;
            };
            "a.app" =     {
                new = 1;
            };
            "b.app" =     {
                color = Blue;
            };
        }
        Found 1 keys in domain 'b.app': {
            color = Blue;
        }
        Found domain 'Apple Global Domain': {
            AppleLocale = "en_GB";
            Scale = 2;
        }
        No domain, key, nor value containing 'nothing-like-it'
        .GlobalPreferences.plist
        a.app.plist
        b.app.plist
        a.app

        """)
  }

  @Test(
    "Missing or invalid arguments are reported, and nothing changes",
    arguments: [
      ("read no.such", "Domain no.such does not exist", 1),
      ("read a.app no", "The domain/default pair of (a.app, no) does not exist", 1),
      ("read-type no.such no", "The domain/default pair of (no.such, no) does not exist", 1),
      ("delete no.such", "Domain (no.such) not found.\nDefaults have not been changed.", 1),
      ("delete a.app no", "Domain (a.app) not found.\nDefaults have not been changed.", 1),
      ("rename a.app no x", "Key no does not exist in domain a.app; leaving defaults unchanged.", 1),
      ("rename a.app k j", "Key j already exists in domain a.app; leaving defaults unchanged.", 1),
      ("write a.app text", "Rep argument is not a dictionary\nDefaults have not been changed.", 1),
      ("write a.app k -int five", "\"five\" is not a valid value for -int; leaving defaults unchanged.", 1),
      ("write a.app k -float 1e999", "\"1e999\" is not a valid value for -float; leaving defaults unchanged.", 1),
      ("write a.app k -string a b", "Unexpected argument b; leaving defaults unchanged.", 1),
      ("write a.app k -array a -dict b c", "Cannot nest composite types (arrays and dictionaries); exiting", 1),
      ("write a.app k -dict-add names -array a", "Cannot nest composite types (arrays and dictionaries); exiting", 1),
      ("write a.app k -dict a", "The key \"a\" has no value; leaving defaults unchanged.", 1),
      ("export no.such -", "Domain no.such does not exist", 1),
      ("-currentHost frobnicate", DefaultsTests.hostWarning + "\"frobnicate\" is not a verb.", 255),
      ("write -host here a.app k 1", "-host: this system has no per-host defaults.", 255),
      ("-host here read", "-host: this system has no per-host defaults.", 255),
      ("frobnicate", "\"frobnicate\" is not a verb.", 255), ("read a..b", "\"a..b\" is not a domain.", 255),
    ])
  func failures(arguments: String, message: String, status: Int32) async throws {
    let contents: PropertyList = ["k": 1, "j": 2]
    try FileManager.default.createDirectory(at: folder.file("config"), withIntermediateDirectories: true)
    try contents.data(format: .binary).write(to: folder.file("config/a.app.plist"))
    let help = status == 255 ? "\"defaults help\" shows the verbs.\n" : ""
    try await expect("defaults \(arguments)", gives: "", errors: message + "\n" + help, status: status)
    #expect(try PropertyList(parsing: folder.data("config/a.app.plist")) == contents)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("config").path) == ["a.app.plist"])
  }

  private static let hostWarning =
    "-currentHost: warning: this system has no per-host defaults; using those of all hosts.\n"

  @Test("-currentHost means the defaults of all hosts, with a warning, so that a script goes on")
  func currentHost() async throws {
    let script = """
      set -e
      defaults -currentHost write a.app k -int 1
      defaults write -currentHost a.app j -int 2
      defaults -currentHost read a.app k
      defaults read a.app j
      """
    let warnings = String(repeating: Self.hostWarning, count: 3)
    try await expect(script, gives: "1\n2\n", errors: warnings)
  }

  @Test("import, export, whole domains, and paths")
  func files() async throws {
    try folder.write("// kept\n{ a = b; }\n", to: "settings.plist")
    try await expect(
      """
      defaults write "$PWD/settings" c -string d; cat settings.plist; defaults read ./settings.plist a
      defaults import my.app settings.plist; defaults export my.app copy; defaults export my.app -
      $TOOL convert --to json --compact copy; echo
      echo '{"z": 1}' | defaults import my.app -; defaults write my.app '{ only = this; }'; defaults read my.app
      """,
      gives: "// kept\n{ a = b; c = d; }\nb\n"
        + xml("<dict>\n\t<key>a</key>\n\t<string>b</string>\n\t<key>c</key>\n\t<string>d</string>\n</dict>")
        + "{\"a\":\"b\",\"c\":\"d\"}\n{\n    only = this;\n}\n")
    #expect(try folder.data("copy").starts(with: Data("bplist00".utf8)))
    try FileManager.default.createDirectory(
      at: folder.file("Editor.app/Contents"), withIntermediateDirectories: true)
    let information = xml("<dict><key>CFBundleIdentifier</key><string>com.e</string></dict>")
    try folder.write(information, to: "Editor.app/Contents/Info.plist")
    try await expect(
      """
      defaults write -app Editor.app k v; defaults write -app tool k w; defaults domains
      defaults read -app Editor.app k
      """,
      gives: "com.e, my.app, tool\nv\n")
  }

  @Test("A bad file of a domain is named, and the other domains are shown")
  func badDomains() async throws {
    let config = folder.file("config").path
    try await expect(
      """
      mkdir -p config/folder.plist; echo 'garbage{' > config/bad.plist; echo '(a)' > config/list.plist
      ln -s folder.plist config/link.plist; echo '{"n": null}' > config/null.plist
      defaults write good key value; echo '{ n = 1; x = { y = 2' > config/.hidden.plist
      """, gives: "")
    let syntax = "line 1, column 8: expected '=' or ';' after the key \"garbage\", found '{'"
    let preparation = "mkdir -p bin; ln -sf \"$TOOL\" bin/defaults; PATH=$PWD/bin:$PATH\n"
    for (arguments, output) in [
      ("read", "{\n    good =     {\n        key = value;\n    };\n    null =     {\n        n = <null>;\n    };\n}\n"),
      ("find val", "Found 1 keys in domain 'good': {\n    key = value;\n}\n"),
    ] {
      let result = try await folder.shell(preparation + "defaults \(arguments)")
      #expect(result.stdoutText == output)
      let errors = result.stderr.split(separator: "\n")
      #expect(errors.count == 3 && errors[0].hasPrefix("The file \(config)/bad.plist cannot be read: \(syntax)"))
      #expect(errors[1] == "The file \(config)/link.plist cannot be read: Is a directory")
      let array = "does not contain user defaults: the root of the file is not a dictionary"
      #expect(errors[2] == "The file \(config)/list.plist \(array)")
      #expect(result.status == 1)
    }
    for arguments in ["read bad", "write bad k v", "read bad k", "rename bad k l", "export bad -"] {
      let result = try await folder.shell(preparation + "defaults \(arguments)")
      #expect(result.stderr.hasPrefix("The file \(config)/bad.plist cannot be read: \(syntax)"), "\(arguments)")
      #expect(result.stdout.isEmpty && result.status == 1)
    }
    let null = "XML property lists cannot represent null (key path: n)\n"
    try await expect(
      "defaults export null -", gives: "", errors: "The file \(config)/null.plist cannot be exported: \(null)",
      status: 1)
    let number = "OpenStep property lists cannot represent an integer; allow lossy conversion to a string (key path: n)"
    try await expect(
      "echo '{ a = b; }' > config/old.plist; defaults write old n -int 5", gives: "",
      errors: "The file \(config)/old.plist cannot be written: \(number)\n", status: 1)
  }

  @Test("Numbers are described as NSNumber does")
  func numbers() async throws {
    let numbers = [
      "0.1": "0.1", "100": "100", "1e16": "1e+16", "123456789012345680": "1.234567890123457e+17", "0.0001": "0.0001",
      "0.00001": "1e-05", "-2.50": "-2.5", "0.3333333333333333333": "0.3333333333333333", "1e300": "1e+300",
      "0.30000000000000004": "0.3", "0": "0", "9.9999999999999999": "10", "inf": "inf",
    ]
    for (number, text) in numbers.sorted(by: { $0.key < $1.key }) {
      try await expect("defaults write n k -float \(number); defaults read n k", gives: text + "\n")
    }
  }

  @Test("help names every verb")
  func help() async throws {
    let result = try await folder.run("defaults", "help")
    for verb in ["read", "read-type", "write", "rename", "delete", "import", "export", "domains", "find", "help"] {
      #expect(result.stdoutText.contains("\n  \(verb)"))
    }
    #expect(result.stdoutText.split(separator: "\n").allSatisfy { $0.count <= 80 })
    #expect(result.stderr.isEmpty && result.status == 0)
  }

  @Test("A running program sees what defaults changes")
  func observed() async throws {
    let probe = ToolExecutable.url.deletingLastPathComponent().appending(path: "DefaultsProbe").path
    try await expect(
      """
      shows() { for i in $(seq 600); do grep -q "$1" out 2>/dev/null && return; sleep 0.1; done; }
      mkdir -p config; '\(probe)' watch config/app.plist > out & watcher=$!
      shows watching; defaults write app greeting Hi; shows Hi; defaults delete app greeting; shows 'Hi .* Hello'
      kill $watcher; cat out
      """, gives: "watching, the greeting is Hello\nHello → Hi\nHi → Hello\n")
  }

  @Test("A program with an open store and defaults lose nothing of each other, and its file's lock is theirs")
  func store() async throws {
    let probe = ToolExecutable.url.deletingLastPathComponent().appending(path: "DefaultsProbe").path
    try await expect(
      """
      mkdir -p config; '\(probe)' write config/busy.plist p 60 > /dev/null &
      for i in $(seq 60); do defaults write busy t$i -int $i || exit 1; done; wait
      defaults read busy | wc -l
      """, gives: "122\n")
  }
}
#endif
#endif
