import Foundation
import Plist
import PlistFoundation
import PlistFuzzTargets
import Testing

struct FoundationValueTests {
  private static func serialized(_ object: Any, _ format: PropertyListSerialization.PropertyListFormat) throws -> Data {
    try PropertyListSerialization.data(fromPropertyList: object, format: format, options: 0)
  }

  private static func deserialized(_ data: Data) throws -> Any {
    try unsafe PropertyListSerialization.propertyList(from: data, options: [], format: nil)
  }

  private static let date = Date(timeIntervalSinceReferenceDate: 5)

  private static let sample: PropertyList = [
    "text": "é 𝄞", "one": 1, "zero": 0, "true": true, "false": false, "whole": 1.0, "real": 0.1,
    "least": .integer(.min), "greatest": .integer(.max), "date": .date(date), "data": .data(Data([1, 2])), "empty": [],
    "none": [:], "list": [1, true, 1.0, "1", [[], ["a": [false]]]], "": ["nested": ["deeper": 2]],
  ]

  @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
  func roundTrips(_ format: PropertyListSerialization.PropertyListFormat) throws {
    let written = try Self.serialized(Self.sample.foundationValue, format)
    #expect(try PropertyList(parsing: written) == Self.sample)
    #expect(try PropertyList(foundation: Self.deserialized(written)) == Self.sample)
    let own = try Self.sample.data(format: format == .xml ? .xml : .binary)
    #expect(try PropertyList(foundation: Self.deserialized(own)) == Self.sample)
  }

  /// Foundation reads the UIDs of a keyed archive as objects of a private class.
  @Test func archives() throws {
    let archive: PropertyList = [
      "$top": ["root": .uid(PropertyListUID(1))], "$objects": ["$null", .uid(PropertyListUID(70_000))],
    ]
    #expect(try PropertyList(foundation: Self.deserialized(archive.data(format: .binary))) == archive)
  }

  @Test func randomValues() throws {
    var generator = SeededGenerator(seed: 21)
    for _ in 0..<200 {
      let list = PropertyList.random(using: &generator)
      let value = list.foundationValue
      // In Foundation's dictionaries, keys that differ only in their normalization are equal.
      guard !Self.hasEquivalentKeys(list) else { continue }
      #expect(try PropertyList(foundation: value) == list)
    }
  }

  private static func hasEquivalentKeys(_ list: PropertyList) -> Bool {
    switch list {
    case .array(let elements): elements.contains(where: hasEquivalentKeys)
    case .dictionary(let pairs): Set(pairs.keys).count < pairs.count || pairs.values.contains(where: hasEquivalentKeys)
    default: false
    }
  }

  /// Casting `foundationValue` gives the same as casting what `PropertyListSerialization` returns.
  @Test func casts() throws {
    let list: PropertyList = ["count": 7, "ratio": 0.5, "isActive": true, "names": ["a"], "window": ["x": 1]]
    for value in [list.foundationValue, try Self.deserialized(list.data(format: .binary))] {
      let object = try #require(value as? [String: Any])
      #expect(object["count"] as? Int == 7)
      #expect(object["count"] as? Double == 7)
      #expect(object["ratio"] as? Double == 0.5)
      #expect(object["ratio"] as? Int == nil)
      #expect(object["isActive"] as? Bool == true)
      #expect(object["isActive"] as? NSNumber == 1)
      #expect(object["names"] as? [String] == ["a"])
      #expect(object["window"] as? [String: Int] == ["x": 1])
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func numbers() throws {
    let cases: [(Any, PropertyList)] = [
      (true, true), (false, false), (NSNumber(value: true), true), (NSNumber(value: false), false),
      (1, 1), (0, 0), (NSNumber(value: 1), 1), (NSNumber(value: 0), 0), (NSNumber(value: Int8(1)), 1),
      (NSNumber(value: UInt8(1)), 1), (Int8(-1), -1), (Int16(-2), -2), (Int32(-3), -3), (Int64.min, .integer(.min)),
      (UInt(4), 4), (UInt8(200), 200), (UInt16(6), 6), (UInt32(7), 7), (UInt64.max, .integer(.max)), (Int128(8), 8),
      (NSNumber(value: UInt8(200)), 200), (NSNumber(value: UInt64.max), .integer(.max)),
      (NSNumber(value: UInt64(5)), 5), (NSNumber(value: Int64.min), .integer(.min)),
      (1.0, 1.0), (NSNumber(value: 1.0), 1.0), (Float(0.1), .real(Double(Float(0.1)))),
      (NSNumber(value: Float(0.1)), .real(Double(Float(0.1)))), (CGFloat(1.5), 1.5), (Decimal(2.5), 2.5),
      (NSDecimalNumber(value: 2.5), 2.5), (Optional(3) as Any, 3), (Optional(NSNumber(value: 1)) as Any, 1),
      (PropertyListInteger.max, .integer(.max)),
    ]
    for (value, expected) in cases {
      #expect(try PropertyList(foundation: value) == expected, "\(type(of: value)) \(value)")
      #expect(try PropertyList(foundation: [value]) == [expected], "\(type(of: value)) \(value)")
      #expect(try PropertyList(foundation: NSArray(array: [value])) == [expected], "\(type(of: value)) \(value)")
    }
  }

  @Test func classes() throws {
    let list = try PropertyList(
      foundation: NSDictionary(dictionary: [
        "text": NSString(string: "a"), "long": NSMutableString(string: "b"), "data": NSMutableData(data: Data([1])),
        "date": NSDate(timeIntervalSinceReferenceDate: 5), "list": NSMutableArray(array: [NSArray(array: [1])]),
        "pairs": NSMutableDictionary(dictionary: ["b": NSNull(), "a": NSNumber(value: true)]),
      ]))
    #expect(
      list == [
        "text": "a", "long": "b", "data": .data(Data([1])), "date": .date(Self.date), "list": [[1]],
        "pairs": ["a": true, "b": .null],
      ])
    #expect(list["pairs"]?.dictionary?.keys.map { $0 } == ["a", "b"])
  }

  @Test func valuesOfThisPackage() throws {
    let list: PropertyList = [.null, .uid(PropertyListUID(3)), ["a": 1]]
    #expect(try PropertyList(foundation: list.foundationValue) == list)
    #expect(try PropertyList(foundation: ["list": list, "uid": PropertyListUID(4)]) == ["list": list, "uid": .uid(4)])
    #expect(try PropertyList(foundation: PropertyListDictionary(dictionaryLiteral: ("a", 1))) == ["a": 1])
  }

  private struct Custom {}

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func unsupportedValues() throws {
    let cases: [(Any, PlistError.Code, String)] = [
      (
        ["a": [1, Custom()]], .unrepresentableValue, "property lists cannot hold a value of type Custom (key path: a.1)"
      ),
      (Custom(), .unrepresentableValue, "property lists cannot hold a value of type Custom"),
      (
        ["url": URL(filePath: "/")], .unrepresentableValue,
        "property lists cannot hold a value of type URL (key path: url)"
      ),
      ([Set([1])], .unrepresentableValue, "property lists cannot hold a value of type Set<Int> (key path: 0)"),
      (
        [Int?.none as Any], .unrepresentableValue,
        "property lists cannot hold a value of type Optional<Int> (key path: 0)"
      ),
      (["a": [7: true]], .invalidKey, "the key 7 is of type Int, and keys must be strings (key path: a)"),
      ([Int128.max], .numberOutOfRange, "property lists cannot hold the integer \(Int128.max) (key path: 0)"),
    ]
    for (value, code, message) in cases {
      let error = #expect(throws: PlistError.self) { try PropertyList(foundation: value) }
      #expect(error?.code == code && error?.description == message, "\(error?.description ?? "")")
    }
  }

  private static func nested(_ depth: Int) -> Any {
    var value: Any = 1
    for level in 0..<depth { value = level.isMultiple(of: 2) ? [value] : ["k": value] as Any }
    return value
  }

  @Test func depth() throws {
    let isConverted = SmallStack.run {
      guard let list = try? PropertyList(foundation: Self.nested(512)) else { return false }
      return (try? PropertyList(foundation: list.foundationValue)) == list
    }
    #expect(isConverted)
    let error = #expect(throws: PlistError.self) {
      try PropertyList(foundation: Self.nested(513))
    }
    #expect(error?.code == .depthLimit)
    #expect(error?.message == "containers nest deeper than the limit of 512 levels")
  }

  #if canImport(Darwin)
  /// Foundation on Linux cannot read an array that contains itself, because it converts elements recursively.
  @Test func cycles() {
    let array = NSMutableArray()
    array.add(array)
    #expect(throws: PlistError.self) { try PropertyList(foundation: array) }
    array.removeAllObjects()
  }
  #endif

  @Test func usageExamples() throws {
    let data = try (["port": 80] as PropertyList).data(format: .binary)

    func before() throws -> PropertyList {
      let object = try unsafe PropertyListSerialization.propertyList(from: data, options: [], format: nil)
      let settings = try PropertyList(foundation: object)
      return settings
    }
    let settings = try before()

    let object = settings.foundationValue as? [String: Any]
    let port = object?["port"] as? Int
    #expect(port == 80)
  }
}
