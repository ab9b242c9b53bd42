import Foundation
import PlistFuzzTargets
import Testing

@testable import Plist

struct DecodingReuseTests {
  private static let formats = [PlistFormat.xml, .binary]
  private static let key = CodingUserInfoKey(rawValue: "x")

  private static let keys = [
    "", "a", "b", "ab", "abcdefg", "abcdefgh", "abcdefgX", "abcdefghi", "abcdefghiabcdefg", "abcdefghXabcdefgh",
    "abcdefghYabcdefgh", "abcdefghabcdefghabcdefgh", "abcdefghabcdXfghabcdefgh", "é", "日本語", "a&b", "a<b", "$null",
  ]

  @Test func documentsOneAfterTheOther() throws {
    var generator = SeededGenerator(seed: 11)
    let decoder = PlistDecoder()
    for _ in 0..<400 {
      let models = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
        let keys = Self.keys.shuffled(using: &generator).prefix(Int.random(in: 0...4, using: &generator))
        return Dictionary(uniqueKeysWithValues: keys.map { ($0, Int.random(in: -9...300, using: &generator)) })
      }
      let list = PropertyList.array(
        models.map { model in
          let pairs = model.map { ($0, PropertyList.integer(PropertyListInteger($1))) }
          return .dictionary(PropertyListDictionary(uniqueKeysWithValues: pairs))
        })
      if Bool.random(using: &generator) {
        #expect(try decoder.decode([[String: Int]].self, from: list) == models)
      } else {
        let format = [PlistFormat.xml, .binary, .openStep].randomElement(using: &generator) ?? .xml
        if format == .openStep {
          let strings = models.map { $0.mapValues { "x\($0)" } }
          let data = try PlistEncoder().encodeToPropertyList(strings).data(format: .openStep)
          #expect(try decoder.decode([[String: String]].self, from: data) == strings)
        } else {
          #expect(try decoder.decode([[String: Int]].self, from: list.data(format: format)) == models)
        }
      }
    }
  }

  @Test func documentsOfAllSizes() throws {
    var generator = SeededGenerator(seed: 29)
    let decoder = PlistDecoder()
    for _ in 0..<(isThorough ? 200 : 50) {
      let count = [1, 5, 300, 9000][Int.random(in: 0..<4, using: &generator)]
      var value: PropertyList = [
        "values": .array((0..<count).map { .integer(PropertyListInteger($0)) }), "inner": [],
      ]
      for _ in 0..<[0, 3, 90][Int.random(in: 0..<3, using: &generator)] {
        value = ["values": [1, 2], "inner": [value]]
      }
      var document = try value.data(format: .xml)
      if Int.random(in: 0..<4, using: &generator) == 0 {
        document.removeLast(Int.random(in: 1..<document.count, using: &generator))
      }
      let read = try? decoder.decode(Nested.self, from: document)
      #expect(read == (try? PlistDecoder().decode(Nested.self, from: document)))
      #expect((read == nil) == ((try? PropertyList(parsing: document)) == nil))
    }
  }

  private struct Nested: Decodable, Equatable {
    var values: [Int]
    var inner: [Nested]
  }

  @Test(arguments: formats)
  func convertedKeys(_ format: PlistFormat) throws {
    struct Model: Codable, Equatable { var firstName: String; var innerList: [[String: Int]] }
    let model = Model(firstName: "a", innerList: [["some_key": 1], ["some_key": 2]])
    let other = try PropertyList.dictionary(["first_name": "b", "inner_list": [], "x_y": 1]).data(format: format)
    var encoder = PlistEncoder()
    encoder.outputFormat = format
    let plain = try encoder.encode(model)
    encoder.keyEncodingStrategy = .convertToSnakeCase
    let data = try encoder.encode(model)
    var decoder = PlistDecoder()
    let usual = decoder
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    for _ in 0..<3 {
      #expect(try decoder.decode(Model.self, from: data).firstName == "a")
      #expect(try decoder.decode(Model.self, from: other) == Model(firstName: "b", innerList: []))
      #expect(try usual.decode(Model.self, from: plain) == model)
      #expect(throws: DecodingError.self) { try usual.decode(Model.self, from: data) }
    }
  }

  @Test(arguments: formats)
  func options(_ format: PlistFormat) throws {
    struct Model: Decodable { var firstName: String?; var count: Int }
    struct Info: Decodable {
      let value: Int?
      init(from decoder: any Decoder) throws {
        value = DecodingReuseTests.key.flatMap { decoder.userInfo[$0] as? Int }
      }
    }
    let camel = try PropertyList.dictionary(["firstName": "$null", "count": 1]).data(format: format)
    let snake = try PropertyList.dictionary(["first_name": "none", "count": 1]).data(format: format)
    var decoder = PlistDecoder()
    for _ in 0..<3 {
      #expect(try decoder.decode(Model.self, from: camel).firstName == nil)
      #expect(try decoder.decode(Model.self, from: snake).firstName == nil)
      decoder.nilDecodingStrategy = .nullObject
      #expect(try decoder.decode(Model.self, from: camel).firstName == "$null")
      decoder.keyDecodingStrategy = .convertFromSnakeCase
      #expect(try decoder.decode(Model.self, from: snake).firstName == "none")
      decoder.nilDecodingStrategy = .string("none")
      #expect(try decoder.decode(Model.self, from: snake).firstName == nil)
      decoder.keyDecodingStrategy = .useDefaultKeys
      decoder.nilDecodingStrategy = .foundation
      decoder.unreadKeyStrategy = .refuse
      #expect(throws: DecodingError.self) { try decoder.decode(Model.self, from: snake) }
      decoder.unreadKeyStrategy = .ignore
      #expect(throws: DecodingError.self) { try decoder.decode([Model].self, from: camel) }
      decoder.userInfo[try #require(Self.key)] = 5
      #expect(try decoder.decode(Info.self, from: camel).value == 5)
      decoder.userInfo = [:]
      #expect(try decoder.decode(Info.self, from: camel).value == nil)
    }
  }

  private struct Late: Decodable {
    enum Key: String, CodingKey { case number, inner }
    let container: KeyedDecodingContainer<Key>?
    let decoder: (any Decoder)?
    let inner: [Late]

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      inner = try container.decodeIfPresent([Late].self, forKey: .inner) ?? []
      let number = try container.decode(Int.self, forKey: .number)
      self.container = number % 2 == 0 ? container : nil
      self.decoder = number % 3 == 0 ? decoder : nil
    }

    func numbers() throws -> [Int] {
      var numbers: [Int] = []
      if let container { numbers.append(try container.decode(Int.self, forKey: .number)) }
      if let decoder { numbers.append(try decoder.container(keyedBy: Key.self).decode(Int.self, forKey: .number)) }
      return try numbers + inner.flatMap { try $0.numbers() }
    }

    var paths: [String] {
      let own = [container?.codingPath, decoder?.codingPath].compactMap { $0 }
      return own.map { $0.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".") }
        + inner.flatMap(\.paths)
    }
  }

  private struct Numbered: Encodable {
    let number: Int
    let inner: [Numbered]

    init(_ number: Int) {
      self.number = number
      inner = number < 100 ? (0..<3).map { Numbered(100 * (number + 1) + $0) } : []
    }

    func expected(at path: String) -> [(number: Int, path: String)] {
      var list: [(number: Int, path: String)] = []
      if number % 2 == 0 { list.append((number, path)) }
      if number % 3 == 0 { list.append((number, path)) }
      for (index, value) in inner.enumerated() { list += value.expected(at: "\(path).inner.\(index)") }
      return list
    }
  }

  @Test(arguments: formats)
  func keptContainers(_ format: PlistFormat) throws {
    let decoder = PlistDecoder()
    var encoder = PlistEncoder()
    encoder.outputFormat = format
    var kept: [(late: Late, expected: [(number: Int, path: String)])] = []
    weak var storage: DocumentIndex?
    for round in 0..<4 {
      let models = (7 * round..<7 * round + 7).map { Numbered($0) }
      let document = try PlistDocument(parsing: encoder.encode(models))
      storage = document.index
      let values = try decoder.decode([Late].self, from: document)
      for (index, value) in values.enumerated() { kept.append((value, models[index].expected(at: "\(index)"))) }
    }
    #expect(kept.count == 28)
    for (late, expected) in kept {
      #expect(try late.numbers() == expected.map(\.number))
      #expect(late.paths == expected.map(\.path))
    }
    #expect(storage != nil)
    kept = []
    #expect(storage == nil)
  }

  private class Animal: Decodable {
    let name: String
    private enum Key: String, CodingKey { case name }
    required init(from decoder: any Decoder) throws {
      name = try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .name)
    }
  }

  private final class Dog: Animal {
    let age: Int
    private enum Key: String, CodingKey { case age, name }
    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      age = try container.decode(Int.self, forKey: .age)
      try super.init(from: decoder)
      #expect(try container.decode(String.self, forKey: .name) == name)
    }
  }

  /// A class and its superclass may ask one decoder for containers with different key types.
  @Test(arguments: formats)
  func classes(_ format: PlistFormat) throws {
    struct Mixed: Decodable {
      var dogs: [Dog] = []
      var animals: [Animal] = []
      init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd {
          dogs.append(try container.decode(Dog.self))
          animals.append(try container.decode(Animal.self))
        }
      }
    }
    let list = PropertyList.array(
      (0..<20).map { ["name": .string("n\($0)"), "age": .integer(PropertyListInteger($0))] })
    let decoder = PlistDecoder()
    for _ in 0..<3 {
      let mixed = try decoder.decode(Mixed.self, from: list.data(format: format))
      #expect(mixed.dogs.map(\.age) == (0..<10).map { 2 * $0 })
      #expect(mixed.dogs.map(\.name) == (0..<10).map { "n\(2 * $0)" })
      #expect(mixed.animals.map(\.name) == (0..<10).map { "n\(2 * $0 + 1)" })
    }
  }

  @Test(arguments: formats)
  func siblings(_ format: PlistFormat) throws {
    /// `@unchecked Sendable` is sound: each `Holder` belongs to one decoding.
    final class Holder: @unchecked Sendable { var container: KeyedDecodingContainer<AnyKey>? }
    struct Parent: Decodable {
      var first: Child
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: AnyKey.self)
        let holder = DecodingReuseTests.key.flatMap { decoder.userInfo[$0] as? Holder }
        holder?.container = container
        defer { holder?.container = nil }
        first = try container.decode(Child.self, forKey: "first")
      }
    }
    struct Child: Decodable {
      var values: [Int] = []
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: AnyKey.self)
        values.append(try container.decode(Int.self, forKey: "x"))
        let name = decoder.codingPath.last?.stringValue
        if name == "first", let parent = DecodingReuseTests.key.flatMap({ decoder.userInfo[$0] as? Holder })?.container
        {
          for sibling in ["second", "third", "second"] {
            values += try parent.decode(Child.self, forKey: AnyKey(stringValue: sibling)).values
          }
        }
        #expect(decoder.codingPath.last?.stringValue == name)
        values.append(try container.decode(Int.self, forKey: "y"))
      }
    }
    let one: PropertyList = [
      "first": ["x": 1, "y": 2], "second": ["y": 4, "x": 3], "third": ["x": 5, "z": 0, "y": 6],
    ]
    let data = try PropertyList.array([one, one, one]).data(format: format)
    var decoder = PlistDecoder()
    for _ in 0..<3 {
      decoder.userInfo = [try #require(Self.key): Holder()]
      let parents = try decoder.decode([Parent].self, from: data)
      #expect(parents.map(\.first.values) == [[Int]](repeating: [1, 3, 4, 5, 6, 3, 4, 2], count: 3))
    }
  }
}
