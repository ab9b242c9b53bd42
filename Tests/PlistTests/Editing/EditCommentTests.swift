import Foundation
import Plist
import Testing

struct EditCommentTests {
  static let cases: [EditLayoutTests.Case] = [
    xml("<array>\n  <true/> <!-- last -->\n</array>", "<array>\n  <true/> <!-- last -->\n  <false/>\n</array>"),
    xml(
      "<array>\n  <true/><!-- a --> <!-- b -->\n</array>",
      "<array>\n  <true/><!-- a --> <!-- b -->\n  <false/>\n</array>"),
    xml("<array>\n  <true/> <!-- a\n b -->\n</array>", "<array>\n  <true/> <!-- a\n b -->\n  <false/>\n</array>"),
    xml("<array>\n  <true/> <!-- end --></array>", "<array>\n  <true/>\n  <false/> <!-- end --></array>"),
    openStep("{\n  a = x; /* why */\n}", "{\n  a = x; /* why */\n  b = y;\n}", at: "b"),
    openStep("{\n  a = x; // why\n}", "{\n  a = x; // why\n  b = y;\n}", at: "b"),
    openStep("{\n  a = x; /* why */ // so\n}", "{\n  a = x; /* why */ // so\n  b = y;\n}", at: "b"),
    openStep("(\n  x, /* why */\n)", "(\n  x, /* why */\n  y,\n)", at: "1"),
    openStep("(\n  x, // why\n)", "(\n  x, // why\n  y,\n)", at: "1"),
    openStep("{ a = x; /* why */ }", "{ a = x; b = y; /* why */ }", at: "b"),
    openStep("a = x; // why", "a = x; // why\nb = y;", at: "b"),
  ]

  private static func xml(_ before: String, _ after: String) -> EditLayoutTests.Case {
    EditLayoutTests.Case("<plist version=\"1.0\">\(before)</plist>", "<plist version=\"1.0\">\(after)</plist>") {
      try $0.set(false, at: "1")
    }
  }

  private static func openStep(_ before: String, _ after: String, at path: PropertyListPath) -> EditLayoutTests.Case {
    EditLayoutTests.Case(before, after) { try $0.set("y", at: path) }
  }

  @Test(arguments: cases)
  func theNewItemFollows(_ edit: EditLayoutTests.Case) throws {
    var editor = try PlistEditor(parsing: Data(edit.before.utf8))
    try edit.edit(&editor)
    #expect(String(decoding: editor.data, as: UTF8.self) == edit.after)
  }
}
