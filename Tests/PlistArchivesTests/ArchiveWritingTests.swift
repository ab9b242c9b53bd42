import Foundation
import Plist
import PlistArchives
import PlistFuzzTargets
import Testing

@Suite struct ArchiveWritingTests {
  private static let plain = FoundationArchive.all.filter(\.isPlainValue)

  @Test("Foundation reads an archive of a plain value as an equal object", arguments: plain)
  func foundation(_ archive: FoundationArchive) throws {
    for format in [PlistFormat.binary, .xml] {
      let data = try KeyedArchive.data(of: archive.expected, format: format)
      let read = try #require(try Self.unarchive(data))
      let expected = try #require(archive.object as? NSObject)
      #expect(expected.isEqual(read), "\(format): \(read)")
      #expect(try KeyedArchive(parsing: data).propertyList() == archive.expected)
    }
  }

  @Test func secureCoding() throws {
    let data = try KeyedArchive.data(of: ["a": [1, .date(Date(timeIntervalSinceReferenceDate: 1))]])
    let read = try NSKeyedUnarchiver.unarchivedObject(
      ofClasses: [NSDictionary.self, NSArray.self, NSNumber.self, NSString.self, NSDate.self], from: data)
    #expect((read as? NSDictionary)?.count == 1)
  }

  @Test("The text $null stays a text")
  func nullText() throws {
    let value: PropertyList = ["$null", ["$null": "$null"], .null, ""]
    let data = try KeyedArchive.data(of: value)
    #expect(try KeyedArchive(parsing: data).propertyList() == value)
    let read = try #require(try Self.unarchive(data) as? NSArray)
    #expect(read[0] as? String == "$null")
    #expect(read[2] is NSNull)
  }

  @Test("Equal scalars share an object, others do not")
  func sharing() throws {
    let value: PropertyList = [1, 1, true, 1.0, "1", "1", ["1"], 0.0, -0.0, "é", "e\u{301}"]
    let archive = try value.keyedArchive()
    #expect(archive["$objects"]?.count == 12)
    #expect(try KeyedArchive(parsing: archive.data(format: .binary)).propertyList().count == 11)
  }

  @Test func uidsAreRefused() throws {
    let error = try #require(throws: PlistError.self) { try KeyedArchive.data(of: [.uid(5)]) }
    #expect(error.code == .unrepresentableValue)
  }

  @Test("A deep value is archived on a small stack, and read again")
  func depth() throws {
    var value: PropertyList = "leaf"
    for _ in 0..<PlistLimits.maximumSupportedDepth { value = [value] }
    let deep = value
    let isEqual = SmallStack.run {
      guard let data = try? KeyedArchive.data(of: deep), let archive = try? KeyedArchive(parsing: data) else {
        return false
      }
      let limits = PlistLimits(maximumDepth: PlistLimits.maximumSupportedDepth)
      return (try? archive.propertyList(limits: limits)) == deep
    }
    #expect(isEqual)
  }

  private static func unarchive(_ data: Data) throws -> Any? {
    let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
    unarchiver.requiresSecureCoding = false
    return unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey)
  }
}
