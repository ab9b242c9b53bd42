import Foundation
import Plist
import PlistArchives
import PlistFuzzTargets
import Testing

@Suite struct ArchiveErrorTests {
  static func archive(_ objects: [PropertyList], root: UInt32 = 1) throws -> KeyedArchive {
    let list: PropertyList = [
      "$version": 100_000, "$archiver": "NSKeyedArchiver", "$top": ["root": .uid(PropertyListUID(root))],
      "$objects": .array(["$null"] + objects),
    ]
    return try KeyedArchive(parsing: list.data(format: .binary))
  }

  static func type(_ name: String, _ superclasses: PropertyList...) -> PropertyList {
    ["$classname": .string(name), "$classes": .array([.string(name)] + superclasses + ["NSObject"])]
  }

  private static let damagedParts: [(String, PropertyList?, String, PlistError.Code)] = [
    ("$archiver", nil, #"the document is not a keyed archive: the key "$archiver" is missing"#, .invalidValue),
    ("$archiver", "Other", #"the archiver is "Other", expected "NSKeyedArchiver""#, .unsupportedFormat),
    ("$archiver", 5, #"the archiver is not a string, expected "NSKeyedArchiver""#, .unsupportedFormat),
    ("$version", nil, #"the value of "$version" in the archive is not 100000"#, .unsupportedFormat),
    ("$version", 7, #"the value of "$version" in the archive is not 100000"#, .unsupportedFormat),
    ("$objects", nil, #"the archive has no array with the key "$objects""#, .invalidValue),
    ("$objects", [:], #"the archive has no array with the key "$objects""#, .invalidValue),
    ("$top", nil, #"the archive has no dictionary with the key "$top""#, .invalidValue),
    ("$top", [], #"the archive has no dictionary with the key "$top""#, .invalidValue),
  ]

  @Test("A document that is not an archive is refused", arguments: damagedParts)
  func parts(_ key: String, _ value: PropertyList?, _ message: String, _ code: PlistError.Code) throws {
    var list = try PropertyList("text").keyedArchive()
    list[key] = value
    for format in [PlistFormat.binary, .xml] {
      let data = try list.data(format: format)
      let error = try #require(throws: PlistError.self) { try KeyedArchive(parsing: data) }
      #expect(error.code == code)
      #expect(error.message.hasPrefix(message))
      #expect(error.message.contains(", on line ") == (format == .xml))
      #expect(error.offset > 0)
    }
    #expect(throws: PlistError.self) { try KeyedArchive(parsing: Data("<array/>".utf8)) }
    #expect(throws: PlistError.self) { try KeyedArchive(parsing: Data("<array>".utf8)) }
  }

  @Test("A UID out of range is an error that names the object")
  func dangling() throws {
    let archive = try Self.archive([["NS.objects": [.uid(99)], "$class": .uid(2)], Self.type("NSArray")])
    let error = try #require(throws: PlistError.self) { try archive.propertyList() }
    #expect(error.code == .invalidObjectReference)
    #expect(error.message == "the UID 99 refers to no object; the archive has 3 objects")
    #expect(error.path == "$objects.1")
    #expect(error.offset > 0)
    let element = try #require(archive.root[0])
    #expect(element.isNull)
    #expect(element.node == nil)
    #expect(element.uid == nil)
    #expect(element.className == nil)
    #expect(element.fields.isEmpty)
    #expect(throws: PlistError.self) { try element.propertyList() }

    let root = try Self.archive(["a"], root: .max)
    #expect(root.root.isNull)
    #expect(try #require(throws: PlistError.self) { try root.propertyList() }.path == "$top")
    let chain = try Self.archive([.uid(2), "a"])
    #expect(chain.root.isNull)
    let reference = try #require(throws: PlistError.self) { try chain.propertyList() }
    #expect(reference.message == "the UID 1 refers to another reference, not to an object")
    let single = try Self.archive([])
    #expect(
      try #require(throws: PlistError.self) { try single.propertyList() }.message
        == "the UID 1 refers to no object; the archive has 1 object")
  }

  @Test("An error in XML names the line")
  func line() throws {
    let list = try PropertyList(["a"]).keyedArchive()
    var text = String(decoding: try list.data(format: .xml), as: UTF8.self)
    let start = try #require(text.range(of: "<key>NS.objects</key>"))
    let number = try #require(text.range(of: "<integer>2</integer>", range: start.upperBound..<text.endIndex))
    text.replaceSubrange(number, with: "<integer>50</integer>")
    let archive = try KeyedArchive(parsing: Data(text.utf8))
    let error = try #require(throws: PlistError.self) { try archive.propertyList() }
    let line = text[..<start.lowerBound].components(separatedBy: "\n").count - 1
    #expect(error.message.hasSuffix(", on line \(line)"))
  }

  @Test("A cycle is an error that names the object")
  func cycles() throws {
    let array = Self.type("NSArray")
    let own = try Self.archive([["NS.objects": [.uid(1)], "$class": .uid(2)], array])
    let error = try #require(throws: PlistError.self) { try own.propertyList() }
    #expect(error.code == .cycle)
    #expect(error.message == "object 1 contains itself")
    #expect(own.root[0]?[0]?[0]?.className == "NSArray")

    let long = try Self.archive([["next": .uid(2)], ["next": .uid(3)], ["next": .uid(2)]])
    #expect(try #require(throws: PlistError.self) { try long.propertyList() }.message == "object 2 contains itself")

    let data = try NSKeyedArchiver.archivedData(withRootObject: ArchivedRing(), requiringSecureCoding: false)
    #expect(try #require(throws: PlistError.self) { try KeyedArchive(parsing: data).propertyList() }.code == .cycle)

    let type = try Self.archive([["$class": .uid(1), "$classname": "NSArray"]])
    #expect(try type.propertyList() == ["$classname": "NSArray"])
  }

  @Test("Sharing that expands a billionfold is an error")
  func sharing() throws {
    let objects: [PropertyList] = (2...41).map { .array(Array(repeating: .uid(PropertyListUID($0)), count: 8)) }
    let archive = try Self.archive(objects + ["leaf"])
    let error = try #require(throws: PlistError.self) { try archive.propertyList() }
    #expect(error.code == .expandedObjectsLimit)
    #expect(error.category == .limit)
    var object = archive.root
    for _ in 0..<40 { object = try #require(object[7]) }
    #expect(object.string == "leaf")
  }

  @Test("The limits are exact")
  func limits() throws {
    let archive = try Self.archive([[.uid(2), .uid(2)], [.uid(3), .uid(3)], "leaf"])
    #expect(try archive.propertyList(limits: PlistLimits(maximumValueCount: 7)).count == 2)
    #expect(throws: PlistError.self) { try archive.propertyList(limits: PlistLimits(maximumValueCount: 6)) }
    #expect(try archive.propertyList(limits: PlistLimits(maximumDepth: 2)).count == 2)
    let error = try #require(throws: PlistError.self) {
      try archive.propertyList(limits: PlistLimits(maximumDepth: 1))
    }
    #expect(error.code == .depthLimit)
    #expect(throws: PlistError.self) { try archive.propertyList(limits: PlistLimits(maximumDepth: -1)) }
    let deeper = try Self.archive([[.uid(2), [.uid(2)]], [[]]])
    #expect(try deeper.propertyList(limits: PlistLimits(maximumDepth: 4)) == [[[]], [[[]]]])
    #expect(throws: PlistError.self) { try deeper.propertyList(limits: PlistLimits(maximumDepth: 3)) }
    // By default, the conversion has the limits of the document.
    let data = try KeyedArchive.data(of: [[[[[[1]]]]]])
    for (depth, isConverted) in [(8, true), (4, false)] {
      let options = PlistReadOptions(limits: PlistLimits(maximumDepth: depth))
      let shallow = try KeyedArchive(parsing: data, options: options)
      #expect(((try? shallow.propertyList()) != nil) == isConverted, "\(depth)")
    }
  }

  @Test("Texts that are made from shared parts are limited")
  func madeTexts() throws {
    let base = "https://example.com/" + String(repeating: "a", count: 20_000) + "/"
    let count = 1_000
    let urls: [PropertyList] = (0..<count).map { _ in
      ["NS.base": .uid(2), "NS.relative": .uid(4), "$class": .uid(3)]
    }
    let archive = try Self.archive(
      [
        .array((0..<count).map { .uid(PropertyListUID(UInt32(5 + $0))) }),
        ["NS.relative": .string(base), "NS.base": .uid(0), "$class": .uid(3)], Self.type("NSURL"), "b",
      ] + urls)
    #expect(archive.root[999]?.url?.absoluteString.count == base.count + 1)
    let error = try #require(throws: PlistError.self) { try archive.propertyList() }
    #expect(error.code == .expandedObjectsLimit)
  }

  @Test("Values that refer to the same bytes many times cannot raise the limit")
  func sharedBytes() throws {
    let bytes = Data(repeating: 0x61, count: 100_000)
    let string: PropertyList = ["NS.bytes": .data(bytes), "$class": .uid(2)]
    let strings = [PropertyList](repeating: string, count: 100)
    let references = strings.indices.map { PropertyList.uid(PropertyListUID(UInt32(3 + $0))) }
    let archive = try Self.archive([.array(references), Self.type("NSString")] + strings)
    let error = try #require(throws: PlistError.self) { try archive.propertyList() }
    #expect(error.code == .expandedObjectsLimit)
    let list = PropertyList.array([PropertyList](repeating: .uid(3), count: 100))
    let shared = try Self.archive([list, Self.type("NSString"), string])
    #expect(try shared.propertyList().array?.count == 100)
  }

  @Test("A long key in many dictionaries is limited, because each dictionary compares it")
  func longKeys() throws {
    let dictionary: PropertyList = ["NS.keys": [.uid(3)], "NS.objects": [.uid(0)], "$class": .uid(2)]
    func archive(keyLength: Int) throws -> KeyedArchive {
      let references = (0..<1_000).map { PropertyList.uid(PropertyListUID(UInt32(4 + $0))) }
      return try Self.archive(
        [.array(references), Self.type("NSDictionary"), .string(String(repeating: "k", count: keyLength))]
          + [PropertyList](repeating: dictionary, count: 1_000))
    }
    #expect(try archive(keyLength: 1_000).propertyList().count == 1_000)
    let error = try #require(throws: PlistError.self) { try archive(keyLength: 10_000).propertyList() }
    #expect(error.code == .expandedObjectsLimit)
  }

  @Test("Long texts of string objects are no expansion")
  func longTexts() throws {
    let text = PropertyList.string(String(repeating: "a", count: 10_000))
    let strings: [PropertyList] = (0..<600).map { _ in ["NS.string": text, "$class": .uid(2)] }
    let references = strings.indices.map { PropertyList.uid(PropertyListUID(UInt32(3 + $0))) }
    let archive = try Self.archive([.array(references), Self.type("NSMutableString")] + strings)
    #expect(try archive.propertyList() == .array(strings.map { _ in text }))
  }

  @Test("Attributed strings that share a text are no expansion, unless the text was created from data")
  func attributedStrings() throws {
    let attributed: PropertyList = ["NSString": .uid(3), "$class": .uid(2)]
    func archive(_ text: PropertyList) throws -> KeyedArchive {
      let references = (0..<1_500).map { PropertyList.uid(PropertyListUID(UInt32(5 + $0))) }
      return try Self.archive(
        [.array(references), Self.type("NSAttributedString"), text, Self.type("NSString")]
          + [PropertyList](repeating: attributed, count: 1_500))
    }
    let text = PropertyList.string(String(repeating: "a", count: 5_000))
    #expect(try archive(text).propertyList().count == 1_500)
    #expect(try archive(["NS.string": text, "$class": .uid(4)]).propertyList().count == 1_500)
    let bytes = PropertyList.data(Data(repeating: 0x61, count: 5_000))
    for fields: PropertyListDictionary in [["NS.bytes": bytes], ["NS.string": 5, "NS.bytes": bytes]] {
      var object = PropertyList.dictionary(fields)
      object["$class"] = .uid(4)
      let made = try archive(object)
      #expect(made.root[1_499]?.string?.utf8.count == 5_000)
      #expect(try #require(throws: PlistError.self) { try made.propertyList() }.code == .expandedObjectsLimit)
    }
  }

  @Test("A deep chain of objects ends in an error, on a small stack too")
  func depth() throws {
    let count: UInt32 = 20_000
    let objects: [PropertyList] = (2...count).map { ["next": .uid(PropertyListUID($0))] } + ["end"]
    let archive = try Self.archive(objects)
    let isRefused = SmallStack.run {
      do throws(PlistError) {
        _ = try archive.propertyList(limits: PlistLimits(maximumDepth: .max))
        return false
      } catch { return error.code == .depthLimit }
    }
    #expect(isRefused)
    let start = UInt32(objects.count) - 1_999
    let tail = try Self.archive(objects, root: start)
    let isRead = SmallStack.run {
      (try? tail.propertyList(limits: PlistLimits(maximumDepth: .max)))?["next"]?["next"] != nil
    }
    #expect(isRead)
  }

  @Test("A URL with too many bases keeps its fields")
  func bases() throws {
    func chain(_ count: Int) throws -> KeyedArchive {
      var objects: [PropertyList] = [Self.type("NSURL")]
      for number in 0..<count {
        objects.append([
          "NS.relative": "https://example.com/", "NS.base": .uid(PropertyListUID(UInt32(number == 0 ? 0 : number + 1))),
          "$class": .uid(1),
        ])
      }
      return try Self.archive(objects, root: UInt32(count + 1))
    }
    #expect(try chain(16).root.url != nil)
    #expect(try chain(17).root.url == nil)
    #expect(try chain(17).propertyList()["NS.base"] == "https://example.com/")
    let ring = try Self.archive([
      ["NS.relative": "a", "NS.base": .uid(1), "$class": .uid(2)], Self.type("NSURL"),
    ])
    #expect(ring.root.url == nil)
    #expect(try #require(throws: PlistError.self) { try ring.propertyList() }.code == .cycle)
  }

  @Test("Objects of known classes with other fields keep their fields")
  func fields() throws {
    let cases: [(PropertyList, PropertyList, PropertyList)] = [
      (Self.type("NSDictionary"), ["NS.keys": ["a"], "NS.objects": []], ["NS.keys": ["a"], "NS.objects": []]),
      (Self.type("NSArray"), ["NS.objects": 5], ["NS.objects": 5]),
      (Self.type("NSArray"), ["other": 5], ["other": 5]),
      (Self.type("NSUUID"), ["NS.uuidbytes": .data(Data([1]))], ["NS.uuidbytes": .data(Data([1]))]),
      (Self.type("NSDate"), ["NS.time": "now"], ["NS.time": "now"]),
      (Self.type("NSDate"), ["NS.time": 5], .date(Date(timeIntervalSinceReferenceDate: 5))),
      (Self.type("NSString"), ["NS.bytes": .data(Data("é".utf8))], "é"),
      (Self.type("NSString"), ["NS.bytes": .data(Data([0xFF]))], ["NS.bytes": .data(Data([0xFF]))]),
      (Self.type("NSMutableString"), ["NS.string": "a"], "a"),
      (Self.type("NSAttributedString"), ["NSString": ["NS.string": "a"]], ["NSString": ["NS.string": "a"]]),
      (Self.type("NSNumber", "NSValue"), ["NS.intval": 5], 5),
      (Self.type("NSNumber", "NSValue"), ["NS.boolval": true], true),
      (Self.type("NSDecimalNumber", "NSNumber", "NSValue"), ["NS.mantissa": 5], ["NS.mantissa": 5]),
      (Self.type("NSArray"), ["NS.object.0": 1, "NS.object.1": 2], [1, 2]),
      (Self.type("NSDictionary"), ["NS.key.0": "a", "NS.object.0": 2], ["a": 2]),
      (Self.type("List", "NSMutableArray", "NSArray"), ["NS.objects": [1]], [1]),
      (Self.type("List", "NSMutableArray"), ["NS.objects": [1], "own": 2], ["NS.objects": [1], "own": 2]),
      (
        Self.type("NSColor"), ["NSRGB": .data(Data([1])), "NSColorSpace": 1],
        ["NSRGB": .data(Data([1])), "NSColorSpace": 1]
      ),
      (["$classname": 5], ["a": 1], ["$class": ["$classname": 5], "a": 1]),
    ]
    for (type, fields, expected) in cases {
      var object = fields
      object["$class"] = .uid(2)
      let archive = try Self.archive([object, type])
      #expect(try archive.propertyList().sortedByKey == expected.sortedByKey, "\(fields)")
    }
  }

  @Test("A dictionary with a key twice is an error")
  func duplicateKeys() throws {
    let archive = try Self.archive([
      ["NS.keys": ["a", "a"], "NS.objects": [1, 2], "$class": .uid(2)], Self.type("NSDictionary"),
    ])
    let error = try #require(throws: PlistError.self) { try archive.propertyList() }
    #expect(error.code == .duplicateKey)
    #expect(error.message == "object 1 has the same key twice")
    #expect(archive.root["a"]?.int == 1)
  }
}
