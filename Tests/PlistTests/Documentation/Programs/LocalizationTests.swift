import Foundation
import Plist
import Testing

struct LocalizationTests {
  private let localization: Localization

  private static let english = """
    "window.title" = "Library";
    "count" = "%d of %d";
    "greeting" = "Hello, %@!";
    "quit" = "Quit \\"%@\\"\\n";

    """

  private static let german = """
    /* The title of the main window */
    "window.title" = "Übersicht";

    // Shown below the list
    "count" = "%d von";
    "old" = "Alt";

    """

  init() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "localization-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    localization = Localization(folder: folder)
    try Data(Self.english.utf8).write(to: folder.appending(path: "en.strings"))
    try Data(Self.german.utf8).write(to: folder.appending(path: "de.strings"))
  }

  private func removeFolder() { try? FileManager.default.removeItem(at: localization.folder) }

  private func text(_ name: String) throws -> String {
    try String(contentsOf: localization.folder.appending(path: name), encoding: .utf8)
  }

  @Test func reports() throws {
    defer { removeFolder() }
    #expect(
      try localization.report(on: "de")
        == Localization.Report(missing: ["greeting", "quit"], obsolete: ["old"], mismatched: ["count"]))
    #expect(try localization.report(on: "en") == Localization.Report())
  }

  @Test func missingTextsAreAddedAndCommentsStay() throws {
    defer { removeFolder() }
    try localization.addMissing(to: "de")
    #expect(
      try text("de.strings") == Self.german + """
        "greeting" = "Hello, %@!";
        "quit" = "Quit \\"%@\\"\\n";

        """)
    #expect(try localization.report(on: "de").missing.isEmpty)
    #expect(try text("en.strings") == Self.english)
  }

  @Test func builds() throws {
    defer { removeFolder() }
    let output = localization.folder.appending(path: "output")
    try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
    try localization.build("de", into: output)

    #expect(
      try text("output/de.strings") == """
        "count" = "%d von";
        "greeting" = "Hello, %@!";
        "old" = "Alt";
        "quit" = "Quit \\"%@\\"\\n";
        "window.title" = "Übersicht";

        """)
    let binary = try Data(contentsOf: output.appending(path: "de.plist"))
    #expect(PlistFormat(detecting: binary) == .binary)
    #expect(
      try PropertyList(parsing: binary) == [
        "window.title": "Übersicht", "count": "%d von", "greeting": "Hello, %@!", "quit": "Quit \"%@\"\n",
        "old": "Alt",
      ])
    #expect(try PropertyList(contentsOf: output.appending(path: "de.strings")) == PropertyList(parsing: binary))
    for name in ["de.strings", "de.plist"] {
      let object = try unsafe PropertyListSerialization.propertyList(
        from: Data(contentsOf: output.appending(path: name)), options: [], format: nil)
      #expect((object as? [String: String])?["quit"] == "Quit \"%@\"\n", "\(name)")
    }
  }

  @Test func otherEncodings() throws {
    defer { removeFolder() }
    let file = localization.folder.appending(path: "fr.strings")
    let text = "\"window.title\" = \"Bibliothèque\";\n"
    for encoding in [String.Encoding.utf16, .utf8] {
      try #require(text.data(using: encoding)).write(to: file)
      #expect(try localization.texts(in: "fr") == ["window.title": "Bibliothèque"])
    }
  }

  @Test func mistakes() throws {
    defer { removeFolder() }
    let file = localization.folder.appending(path: "fr.strings")
    try Data("\"count\" = \"%d\"\n\"greeting\" = \"Bonjour\";\n".utf8).write(to: file)
    let error = #expect(throws: PlistError.self) { try localization.report(on: "fr") }
    #expect(
      error?.description
        == "\(file.path): line 2, column 1: expected ';' after the value of \"count\", found '\"' (key path: count)")

    try Data("(a, b)".utf8).write(to: file)
    #expect(throws: PlistError.self) { try localization.report(on: "fr") }
  }

  @Test func tables() throws {
    defer { removeFolder() }
    let file = localization.folder.appending(path: "en.strings")

    let table = try PropertyList(contentsOf: file)  // "title" = "Library";
    let title = table["title"]?.string

    #expect(title == nil)
    #expect(table["window.title"] == "Library")
    let options = PlistWriteOptions(openStep: .init(isStringsTable: true))
    #expect(throws: PlistError.self) { try (["a": 1] as PropertyList).data(format: .openStep, options: options) }
    try Data("\"a\" = \"1\";\n\"a\" = \"2\";\n".utf8).write(to: file)
    #expect(try localization.texts(in: "en") == ["a": "2"])
    let refusing = PlistReadOptions(duplicateKeys: .refuse)
    #expect(throws: PlistError.self) { try PropertyList(contentsOf: file, options: refusing) }
  }

  @Test func bundleInformation() throws {
    defer { removeFolder() }
    let file = localization.folder.appending(path: "Info.plist")
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0">
      <dict>
        <!-- set by the release script -->
        <key>CFBundleVersion</key>
        <string>41</string>
        <key>CFBundleIdentifier</key>
        <string>org.example.app</string>
      </dict>
      </plist>

      """
    try Data(text.utf8).write(to: file)
    let buildNumber = 42

    do {
      var editor = try PlistEditor(contentsOf: file)
      try editor.set("1.4.2", at: "CFBundleShortVersionString")
      try editor.set(PropertyList(String(buildNumber)), at: "CFBundleVersion")  // a string, even if it is a number
      try editor.set(true, at: #"NSAppTransportSecurity.NSExceptionDomains.example\.com.NSIncludesSubdomains"#)
      try editor.write(to: file)
    }
    #expect(
      try String(contentsOf: file, encoding: .utf8) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0">
        <dict>
          <!-- set by the release script -->
          <key>CFBundleVersion</key>
          <string>42</string>
          <key>CFBundleIdentifier</key>
          <string>org.example.app</string>
          <key>CFBundleShortVersionString</key>
          <string>1.4.2</string>
          <key>NSAppTransportSecurity</key>
          <dict>
            <key>NSExceptionDomains</key>
            <dict>
              <key>example.com</key>
              <dict>
                <key>NSIncludesSubdomains</key>
                <true/>
              </dict>
            </dict>
          </dict>
        </dict>
        </plist>

        """)

    struct BundleInfo: Decodable {
      var identifier: String
      var version: String

      enum CodingKeys: String, CodingKey {
        case identifier = "CFBundleIdentifier"
        case version = "CFBundleShortVersionString"
      }
    }

    let info = try PlistDecoder().decode(BundleInfo.self, contentsOf: file)
    #expect(info.identifier == "org.example.app" && info.version == "1.4.2")

    let all = try PropertyList(contentsOf: file)
    try all.write(to: file, format: .binary)
    let error = #expect(throws: PlistError.self) { try PlistEditor(contentsOf: file) }
    #expect(error?.code == .unsupportedFormat)

    let document = try PlistDocument(contentsOf: file)
    var list = try document.root.propertyList()
    try list.set("1.4.2", at: "CFBundleShortVersionString")
    try list.write(to: file, format: document.format)

    #expect(try PropertyList(contentsOf: file) == all)
    #expect(try PlistFormat(detecting: Data(contentsOf: file)) == .binary)
  }
}
