import Foundation
import Plist
import Testing

struct EditPlaceTests {
  @Test(
    arguments: [
      (
        "{\n\ta = 1;\n\t/* of b */\n\tb = 2; // two\n\tc = 3;\n}\n",
        "{\n\tf = 0;\n\ta = 1;\n\t/* of b */\n\tb = 2; // two\n\tg = 4;\n\tc = 3;\n}\n"
      ),
      ("{ a = 1; b = 2; c = 3; }", "{ f = 0; a = 1; b = 2; g = 4; c = 3; }"),
      (
        "\"a\" = \"1\";\n\n/* B */\n\"b\" = \"2\";\n\"c\" = \"3\";\n",
        "\"f\" = \"0\";\n\"a\" = \"1\";\n\n/* B */\n\"b\" = \"2\";\n\"g\" = \"4\";\n\"c\" = \"3\";\n"
      ),
      (
        "{\n  \"a\" : 1,\n  \"b\" : 2,\n  \"c\" : 3\n}\n",
        "{\n  \"f\" : \"0\",\n  \"a\" : 1,\n  \"b\" : 2,\n  \"g\" : \"4\",\n  \"c\" : 3\n}\n"
      ),
      (
        "<plist>\n<dict>\n\t<key>a</key>\n\t<string/>\n\t<!-- B -->\n\t<key>b</key> <string/> <!-- b -->\n\t<key>c</key>\n\t<true/>\n</dict>\n</plist>",
        "<plist>\n<dict>\n\t<key>f</key>\n\t<string>0</string>\n\t<key>a</key>\n\t<string/>\n\t<!-- B -->\n\t<key>b</key> <string/> <!-- b -->\n\t<key>g</key> <string>4</string>\n\t<key>c</key>\n\t<true/>\n</dict>\n</plist>"
      ),
    ])
  func besideAKey(_ old: String, _ new: String) throws {
    var editor = try PlistEditor(parsing: Data(old.utf8))
    try editor.insert("0", at: "f", before: "a")
    try editor.insert("4", at: "g", after: "b")
    #expect(String(decoding: editor.data, as: UTF8.self) == new)
    // The comment of a value stays with it.
    try editor.insert("5", at: "h", before: "b")
    let value = try PropertyList(parsing: editor.data)
    #expect(value.dictionary?.keys.elementsEqual(["f", "a", "h", "b", "g", "c"]) == true)
    #expect(
      try PlistDocument(parsing: editor.data).root["b"]?.comment
        == PlistDocument(parsing: Data(old.utf8)).root["b"]?.comment)
  }

  @Test func errors() throws {
    var editor = try PlistEditor(parsing: Data("{ a = (b); c = d; }".utf8))
    #expect(throws: PlistError.self) { try editor.insert(1, at: "x", before: "none") }
    #expect(throws: PlistError.self) { try editor.insert(1, at: "c", after: "a") }
    #expect(throws: PlistError.self) { try editor.insert(1, at: "a.1", after: "a") }
    #expect(throws: PlistError.self) { try editor.insert(1, at: "x.y", after: "a") }
    #expect(String(decoding: editor.data, as: UTF8.self) == "{ a = (b); c = d; }")
    for text in ["{ a = (b); c = d; }", #"{"a": ["b"], "c": 1}"#, "<dict><key>a</key><array><true/></array></dict>"] {
      var editor = try PlistEditor(parsing: Data(text.utf8))
      let error = #expect(throws: PlistError.self) { try editor.insert("v", at: "a.0", before: "x") }
      #expect(error?.message == "there is no dictionary that has the new key")
      try editor.insert("added", at: "a.0")
      #expect(throws: PlistError.self) { try editor.insert("v", at: "a.0", before: "x") }
    }
  }

  @Test func examples() throws {
    var editor = try PlistEditor(parsing: Data("BuildMachineOSBuild = a;\nCFBundleExecutable = b;\n".utf8))
    try editor.insert("en", at: "CFBundleDevelopmentRegion", before: "CFBundleExecutable")
    var other = try PlistEditor(parsing: Data("BuildMachineOSBuild = a;\nCFBundleExecutable = b;\n".utf8))
    do {
      var editor = other
      try editor.insert("en", at: "CFBundleDevelopmentRegion", after: "BuildMachineOSBuild")
      other = editor
    }
    #expect(editor.data == other.data)
  }
}
