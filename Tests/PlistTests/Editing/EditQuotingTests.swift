import Foundation
import Plist
import Testing

struct EditQuotingTests {
  private func edited(_ text: String, _ edit: (inout PlistEditor) throws -> Void) throws -> String {
    var editor = try PlistEditor(parsing: Data(text.utf8))
    try edit(&editor)
    return String(decoding: editor.data, as: UTF8.self)
  }

  @Test("Keys and values have quotation marks where their neighbours do")
  func neighbours() throws {
    #expect(try edited("\"a\" = \"b\";\n") { try $0.set("d", at: "c") } == "\"a\" = \"b\";\n\"c\" = \"d\";\n")
    #expect(try edited("\"a\" = b;\n") { try $0.set("d", at: "c") } == "\"a\" = b;\n\"c\" = d;\n")
    #expect(try edited("'a' = 'b';\n") { try $0.set("d", at: "c") } == "'a' = 'b';\n\"c\" = \"d\";\n")
    #expect(try edited("a = b;\n") { try $0.set("d", at: "c") } == "a = b;\nc = d;\n")
    #expect(try edited("{ a = (\"x\"); }") { try $0.set("y", at: "a.1") } == "{ a = (\"x\", \"y\"); }")
    #expect(try edited("{ a = (x); }") { try $0.insert("y", at: "a.0") } == "{ a = (y, x); }")
    #expect(try edited("// empty\n") { try $0.set("b", at: "a") } == "// empty\n\"a\" = \"b\";\n")
  }

  @Test("What is replaced or renamed keeps its quotation marks")
  func replacing() throws {
    #expect(try edited("{ \"a\" = \"b\"; }") { try $0.set("c", at: "a") } == "{ \"a\" = \"c\"; }")
    #expect(try edited("{ \"a\" = b; }") { try $0.renameKey(at: "a", to: "c") } == "{ \"c\" = b; }")
    #expect(try edited("{ a = \"b\"; }") { try $0.renameKey(at: "a", to: "c") } == "{ c = \"b\"; }")
  }

  @Test("The first of several on one line leaves no space behind")
  func removing() throws {
    #expect(try edited("(x, y)") { try $0.remove(at: "0") } == "(y)")
    #expect(try edited("( x, y )") { try $0.remove(at: "0") } == "( y )")
    #expect(try edited("{a = 1; b = 2;}") { try $0.remove(at: "a") } == "{b = 2;}")
    #expect(try edited("(x, y, z)") { try $0.remove(at: "1") } == "(x, z)")
  }

  @Test("The empty path is the root")
  func root() throws {
    #expect(PropertyListPath("").isRoot)
    #expect(PropertyListPath("\\").components == [""])
    #expect(PropertyListPath(".").components == ["", ""])
    #expect(try edited("{ a = b; }") { try $0.set("c", at: "") } == "c")
    var value: PropertyList = ["a": "b"]
    try value.set("c", at: "")
    #expect(value == "c")
  }
}
