import Foundation
import Plist
import PlistFuzzTargets
import Testing

struct EncodingReuseTests {
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
      new.nilEncodingStrategy = Bool.random(using: &generator) ? .omit : .foundation
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

  /// The XML formatter keeps the line of each key for later documents, which may have other options.
  @Test func preparedKeysAreSpelledByTheOptionsOfTheirDocument() throws {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<400 {
      var encoder = PlistEncoder()
      encoder.outputFormat = [.xml, .xml, .xml, .binary, .json].randomElement(using: &generator) ?? .xml
      encoder.writeOptions.xml.carriageReturns = Bool.random(using: &generator) ? .escaped : .raw
      encoder.writeOptions.xml.controlCharacters = Bool.random(using: &generator) ? .raw : .omit
      let keys = ["a", "b", "<&>", "c\rd", "long key \(Int.random(in: 0..<600, using: &generator))"]
      var pairs: [String: Int] = [:]
      for key in keys where Bool.random(using: &generator) { pairs[key] = 1 }
      let value = ByHand { encoder in
        var container = encoder.container(keyedBy: AnyKey.self)
        for key in pairs.keys.sorted() { try container.encode(key, forKey: AnyKey(stringValue: key)) }
      }
      let data = try encoder.encode([value, value])
      let list = PropertyListDictionary(
        uniqueKeysWithValues: pairs.keys.sorted().map { ($0, PropertyList.string($0)) })
      let expected = try PropertyList.array([.dictionary(list), .dictionary(list)]).data(
        format: encoder.outputFormat, options: encoder.writeOptions)
      if encoder.outputFormat == .binary {
        #expect(try PropertyList(parsing: data) == PropertyList(parsing: expected))
      } else {
        #expect(String(decoding: data, as: UTF8.self) == String(decoding: expected, as: UTF8.self))
      }
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

  @Test(arguments: [PlistFormat.xml, .binary])
  func containersInUseAreNotHandedOut(_ format: PlistFormat) throws {
    func tree(_ depth: Int) -> ByHand {
      ByHand { encoder in
        var first = encoder.container(keyedBy: AnyKey.self)
        try first.encode(depth, forKey: "before")
        if depth > 0 { try first.encode([tree(depth - 1), tree(depth / 2)], forKey: "children") }
        var second = encoder.container(keyedBy: AnyKey.self)
        try second.encode("second", forKey: "second")
        try first.encode(-depth, forKey: "after")
      }
    }
    var encoder = PlistEncoder()
    encoder.outputFormat = format
    let foundation = PropertyListEncoder()
    for value in [tree(7), ByHand(keyed: { try $0.encode(Family.Child(), forKey: "child") }), tree(3)] {
      let expected = try PropertyList(parsing: foundation.encode(value))
      #expect(try PropertyList(parsing: encoder.encode(value)) == expected)
    }
  }

  @Test(arguments: [PlistFormat.xml, .binary])
  func keptContainersAreNotHandedOut(_ format: PlistFormat) throws {
    nonisolated(unsafe) var kept: [KeyedEncodingContainer<AnyKey>] = []
    let element = ByHand { encoder in
      var container = encoder.container(keyedBy: AnyKey.self)
      try container.encode(1, forKey: "value")
      if unsafe kept.count < 3 { unsafe kept.append(container) }
      for index in unsafe kept.indices.dropLast() {
        #expect(throws: EncodingError.self) { try unsafe kept[index].encode(2, forKey: "late") }
      }
    }
    var encoder = PlistEncoder()
    encoder.outputFormat = format
    for _ in 0..<2 {
      let list = try PropertyList(parsing: encoder.encode(Array(repeating: element, count: 5)))
      #expect(list == .array(Array(repeating: ["value": 1], count: 5)))
    }
    for index in unsafe kept.indices {
      #expect(throws: EncodingError.self) { try unsafe kept[index].encode(3, forKey: "too late") }
    }
  }

  @Test func errorsLeaveNoContainersBehind() throws {
    final class Token: Encodable, Sendable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AnyKey.self)
        try container.encode(1, forKey: "a")
        throw CocoaError(.fileNoSuchFile)
      }
    }
    final class Witness: Sendable {}
    let key = try #require(CodingUserInfoKey(rawValue: "witness"))
    weak var witness: Witness?
    do {
      let object = Witness()
      witness = object
      var encoder = PlistEncoder()
      encoder.userInfo[key] = object
      for _ in 0..<3 { #expect(throws: EncodingError.self) { try encoder.encode(["token": Token()]) } }
      #expect(try encoder.encode(["a": Box(value: 1)]).isEmpty == false)
    }
    #expect(witness == nil)
  }

  @Test(arguments: [PlistFormat.xml, .binary])
  func roundTrips(_ format: PlistFormat) throws {
    struct Model: Codable, Equatable {
      enum Kind: String, Codable { case small, large }
      enum Figure: Codable, Equatable { case circle(radius: Double), none }
      var name = "é <&>"
      var size = UInt64.max
      var kind = Kind.large
      var figures = [Figure.circle(radius: 0.1), .none]
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

private enum Family {
  class Parent: Encodable {
    var name = "parent"

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: AnyKey.self)
      try container.encode(name, forKey: "name")
    }
  }

  final class Child: Parent {
    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: AnyKey.self)
      try container.encode("first", forKey: "first")
      try super.encode(to: container.superEncoder())
      try container.encode(Parent(), forKey: "friend")
      try super.encode(to: encoder)
      try container.encode("last", forKey: "last")
    }
  }
}
