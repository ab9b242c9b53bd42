import Foundation
import Plist
import PlistArchives
import Testing

/// Repeated look-ups in large collections use tables, and find what a search finds.
@Suite struct ArchiveLookUpTests {
  private static let count = 40

  private static func archive(_ root: PropertyList, _ type: String, _ objects: [PropertyList]) throws -> KeyedArchive {
    let list: PropertyList = [
      "$version": 100_000, "$archiver": "NSKeyedArchiver", "$top": ["root": .uid(1)],
      "$objects": .array(
        ["$null", root, ["$classname": .string(type), "$classes": [.string(type), "NSObject"]]] + objects),
    ]
    return try KeyedArchive(parsing: list.data(format: .binary))
  }

  private static func number(_ number: Int) -> PropertyList { .integer(PropertyListInteger(number)) }

  /// Its keys are strings, string objects, numbers and repetitions of the first key.
  private static func dictionary() throws -> KeyedArchive {
    var objects: [PropertyList] = []
    var keys: [PropertyList] = []
    func add(_ object: PropertyList) {
      keys.append(.uid(PropertyListUID(UInt32(3 + objects.count)))); objects.append(object)
    }
    for number in 0..<count {
      switch number % 4 {
      case 0: add(.string("key \(number)"))
      case 1: add(["NS.string": .string("key \(number)"), "$class": .uid(PropertyListUID(UInt32(3 + count)))])
      case 2: add(Self.number(number))
      default: add("key 0")
      }
    }
    objects.append(["$classname": "NSString", "$classes": ["NSString", "NSObject"]])
    let root: PropertyList = [
      "NS.keys": .array(keys), "NS.objects": .array((0..<count).map(number)), "$class": .uid(2),
    ]
    return try archive(root, "NSDictionary", objects)
  }

  @Test("The second look-up and all others find what the first one finds")
  func keys() throws {
    let kept = try Self.dictionary().root
    for number in -1...Self.count {
      let key = "key \(number)"
      let fresh = try Self.dictionary().root[key]?.int
      #expect(fresh == (0..<Self.count ~= number && number % 4 < 2 ? number : nil), "\(key)")
      #expect(kept[key]?.int == fresh, "\(key)")
    }
    #expect(kept["key 0"]?.int == 0, "the first of equal keys counts")
    #expect(kept.pairs?.count == Self.count)
  }

  @Test("Elements in numbered fields are found by position and by key")
  func numberedFields() throws {
    var fields: PropertyListDictionary = ["$class": .uid(2)]
    for number in 0..<Self.count {
      fields["NS.key.\(number)"] = .string("key \(number)")
      fields["NS.object.\(number)"] = Self.number(number)
    }
    let dictionary = try Self.archive(.dictionary(fields), "NSDictionary", []).root
    for number in 0..<Self.count { #expect(dictionary["key \(number)"]?.int == number) }
    #expect(dictionary["key \(Self.count)"] == nil)
    for number in 0..<Self.count { fields["NS.key.\(number)"] = nil }
    let array = try Self.archive(.dictionary(fields), "NSArray", []).root
    for _ in 0..<2 {
      for number in 0..<Self.count { #expect(array[number]?.int == number) }
      #expect(array[Self.count] == nil)
      #expect(array.elements?.compactMap(\.int) == Array(0..<Self.count))
    }
  }

  @Test("Keys that are no texts leave nothing to find")
  func noTexts() throws {
    let numbers = PropertyList.array((0..<Self.count).map(Self.number))
    let object = try Self.archive(["NS.keys": numbers, "NS.objects": numbers, "$class": .uid(2)], "NSDictionary", [])
      .root
    for _ in 0..<3 { #expect(object["1"] == nil) }
    #expect(object.pairs?[1].value.int == 1)
  }
}
