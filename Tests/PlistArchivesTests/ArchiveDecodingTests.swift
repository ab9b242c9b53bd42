import Foundation
import Plist
import PlistArchives
import Testing

@Suite struct ArchiveDecodingTests {
  private struct Note: Decodable, Equatable {
    var title: String
    var tags: [String]
    var day: Date
    var link: URL
    var id: UUID
    var bytes: Data
    var count: Int?
    var missing: Int?
  }

  private static let day = Date(timeIntervalSinceReferenceDate: 5)
  private static let id = UUID()

  private static func note() -> NSDictionary {
    [
      "title": "Plan", "tags": NSSet(array: ["work"]), "day": day as NSDate,
      "link": FoundationArchive.url("b", relativeTo: URL(string: "https://example.com/a/")), "id": id as NSUUID,
      "bytes": NSMutableData(data: Data([1])), "count": 3, "missing": NSNull(),
    ]
  }

  @Test func models() throws {
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: ["notes": [Self.note(), Self.note()]] as NSDictionary, requiringSecureCoding: false)
    let expected = Note(
      title: "Plan", tags: ["work"], day: Self.day, link: try #require(URL(string: "https://example.com/a/b")),
      id: Self.id,
      bytes: Data([1]), count: 3)
    #expect(try PlistDecoder().decode([String: [Note]].self, fromArchive: data) == ["notes": [expected, expected]])
    let archive = try KeyedArchive(parsing: data)
    let object = try #require(archive.root["notes"]?[1])
    #expect(try PlistDecoder().decode(Note.self, from: object) == expected)
  }

  @Test func objectsOfOtherClasses() throws {
    struct Fields: Decodable, Equatable {
      var title: String
      var count: Int
      var isOpen: Bool
      var weight: Double
    }
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: ArchivedNote("A", count: 2), requiringSecureCoding: false)
    let expected = Fields(title: "A", count: 2, isOpen: true, weight: 2.5)
    #expect(try PlistDecoder().decode(Fields.self, fromArchive: data) == expected)
  }

  @Test func errors() throws {
    let decoder = PlistDecoder()
    let document = try #require(throws: DecodingError.self) {
      try decoder.decode(String.self, fromArchive: Data("<array/>".utf8))
    }
    #expect(document.plistError?.code == .invalidValue)
    let ring = try NSKeyedArchiver.archivedData(withRootObject: ArchivedRing(), requiringSecureCoding: false)
    let cycle = try #require(throws: DecodingError.self) { try decoder.decode(String.self, fromArchive: ring) }
    #expect(cycle.plistError?.code == .cycle)
    let data = try KeyedArchive.data(of: ["title": 5])
    let mismatch = try #require(throws: DecodingError.self) { try decoder.decode(Note.self, fromArchive: data) }
    #expect(mismatch.plistError?.path == "title")
    var limited = decoder
    limited.readOptions.limits.maximumDepth = 8
    let deep = try KeyedArchive.data(of: [[[[[[[[[1]]]]]]]]])
    #expect(throws: DecodingError.self) { try limited.decode(PropertyList.self, fromArchive: deep) }
    #expect(try decoder.decode(PropertyList.self, fromArchive: deep) == [[[[[[[[[1]]]]]]]]])
  }
}
