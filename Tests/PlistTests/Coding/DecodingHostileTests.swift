import Foundation
import Plist
import Testing

/// No document makes a decoder trap, whatever is decoded from it.
@Suite(.timeLimit(.minutes(5))) struct DecodingHostileTests {
  /// A type that nests as deeply as the document.
  struct Tree: Decodable {
    var count = 1
    init(from decoder: any Decoder) throws {
      if var elements = try? decoder.unkeyedContainer() {
        while !elements.isAtEnd { count += try elements.decode(Tree.self).count }
      } else if let pairs = try? decoder.container(keyedBy: Key.self) {
        for key in pairs.allKeys { count += try pairs.decode(Tree.self, forKey: key).count }
      }
    }
    struct Key: CodingKey {
      var stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }
  }

  static let models: [DecodingModel] = [
    DecodingModel(Tree.self), DecodingModel(PropertyList.self), DecodingModel(Models.Anything.self),
    DecodingModel([String: String].self), DecodingModel([String].self), DecodingModel([[Int]].self),
    DecodingModel([Double].self), DecodingModel([Data].self), DecodingModel([String: PropertyList].self),
    DecodingModel(Models.Everything.self), DecodingModel(Models.ByHand.self), DecodingModel(Int.self),
    DecodingModel(Date.self), DecodingModel(Data.self), DecodingModel(String.self),
  ]

  private func decodeAll(_ data: Data) {
    for model in Self.models { _ = model.here(PlistDecoder(), data) }
  }

  @Test(arguments: try SharedCase.all(.xml, .binary))
  func sharedCases(_ sharedCase: SharedCase) { decodeAll(sharedCase.data) }

  @Test(arguments: try FixtureFolder.allPropertyLists())
  func fixtures(_ fixture: Fixture) throws { decodeAll(try fixture.data()) }

  @Test(arguments: try SharedCase.corpus())
  func corpus(_ file: URL) throws {
    let data = try Data(contentsOf: file)
    // What is large is no more hostile.
    if data.count < 1 << 18 { decodeAll(data) }
  }

  /// Where reading succeeds so does decoding as a property list, with the same value; and it fails alike.
  @Test(arguments: try SharedCase.all(.xml, .binary))
  func propertyLists(_ sharedCase: SharedCase) {
    let read = DecodingOutcome { try PropertyList(parsing: sharedCase.data) }
    let decoded = DecodingOutcome { try PlistDecoder().decode(PropertyList.self, from: sharedCase.data) }
    #expect(read.isError == decoded.isError)
    if !read.isError { #expect(read == decoded) }
  }

  /// Damaged documents of every kind.
  @Test(arguments: UInt64(0)..<40)
  func mutations(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let value = PropertyList.random(using: &generator, depth: 4)
    for format in [PlistFormat.binary, .xml] {
      let data = try value.data(format: format)
      for _ in 0..<20 {
        var damaged = data
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
          let place = Int.random(in: 0..<damaged.count, using: &generator)
          damaged[place] = UInt8.random(in: 0...255, using: &generator)
        }
        decodeAll(damaged)
      }
    }
  }

  /// A container that holds itself is refused, with one reference to itself or two.
  @Test(arguments: [1, 2])
  func cycles(_ references: Int) throws {
    let objects = [UInt8(0xA0 + references)] + [UInt8](repeating: 0, count: references)
    let data = Self.document(objects)
    let error = #expect(throws: DecodingError.self) { try PlistDecoder().decode(Tree.self, from: data) }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect((context.underlyingError as? PlistError)?.code == .depthLimit)
  }

  /// Arrays that refer to one array many times over are refused before they are all gone through.
  @Test func expansion() throws {
    // Each of 30 arrays holds the next twice.
    var objects: [[UInt8]] = (0..<30).map { [0xA2, UInt8($0 + 1), UInt8($0 + 1)] }
    objects.append([0xA0])
    let data = Self.document(objects.flatMap { $0 }, offsets: objects.map(\.count))
    let error = #expect(throws: DecodingError.self) { try PlistDecoder().decode(Tree.self, from: data) }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect((context.underlyingError as? PlistError)?.code == .expandedObjectsLimit)
  }

  /// A long string that is referred to a hundred thousand times is one string.
  @Test func longStringsAreShared() throws {
    let text = String(repeating: "x", count: 10_000)
    let list = PropertyList.array([PropertyList](repeating: .string(text), count: 100_000))
    let data = try list.data(format: .binary)
    #expect(data.count < 400_000)
    let strings = try PlistDecoder().decode([String].self, from: data)
    #expect(strings.count == 100_000 && strings.last == text)
    let chunk = PropertyList.array([PropertyList](repeating: .data(Data(repeating: 7, count: 10_000)), count: 100_000))
    let datas = try PlistDecoder().decode([Data].self, from: chunk.data(format: .binary))
    #expect(datas.count == 100_000 && datas.last?.count == 10_000)
  }

  /// Counts of containers and strings that are larger than the document.
  @Test(arguments: [0xA0, 0xD0, 0x50, 0x60, 0x40] as [UInt8])
  func hugeCounts(_ marker: UInt8) {
    for width in 0..<4 {
      let count = [UInt8](repeating: 0xFF, count: 1 << width)
      let data = Self.document([marker | 0x0F, 0x10 | UInt8(width)] + count)
      for model in Self.models { #expect(model.here(PlistDecoder(), data).isError || model.description == "Tree") }
    }
  }

  /// Strings that begin with `$null` are strings, and keys that are canonically equal are different keys.
  @Test(arguments: [PlistFormat.xml, .binary])
  func whatFoundationGetsWrong(_ format: PlistFormat) throws {
    let list: PropertyList = ["$nullable", "$nul", "$null ", "a$null"]
    #expect(try PlistDecoder().decode([String].self, from: list.data(format: format)) == ["$nullable", "$nul", "$null ", "a$null"])
    let keys: PropertyList = ["é": 1, "e\u{301}": 2]
    struct Model: Decodable {
      var sum = 0
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Tree.Key.self)
        for key in container.allKeys { sum = sum * 10 + (try container.decode(Int.self, forKey: key)) }
      }
    }
    #expect(try PlistDecoder().decode(Model.self, from: keys.data(format: format)).sum == 12)
  }

  /// A binary document of objects that follow each other, of the given lengths; one where none are given.
  private static func document(_ objects: [UInt8], offsets lengths: [Int] = []) -> Data {
    var data = Data("bplist00".utf8) + objects
    let table = data.count
    var offset = 8
    for length in lengths.isEmpty ? [objects.count] : lengths {
      data.append(UInt8(offset))
      offset += length
    }
    let count = max(1, lengths.count)
    data += [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, UInt8(count)] + [UInt8](repeating: 0, count: 8)
    data += [0, 0, 0, 0, 0, 0, 0, UInt8(table)]
    return data
  }
}
