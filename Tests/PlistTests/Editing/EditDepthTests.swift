import Foundation
import Plist
import Testing

/// No edit makes a document that readers would refuse.
struct EditDepthTests {
  private static let empty = ["<plist><dict/></plist>", "{}", "{ }"]

  private static func path(_ count: Int) -> PropertyListPath {
    PropertyListPath(components: [String](repeating: "a", count: count))
  }

  private func expectRefused(_ editor: PlistEditor, _ edit: (inout PlistEditor) throws(PlistError) -> Void) {
    var edited = editor
    let error = #expect(throws: PlistError.self) { try edit(&edited) }
    #expect(error?.code == .depthLimit)
    #expect(edited.data == editor.data)
  }

  @Test(arguments: empty)
  func theDeepestValue(_ document: String) throws {
    let empty = try PlistEditor(parsing: Data(document.utf8))
    var editor = empty
    try editor.set("x", at: Self.path(512))
    #expect(try PropertyList(parsing: editor.data)[Self.path(512)] == "x")
    expectRefused(editor) { (editor) throws(PlistError) in try editor.set([:], at: Self.path(512)) }
    expectRefused(empty) { (editor) throws(PlistError) in try editor.set("x", at: Self.path(513)) }
    expectRefused(empty) { (editor) throws(PlistError) in try editor.insert("x", at: Self.path(100_000)) }
    expectRefused(empty) { (editor) throws(PlistError) in try editor.insert([[]], at: Self.path(511)) }
    editor = empty
    try editor.insert([[]], at: Self.path(510))
    #expect(try PropertyList(parsing: editor.data)[Self.path(510)] == [[]])
  }

  @Test func aUIDThatIsConvertedIsAContainer() throws {
    let options = PlistWriteOptions(unrepresentable: .convert)
    for (document, depth) in zip(Self.empty, [512, 511, 511]) {
      let empty = try PlistEditor(parsing: Data(document.utf8), writeOptions: options)
      var editor = empty
      try editor.set(.uid(1), at: Self.path(depth))
      _ = try PropertyList(parsing: editor.data)
      expectRefused(empty) { (editor) throws(PlistError) in try editor.set(.uid(1), at: Self.path(depth + 1)) }
    }
  }

  @Test func theLimitIsThatOfTheReadOptions() throws {
    let options = PlistReadOptions(limits: PlistLimits(maximumDepth: 2))
    var editor = try PlistEditor(parsing: Data("{ }".utf8), options: options)
    expectRefused(editor) { (editor) throws(PlistError) in try editor.set("x", at: "a.b.c") }
    try editor.set("x", at: "a.b")
    #expect(try PropertyList(parsing: editor.data, options: options) == ["a": ["b": "x"]])
  }

  @Test func aPathOfAnyLengthIsRefusedInAValue() throws {
    var list: PropertyList = ["a": 1]
    let error = #expect(throws: PlistError.self) { try list.set("x", at: Self.path(100_000)) }
    #expect(error?.message == "containers would nest deeper than the limit of 2000 levels")
    #expect(throws: PlistError.self) { try list.insert("x", at: Self.path(100_000)) }
    #expect(list == ["a": 1])
    list = [:]
    try list.set("x", at: Self.path(2_000))
    #expect(list[Self.path(2_000)] == "x")
  }
}
