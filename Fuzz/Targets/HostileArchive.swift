import Foundation
import Plist

/// Keyed archives whose objects expand to far more than the archive's size.
extension HostileDocument {
  static let archives = [
    archive("archive-laughs", isRefused: true) { _ in
      (0..<40).map { array([$0 + 1, $0 + 1, $0 + 1, $0 + 1].map { .uid(number(of: $0)) }) } + ["text"]
    },
    archive("archive-laughs-in-dictionaries", isRefused: true) { _ in
      (0..<40).map { dictionary(["a", "b"], [.uid(number(of: $0 + 1)), .uid(number(of: $0 + 1))]) } + ["text"]
    },
    archive("archive-laughs-in-fields", isRefused: true) { _ in
      (0..<40).map { ["a": .uid(number(of: $0 + 1)), "b": .uid(number(of: $0 + 1))] } + ["text"]
    },
    archive("archive-laughs-two-levels", isRefused: true) { size in
      let count = max(5_000, size / 8)
      return [array(Array(repeating: .uid(number(of: 1)), count: count))]
        + [array(Array(repeating: .uid(number(of: 2)), count: count)), "text"]
    },
    archive("archive-cycles", isRefused: true) { size in
      let count = size / 40
      return [array((1...count).map { .uid(number(of: $0)) })] + (1...count).map { array([.uid(number(of: $0))]) }
    },
    archive("archive-cycle-of-all", isRefused: true) { size in
      let count = size / 40
      return (0..<count).map { array([.uid(number(of: ($0 + 1) % count))]) }
    },
    archive("archive-uids-out-of-range", isRefused: true) { size in
      [array((0..<size / 10).map { .uid(PropertyListUID(UInt32.max - UInt32($0))) })]
    },
    // The first object is valid, so a reader that resolves UIDs eagerly would follow the whole chain.
    archive("archive-chain-of-uids", isRefused: true) { size in
      let count = size / 10
      return [array([.uid(number(of: 1))])] + (1..<count).map { .uid(number(of: ($0 + 1) % count)) }
    },
    archive("archive-deep-arrays", isRefused: true) { size in
      (1...size / 40).map { array([.uid(number(of: $0))]) } + ["text"]
    },
    archive("archive-deep-fields", isRefused: true) { size in
      (1...size / 24).map { ["field": .uid(number(of: $0))] } + ["text"]
    },
    archive("archive-deep-urls", isRefused: true) { size in
      (1...size / 60).map { url("path\($0)", base: number(of: $0)) } + [url("https://example.com", base: 0)]
    },
    archive("archive-one-text-many-times", isRefused: false) { size in
      [array(Array(repeating: .uid(number(of: 1)), count: size / 8)), string(count: size / 2)]
    },
    archive("archive-one-base-for-all", isRefused: true) { size in
      let count = size / 80
      return [array((2...count).map { .uid(number(of: $0)) })]
        + [url("https://example.com/\(String(repeating: "a", count: size / 2))/", base: 0)]
        + (2...count).map { url("path\($0)", base: number(of: 1)) }
    },
    archive("archive-one-key-for-all-pairs", isRefused: true) { size in
      let count = size / 16
      let key = PropertyList.uid(number(of: 1))
      return [dictionary(Array(repeating: key, count: count), Array(repeating: true, count: count))]
        + [.string(String(repeating: "k", count: size / 2))]
    },
    archive("archive-one-key-many-times", isRefused: true) { size in
      let count = size / 80
      let key = PropertyList.uid(number(of: 1))
      return [array((2...count).map { .uid(number(of: $0)) }), .string(String(repeating: "k", count: size / 2))]
        + (2...count).map { _ in dictionary([key], [true]) }
    },
    archive("archive-keys-that-are-objects", isRefused: true) { size in
      let count = size / 16
      let key = PropertyList.uid(number(of: 1))
      return [dictionary(Array(repeating: key, count: count), Array(repeating: key, count: count)), string(count: 100)]
    },
    archive("archive-one-class-for-all", isRefused: false) { size in
      let count = size / 32
      let names = [PropertyList](repeating: "Ancestor", count: size / 16)
      return [
        array((2...count).map { .uid(number(of: $0)) }), ["$classname": "Descendant", "$classes": .array(names)],
      ] + (2...count).map { ["$class": .uid(number(of: 1)), "number": .integer(PropertyListInteger($0))] }
    },
    archive("archive-long-class-names", isRefused: false) { size in
      let count = size / 32
      let name = PropertyList.string(String(repeating: "n", count: size / 2))
      return [
        array((2...count).map { .uid(number(of: $0)) }),
        ["$classname": name, "$classes": .array([PropertyList](repeating: name, count: 8))],
      ] + (2...count).map { ["$class": .uid(number(of: 1)), "number": .integer(PropertyListInteger($0))] }
    },
    // The keys are plain strings rather than references, so a writer would compare each with all others.
    HostileDocument("archive-one-text-for-all-plain-keys", isRefused: false, isRefusedAsArchive: true) { size in
      assembled(dictionaryWithOneKey(size / 16, keyCount: size / 2))
    },
    // In binary, all classes can refer to the same list of superclasses.
    HostileDocument("archive-one-hierarchy-for-all-classes", isRefused: true, isRefusedAsArchive: true) { size in
      let count = max(5_000, size / 80)
      return assembled(classesWithOneHierarchy(count))
    },
    archive("archive-own-class-each", isRefused: false) { size in
      let count = size / 80
      return [array((1...count).map { .uid(number(of: 2 * $0)) }), "text"]
        + (1...count).flatMap { position -> [PropertyList] in
          let name = PropertyList.string("Class\(position)")
          let type: PropertyList = ["$classname": name, "$classes": [name, "NSObject"]]
          return [["$class": .uid(number(of: 2 * position + 1)), "n": true], type]
        }
    },
    archive("archive-classes-in-a-cycle", isRefused: true) { size in
      let count = size / 40
      return [array((1...count).map { .uid(number(of: $0)) })]
        + (1...count).map { ["$class": .uid(number(of: $0)), "$classname": "NSArray", "next": .uid(number(of: $0))] }
    },
    archive("archive-elements-in-fields", isRefused: false) { size in
      var fields: [(String, PropertyList)] = [("$class", .uid(classes["NSArray"] ?? 0))]
      for position in 0..<size / 24 { fields.append(("NS.object.\(position)", true)) }
      return [.dictionary(PropertyListDictionary(uniqueKeysWithValues: fields))]
    },
  ]

  private static func archive(
    _ name: String, isRefused: Bool, _ objects: @escaping @Sendable (Int) -> [PropertyList]
  ) -> HostileDocument {
    HostileDocument(name, isRefused: false, isRefusedAsArchive: isRefused) { size in
      let types = classNames.map { name -> PropertyList in
        ["$classname": .string(name), "$classes": [.string(name), "NSObject"]]
      }
      let archive: PropertyList = [
        "$version": 100_000, "$archiver": "NSKeyedArchiver", "$top": ["root": .uid(number(of: 0))],
        "$objects": .array(["$null"] + types + objects(size)),
      ]
      return (try? archive.data(format: .binary)) ?? Data()
    }
  }

  private static let classNames = ["NSArray", "NSDictionary", "NSString", "NSURL"]

  private static let classes = Dictionary(
    uniqueKeysWithValues: classNames.enumerated().map { ($1, PropertyListUID(UInt32($0 + 1))) })

  /// Returns the UID of the object at `position` in the list that a hostile archive declares.
  ///
  /// Null and the classes come first in the archive's table.
  private static func number(of position: Int) -> PropertyListUID {
    PropertyListUID(UInt32(position + classNames.count + 1))
  }

  private static func object(_ name: String, _ fields: KeyValuePairs<String, PropertyList>) -> PropertyList {
    let pairs = fields.map { ($0.key, $0.value) } + [("$class", .uid(classes[name] ?? 0))]
    return .dictionary(PropertyListDictionary(uniqueKeysWithValues: pairs))
  }

  private static func array(_ elements: [PropertyList]) -> PropertyList {
    object("NSArray", ["NS.objects": .array(elements)])
  }

  private static func dictionary(_ keys: [PropertyList], _ values: [PropertyList]) -> PropertyList {
    object("NSDictionary", ["NS.keys": .array(keys), "NS.objects": .array(values)])
  }

  private static func string(count: Int) -> PropertyList {
    object("NSString", ["NS.bytes": .data(Data(repeating: 0x61, count: count))])
  }

  private static func url(_ text: String, base: PropertyListUID) -> PropertyList {
    object("NSURL", ["NS.relative": .string(text), "NS.base": .uid(base)])
  }

  /// Returns the binary objects of a dictionary with `count` keys, all of which are the same string of `keyCount`
  /// bytes.
  private static func dictionaryWithOneKey(_ count: Int, keyCount: Int) -> [[UInt8]] {
    let texts = [
      "$version", "$archiver", "$top", "$objects", "NSKeyedArchiver", "root", "$class", "NS.keys", "NS.objects",
      "$classname", "NSDictionary",
    ]
    let name = { (name: String) in 11 + (texts.firstIndex(of: name) ?? 0) }
    let uid = { (number: Int) in [0x83] + BinarySpelling.bigEndian(UInt64(number), 4) }
    let keys = ["$version", "$archiver", "$top", "$objects"].map(name)
    let objects: [[UInt8]] = [
      [0xD4] + references(keys + [1, name("NSKeyedArchiver"), 2, 3]), [0x12, 0x00, 0x01, 0x86, 0xA0],
      [0xD1] + references([name("root"), 4]), [0xA3] + references([5, 6, 7]), uid(1), [0x09],
      [0xD3] + references(["$class", "NS.keys", "NS.objects"].map(name) + [8, 9, 10]),
      [0xD1] + references([name("$classname"), name("NSDictionary")]), uid(2),
      container(0xA0, count) + references([Int](repeating: 22, count: count)),
      container(0xA0, count) + references([Int](repeating: 5, count: count)),
    ]
    return objects + texts.map { [0x5F, 0x10, UInt8($0.utf8.count)] + $0.utf8 } + [text(count: keyCount)]
  }

  /// Returns the binary objects of an archive of `count` objects, each with its own class.
  private static func classesWithOneHierarchy(_ count: Int) -> [[UInt8]] {
    let texts = [
      "$version", "$archiver", "$top", "$objects", "NSKeyedArchiver", "root", "$class", "$classname", "$classes",
      "Name",
    ]
    let first = 6 + 4 * count
    let text = { (name: String) in first + (texts.firstIndex(of: name) ?? 0) }
    let uid = { (number: Int) in [0x83] + BinarySpelling.bigEndian(UInt64(number), 4) }
    let keys = ["$version", "$archiver", "$top", "$objects"].map(text)
    var objects: [[UInt8]] = [
      [0xD4] + references(keys + [1, text("NSKeyedArchiver"), 2, 4]), [0x12, 0x00, 0x01, 0x86, 0xA0],
      [0xD1] + references([text("root"), 5]),
      container(0xA0, count) + references([Int](repeating: text("Name"), count: count)),
      container(0xA0, 2 * count) + references((0..<count).flatMap { [8 + 4 * $0, 9 + 4 * $0] }),
      container(0xA0, count) + references((0..<count).map { 7 + 4 * $0 }),
    ]
    // Each archived object takes four binary objects: the UID of its class, its own UID, the object and the class.
    for position in 0..<count {
      objects.append(uid(2 * position + 1))
      objects.append(uid(2 * position))
      objects.append([0xD1] + references([text("$class"), 6 + 4 * position]))
      objects.append([0xD2] + references([text("$classname"), text("$classes"), text("Name"), 3]))
    }
    return objects + texts.map { [0x5F, 0x10, UInt8($0.utf8.count)] + $0.utf8 }
  }
}
