import Foundation
import Plist
import PlistArchives
import PlistSchema

extension GrowingOperation {
  private static func list(_ numbers: some Sequence<Int>) -> PropertyList { ["list": .array(numbers.map(number))] }

  private static func dictionary(_ count: Int) -> PropertyList {
    .dictionary(PropertyListDictionary(uniqueKeysWithValues: (0..<count).map { ("key\($0)", number($0)) }))
  }

  private static func difference(
    _ name: String, _ pair: @escaping @Sendable (_ size: Int) -> (old: PropertyList, new: PropertyList)
  ) -> GrowingOperation {
    GrowingOperation("difference-\(name)") { size in
      let (old, new) = pair(size)
      return {
        let difference = new.difference(from: old)
        try require(try old.applying(difference) == new, "the difference gives the new value")
        try require(try new.applying(difference.inverse) == old, "the inverse gives the old value")
      }
    }
  }

  /// Returns nested arrays and dictionaries, alternating, around an innermost value.
  private static func nested(_ depth: Int, _ leaf: PropertyList) -> PropertyList {
    (0..<depth).reduce(leaf) { value, level in level % 2 == 0 ? [value] : ["k": value] }
  }

  static let values = [
    difference("insertions") { (list(0..<$0), list(-$0..<$0)) },
    difference("removals") { (list(0..<2 * $0), list($0..<2 * $0)) },
    difference("keys") { (dictionary($0), ["other": 1]) },
    difference("values") { size in
      (
        dictionary(size),
        .dictionary(PropertyListDictionary(uniqueKeysWithValues: (0..<size).map { ("key\($0)", "x") }))
      )
    },
    difference("records") { size in
      (
        .array((0..<size).map { ["name": "n", "tags": [1, 2], "port": number($0)] }),
        .array((0..<size).map { ["name": "m", "tags": [1, 2, 3], "port": number($0 + 1)] })
      )
    },
    difference("depth") { (nested($0 / 8, 1), nested($0 / 8, 2)) },
    GrowingOperation("difference-scattered-insertions") { size in
      let changes = stride(from: 1, to: 2 * size, by: 2).map {
        PropertyListDifference.Change(
          path: PropertyListPath(components: ["list", "\($0)"]), oldValue: nil, newValue: number($0))
      }
      let (even, all) = (list(stride(from: 0, to: 2 * size, by: 2)), list(0..<2 * size))
      return {
        let difference = PropertyListDifference(changes: changes)
        try require(try even.applying(difference) == all, "the insertions")
        try require(try all.applying(difference.inverse) == even, "the removals")
      }
    },
    GrowingOperation("difference-interleaved-paths") { size in
      let base: PropertyList = ["a": dictionary(size), "b": dictionary(size)]
      let changes = shuffled(size).flatMap { number -> [PropertyListDifference.Change] in
        ["a", "b"].map {
          .init(
            path: PropertyListPath(components: [$0, "key\(number)"]), oldValue: Self.number(number), newValue: "new")
        }
      }
      return { _ = try base.applying(PropertyListDifference(changes: changes)) }
    },
    GrowingOperation("value-set") { size in
      let order = shuffled(size)
      return {
        var value: PropertyList = ["list": [], "keys": [:]]
        for number in order {
          try value.set(Self.number(number), at: PropertyListPath(components: ["keys", "key\(number)"]))
          value["keys"]?["key\(number)"] = "other"
          value[PropertyListPath(components: ["keys", "key\(number)"])] = "path"
          try value.set(
            Self.number(number), at: PropertyListPath(components: ["list", "\(value["list"]?.array?.count ?? 0)"]))
        }
        try require(value["keys"]?.dictionary?.count == size, "the keys are set")
      }
    },
    GrowingOperation("value-merge") { size in
      let (own, other) = (
        PropertyList(dictionaryLiteral: ("a", dictionary(size)), ("b", dictionary(size))),
        PropertyList(dictionaryLiteral: ("a", dictionary(2 * size)), ("b", ["key1": "x"]))
      )
      return {
        _ = try own.merging(other)
        _ = try own.merging(other, policy: .preferSelf)
      }
    },
    GrowingOperation("value-query") { size in
      let value: PropertyList = ["servers": .array((0..<size).map { ["port": number($0), "name": "n"] })]
      return {
        try require(value.matches(of: "servers.*.port").count == size, "the ports")
        try require(value.matches(of: "**.name").count == size, "the names")
      }
    },
    GrowingOperation("dictionary-transforms") { size in
      guard let pairs = dictionary(size).dictionary else { return {} }
      return {
        let filtered: PropertyListDictionary = pairs.filter { $0.value.int.map { $0 % 2 == 0 } ?? false }
        var merged = filtered.merging(pairs) { first, _ in first }
        merged.removeAll { $0.value.int.map { $0 % 3 == 0 } ?? false }
        var made = PropertyListDictionary()
        for (key, value) in merged { made[key] = value }
        for (key, _) in made { made[key, default: 0] = 1 }
        try require(made.mapValues { _ in 2 }.sorted().count == merged.count, "the pairs")
      }
    },
    GrowingOperation("schema-validation") { size in
      let keys = (0..<size).map { ["pfm_name": .string("key\($0)"), "pfm_type": "integer"] as PropertyList }
      let manifest = try PlistDocument(
        parsing: (["pfm_domain": "d", "pfm_subkeys": .array(keys)] as PropertyList).data(format: .xml))
      let document = try PlistDocument(parsing: dictionary(size).data(format: .xml))
      let faulty = try PlistDocument(
        parsing: PropertyList.dictionary(
          PropertyListDictionary(uniqueKeysWithValues: (0..<size).map { ("key\($0)", "x") })
        ).data(format: .xml))
      return {
        let schema = try PropertyListSchema(manifest: manifest)
        try require(schema.findings(in: document).isEmpty, "the document is valid")
        try require(schema.findings(in: faulty).count == size, "each value is a fault")
      }
    },
    GrowingOperation("inspection") { size in
      let faults = (0..<size).map { "<key>key</key><integer>x\($0)</integer>\n" }.joined()
      let document = Data("<plist><dict>\n\(faults)</dict></plist>".utf8)
      return {
        let inspection = PlistInspection(document, isStrict: true, limit: size)
        try require(inspection.findings.count >= size / 2, "the faults are found")
      }
    },
    GrowingOperation("repair") { size in
      let faults = (0..<size).map { "<key>key\($0)</key><date>2023-02-30T00:00:00Z</date>\n" }.joined()
      let document = Data("<plist><dict>\n\(faults)</dict></plist>".utf8)
      return { try require(try RepairedPropertyList(parsing: document).repairCount == size, "each date is repaired") }
    },
  ]

  // MARK: Archives

  private static func archive(_ fields: PropertyListDictionary, _ type: String) throws -> KeyedArchive {
    var fields = fields
    fields["$class"] = .uid(2)
    let value: PropertyList = [
      "$version": 100_000, "$archiver": "NSKeyedArchiver", "$top": ["root": .uid(1)],
      "$objects": [
        "$null", .dictionary(fields), ["$classname": .string(type), "$classes": [.string(type), "NSObject"]],
      ],
    ]
    return try KeyedArchive(parsing: value.data(format: .binary))
  }

  static let archives = [
    GrowingOperation("archive-keys") { size in
      let archive = try KeyedArchive(parsing: KeyedArchive.data(of: dictionary(size)))
      return {
        for number in 0..<size {
          try require(archive.root["key\(number)"]?.int == number && archive.root["x\(number)"] == nil, "the values")
        }
      }
    },
    GrowingOperation("archive-numbered-fields") { size in
      let fields = (0..<size).map { ("NS.object.\($0)", number($0)) }
      let archive = try archive(PropertyListDictionary(uniqueKeysWithValues: fields), "NSArray")
      return {
        let root = archive.root
        for number in 0..<size { try require(root[number]?.int == number, "the elements") }
      }
    },
    GrowingOperation("archive-numbered-keys") { size in
      let fields = (0..<size).flatMap {
        [("NS.object.\($0)", number($0)), ("NS.key.\($0)", PropertyList.string("key\($0)"))]
      }
      let archive = try archive(PropertyListDictionary(uniqueKeysWithValues: fields), "NSDictionary")
      return { for number in 0..<size { try require(archive.root["key\(number)"]?.int == number, "the values") } }
    },
    GrowingOperation("archive-fields") { size in
      let fields = (0..<size).map { ("field\($0)", number($0)) }
      let archive = try archive(PropertyListDictionary(uniqueKeysWithValues: fields), "Own")
      return { for number in 0..<size { try require(archive.root["field\(number)"]?.int == number, "the fields") } }
    },
    GrowingOperation("archive-resolving") { size in
      let data = try KeyedArchive.data(of: ["keys": dictionary(size), "list": list(0..<size)])
      return { _ = try KeyedArchive(parsing: data).propertyList() }
    },
  ]

  // MARK: Nodes

  private static func documents(_ value: PropertyList) throws -> [PlistDocument] {
    try [PlistFormat.xml, .json, .openStep, .binary].map {
      try PlistDocument(
        parsing: value.data(format: $0, options: PlistWriteOptions(unrepresentable: .convert)))
    }
  }

  private static func elements(of document: PlistDocument) throws -> PlistNode.Elements {
    guard let elements = document.root.array else { throw Failure(description: "the root is no array") }
    return elements
  }

  static let nodes = [
    GrowingOperation("node-keys") { size in
      let documents = try documents(dictionary(size))
      return {
        for document in documents {
          for number in 0..<size { try require(document.root["key\(number)"] != nil, "the keys are found") }
        }
      }
    },
    GrowingOperation("node-elements") { size in
      let documents = try documents(.array((0..<size).map(number)))
      return {
        for document in documents {
          for number in 0..<size { try require(document.root[number] != nil, "the elements are found") }
        }
      }
    },
    GrowingOperation("node-lines") { size in
      let documents = try documents(.array((0..<size).map(number)))
      return {
        for document in documents {
          for node in try elements(of: document) { _ = (node.line, node.column) }
        }
      }
    },
    GrowingOperation("node-lines-in-any-order") { size in
      let documents = try documents(.array((0..<size).map(number)))
      let order = shuffled(size)
      return {
        for document in documents {
          for number in order { _ = (document.root[number]?.line, document.root[number]?.column) }
          for number in order.sorted(by: >) { _ = document.root[number]?.line }
        }
      }
    },
    GrowingOperation("node-columns-on-one-line") { size in
      let value = PropertyList.array((0..<8 * size).map { _ in "é" })
      let document = try PlistDocument(
        parsing: value.data(format: .json, options: PlistWriteOptions(layout: .compact)))
      let order = shuffled(8 * size)
      return { for number in order { _ = document.root[number]?.column } }
    },
    GrowingOperation("node-comments") { size in
      let items = (0..<size).map { "/* number \($0) */\n\"key\($0)\" = \"value\";\n" }.joined()
      let document = try PlistDocument(parsing: Data(items.utf8))
      return {
        for number in 0..<size { try require(document.root["key\(number)"]?.comment != nil, "there are comments") }
      }
    },
    GrowingOperation("node-one-long-key") { size in
      // Many dictionaries have the same key, whose length grows with their number.
      let key = HostileDocument.container(0x50, 256 * size) + [UInt8](repeating: 0x61, count: 256 * size)
      let list = HostileDocument.container(0xA0, size) + HostileDocument.references((0..<size).map { $0 + 3 })
      let dictionaries = (0..<size).map { _ in [0xD1] + HostileDocument.references([1, 2]) }
      let document = try PlistDocument(parsing: HostileDocument.assembled([list, key, [0x09]] + dictionaries))
      return {
        for node in try elements(of: document) {
          if let pairs = node.dictionary { for (key, _) in pairs where key.isEmpty { break } }
          _ = node.dictionary?.keys
          _ = node["b"]
        }
      }
    },
  ]

  // MARK: Decoding

  /// Requests the keys of a dictionary out of order, while a second container is open.
  private struct Backwards: Decodable {
    struct Key: CodingKey {
      let stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
      let containers = try (decoder.container(keyedBy: Key.self), decoder.container(keyedBy: Key.self))
      var sum = 0
      for key in containers.0.allKeys.reversed() { sum += try containers.0.decode(String.self, forKey: key).count }
      try require(sum > 0 && containers.1.contains(Key(stringValue: "key0")), "the keys are found")
    }
  }

  static let decoding = [
    GrowingOperation("decoding-keys-backwards") { size in
      let keys = (0..<8 * size).map { ("key\($0)", PropertyList.string("value")) }
      let value = PropertyList.dictionary(PropertyListDictionary(uniqueKeysWithValues: keys))
      let documents = try [PlistFormat.xml, .binary].map { try value.data(format: $0) }
      return { for document in documents { _ = try PlistDecoder().decode(Backwards.self, from: document) } }
    }
  ]

  // MARK: Caught errors

  private struct Caught<Value: Decodable>: Decodable {
    enum CodingKeys: CodingKey { case a }

    init(from decoder: any Decoder) throws {
      _ = try? decoder.container(keyedBy: CodingKeys.self).decode(Value.self, forKey: .a)
    }
  }

  /// Returns a document of many dictionaries whose key `a` has the same malformed value in all of them.
  private static func caught(_ value: [[UInt8]], size: Int) -> Data {
    let list =
      HostileDocument.container(0xA0, size) + HostileDocument.references((0..<size).map { $0 + 2 + value.count })
    let dictionaries = (0..<size).map { _ in [0xD1] + HostileDocument.references([1, 2]) }
    return HostileDocument.assembled([list, [0x51, 0x61]] + value + dictionaries)
  }

  private static func malformedText(_ size: Int) -> [UInt8] {
    HostileDocument.container(0x50, 256 * size) + [UInt8](repeating: 0x61, count: 256 * size - 1) + [0xFF]
  }

  static let caughtErrors = [
    GrowingOperation("caught-malformed-string") { size in
      let data = caught([malformedText(size)], size: size)
      return { _ = try? PlistDecoder().decode([Caught<String>].self, from: data) }
    },
    GrowingOperation("caught-malformed-string-elements") { size in
      let data = caught([malformedText(size)], size: size)
      let file = URL(filePath: NSTemporaryDirectory()).appending(path: "growing-\(UUID().uuidString).plist")
      try data.write(to: file)
      return {
        defer { try? FileManager.default.removeItem(at: file) }
        var elements = try PlistDecoder().elements(of: Caught<String>.self, contentsOf: file)
        while (try? elements.next()) != nil {}
      }
    },
    GrowingOperation("caught-malformed-value") { size in
      let list =
        HostileDocument.container(0xA0, 4 * size) + HostileDocument.references([Int](repeating: 3, count: 4 * size))
      let data = caught([list, [0x5F, 0x10, 0x01, 0xFF]], size: size)
      return { _ = try? PlistDecoder().decode([Caught<PropertyList>].self, from: data) }
    },
    GrowingOperation("caught-wrong-type") { size in
      let text =
        [0x5F] + HostileDocument.container(0x50, 256 * size).dropFirst() + [UInt8](repeating: 0x61, count: 256 * size)
      let data = caught([text], size: size)
      return { _ = try? PlistDecoder().decode([Caught<Int>].self, from: data) }
    },
    GrowingOperation("caught-edits") { size in
      let editor = try PlistEditor(parsing: dictionary(size).data(format: .xml))
      return {
        var editor = editor
        for number in 0..<size { try? editor.insert(1, at: PropertyListPath(components: ["key\(number)"])) }
      }
    },
  ]
}
