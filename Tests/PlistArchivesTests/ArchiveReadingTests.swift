import Foundation
import Plist
import PlistArchives
import Testing

@Suite struct ArchiveReadingTests {
  @Test("An archive by Foundation has the archived value, in binary and XML", arguments: FoundationArchive.all)
  func foundation(_ archive: FoundationArchive) throws {
    for format in [PropertyListSerialization.PropertyListFormat.binary, .xml] {
      let data = try archive.data(format)
      let value = try KeyedArchive(parsing: data).propertyList()
      #expect(value.sortedByKey == archive.expected.sortedByKey, "\(format)")
    }
  }

  @Test("Objects are read on demand")
  func objects() throws {
    let day = Date(timeIntervalSinceReferenceDate: 1)
    let id = try #require(UUID(uuidString: "71DC068E-3420-45FF-919E-3A267D55EC22"))
    let root: NSDictionary = [
      "title": "Plan", "tags": ["work", "home"], "note": ArchivedNote("A", count: 2), "day": day as NSDate,
      "id": id as NSUUID,
      "nothing": NSNull(), "styled": NSAttributedString(string: "bold"),
      "set": NSOrderedSet(array: ["x", "y"]), "number": 5, "real": 1.5, "flag": true,
    ]
    let data = try NSKeyedArchiver.archivedData(withRootObject: root, requiringSecureCoding: false)
    let archive = try KeyedArchive(parsing: data)
    let object = archive.root
    #expect(object.className == "NSDictionary")
    #expect(object.classHierarchy == ["NSDictionary", "NSObject"])
    #expect(object.pairs?.count == 11)
    #expect(object.uid != nil)
    #expect(object["title"]?.string == "Plan")
    #expect(object["missing"] == nil)
    #expect(object["NS.keys"] == nil)
    #expect(object.fields.map(\.key).sorted() == ["NS.keys", "NS.objects"])
    #expect(object["tags"]?[0]?.string == "work")
    #expect(object["tags"]?[2] == nil)
    #expect(object["tags"]?[-1] == nil)
    #expect(object["tags"]?.elements?.compactMap(\.string) == ["work", "home"])
    #expect(object["tags"]?.string == nil)
    #expect(object["set"]?.elements?.compactMap(\.string) == ["x", "y"])
    #expect(object["set"]?[1]?.string == "y")
    #expect(object["set"]?.className == "NSOrderedSet")
    #expect(object["day"]?.date == day)
    #expect(object["id"]?.uuid == id)
    #expect(object["nothing"]?.isNull == true)
    #expect(object["nothing"]?.className == "NSNull")
    #expect(object["styled"]?.string == "bold")
    #expect(object["styled"]?.fields.map(\.key).sorted() == ["NSAttributes", "NSString"])
    #expect(object["number"]?.int == 5)
    #expect(object["number"]?.integer == 5)
    #expect(object["real"]?.double == 1.5)
    #expect(object["flag"]?.bool == true)
    let note = try #require(object["note"])
    #expect(note.className?.hasSuffix("ArchivedNote") == true)
    #expect(note.fields.map(\.key).sorted() == ["count", "isOpen", "related", "title", "weight"])
    #expect(note["title"]?.string == "A")
    #expect(note["count"]?.int == 2)
    #expect(note["count"]?.uid == nil)
    #expect(note["related"]?.isNull == true)
    #expect(note["$class"] == nil)
    #expect(try note["title"]?.propertyList() == "A")
    #expect(try note["count"]?.propertyList() == 2)
    #expect(try object["tags"]?.propertyList() == ["work", "home"])
  }

  @Test("Class names are kept on request")
  func classNames() throws {
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: [ArchivedNote("A", count: 2)], requiringSecureCoding: false)
    let value = try KeyedArchive(parsing: data).root.propertyList(keepsClassNames: true)
    #expect(value[0]?["$class"]?.string?.hasSuffix("ArchivedNote") == true)
    #expect(value[0]?["title"] == "A")
  }

  @Test("An archiver can archive several objects")
  func top() throws {
    let archiver = NSKeyedArchiver(requiringSecureCoding: false)
    archiver.encode("A" as NSString, forKey: "first")
    archiver.encode([1] as NSArray, forKey: "second")
    archiver.encode(7, forKey: "third")
    archiver.encode(NSMutableData(data: Data([1, 2])), forKey: "data")
    archiver.encode(FoundationArchive.url("b", relativeTo: URL(string: "https://example.com/a/")), forKey: "link")
    archiver.finishEncoding()
    let archive = try KeyedArchive(parsing: archiver.encodedData)
    #expect(archive.top.keys.sorted() == ["data", "first", "link", "second", "third"])
    #expect(archive.top["link"]?.url?.absoluteString == "https://example.com/a/b")
    #expect(archive.top["link"]?.url?.relativeString == "b")
    #expect(archive.top["data"]?.data == Data([1, 2]))
    #expect(archive.top["data"]?.className == "NSMutableData")
    #expect(archive.top["first"]?.string == "A")
    #expect(archive.top["third"]?.int == 7)
    #expect(archive.root.isNull)
    #expect(archive.root["a"] == nil)
    #expect(archive.root.uid == nil)
    #expect(try archive.root.propertyList() == .null)
    let value = try archive.propertyList()
    #expect(
      value.sortedByKey == [
        "data": .data(Data([1, 2])), "first": "A", "link": "https://example.com/a/b", "second": [1], "third": 7,
      ])
  }

  @Test("A dictionary of archived objects has one of two canonically equivalent keys")
  func equivalentTopKeys() throws {
    let list: PropertyList = [
      "$version": 100_000, "$archiver": "NSKeyedArchiver", "$objects": ["$null", "a", "b"],
      "$top": ["\u{E9}": .uid(1), "e\u{301}": .uid(2)],
    ]
    let archive = try KeyedArchive(parsing: list.data(format: .binary))
    #expect(archive.top.count == 1)
    #expect(try archive.propertyList().count == 2)
  }

  @Test("An archive in OpenStep text needs GNUstep's types")
  func openStep() throws {
    let value: PropertyList = ["a": [1, "b"]]
    let options = PlistWriteOptions(unrepresentable: .convert)
    let plain = try KeyedArchive.data(of: value, format: .openStep, options: options)
    #expect(throws: PlistError.self) { try KeyedArchive(parsing: plain) }
    let typed = try KeyedArchive(
      parsing: Data(
        """
        { "$version" = <*I100000>; "$archiver" = NSKeyedArchiver; "$top" = { root = { "CF$UID" = <*I1>; }; };
          "$objects" = ("$null", a); }
        """.utf8))
    #expect(try typed.propertyList() == "a")
  }

  @Test("References in JSON are dictionaries")
  func json() throws {
    let archive = try KeyedArchive(
      parsing: Data(
        #"""
        {"$version": 100000, "$archiver": "NSKeyedArchiver", "$top": {"root": {"CF$UID": 1}},
         "$objects": ["$null", {"NS.objects": [{"CF$UID": 2}], "$class": {"CF$UID": 3}}, "a",
         {"$classname": "NSArray", "$classes": ["NSArray", "NSObject"]}]}
        """#.utf8))
    #expect(archive.root[0]?.string == "a")
    #expect(try archive.propertyList() == ["a"])
  }

  @Test func corpus() throws {
    guard let shared = ProcessInfo.processInfo.environment["PLIST_SHARED"], !shared.isEmpty else { return }
    let folder = URL(filePath: shared, directoryHint: .isDirectory).appending(path: "corpus")
    let expected: [String: PropertyList] = [
      "Array": ["baa", "baa", "black", "sheep"],
      "OrderedSet": ["valgeir", "nico", "puzzle"],
      "URL": "https://www.example.com/foo.xml",
      "UUID": "0AD863BA-7584-40CF-8896-BD87B3280C34",
      "Complex": [
        "array": [.null, "hello", 34545, ["key": "val"]], "string": "hello",
        "url": "https://www.swift.org/index.xml", "uuid": "71DC068E-3420-45FF-919E-3A267D55EC22",
      ],
      "ConcreteValue": [
        "$0": "[3i]",
        "$1": ["$0": 1, "$1": 2, "$2": 3, "NS.count": 3, "NS.size": 4, "NS.type": 105],
      ],
    ]
    for (name, value) in expected {
      let url = folder.appending(path: "corelibs-foundation/NSKeyedUnarchiver-\(name)Test.plist")
      #expect(try KeyedArchive(contentsOf: url).propertyList().sortedByKey == value.sortedByKey, "\(name)")
    }
    for name in ["Notification", "EdgeInsets", "Rect", "Range"] {
      let url = folder.appending(path: "corelibs-foundation/NSKeyedUnarchiver-\(name)Test.plist")
      let value = try KeyedArchive(contentsOf: url).propertyList()
      #expect(value.count > 0, "\(name)")
    }
    let found = try KeyedArchive(contentsOf: folder.appending(path: "rust-plist/binary_NSKeyedArchiver.plist"))
    #expect(found.top["foundItems"]?.className == "NSMutableIndexSet")
    #expect(found.top["foundItems"]?["NSRangeData"]?.data?.count == 103)
    #expect(try found.propertyList()["foundItems"]?["NSRangeCount"] == 42)
  }
}

extension PropertyList {
  var sortedByKey: PropertyList {
    switch self {
    case .array(let elements): .array(elements.map(\.sortedByKey))
    case .dictionary(let pairs): .dictionary(pairs.mapValues { (value) in value.sortedByKey }.sorted())
    default: self
    }
  }
}
