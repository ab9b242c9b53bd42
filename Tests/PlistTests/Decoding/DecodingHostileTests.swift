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

  struct Holder: Decodable { let value: PropertyList }
  struct Others: PlistDecodable {
    let pairs: PropertyListDictionary
    init(from decoder: inout PlistValueDecoder) throws { pairs = try decoder.decodeOtherPairs(besides: []) }
  }

  private static func references(_ marker: UInt8, _ count: Int, _ objects: UInt8...) -> [UInt8] {
    var bytes: [UInt8] = [marker | 0x0F, 0x12] + BinaryDocument.bigEndian(count, width: 4)
    for object in objects { bytes += [UInt8](repeating: object, count: count) }
    return bytes
  }

  @Test func membersThatArePropertyListsShareOneLimit() throws {
    let count = 3_000
    let inner = Self.references(0xA0, count, 2)
    let arrays = BinaryDocument([Self.references(0xA0, count, 1), inner, [0x51, 0x61]]).data
    let dictionaries = BinaryDocument([
      Self.references(0xA0, count, 3), inner, [0x51, 0x61], [0xD1, 4, 1], [0x55] + Array("value".utf8),
    ]).data
    func expectRefusal<Value>(_ decode: () throws -> Value) {
      guard case .dataCorrupted(let context) = #expect(throws: DecodingError.self, performing: { _ = try decode() })
      else {
        Issue.record("no error of the document")
        return
      }
      #expect((context.underlyingError as? PlistError)?.code == .expandedObjectsLimit)
    }
    let error = #expect(throws: PlistError.self) { try PropertyList(parsing: arrays) }
    #expect(error?.code == .expandedObjectsLimit)
    expectRefusal { try Self.decoder.decode([PropertyList].self, from: arrays) }
    expectRefusal { try Self.decoder.decode([Holder].self, from: dictionaries) }
    expectRefusal { try Self.decoder.decode([Others].self, from: dictionaries) }
    expectRefusal { try Self.decoder.decode([PropertyListDictionary].self, from: dictionaries) }
  }

  @Test func longValuesOfPropertyListsAreShared() throws {
    let (count, size) = (1_000, 10_000)
    for marker in [0x50, 0x40] as [UInt8] {
      let bytes = [UInt8](repeating: 0x61, count: size)
      let long = [marker | 0x0F, 0x12] + BinaryDocument.bigEndian(size, width: 4) + bytes
      let document = BinaryDocument([Self.references(0xA0, count, 1), [0xA1, 2], long]).data
      let lists = try PlistDecoder().decode([PropertyList].self, from: document)
      var places = Set<Int>()
      for list in lists {
        if let text = list[0]?.string {
          unsafe text.utf8.withContiguousStorageIfAvailable { _ = places.insert(Int(bitPattern: $0.baseAddress)) }
        } else if let data = list[0]?.data {
          unsafe data.withUnsafeBytes { _ = places.insert(Int(bitPattern: $0.baseAddress)) }
        }
      }
      #expect(lists.count == count && lists.allSatisfy { $0 == lists[0] } && places.count <= 4)
      let keyed = BinaryDocument([Self.references(0xA0, count, 1), [0xD1, 2, 3], long, [0x09]]).data
      let decode = { try PlistDecoder().decode([PropertyListDictionary].self, from: keyed) }
      if marker == 0x50 {
        #expect(try decode().count == count)
      } else {
        #expect(throws: DecodingError.self) { try decode() }
      }
    }
  }

  /// An element's value counts with its array, and not again when the element is read as a property list.
  @Test func theLastValueWithinTheLimitIsRead() throws {
    let list: PropertyList = [[1], [1], [1]]
    let data = try list.data(format: .binary)
    for (limit, isRead) in [(7, true), (6, true), (5, false)] {
      var decoder = PlistDecoder()
      decoder.readOptions.limits.maximumValueCount = limit
      #expect((try? decoder.decode([PropertyList].self, from: data)) == (isRead ? [[1], [1], [1]] : nil), "\(limit)")
    }
  }

  @Test func theLimitsOfAnOpenDocumentHold() throws {
    let data = try PropertyList([[1], [1], [1]]).data(format: .binary)
    let options = PlistReadOptions(limits: PlistLimits(maximumValueCount: 5))
    let document = try PlistDocument(parsing: data, options: options)
    #expect(throws: DecodingError.self) { try PlistDecoder().decode([PropertyList].self, from: document) }
  }

  /// Asks for a value, and goes on without it.
  struct Tries: Decodable {
    init(from decoder: any Decoder) throws { _ = try? decoder.singleValueContainer().decode(String.self) }
  }

  struct DirectTries: PlistDecodable {
    init(from decoder: inout PlistValueDecoder) throws {
      try decoder.decodeArray { _, element in _ = try? element.decode(String.self) }
    }
  }

  /// Reading a malformed object must count like reading a valid one, or `try?` would buy any amount of work.
  @Test func caughtErrorsArePaidFor() throws {
    // 2,000 references to one string of 4,000 UTF-16 code units that ends in half a surrogate pair.
    let text = [UInt8](repeating: 0x41, count: 7_998) + [0xD8, 0x00]
    let string: [UInt8] = [0x6F, 0x11] + BinaryDocument.bigEndian(4_000, width: 2) + text
    let data = BinaryDocument([Self.references(0xA0, 2_000, 1), string]).data
    func code(_ body: () throws -> some Any) -> PlistError.Code? {
      do { _ = try body() } catch { return (error as? DecodingError)?.plistError?.code }
      return nil
    }
    #expect(code { try Self.decoder.decode([Tries].self, from: data) } == .expandedObjectsLimit)
    #expect(code { try Self.decoder.decode(DirectTries.self, from: data) } == .expandedObjectsLimit)
    // 2,000 references to one array of 2,000 values, the last of which is malformed.
    let list = Self.references(0xA0, 2_000, 2).dropLast() + [3]
    let lists = BinaryDocument([Self.references(0xA0, 2_000, 1), Array(list), [0x09], [0x70]]).data
    #expect(code { try Self.decoder.decode([TriesAnything].self, from: lists) } == .expandedObjectsLimit)
    #expect(code { try Self.decoder.decode(TriesDirectly.self, from: lists) } == .expandedObjectsLimit)
    for (document, number) in [(data, 0), (lists, 1)] {
      let url = FileManager.default.temporaryDirectory.appendingPathComponent("attempts-\(UUID().uuidString)-\(number)")
      defer { try? FileManager.default.removeItem(at: url) }
      try document.write(to: url)
      func readAll<Element: Decodable>(_ type: Element.Type) throws {
        var elements = try Self.decoder.elements(of: type, contentsOf: url)
        while try elements.next() != nil {}
      }
      #expect(code { number == 0 ? try readAll(Tries.self) : try readAll(TriesAnything.self) } == .expandedObjectsLimit)
    }
  }

  /// A reference to nowhere is an error for whoever follows it, whatever else the process has decoded before.
  @Test func referencesThatNobodyFollows() throws {
    let strings: [[UInt8]] = ["good", "damaged"].map { [0x50 | UInt8($0.utf8.count)] + Array($0.utf8) }
    let healthy = BinaryDocument([[0xD2, 1, 2, 3, 3], strings[0], strings[1], [0x10, 7]]).data
    let damaged = BinaryDocument([[0xD2, 1, 2, 3, 99], strings[0], strings[1], [0x10, 7]]).data
    for data in [damaged, healthy, damaged] {
      struct Model: Decodable { var good: Int }
      #expect(try PlistDecoder().decode(Model.self, from: data).good == 7)
      struct All: Decodable { var good: Int, damaged: Int? }
      let isHealthy = data == healthy
      #expect(((try? PlistDecoder().decode(All.self, from: data)) != nil) == isHealthy)
      var decoder = PlistDecoder()
      decoder.unreadKeyStrategy = .refuse
      let unread = #expect(throws: DecodingError.self) { try decoder.decode(Model.self, from: data) }
      #expect(unread?.plistError?.code == .unreadKey)
      #expect(((try? PropertyList(parsing: data)) != nil) == isHealthy)
    }
  }

  struct TriesAnything: Decodable {
    init(from decoder: any Decoder) throws { _ = try? decoder.singleValueContainer().decode(PropertyList.self) }
  }

  struct TriesDirectly: PlistDecodable {
    init(from decoder: inout PlistValueDecoder) throws {
      try decoder.decodeArray { _, element in _ = try? element.decode(PropertyList.self) }
    }
  }

  /// Keeps its container.
  private struct Keeper: Decodable, @unchecked Sendable {
    let container: KeyedDecodingContainer<Tree.Key>
    init(from decoder: any Decoder) throws { container = try decoder.container(keyedBy: Tree.Key.self) }
  }

  /// Threads that share a kept container get no more out of it together than one would.
  @Test func threadsShareTheLimit() throws {
    let (keys, count, limit) = (200, 1_000, 50_000)
    let list: PropertyList = .array([PropertyList](repeating: true, count: count))
    let pairs = (0..<keys).map { ("k\($0)", list) }
    let data = try PropertyList.dictionary(PropertyListDictionary(uniqueKeysWithValues: pairs)).data(format: .binary)
    var decoder = PlistDecoder()
    decoder.readOptions.limits.maximumValueCount = limit
    let keeper = try decoder.decode(Keeper.self, from: data)
    let read = Guarded(0)
    DispatchQueue.concurrentPerform(iterations: keys) { number in
      let list = try? keeper.container.decode(PropertyList.self, forKey: Tree.Key(stringValue: "k\(number)"))
      if let count = list?.array?.count { read.withLock { $0 += count } }
    }
    let values = read.withLock { $0 }
    #expect(values > 0 && values <= limit - keys)
  }

  /// A message about a wrong offset names the right object without searching for it.
  @Test func wrongOffsetsAreThoseOfTheirObjects() throws {
    var data = BinaryDocument([[0xA2, 1, 2], [0x09], [0x09]]).data
    let table = data.count - 32 - 3 * 4
    for object in [1, 2] { data.replaceSubrange(table + 4 * object..<table + 4 * object + 4, with: [0, 0, 0, 3]) }
    let root = try PlistDocument(parsing: data).root
    for object in [1, 2] {
      let error = #expect(throws: PlistError.self) { try root[object - 1]?.propertyList() }
      #expect(error?.message.contains("puts object \(object) at byte 3") == true)
      #expect(error?.offset == table + 4 * object)
    }
  }

  /// Errors that a type drops must not each read the long keys on their path again.
  @Test func pathsOfManyErrorsReadFewKeys() throws {
    struct Element: Decodable {
      let error: DecodingError?
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Tree.Key.self)
        let key = try #require(container.allKeys.first)
        error = #expect(throws: DecodingError.self) { _ = try container.decode(Int.self, forKey: key) }
      }
    }
    // 2,000 dictionaries with one key of 1,001 bytes.
    let name = "a_" + String(repeating: "b", count: 999)
    let data = try PropertyList.array(.init(repeating: [name: true], count: 2_000)).data(format: .binary)
    for strategy in [PlistDecoder.KeyDecodingStrategy.convertFromSnakeCase, .custom { PlistKey($0.last) }] {
      var decoder = PlistDecoder()
      decoder.keyDecodingStrategy = strategy
      let elements = try decoder.decode([Element].self, from: data)
      #expect(elements.first?.error?.plistError?.path?.components == ["0", name])
      #expect(elements.last?.error?.plistError?.path?.components == ["1999", "aB" + name.dropFirst(3)])
    }
  }

  private struct PlistKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(_ key: (any CodingKey)?) {
      let name = key?.stringValue ?? ""
      stringValue = name.hasPrefix("a_b") ? "aB" + name.dropFirst(3) : name
    }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  @Test func aMalformedKeyIsRefusedWhateverWasDecodedBefore() throws {
    struct Model: Decodable {
      let number: Int
      enum CodingKeys: String, CodingKey { case number = "\u{E9}" }
    }
    let bad = BinaryDocument([[0xD1, 1, 2], [0x52, 0xC3, 0xA9], [0x10, 5]]).data
    #expect(throws: DecodingError.self) { try PlistDecoder().decode(Model.self, from: bad) }
    let text = Data("<plist><dict><key>\u{E9}</key><integer>1</integer></dict></plist>".utf8)
    #expect(try PlistDecoder().decode(Model.self, from: text).number == 1)
    let good = try (["\u{E9}": 2] as PropertyList).data(format: .binary)
    #expect(try PlistDecoder().decode(Model.self, from: good).number == 2)
    #expect(throws: DecodingError.self) { try PlistDecoder().decode(Model.self, from: bad) }
  }

  @Test(arguments: [
    ("a", [[0xD1, 1, 9], [0x51, 0x61]], "reference to object 9, but the document has only 2 objects"),
    ("a.b", [[0xD1, 1, 9], [0x51, 0x61]], "reference to object 9, but the document has only 2 objects"),
    ("0", [[0xA1, 9]], "reference to object 9, but the document has only 1 object"),
    ("a.b", [[0xD1, 1, 2], [0x51, 0x61], [0x70]], "object"),
    ("b", [[0xD1, 1, 2], [0x51, 0x61], [0x70]], "there is no value at \"b\""),
    ("1", [[0xA1, 1], [0xA0]], "there is no value at \"1\""),
  ])
  func malformedObjectsOnAPathAreReported(_ path: String, _ objects: [[UInt8]], _ message: String) throws {
    let data = BinaryDocument(objects).data
    let document = try PlistDocument(parsing: data)
    let path = PropertyListPath(path)
    let error = #expect(throws: DecodingError.self) {
      try PlistDecoder().decode([Int].self, from: document, at: path)
    }
    let description = error?.plistError?.description ?? ""
    #expect(description.contains(message) && document.root[path] == nil, "\(description)")
    let isMissing = if case .valueNotFound = error { true } else { false }
    #expect(isMissing == message.hasPrefix("there is no value"))
  }

  @Test func limitsBelowZeroRefuse() {
    let limits = PlistLimits(maximumValueCount: .min)
    let decoder = PlistDecoder(options: PlistReadOptions(limits: limits))
    #expect(throws: DecodingError.self) {
      try decoder.decode([Int].self, from: BinaryDocument([[0xA1, 1], [0x10, 1]]).data)
    }
  }

  /// Finding the path of a value in a `Dictionary` must not take a pass over all pairs.
  @Test func pathsOfManyDictionariesTakeLinearTime() throws {
    struct Model: Decodable { let hostName: Int }
    var decoder = PlistDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    decoder.unreadKeyStrategy = .refuse
    let pairs = (0..<20_000).map { ("k\($0)", ["host_name": 1] as PropertyList) }
    let list = PropertyList.dictionary(PropertyListDictionary(uniqueKeysWithValues: pairs))
    let data = try list.data(format: .binary)
    #expect(try decoder.decode([String: Model].self, from: data).count == pairs.count)
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

  /// Unlike Foundation, the decoder reads strings that begin with `$null` as strings, and keeps canonically equal keys
  /// apart.
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

  private struct Member<Value: Decodable & Sendable>: Decodable { var a: Value }

  private struct DirectMember: PlistDecodable {
    init(from decoder: inout PlistValueDecoder) throws {
      try decoder.decodeDictionary(["a"]) { _, value in _ = try value.decode(PropertyList.self) }
    }
  }

  /// An error about a malformed object has its path, even if only a part of the document is read.
  @Test func pathsOfMalformedObjects() throws {
    let objects: [[UInt8]] = [[0xD1, 1, 2], [0x51, 0x61], [0xA1, 3], [0x52, 0x41, 0xC3]]
    let data = Self.document(objects.flatMap { $0 }, offsets: objects.map(\.count))
    func path(_ body: (Data) throws -> some Any) -> PropertyListPath? {
      #expect(throws: DecodingError.self) { try body(data) }?.plistError?.path
    }
    let decoder = PlistDecoder()
    #expect(path { try decoder.decode(PropertyList.self, from: $0) } == "a.0")
    #expect(path { try decoder.decode(Member<PropertyList>.self, from: $0) } == "a.0")
    #expect(path { try decoder.decode(Member<[PropertyList]>.self, from: $0) } == "a.0")
    #expect(path { try decoder.decode(DirectMember.self, from: $0) } == "a.0")
    #expect(path { try decoder.decode(Member<[String]>.self, from: $0) }?.components.first == "a")
    #expect(path { try decoder.decode([String: [String]].self, from: $0) }?.components.first == "a")
  }

  @Test(arguments: [PlistFormat.xml, .binary, .json, .gnuStep])
  func pathsOfDuplicateKeys(_ format: PlistFormat) throws {
    let keys = PropertyListDictionary(uniqueKeysWithValues: [("K", 1), ("L", 2)])
    let list: PropertyList = ["a": [0, ["x": .dictionary(keys)]]]
    var data = try list.data(format: format)
    data[try #require(data.lastIndex(of: UInt8(ascii: "L")))] = UInt8(ascii: "K")
    var decoder = PlistDecoder()
    decoder.readOptions.duplicateKeys = .refuse
    let error = #expect(throws: DecodingError.self) { try decoder.decode(Member<PropertyList>.self, from: data) }
    #expect(error?.plistError?.code == .duplicateKey)
    #expect(error?.plistError?.path?.components.prefix(3) == ["a", "1", "x"])
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
