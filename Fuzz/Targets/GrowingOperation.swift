import Foundation
import Plist

/// An operation whose work must be proportional to its size.
///
/// `check-resources.py` counts its instructions at a size, and at two and four times that size.
public struct GrowingOperation: Sendable {
  /// The name that selects this operation.
  public let name: String

  private let make: @Sendable (_ size: Int) throws -> () throws -> Void

  /// Prepares the operation for a size, and returns the part to count.
  func prepared(size: Int) throws -> () throws -> Void { try make(size) }

  init(_ name: String, _ make: @escaping @Sendable (_ size: Int) throws -> () throws -> Void) {
    self.name = name
    self.make = make
  }

  /// All operations.
  public static let all: [GrowingOperation] =
    edits + arrayEdits + otherEdits + values + merges + archives + nodes + decoding + caughtErrors

  /// Returns the operation with this name, if there is one.
  public static func named(_ name: String) -> GrowingOperation? { all.first { $0.name == name } }

  /// Runs the operation at a size, and at two and four times that size.
  public func run(size: Int) throws {
    for factor in [1, 2, 4] {
      let body = try prepared(size: factor * size)
      try Self.countedRun(body)
      Self.countedEnd(factor)
    }
  }

  // Callgrind dumps its counts at each call to these functions.
  @inline(never)
  private static func countedRun(_ body: () throws -> Void) throws { try body() }

  @inline(never)
  private static func countedEnd(_ factor: Int) { print("ran at \(factor) times the size") }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Throws an error if the operation has not done what it should.
  static func require(_ isMet: Bool, _ what: @autoclosure () -> String) throws {
    if !isMet { throw Failure(description: what()) }
  }

  static func number(_ number: Int) -> PropertyList { .integer(PropertyListInteger(number)) }

  /// Returns the numbers below `count` in a random order that is the same in every process.
  static func shuffled(_ count: Int) -> [Int] {
    var generator = SeededGenerator(seed: 1)
    return (0..<count).shuffled(using: &generator)
  }
}

// MARK: Edits

/// A text document with `count` items that look alike.
private struct EditedLayout: Sendable {
  let name: String
  let format: PlistFormat
  let isArray: Bool
  /// The text before the items, after them, and between two of them.
  let beginning: String
  let end: String
  let separator: String
  let item: @Sendable (Int) -> String

  func document(_ count: Int) -> Data {
    Data((beginning + (0..<count).map(item).joined(separator: separator) + end).utf8)
  }

  func editor(_ count: Int) throws -> PlistEditor {
    try PlistEditor(parsing: document(count), options: PlistReadOptions(format: format))
  }

  static let dictionaries = [
    EditedLayout(
      name: "xml", format: .xml, isArray: false, beginning: "<plist version=\"1.0\">\n<dict>\n\t",
      end: "\n</dict>\n</plist>\n", separator: "\n\t"
    ) { "<key>key\($0)</key>\n\t<string>value</string>" },
    EditedLayout(
      name: "xml-one-line", format: .xml, isArray: false, beginning: "<plist version=\"1.0\"><dict>",
      end: "</dict></plist>", separator: ""
    ) { "<key>key\($0)</key><string>value</string>" },
    EditedLayout(
      name: "json", format: .json, isArray: false, beginning: "{\n  ", end: "\n}\n", separator: ",\n  "
    ) { "\"key\($0)\": \"value\"" },
    EditedLayout(
      name: "json-one-line", format: .json, isArray: false, beginning: "{", end: "}", separator: ", "
    ) { "\"key\($0)\": \"value\"" },
    EditedLayout(
      name: "json-compact", format: .json, isArray: false, beginning: "{", end: "}", separator: ","
    ) { "\"key\($0)\":\"value\"" },
    EditedLayout(
      name: "openstep", format: .openStep, isArray: false, beginning: "{\n\t", end: "\n}\n", separator: "\n\t"
    ) { "key\($0) = value;" },
    EditedLayout(
      name: "openstep-one-line", format: .openStep, isArray: false, beginning: "{ ", end: " }", separator: " "
    ) { "key\($0) = value;" },
    EditedLayout(
      name: "strings", format: .openStep, isArray: false, beginning: "", end: "\n", separator: "\n"
    ) { "\"key\($0)\" = \"value\";" },
  ]

  static let arrays = [
    EditedLayout(
      name: "xml", format: .xml, isArray: true, beginning: "<plist version=\"1.0\">\n<array>\n\t",
      end: "\n</array>\n</plist>\n", separator: "\n\t"
    ) { "<integer>\($0)</integer>" },
    EditedLayout(
      name: "json", format: .json, isArray: true, beginning: "[\n  ", end: "\n]\n", separator: ",\n  "
    ) { "\($0)" },
    EditedLayout(name: "json-one-line", format: .json, isArray: true, beginning: "[", end: "]", separator: ", ") {
      "\($0)"
    },
    EditedLayout(
      name: "openstep", format: .openStep, isArray: true, beginning: "(\n\t", end: ",\n)\n", separator: ",\n\t"
    ) { "\($0)" },
  ]
}

extension GrowingOperation {
  private enum Kind: String, CaseIterable {
    case set, add, remove, rename, comment
  }

  /// Edits to every key of a dictionary, in ascending, descending and random order.
  private static let edits = EditedLayout.dictionaries.flatMap { layout in
    Kind.allCases.filter { $0 != .comment || layout.format != .json && !layout.name.hasSuffix("line") }.map { kind in
      GrowingOperation("edit-\(layout.name)-\(kind)") { size in
        let count = size / 2
        let orders = [Array(0..<count), (0..<count).reversed(), shuffled(count)]
        let original = try layout.editor(count)
        return {
          for order in orders {
            var editor = original
            // Never remove the last item; a new first item in a container takes a scan.
            for number in order where kind != .remove || number != order.last {
              let path = PropertyListPath(components: ["key\(number)"])
              switch kind {
              case .set: try editor.set("other", at: path)
              case .add: try editor.set("new", at: PropertyListPath(components: ["new\(number)"]))
              case .remove: try editor.remove(at: path)
              case .rename: try editor.renameKey(at: path, to: "name\(number)")
              case .comment: try editor.setComment("number \(number)", at: path)
              }
            }
            try require(editor.data != original.data, "the document has been edited")
          }
        }
      }
    }
  }

  private enum Place: String, CaseIterable {
    case set, append
    case insertFirst = "insert-first"
    case insertAnywhere = "insert-anywhere"
    case removeFirst = "remove-first"
    case removeLast = "remove-last"
    case removeAnywhere = "remove-anywhere"
  }

  private static let arrayEdits = EditedLayout.arrays.flatMap { layout in
    Place.allCases.filter { layout.format != .openStep || !$0.rawValue.hasPrefix("insert") }.map { place in
      GrowingOperation("edit-array-\(layout.name)-\(place.rawValue)") { size in
        let count = size
        let original = try layout.editor(count)
        let order = shuffled(count)
        // OpenStep text has no numbers.
        let new: PropertyList = layout.format == .openStep ? "7" : 7
        return {
          var editor = original
          for (step, number) in order.dropLast().enumerated() {
            func path(_ index: Int) -> PropertyListPath { PropertyListPath(components: ["\(index)"]) }
            switch place {
            case .set: try editor.set(new, at: path(number))
            case .append: try editor.set(new, at: path(count + step))
            case .insertFirst: try editor.insert(new, at: path(0))
            case .insertAnywhere: try editor.insert(new, at: path(number))
            case .removeFirst: try editor.remove(at: path(0))
            case .removeLast: try editor.remove(at: path(count - 1 - step))
            case .removeAnywhere: try editor.remove(at: path(number % (count - step)))
            }
          }
          _ = editor.data
        }
      }
    }
  }

  private static let otherEdits = [
    GrowingOperation("edit-same-key-again") { size in
      let original = try EditedLayout.dictionaries[0].editor(size)
      return {
        var editor = original
        for number in 0..<size { try editor.set(.string("value \(number)"), at: "key5") }
        _ = editor.data
      }
    },
    GrowingOperation("edit-nested") { size in
      let records = PropertyList.array((0..<size).map { ["name": "n", "tags": [], "port": number($0)] })
      let documents = try [PlistFormat.xml, .json].map { try PlistEditor(parsing: records.data(format: $0)) }
      return {
        for var editor in documents {
          for number in 0..<size {
            try editor.set("other", at: PropertyListPath(components: ["\(number)", "name"]))
            try editor.set("new", at: PropertyListPath(components: ["\(number)", "tags", "0"]))
            try editor.set(true, at: PropertyListPath(components: ["\(number)", "added"]))
            try editor.remove(at: PropertyListPath(components: ["\(number)", "port"]))
          }
          _ = editor.data
        }
      }
    },
    GrowingOperation("edit-beside-a-large-value") { size in
      let list = PropertyList.array((0..<size).map { ["name": "n", "port": number($0)] })
      let original = try PlistEditor(parsing: (["a": 1, "list": list] as PropertyList).data(format: .xml))
      return {
        var editor = original
        for number in 0..<size { try editor.set("new", at: PropertyListPath(components: ["new\(number)"])) }
        _ = editor.data
      }
    },
    GrowingOperation("edit-new-records") { size in
      let original = try EditedLayout.arrays[0].editor(size)
      return {
        var editor = original
        for number in size..<2 * size {
          let record: PropertyList = ["name": "n", "port": Self.number(number), "tags": []]
          try editor.set(record, at: PropertyListPath(components: ["\(number)"]))
        }
        _ = editor.data
      }
    },
  ]
}
