import Foundation
import Plist

/// Merges of values and documents that both sides have changed throughout.
extension GrowingOperation {
  private static func merge(
    _ name: String, conflicts: @escaping @Sendable (_ size: Int) -> Int,
    _ value: @escaping @Sendable (_ size: Int, PropertyListMerge.Side) -> PropertyList
  ) -> GrowingOperation {
    GrowingOperation("merge-\(name)") { size in
      let (base, ours, theirs) = (value(size, .base), value(size, .ours), value(size, .theirs))
      return {
        let merge = PropertyListMerge(base: base, ours: ours, theirs: theirs)
        try require(merge.conflicts.count == conflicts(size), "\(merge.conflicts.count) conflicts")
      }
    }
  }

  /// Returns a merge of documents, where `text` returns one item on one side.
  private static func textMerge(
    _ name: String, _ beginning: String, _ end: String,
    _ text: @escaping @Sendable (Int, PropertyListMerge.Side) -> String
  ) -> GrowingOperation {
    GrowingOperation("merge-\(name)") { size in
      func document(_ side: PropertyListMerge.Side) -> Data {
        Data((beginning + (0..<size).map { text($0, side) }.joined() + end).utf8)
      }
      let (base, ours, theirs) = (document(.base), document(.ours), document(.theirs))
      return {
        let merge = try PlistMerge(base: base, ours: ours, theirs: theirs)
        try require(merge.conflicts.count == (size + 3) / 4, "\(merge.conflicts.count) conflicts")
        try require(try merge.data(with: PlistMergeMarkers()) != merge.data, "there are markers")
      }
    }
  }

  /// Returns the value of an item on a side.
  ///
  /// The items alternate between a conflict, a change by ours, a change by theirs, and no change.
  private static func changed(_ item: Int, _ side: PropertyListMerge.Side) -> Int {
    switch (item % 4, side) {
    case (0, .ours), (1, .ours): item + 1_000_000
    case (0, .theirs), (2, .theirs): item + 2_000_000
    default: item
    }
  }

  static let merges = [
    merge("nested-arrays", conflicts: { ($0 + 3) / 4 }) { size, side in
      .array((0..<size).map { [number($0), [number(changed($0, side)), [number($0)]]] })
    },
    merge("array-of-removed", conflicts: { _ in 0 }) { size, side in
      let kept: Int? = side == .ours ? 1 : side == .theirs ? 2 : nil
      return .array((0..<size).filter { kept == nil || $0 % 3 != kept }.map { [number($0), [number($0)]] })
    },
    merge("records", conflicts: { ($0 + 3) / 4 }) { size, side in
      .array((0..<size).map { ["id": .string("\($0)"), "port": number(changed($0, side)), "tags": [[1], [2]]] })
    },
    merge("records-of-one-side", conflicts: { _ in 0 }) { size, side in
      .array(
        (0..<size).flatMap { item -> [PropertyList] in
          let own: PropertyList? = side == .base ? nil : ["id": .string("\(side) \(item)")]
          return [["id": .string("\(item)"), "port": number(item)]] + (own.map { [$0] } ?? [])
        })
    },
    merge("strings", conflicts: { _ in 0 }) { size, side in
      .array(
        (0..<size).flatMap { item -> [PropertyList] in
          [.string("\(item)")] + (side == .base ? [] : [.string("\(side) \(item)")])
        })
    },
    merge("keys", conflicts: { ($0 + 3) / 4 }) { size, side in
      var pairs = (0..<size).map { ("key\($0)", number(changed($0, side))) }
      if side != .base { pairs += (0..<size).map { ("\(side)\($0)", [number($0)]) } }
      return ["dictionary": .dictionary(PropertyListDictionary(uniqueKeysWithValues: pairs))]
    },
    merge("depth", conflicts: { _ in 1 }) { size, side in
      (0..<size / 8).reduce(number(changed(0, side))) { value, _ in ["k": value] }
    },
    textMerge("xml", "<plist>\n<dict>\n", "</dict>\n</plist>\n") { item, side in
      "\t<!-- \(item) -->\n\t<key>key\(item)</key>\n\t<array>\n\t\t<integer>\(changed(item, side))</integer>\n\t</array>\n"
    },
    textMerge("json", "{\n", "  \"end\": 1\n}\n") { item, side in
      let own = side == .base ? "" : "  \"\(side)\(item)\": 1,\n"
      return "  \"key\(item)\": {\n    \"port\": \(changed(item, side))\n  },\n" + own
    },
    textMerge("table", "", "") { item, side in
      let own = side == .base ? "" : "/* of \(side) */\n\"\(side)\(item)\" = \"\";\n"
      return "/* number \(item) */\n\"key\(item)\" = \"\(changed(item, side))\";\n" + own
    },
    textMerge(
      "project", "// !$*UTF8*$!\n{\n\tobjects = {\n\n/* Begin PBXA section */\n",
      "/* End PBXA section */\n\t};\n\trootObject = R;\n}\n"
    ) { item, side in
      func object(_ name: String, _ value: Int) -> String { "\t\t\(name) /* x */ = {isa = PBXA; x = \(value); };\n" }
      let number = 1_000_000 + item
      return object("A\(number)", changed(item, side)) + (side == .base ? "" : object("A\(number)\(side)", 1))
    },
    // Theirs has changed every comment, and both sides have added the same keys in different places.
    textMerge("comments", "", "\"last\" = \"1\";\n") { item, side in
      func new(_ item: Int) -> String { "\"new\(item)\" = \"1\";\n" }
      return
        "/* number \(item)\(side == .theirs ? " of theirs" : "") */\n\"key\(item)\" = \"\(changed(item, side))\";\n"
        + (side == .ours && item % 5 == 1 ? new(item) : side == .theirs && item % 5 == 3 ? new(item - 2) : "")
    },
  ]
}
