import Foundation
import Plist
import PlistFuzzTargets
import Testing

/// Encoders that are used more than once, which keep what they have learnt.
struct EncodingReuseTests {
  /// The same as from a new encoder, whatever has been encoded before with whatever options.
  @Test func nothingIsLeftOver() throws {
    var shared = PlistEncoder()
    let strategies: [PlistEncoder.KeyEncodingStrategy] = [
      .useDefaultKeys, .convertToSnakeCase, .custom { AnyKey(stringValue: "x" + $0[$0.count - 1].stringValue) },
    ]
    var generator = SeededGenerator(seed: 5)
    for test in EncodingCase.encodable.shuffled(using: &generator) + EncodingCase.encodable {
      var new = PlistEncoder()
      new.outputFormat = Bool.random(using: &generator) ? .xml : .binary
      new.writeOptions.sortedKeys = Bool.random(using: &generator)
      new.writeOptions.realStyle = Bool.random(using: &generator) ? .shortest : .foundation
      new.nilEncodingStrategy = Bool.random(using: &generator) ? .leftOut : .asFoundation
      new.keyEncodingStrategy = strategies.randomElement(using: &generator) ?? .useDefaultKeys
      (shared.outputFormat, shared.writeOptions) = (new.outputFormat, new.writeOptions)
      (shared.nilEncodingStrategy, shared.keyEncodingStrategy) = (new.nilEncodingStrategy, new.keyEncodingStrategy)

      #expect(throws: EncodingError.self) { try shared.encode([Box(value: Throwing())]) }
      let expected = try PropertyList(parsing: new.encode(test.make()))
      #expect(try PropertyList(parsing: shared.encode(test.make())) == expected, "\(test.name)")
      let value = try new.encodeToPropertyList(test.make())
      #expect(try shared.encodeToPropertyList(test.make()) == value, "\(test.name)")
    }
  }

  @Test func containersThatOutliveTheirEncodingAreClosed() throws {
    nonisolated(unsafe) var escaped: KeyedEncodingContainer<AnyKey>?
    let encoder = PlistEncoder()
    for number in 0..<3 {
      let value = ByHand { encoder in
        unsafe escaped = encoder.container(keyedBy: AnyKey.self)
        try unsafe escaped?.encode(number, forKey: "number")
      }
      #expect(try PropertyList(parsing: encoder.encode(value)) == ["number": .integer(PropertyListInteger(number))])
      #expect(throws: EncodingError.self) { try unsafe escaped?.encode("late", forKey: "late") }
    }
  }

  /// What is encoded is decoded again, by the decoder of this package and by Foundation's.
  @Test(arguments: [PlistFormat.xml, .binary])
  func roundTrips(_ format: PlistFormat) throws {
    struct Model: Codable, Equatable {
      enum Kind: String, Codable { case small, large }
      enum Shape: Codable, Equatable { case circle(radius: Double), none }
      var name = "é <&>"
      var size = UInt64.max
      var kind = Kind.large
      var shapes = [Shape.circle(radius: 0.1), .none]
      var date = Date(timeIntervalSinceReferenceDate: 86_400)
      var data = Data([0, 255])
      var link = URL(string: "https://example.com/a")
      var price = Decimal(string: "12.50")
      var identifier = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
      var missing: Int?
      var byNumber = [1: "one", -2: "minus two"]
      var byName = ["a": [1, nil, 3], "b": []]
    }
    var encoder = PlistEncoder()
    encoder.outputFormat = format
    for sortsKeys in [false, true] {
      encoder.writeOptions.sortedKeys = sortsKeys
      let data = try encoder.encode(Model())
      #expect(try PlistDecoder().decode(Model.self, from: data) == Model())
      #expect(try PropertyListDecoder().decode(Model.self, from: data) == Model())
    }
    #expect(try PlistDecoder().decode(Model.self, from: encoder.encodeToPropertyList(Model())) == Model())
  }
}
