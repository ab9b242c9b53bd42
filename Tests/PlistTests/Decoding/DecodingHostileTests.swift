import Foundation
import Plist
import PlistFuzzTargets
import Testing

struct DecodingHostileTests {
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

  static let decoder = PlistDecoder(
    options: PlistReadOptions(limits: PlistLimits(maximumDepth: 64, maximumExpansion: 1 << 10)))

  private func decodeAll(_ data: Data) {
    for model in Self.models { _ = model.here(Self.decoder, data) }
  }

  @Test(arguments: try SharedCase.all(.xml, .binary))
  func sharedCases(_ sharedCase: SharedCase) { decodeAll(sharedCase.data) }

  @Test(arguments: try FixtureFolder.allPropertyLists())
  func fixtures(_ fixture: Fixture) throws { decodeAll(try fixture.data()) }

  @Test(arguments: try SharedCase.corpus())
  func corpus(_ file: URL) throws {
    let data = try Data(contentsOf: file)
    if data.count < (isThorough ? 1 << 18 : 1 << 12) { decodeAll(data) }
  }

  @Test(arguments: try SharedCase.all(.xml, .binary))
  func propertyLists(_ sharedCase: SharedCase) {
    let options = Self.decoder.readOptions
    let read = DecodingOutcome { try PropertyList(parsing: sharedCase.data, options: options) }
    let decoded = DecodingOutcome { try Self.decoder.decode(PropertyList.self, from: sharedCase.data) }
    #expect(read.isError == decoded.isError)
    if !read.isError { #expect(read == decoded) }
  }

  @Test(arguments: UInt64(0)..<(isThorough ? 200 : 10))
  func mutations(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let value = PropertyList.random(using: &generator, depth: 4)
    for format in [PlistFormat.binary, .xml] {
      let data = try value.data(format: format)
      for _ in 0..<10 {
        var damaged = data
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
          let offset = Int.random(in: 0..<damaged.count, using: &generator)
          damaged[offset] = UInt8.random(in: 0...255, using: &generator)
        }
        decodeAll(damaged)
      }
    }
  }

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

  @Test func expansion() throws {
    var objects: [[UInt8]] = (0..<30).map { [0xA2, UInt8($0 + 1), UInt8($0 + 1)] }
    objects.append([0xA0])
    let data = Self.document(objects.flatMap { $0 }, offsets: objects.map(\.count))
    let error = #expect(throws: DecodingError.self) { try Self.decoder.decode(Tree.self, from: data) }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect((context.underlyingError as? PlistError)?.code == .expandedObjectsLimit)
  }

  @Test func longValuesAreShared() throws {
    let count = 1_000
    let text = String(repeating: "x", count: 10_000)
    func document(_ marker: UInt8) -> Data {
      let root = [0xAF, 0x11, UInt8(count >> 8), UInt8(count & 0xFF)] + [UInt8](repeating: 1, count: count)
      let object = [marker | 0x0F, 0x11, 0x27, 0x10] + Array(text.utf8)
      var data = Data("bplist00".utf8) + root + object
      let table = data.count
      data += [0, 8, 0, 0]
      data[table + 2] = UInt8((8 + root.count) >> 8)
      data[table + 3] = UInt8((8 + root.count) & 0xFF)
      data += [0, 0, 0, 0, 0, 0, 2, 1] + [0, 0, 0, 0, 0, 0, 0, 2] + [UInt8](repeating: 0, count: 8)
      data += [0, 0, 0, 0, 0, 0, UInt8(table >> 8), UInt8(table & 0xFF)]
      return data
    }
    func addresses<Bytes: ContiguousBytes>(_ values: [Bytes]) -> Set<Int> {
      Set(values.map { value in unsafe value.withUnsafeBytes { Int(bitPattern: $0.baseAddress) } })
    }
    let data = try PlistDecoder().decode([Data].self, from: document(0x40))
    #expect(data.count == count && data.allSatisfy { $0 == Data(text.utf8) })
    #expect(addresses(data).count <= 3)
    let strings = try PlistDecoder().decode([String].self, from: document(0x50))
    #expect(strings.count == count && strings.allSatisfy { $0 == text })
    var views = Set<Int>()
    for string in strings {
      unsafe string.utf8.withContiguousStorageIfAvailable { _ = views.insert(Int(bitPattern: $0.baseAddress)) }
    }
    #expect(views.count <= 3)
  }

  @Test(arguments: [0xA0, 0xD0, 0x50, 0x60, 0x40] as [UInt8])
  func hugeCounts(_ marker: UInt8) {
    for width in 0..<4 {
      let count = [UInt8](repeating: 0xFF, count: 1 << width)
      let data = Self.document([marker | 0x0F, 0x10 | UInt8(width)] + count)
      for model in Self.models { #expect(model.here(Self.decoder, data).isError || model.description == "Tree") }
    }
  }

  /// Unlike Foundation, the decoder reads strings that begin with `$null` as strings, and distinguishes canonically
  /// equal keys.
  @Test(arguments: [PlistFormat.xml, .binary])
  func whatFoundationGetsWrong(_ format: PlistFormat) throws {
    let list: PropertyList = ["$nullable", "$nul", "$null ", "a$null"]
    #expect(
      try PlistDecoder().decode([String].self, from: list.data(format: format)) == [
        "$nullable", "$nul", "$null ", "a$null",
      ])
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

  static func document(_ objects: [UInt8], offsets lengths: [Int] = []) -> Data {
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
