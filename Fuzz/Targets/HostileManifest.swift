import Foundation
import Plist

/// Preference manifests that are also the documents they validate.
extension HostileDocument {
  static let manifests = [
    // With backtracking, this pattern would take exponential time.
    manifest("manifest-pattern", ["pfm_format": "^((a|a)*|(aa|a)*b?)*$"]) { size in
      .string(String(repeating: "a", count: size) + "c")
    },
    manifest("manifest-long-pattern", ["pfm_format": "(a{0,20}){0,20}c"]) { size in
      .string(String(repeating: "a", count: size / 64))
    },
    manifest(
      "manifest-list",
      [
        "pfm_type": "array", "pfm_range_list": .array((0..<1_000).map { .string("value\($0)") }),
      ]
    ) { size in .array((0..<size / 12).map { .string("value\($0)") }) },
    manifest(
      "manifest-missing-keys",
      [
        "pfm_type": "array",
        "pfm_subkeys": [
          [
            "pfm_type": "dictionary",
            "pfm_subkeys": .array((0..<200).map { ["pfm_name": .string("key\($0)"), "pfm_require": "always"] }),
          ]
        ],
      ]
    ) { size in .array([PropertyList](repeating: ["key0": true], count: size / 16)) },
    manifest(
      "manifest-unknown-keys",
      [
        "pfm_type": "dictionary",
        "pfm_subkeys": .array((0..<1_000).map { ["pfm_name": .string("aKeyWithSomeName\($0)")] }),
      ]
    ) { size in
      .dictionary(
        PropertyListDictionary(
          uniqueKeysWithValues: (0..<size / 40).map { ("aKeyWithOtherName\($0)", .boolean(true)) }))
    },
    manifest(
      "manifest-wrong-types",
      [
        "pfm_type": "array", "pfm_subkeys": [["pfm_type": "integer", "pfm_range_max": 7]],
      ]
    ) { size in .array((0..<size / 12).map { $0 % 2 == 0 ? .string("text\($0)") : .integer(PropertyListInteger($0)) })
    },
    HostileDocument("manifest-many-keys", isRefused: false) { size in
      document((0..<size / 60).map { ["pfm_name": .string("key\($0)"), "pfm_type": "string"] }, [:])
    },
    HostileDocument("manifest-one-key-again-and-again", isRefused: false) { size in
      document((0..<size / 60).map { _ in ["pfm_name": "key", "pfm_type": "string"] }, [:])
    },
    HostileDocument("manifest-many-patterns", isRefused: false) { size in
      let keys = (0..<size / 100).map { position -> PropertyList in
        ["pfm_name": .string("key\(position)"), "pfm_type": "string", "pfm_format": "[a-z]{900}"]
      }
      return document(keys, [:])
    },
    HostileDocument("manifest-deep", isRefused: false) { size in
      let depth = 200
      let keys = (0..<max(1, size / 1_000_000)).map { position -> PropertyList in
        (0..<depth).reduce(["pfm_name": .string("key\(position)")]) { inner, _ in
          ["pfm_name": .string("key\(position)"), "pfm_type": "dictionary", "pfm_subkeys": [inner]]
        }
      }
      return document(keys, [:])
    },
    // Each condition reads the whole array `list`.
    HostileDocument("manifest-conditions", isRefused: false) { size in
      let keys = (0..<size / 400).map { position -> PropertyList in
        [
          "pfm_name": .string("key\(position)"),
          "pfm_conditionals": [
            [
              "pfm_require": "always",
              "pfm_target_conditions": [["pfm_target": "list", "pfm_contains_any": ["missing"]]],
            ]
          ],
        ]
      }
      let list = PropertyList.array((0..<size / 20).map { .string("element\($0)") })
      return document([["pfm_name": "list", "pfm_type": "array"]] + keys, ["list": list])
    },
    HostileDocument("manifest-local-conditions", isRefused: false) { size in
      let condition: PropertyList = [
        ["pfm_target_conditions": [["pfm_target": "b", "pfm_contains_any": ["missing"]]]]
      ]
      let keys: [PropertyList] =
        [["pfm_name": "b", "pfm_type": "array"]]
        + (0..<100).map { ["pfm_name": .string("key\($0)"), "pfm_exclude": condition] }
      let elements: PropertyList = [["pfm_type": "dictionary", "pfm_subkeys": .array(keys)]]
      let element: PropertyList = ["b": .array((0..<50).map { .string("element\($0)") })]
      let definition: PropertyList = ["pfm_name": "list", "pfm_type": "array", "pfm_subkeys": elements]
      return document([definition], ["list": .array(Array(repeating: element, count: size / 1_000))])
    },
    HostileDocument("manifest-payloads", isRefused: false) { size in
      let payload: PropertyList = ["PayloadType": "d", "key": 1]
      return document(
        [["pfm_name": "key", "pfm_type": "string", "pfm_require": "always"]],
        ["pfm_domain": "d", "PayloadContent": .array(Array(repeating: payload, count: size / 80))])
    },
    // In binary, all definitions can refer to the same list of allowed values.
    HostileDocument("manifest-one-list-for-all", isRefused: true) { size in
      let count = max(10_000, size / 16)
      let names = ["pfm_subkeys", "pfm_range_list", "pfm_name"].map(text)
      // The objects: the root, the array of definitions, the only definition, its list of allowed values, the only
      // value in that list, and the keys.
      let root: [UInt8] = [0xD1] + references([5, 1])
      let definitions = container(0xA0, count) + references([Int](repeating: 2, count: count))
      let definition: [UInt8] = [0xD2] + references([7, 6, 4, 3])
      let list = container(0xA0, count) + references([Int](repeating: 4, count: count))
      return assembled([root, definitions, definition, list, [0x51, 0x61]] + names)
    },
    HostileDocument("manifest-one-definition-for-all", isRefused: false) { size in
      let count = size / 8
      let names = ["pfm_subkeys", "pfm_name", "a"].map(text)
      let root: [UInt8] = [0xD1] + references([3, 1])
      let definitions = container(0xA0, count) + references([Int](repeating: 2, count: count))
      return assembled([root, definitions, [0xD1] + references([4, 5])] + names)
    },
  ]

  /// Returns a manifest for the key `value`, which also has a value for that key.
  private static func manifest(
    _ name: String, _ definition: PropertyListDictionary, _ value: @escaping @Sendable (Int) -> PropertyList
  ) -> HostileDocument {
    HostileDocument(name, isRefused: false) { size in
      var definition = definition
      definition["pfm_name"] = "value"
      return document([.dictionary(definition)], ["value": value(size)])
    }
  }

  private static func document(_ keys: [PropertyList], _ values: PropertyListDictionary) -> Data {
    var root = values
    root["pfm_subkeys"] = .array(keys)
    return (try? PropertyList.dictionary(root).data(format: .xml)) ?? Data()
  }

  private static func text(_ text: String) -> [UInt8] { [0x5F, 0x10, UInt8(text.utf8.count)] + text.utf8 }
}
