import Foundation
import Plist
import Testing

struct MappedDecodingTests {
  private static let formats: [PlistFormat] = [.xml, .binary, .gnuStep, .json]

  private static let changes = isThorough ? 10_000 : 300

  private static let options = PlistReadOptions(fileAccess: .mapped)

  private static func document(_ format: PlistFormat) throws -> Data {
    func item(_ number: Int, depth: Int) -> PropertyList {
      var pairs: PropertyListDictionary = [
        "name": .string("name \(number)"), "text": "ein längerer Text — \u{1F600}, der nicht in einen Zeiger passt",
        "number": .integer(PropertyListInteger(number * 1000)), "flags": [true, false],
        "map": ["a": "first", "an escaped key & more": "second \"value\""],
      ]
      if format == .xml || format == .binary {
        pairs["ratio"] = .real(Double(number) / 7)
        pairs["data"] = .data(Data(repeating: UInt8(number), count: 40))
        pairs["date"] = .date(Date(timeIntervalSinceReferenceDate: Double(number) * 86_400))
      }
      if depth > 0 { pairs["items"] = .array((0..<3).map { item(number + $0, depth: depth - 1) }) }
      return .dictionary(pairs)
    }
    let root: PropertyList = ["title": "Überschrift & mehr", "items": .array((0..<14).map { item($0, depth: 1) })]
    return try root.data(format: format)
  }

  // MARK: Changes during a decoding

  /// `@unchecked Sendable` is sound: only one thread at a time uses a `Disturbance`.
  private final class Disturbance: @unchecked Sendable {
    let file: ChangingFile
    var left = 0
    var strings = 0
    var malformed = 0
    var errors = 0

    init(_ file: ChangingFile) { self.file = file }

    func step() {
      if file.number(below: 12) == 0 { try? file.change(upTo: 6) }
    }

    func take(_ string: String) {
      strings += 1
      if String(validating: Array(string.utf8), as: UTF8.self) == nil { malformed += 1 }
    }

    func trying(_ body: () throws -> Void) {
      step()
      do { try body() } catch {
        errors += 1
        take("\(error)")
      }
    }

    func take(_ list: PropertyList) {
      left -= 1
      guard left > 0 else { return }
      switch list {
      case .string(let string): take(string)
      case .array(let elements): for element in elements { take(element) }
      case .dictionary(let pairs):
        for (key, value) in pairs {
          take(key)
          take(value)
        }
      default: break
      }
    }

    func take(_ node: PlistNode, depth: Int = 0) {
      left -= 1
      guard left > 0, depth < 8 else { return }
      step()
      _ = (node.kind, node.count, node.line, node.offset, node.int, node.double, node.date, node.data, node.uid)
      if let string = node.string { take(string) }
      if let elements = node.array {
        for element in elements {
          guard left > 0 else { break }
          step()
          take(element, depth: depth + 1)
        }
      }
      if let elements = node.array {
        step()
        _ = Array(elements.prefix(20)).count + elements.prefix(20).map(\.count).count
      }
      if let pairs = node.dictionary {
        step()
        _ = Array(pairs.prefix(20)).count
        for (key, value) in pairs {
          guard left > 0 else { break }
          step()
          take(key)
          if let same = node[key] { take(same, depth: depth + 2) }
          take(value, depth: depth + 1)
        }
      }
      step()
      _ = (node[0]?.kind, node[node.count - 1]?.kind, node["items.1.text" as PropertyListPath]?.string)
    }
  }

  private static let disturbanceKeys = CodingUserInfoKey(rawValue: "disturbance").map { [$0] } ?? []

  private enum Key: String, CodingKey, CaseIterable {
    case title, name, text, number, ratio, data, date, flags, map, items, missing
  }

  private struct Item: Decodable {
    init(from decoder: any Decoder) throws {
      guard
        let disturbance = MappedDecodingTests.disturbanceKeys.first.flatMap({ decoder.userInfo[$0] }) as? Disturbance
      else { return }
      disturbance.left -= 1
      guard disturbance.left > 0 else { throw CancellationError() }
      disturbance.step()
      let container = try decoder.container(keyedBy: Key.self)
      let first = disturbance.file.number(below: Key.allCases.count)
      for key in Key.allCases[first...] + Key.allCases[..<first] {
        disturbance.trying { try Self.read(key, container, disturbance) }
      }
      disturbance.trying { for key in container.allKeys { disturbance.take(key.stringValue) } }
      disturbance.trying { _ = try decoder.singleValueContainer().decode([String: PropertyList].self).count }
    }

    private static func read(
      _ key: Key, _ container: KeyedDecodingContainer<Key>, _ disturbance: Disturbance
    ) throws {
      switch key {
      case .title, .name, .text: disturbance.take(try container.decode(String.self, forKey: key))
      case .number: _ = try (container.decode(Int.self, forKey: key), container.decode(UInt8.self, forKey: key))
      case .ratio: _ = try container.decodeIfPresent(Double.self, forKey: key)
      case .data: _ = try container.decodeIfPresent(Data.self, forKey: key)?.hashValue
      case .date: _ = try container.decodeIfPresent(Date.self, forKey: key)
      case .flags:
        var flags = try container.nestedUnkeyedContainer(forKey: key)
        while !flags.isAtEnd {
          disturbance.step()
          if try !flags.decodeNil() { _ = try flags.decode(Bool.self) }
        }
      case .map:
        for (key, value) in try container.decode([String: String].self, forKey: key) {
          disturbance.take(key)
          disturbance.take(value)
        }
        let nested = try container.nestedContainer(keyedBy: AnyKey.self, forKey: key)
        for key in nested.allKeys {
          disturbance.step()
          disturbance.take(try nested.decode(String.self, forKey: key))
        }
      case .items:
        if disturbance.file.number(below: 2) == 0 { _ = try container.decode([Item].self, forKey: key) }
        var items = try container.nestedUnkeyedContainer(forKey: key)
        while !items.isAtEnd, disturbance.left > 0 {
          disturbance.step()
          _ = try items.decode(Item.self)
        }
        disturbance.take(try container.decode(PropertyList.self, forKey: key))
      case .missing:
        _ = (container.contains(key), try container.decodeNil(forKey: key), try container.superDecoder(forKey: key))
      }
    }
  }

  private static let ways: [@Sendable (Disturbance) throws -> Void] = [
    { _ = try decoder($0).decode(Item.self, contentsOf: $0.file.url) },
    { _ = try decoder($0).decode(Item.self, from: Data(contentsOf: $0.file.url, options: .alwaysMapped)) },
    {
      let document = try PlistDocument(contentsOf: $0.file.url, options: options)
      _ = try decoder($0).decode([Item].self, from: document, at: "items")
    },
    {
      var items = try decoder($0).elements(of: Item.self, contentsOf: $0.file.url, at: "items")
      while try items.next() != nil {}
    },
    { disturbance in
      var decoder = decoder(disturbance)
      decoder.unreadKeyStrategy = .refuse
      decoder.keyErrorStrategy = .collectAll
      decoder.keyDecodingStrategy = .convertFromSnakeCase
      _ = try decoder.decode([String: [Item]].self, contentsOf: disturbance.file.url)
    },
    { disturbance in
      let document = try PlistDocument(contentsOf: disturbance.file.url, options: options)
      disturbance.take(document.root)
      disturbance.take(try document.root.propertyList())
      disturbance.step()
      try document.validate()
    },
    { disturbance in
      let list = try PropertyList(contentsOf: disturbance.file.url, options: options)
      disturbance.step()
      disturbance.take(list)
      for format in [PlistFormat.xml, .binary] { _ = try list.data(format: format) }
    },
    { disturbance in
      var reader = try PlistEventReader(parsing: try Data(contentsOf: disturbance.file.url, options: .alwaysMapped))
      var writer = PlistEventWriter(to: Data(), format: .xml)
      while let event = try reader.next() {
        disturbance.step()
        switch event {
        case .key(let text), .string(let text): disturbance.take(String(text))
        default: break
        }
        try writer.write(event)
      }
    },
    { disturbance in
      var editor = try PlistEditor(parsing: try Data(contentsOf: disturbance.file.url, options: .alwaysMapped))
      for number in 0..<4 {
        disturbance.step()
        let item = PropertyListPath(components: ["items", "\(number)"])
        try editor.set("a new value", at: item.appending(key: "text"))
        try editor.remove(at: item.appending(key: "map"))
      }
      disturbance.take(String(decoding: editor.data, as: UTF8.self))
    },
  ]

  private static func decoder(_ disturbance: Disturbance) -> PlistDecoder {
    var decoder = PlistDecoder()
    decoder.readOptions = options
    for key in disturbanceKeys { decoder.userInfo[key] = disturbance }
    return decoder
  }

  @Test(arguments: formats)
  func changesDuringDecoding(_ format: PlistFormat) throws {
    let file = try ChangingFile(Self.document(format))
    let disturbance = Disturbance(file)
    var round = 0
    while file.changes < Self.changes || round < 3 * Self.ways.count {
      try file.restore()
      disturbance.left = 200
      do { try Self.ways[round % Self.ways.count](disturbance) } catch {
        disturbance.errors += 1
        disturbance.take("\(error)")
      }
      round += 1
    }
    #expect(disturbance.strings > Self.changes && disturbance.errors > 10)
    #expect(disturbance.malformed == 0)
  }

  // MARK: Changes by another thread

  @Test(arguments: formats)
  func changesByAnotherThread(_ format: PlistFormat) throws {
    let file = try ChangingFile(Self.document(format))
    let reading = try Disturbance(ChangingFile(Data([0]), seed: 16))
    let document = try PlistDocument(contentsOf: file.url, options: Self.options)
    let hasEnded = Guarded(false)
    let done = DispatchSemaphore(value: 0)
    let changes = Self.changes
    Thread.detachNewThread {
      while !hasEnded.withLock({ $0 }) || file.changes < changes {
        if file.number(below: 20) == 0 { try? file.restore() }
        try? file.change(upTo: 3, truncates: false)
      }
      done.signal()
    }
    var round = -1
    while round < max(20, Self.changes / 20) || reading.strings <= 100 && round < 100_000 {
      round += 1
      reading.left = 300
      switch round % 3 {
      case 0: reading.take(document.root)
      case 1:
        reading.take((try? document.root.propertyList()) ?? .null)
        reading.left = 300
        for node in document.root["items"]?.array.map(Array.init) ?? [] {
          reading.take((try? node.propertyList()) ?? .null)
        }
      default:
        do { _ = try Self.decoder(reading).decode(Item.self, contentsOf: file.url) } catch { reading.errors += 1 }
      }
    }
    hasEnded.withLock { $0 = true }
    done.wait()
    #expect(file.changes >= changes && reading.strings > 100)
    #expect(reading.malformed == 0)
  }

  @Test(arguments: [PlistFormat.xml, .binary])
  func textIsCheckedWhereItIsCopied(_ format: PlistFormat) throws {
    let text = String(repeating: "a", count: 20_000)
    let data = try PropertyList.array([.string(text)]).data(format: format)
    let file = try ChangingFile(data)
    var document = try PlistDocument(contentsOf: file.url, options: Self.options)
    let hasEnded = Guarded(false)
    let done = DispatchSemaphore(value: 0)
    let start = try #require(data.firstRange(of: Data("aaaa".utf8))).lowerBound
    Thread.detachNewThread {
      while !hasEnded.withLock({ $0 }) {
        let offset = start + file.number(below: 20_000)
        try? file.set(0xFF, at: offset)
        try? file.set(0x61, at: offset)
      }
      done.signal()
    }
    // How many reads find the text whole depends on the speed of both threads, under a sanitizer perhaps none. A document
    // remembers which strings are malformed, so each of the others needs a new one.
    var malformed = 0
    for _ in 0..<Self.changes {
      guard let string = document.root[0]?.string else {
        if let next = try? PlistDocument(contentsOf: file.url, options: Self.options) { document = next }
        continue
      }
      if String(validating: Array(string.utf8), as: UTF8.self) == nil { malformed += 1 }
    }
    hasEnded.withLock { $0 = true }
    done.wait()
    document = try PlistDocument(contentsOf: file.url, options: Self.options)
    #expect(malformed == 0)
    #expect(document.root[0]?.string == text)
  }
}
