import Foundation
import Plist

struct FoundationArchive: Sendable, CustomStringConvertible {
  let description: String
  let expected: PropertyList
  let isPlainValue: Bool
  private let make: @Sendable () -> Any

  init(
    _ description: String, _ expected: PropertyList, isPlainValue: Bool = false, _ make: @escaping @Sendable () -> Any
  ) {
    self.description = description
    self.expected = expected
    self.isPlainValue = isPlainValue
    self.make = make
  }

  var object: Any { make() }

  func data(_ format: PropertyListSerialization.PropertyListFormat = .binary) throws -> Data {
    let archiver = NSKeyedArchiver(requiringSecureCoding: false)
    archiver.outputFormat = format
    archiver.encode(object, forKey: NSKeyedArchiveRootObjectKey)
    archiver.finishEncoding()
    return archiver.encodedData
  }
}

final class ArchivedNote: NSObject, NSCoding {
  private let title: String
  private let count: Int
  private let related: ArchivedNote?

  init(_ title: String, count: Int, related: ArchivedNote? = nil) {
    self.title = title
    self.count = count
    self.related = related
  }

  init?(coder: NSCoder) { nil }

  func encode(with coder: NSCoder) {
    coder.encode(title as NSString, forKey: "title")
    coder.encode(count, forKey: "count")
    coder.encode(related, forKey: "related")
    coder.encode(true, forKey: "isOpen")
    coder.encode(2.5, forKey: "weight")
  }
}

final class ArchivedRing: NSObject, NSCoding {
  override init() {}
  init?(coder: NSCoder) { nil }
  func encode(with coder: NSCoder) { coder.encode(self, forKey: "next") }
}

extension FoundationArchive {
  private static let day = Date(timeIntervalSinceReferenceDate: 86_400)
  private static let id = "71DC068E-3420-45FF-919E-3A267D55EC22"
  private static var uuid: NSUUID { NSUUID(uuidString: id) ?? NSUUID() }

  static func url(_ text: String, relativeTo base: URL? = nil) -> NSURL {
    NSURL(string: text, relativeTo: base) ?? NSURL(fileURLWithPath: "/")
  }

  static let all: [FoundationArchive] = plain + values + graphs

  private static let plain: [FoundationArchive] = [
    FoundationArchive("string", "text", isPlainValue: true) { "text" as NSString },
    FoundationArchive("empty string", "", isPlainValue: true) { "" as NSString },
    FoundationArchive("long string", .string(String(repeating: "long ", count: 500)), isPlainValue: true) {
      String(repeating: "long ", count: 500) as NSString
    },
    FoundationArchive("text of other scripts", "Ω 漢字 👩‍👩‍👧", isPlainValue: true) { "Ω 漢字 👩‍👩‍👧" as NSString },
    FoundationArchive("integer", 5, isPlainValue: true) { NSNumber(value: 5) },
    FoundationArchive("negative integer", -5_000_000_000, isPlainValue: true) { NSNumber(value: -5_000_000_000) },
    FoundationArchive("largest integer", .integer(.max), isPlainValue: true) { NSNumber(value: UInt64.max) },
    FoundationArchive("smallest integer", .integer(.min), isPlainValue: true) { NSNumber(value: Int64.min) },
    FoundationArchive("real", 2.5, isPlainValue: true) { NSNumber(value: 2.5) },
    FoundationArchive("small real", 1e-300, isPlainValue: true) { NSNumber(value: 1e-300) },
    FoundationArchive("true", true, isPlainValue: true) { NSNumber(value: true) },
    FoundationArchive("false", false, isPlainValue: true) { NSNumber(value: false) },
    FoundationArchive("data", .data(Data([1, 2, 3])), isPlainValue: true) { NSData(data: Data([1, 2, 3])) },
    FoundationArchive("empty data", .data(Data()), isPlainValue: true) { NSData() },
    FoundationArchive("date", .date(day), isPlainValue: true) { day as NSDate },
    FoundationArchive("early date", .date(Date(timeIntervalSinceReferenceDate: -1e10)), isPlainValue: true) {
      NSDate(timeIntervalSinceReferenceDate: -1e10)
    },
    FoundationArchive("null", .null, isPlainValue: true) { NSNull() },
    FoundationArchive("array", [3, "two", 2.5, true], isPlainValue: true) { [3, "two", 2.5, true] as NSArray },
    FoundationArchive("empty array", [], isPlainValue: true) { NSArray() },
    FoundationArchive("dictionary", ["a": 1], isPlainValue: true) { ["a": 1] as NSDictionary },
    FoundationArchive("empty dictionary", [:], isPlainValue: true) { NSDictionary() },
    FoundationArchive("nested", ["a": [["b": [[:], []]], "c"], "d": ["e": .null]], isPlainValue: true) {
      ["a": [["b": [NSDictionary(), NSArray()]], "c"] as [Any], "d": ["e": NSNull()]] as NSDictionary
    },
    FoundationArchive("many elements", .array((0..<500).map { .integer(PropertyListInteger($0)) }), isPlainValue: true)
    {
      (0..<500).map { $0 } as NSArray
    },
    FoundationArchive("repeated strings", ["a", "a", ["a": "a"]], isPlainValue: true) {
      ["a", "a", ["a": "a"]] as NSArray
    },
  ]

  private static let values: [FoundationArchive] = [
    FoundationArchive("mutable string", "text") { NSMutableString(string: "text") },
    FoundationArchive("mutable data", .data(Data([7]))) { NSMutableData(data: Data([7])) },
    FoundationArchive("mutable array", [1, [2]]) { NSMutableArray(array: [1, NSMutableArray(array: [2])]) },
    FoundationArchive("mutable dictionary", ["a": ["b": 1]]) {
      NSMutableDictionary(dictionary: ["a": NSMutableDictionary(dictionary: ["b": 1])])
    },
    FoundationArchive("set", ["one"]) { NSSet(array: ["one"]) },
    FoundationArchive("mutable set", [1]) { NSMutableSet(array: [1]) },
    FoundationArchive("ordered set", [3, 1, 2]) { NSOrderedSet(array: [3, 1, 2]) },
    FoundationArchive("empty ordered set", []) { NSOrderedSet() },
    FoundationArchive("mutable ordered set", ["b", "a"]) { NSMutableOrderedSet(array: ["b", "a"]) },
    FoundationArchive(
      "ordered set of many elements", .array((0..<40).map { .integer(PropertyListInteger($0)) })
    ) { NSOrderedSet(array: Array(0..<40)) },
    FoundationArchive("URL", "https://example.com/a?b#c") { url("https://example.com/a?b#c") },
    FoundationArchive("relative URL", "https://example.com/a/b") {
      url("b", relativeTo: URL(string: "https://example.com/a/"))
    },
    FoundationArchive("UUID", .string(id)) { uuid },
    FoundationArchive("attributed string", "text") { NSAttributedString(string: "text") },
    FoundationArchive("mutable attributed string", ["text"]) { [NSMutableAttributedString(string: "text")] as NSArray },
    FoundationArchive("locale", ["NS.identifier": "en"]) { NSLocale(localeIdentifier: "en") },
    FoundationArchive("character set", ["NSString": "ab"]) { NSCharacterSet(charactersIn: "ab") },
    FoundationArchive("range", ["NS.special": 4, "NS.rangeval.location": 1, "NS.rangeval.length": 2]) {
      NSValue(range: NSRange(location: 1, length: 2))
    },
    FoundationArchive("dictionary with keys that are no strings", ["NS.keys": [1], "NS.objects": ["one"]]) {
      [1: "one"] as NSDictionary
    },
  ]

  private static let graphs: [FoundationArchive] = [
    FoundationArchive(
      "object of another class",
      ["title": "A", "count": 2, "related": .null, "isOpen": true, "weight": 2.5]
    ) { ArchivedNote("A", count: 2) },
    FoundationArchive(
      "objects of another class",
      [
        "title": "A", "count": 2, "isOpen": true, "weight": 2.5,
        "related": ["title": "B", "count": 3, "related": .null, "isOpen": true, "weight": 2.5],
      ]
    ) { ArchivedNote("A", count: 2, related: ArchivedNote("B", count: 3)) },
    FoundationArchive("one object twice", [[1, 2], [1, 2]]) {
      let shared = [1, 2] as NSArray
      return [shared, shared] as NSArray
    },
    FoundationArchive(
      "everything at once",
      [["key": [.date(day), .data(Data([1])), .string(id), "https://example.com", .null, 1, 2.5, false]]]
    ) {
      [
        [
          "key": [
            day as NSDate, NSData(data: Data([1])), uuid, url("https://example.com"),
            NSNull(), 1, 2.5, false,
          ] as [Any]
        ]
      ] as NSArray
    },
  ]
}
