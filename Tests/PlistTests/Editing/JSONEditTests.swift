import Foundation
import Plist
import Testing

struct JSONEditTests {
  static let catalog = """
    {
      "sourceLanguage" : "en",
      "strings" : {
        "Cancel" : {

        },
        "Hello, %@" : {
          "comment" : "A greeting; \\u0041 is a name",
          "localizations" : {
            "de" : {
              "stringUnit" : {
                "state" : "translated",
                "value" : "Hallo, %@"
              }
            }
          }
        }
      },
      "version" : "1.0"
    }
    """

  typealias Case = EditLayoutTests.Case

  static let cases: [Case] = [
    Case("{\"a\": 1, \"b\": [true, null]}\n", "{\"a\": 2.0, \"b\": [true, null]}\n") { try $0.set(2.0, at: "a") },
    Case("{\"a\": 1, \"b\": [true, null]}", "{\"a\": 1, \"b\": [true, \"x\"]}") { try $0.set("x", at: "b.1") },
    Case("{\"a\":1}", "{\"a\":{\"b\":[1,2]}}") { try $0.set(["b": [1, 2]], at: "a") },
    Case("{\"a\": 1}", "{\"a\": { \"b\": [ 1, 2 ] }}") { try $0.set(["b": [1, 2]], at: "a") },
    Case("{\n\t\"a\" : 1\n}", "{\n\t\"a\" : {\n\t\t\"b\" : 1\n\t}\n}") { try $0.set(["b": 1], at: "a") },
    Case(" 1 ", " \"x\" ") { try $0.set("x", at: PropertyListPath()) },
    Case("{\r\n  \"a\": 1\r\n}\r\n", "{\r\n  \"a\": [\r\n    1\r\n  ]\r\n}\r\n") { try $0.set([1], at: "a") },
    Case("{\"a\":1}", "{\"a\":1,\"b\":2}") { try $0.set(2, at: "b") },
    Case("{\"a\": 1}", "{\"a\": 1, \"b\": 2}") { try $0.set(2, at: "b") },
    Case("[1,2]", "[1,2,3]") { try $0.set(3, at: "2") },
    Case("[1, 2]", "[1, 9, 2]") { try $0.insert(9, at: "1") },
    Case("[ 1 ]", "[ 1, 9 ]") { try $0.insert(9, at: "1") },
    Case("[\n  1\n]", "[\n  1,\n  9\n]") { try $0.insert(9, at: "1") },
    Case("[\n  1\n]", "[\n  9,\n  1\n]") { try $0.insert(9, at: "0") },
    Case("{\n  \"a\": {}\n}", "{\n  \"a\": {\n    \"b\": null\n  }\n}") { try $0.set(.null, at: "a.b") },
    Case("{\n    \"a\": [\n\n    ]\n}", "{\n    \"a\": [\n        1\n    ]\n}") { try $0.set(1, at: "a.0") },
    Case("{\"a\": { }}", "{\"a\": {\"b\": 1}}") { try $0.set(1, at: "a.b") },
    Case("{}", "{\n  \"a\": {\n    \"b\": 1\n  }\n}") { try $0.set(1, at: "a.b") },
    Case("{\"a\": 1}", "{\"a\": 1, \"b\\\"\\n\": 2}") { try $0.set(2, at: PropertyListPath(components: ["b\"\n"])) },
    Case("{\"a\"\n: 1}", "{\"a\"\n: 1, \"b\": 2}") { try $0.set(2, at: "b") },
    Case("[1\n ,2]", "[1\n ,2,3]") { try $0.set(3, at: "2") },
    Case("{\"a\": 1, \"b\": 2}", "{\"b\": 2}") { try $0.remove(at: "a") },
    Case("{\"a\": 1, \"b\": 2}", "{\"a\": 1}") { try $0.remove(at: "b") },
    Case("{\n  \"a\": 1,\n  \"b\": 2\n}", "{\n  \"a\": 1\n}") { try $0.remove(at: "b") },
    Case("{\n  \"a\": 1,\n  \"b\": 2\n}", "{\n  \"b\": 2\n}") { try $0.remove(at: "a") },
    Case("[1]", "[]") { try $0.remove(at: "0") },
    Case("[1\n ,2]", "[2]") { try $0.remove(at: "0") },
    Case("{\"b\":0,\"a\":1,\"a\":2}", "{\"b\":0}") { try $0.remove(at: "a") },
    Case("{\"a\":1,\"a\":2}", "{}") { try $0.remove(at: "a") },
    Case("{\"a\":1,\"b\":0,\"a\":2,\"a\":3}", "{\"b\":0}") { try $0.remove(at: "a") },
    Case("{\"a\":1,\"b\":0,\"a\":2,\"c\":3}", "{\"b\":0,\"c\":3}") { try $0.remove(at: "a") },
    Case("{\"a\":1,\"b\":0,\"a\":2}", "{\"a\":1,\"b\":0,\"a\":5}") { try $0.set(5, at: "a") },
    Case("{\"\\u0061\" : 1, \"b\": 2}", "{\"c\" : 1, \"b\": 2}") { try $0.renameKey(at: "a", to: "c") },
    Case(
      catalog,
      catalog.replacingOccurrences(
        of: "\"Cancel\" : {\n\n    },",
        with: """
          "Cancel" : {
                "localizations" : {
                  "de" : {
                    "stringUnit" : {
                      "state" : "translated",
                      "value" : "Abbrechen"
                    }
                  }
                }
              },
          """)
    ) {
      try $0.set(
        ["stringUnit": ["state": "translated", "value": "Abbrechen"]], at: "strings.Cancel.localizations.de")
    },
    Case(
      catalog,
      catalog.replacingOccurrences(
        of: "          }\n        }\n      }\n",
        with: """
                    }
                  },
                  "fr" : {
                    "stringUnit" : {
                      "state" : "new"
                    }
                  }
                }

          """)
    ) {
      try $0.set(
        "new", at: PropertyListPath(components: ["strings", "Hello, %@", "localizations", "fr", "stringUnit", "state"]))
    },
  ]

  @Test(arguments: cases)
  func bytes(_ edit: Case) throws {
    var editor = try PlistEditor(parsing: Data(edit.before.utf8), options: PlistReadOptions(format: .json))
    try edit.edit(&editor)
    #expect(String(decoding: editor.data, as: UTF8.self) == edit.after)
    _ = try PropertyList(parsing: editor.data, options: PlistReadOptions(format: .json))
  }

  @Test(arguments: [PropertyList.data(Data([1])), .date(Date(timeIntervalSinceReferenceDate: 0)), .uid(1), .real(.nan)])
  func refusedValues(_ value: PropertyList) throws {
    let document = Data("{\"a\": 1}".utf8)
    var editor = try PlistEditor(parsing: document)
    let error = #expect(throws: PlistError.self) { try editor.set(value, at: "a") }
    #expect(error?.code == .unrepresentableValue)
    #expect(editor.data == document)
    editor.writeOptions.unrepresentable = .convert
    try editor.set(value, at: "a")
    #expect(editor.data != document)
  }

  @Test func utf16() throws {
    let document = try #require("\u{FEFF}{\"ä\": 1}".data(using: .utf16BigEndian))
    var editor = try PlistEditor(parsing: document, options: PlistReadOptions(format: .json))
    try editor.set("é", at: "ä")
    #expect(editor.data == "\u{FEFF}{\"ä\": \"é\"}".data(using: .utf16BigEndian))
  }
}
