import Foundation
import Plist
import PlistFuzzTargets
import Testing

struct EncodingTests {
  static let formats: [PlistFormat] = [.xml, .binary]

  private func encoder(_ format: PlistFormat) -> PlistEncoder {
    var encoder = PlistEncoder()
    encoder.outputFormat = format
    return encoder
  }

  // MARK: Foundation's faults

  @Test func canonicallyEqualStringsStayApart() throws {
    let strings = ["\u{e9}", "e\u{301}"]
    for format in Self.formats {
      let list = try PropertyList(parsing: encoder(format).encode(strings))
      #expect(list.array?.compactMap(\.string).map { Array($0.utf8) } == strings.map { Array($0.utf8) })
    }
    let keys = ByHand(keyed: { for key in strings { try $0.encode(1, forKey: AnyKey(stringValue: key)) } })
    for format in Self.formats {
      #expect(try PropertyList(parsing: encoder(format).encode(keys)).dictionary?.count == 2)
    }
  }

  @Test func negativeZeroStaysApart() throws {
    let list = try PropertyList(parsing: encoder(.binary).encode([0.0, -0.0]))
    #expect(list.array?.compactMap(\.double).map(\.sign) == [.plus, .minus])
  }

  @Test func smallUnsignedIntegersTakeFewBytes() throws {
    #expect(try encoder(.binary).encode([UInt64(5)]).count == encoder(.binary).encode([Int8(5)]).count)
  }

  @Test func stringsThatBeginAsNilDoAreRead() throws {
    let list = try PropertyList(parsing: encoder(.binary).encode(["$null!", "$nullable"]))
    #expect(list == ["$null!", "$nullable"])
  }

  final class Node: Encodable {
    var next: Node?
    var viaSingleValue = false

    enum Keys: CodingKey { case next }

    func encode(to encoder: any Encoder) throws {
      if viaSingleValue {
        var container = encoder.singleValueContainer()
        try container.encode(next)
      } else {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encodeIfPresent(next, forKey: .next)
      }
    }
  }

  @Test(arguments: [false, true], [false, true])
  func cyclesAreErrors(viaSingleValue: Bool, sortsKeys: Bool) throws {
    let isRefused = SmallStack.run {
      let node = Node()
      node.next = node
      node.viaSingleValue = viaSingleValue
      defer { node.next = nil }
      var encoder = PlistEncoder()
      encoder.writeOptions.sortedKeys = sortsKeys
      do {
        _ = try encoder.encode(node)
        return false
      } catch EncodingError.invalidValue(_, let context) {
        return (context.underlyingError as? PlistError)?.code == .depthLimit
          && context.codingPath.count >= (viaSingleValue ? 0 : 50)
      } catch {
        return false
      }
    }
    #expect(isRefused)
  }

  private static func chain(_ count: Int) -> Node {
    let root = Node()
    var last = root
    for _ in 1..<count {
      let node = Node()
      last.next = node
      last = node
    }
    return root
  }

  @Test(arguments: formats)
  func theDeepestIsRead(_ format: PlistFormat) {
    let isRead = SmallStack.run(kibibytes: 8192) {
      var encoder = PlistEncoder()
      encoder.outputFormat = format
      guard let data = try? encoder.encode(Self.chain(512)), (try? PropertyList(parsing: data)) != nil else {
        return false
      }
      return (try? encoder.encode(Self.chain(514))) == nil
    }
    #expect(isRead)
  }

  // MARK: Types

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func wideIntegers() throws {
    let list = try encoder(.binary).encodeToPropertyList([Int128(-1), Int128(UInt64.max)])
    #expect(list == [-1, .integer(.max)])
    #expect(try encoder(.xml).encodeToPropertyList(Box(value: UInt128(7))) == ["value": 7])
  }

  @Test(arguments: formats)
  func propertyListsAreTheirOwnForm(_ format: PlistFormat) throws {
    let list: PropertyList = [
      "uid": .uid(7), "list": [1, 2.5, "x", true, .data(Data([1])), .date(Date(timeIntervalSinceReferenceDate: 1))],
      "nested": ["a": [], "b": [:]], "big": .integer(.max),
    ]
    #expect(try PropertyList(parsing: encoder(format).encode(Box(value: list)))["value"] == list)
    #expect(try PropertyList(parsing: encoder(format).encode(list)) == list)
    #expect(try PropertyList(parsing: encoder(format).encode([PropertyListUID(5)])) == [.uid(5)])
    #expect(try PropertyList(parsing: encoder(format).encode(["i": PropertyListInteger.max]))["i"] == .integer(.max))
    var sorted = encoder(format)
    sorted.writeOptions.sortedKeys = true
    #expect(try sorted.encode(list) == list.data(format: format, options: sorted.writeOptions))
    #expect(try encoder(format).encodeToPropertyList(list) == list)
  }

  @Test func fragmentsAreValues() throws {
    #expect(try PlistEncoder().encodeToPropertyList(1) == 1)
    #expect(try PlistEncoder().encodeToPropertyList("x") == "x")
    #expect(try PlistEncoder().encodeToPropertyList(RawLevel.high) == 2)
  }

  @Test func dictionariesKeepTheOrderOfEncoding() throws {
    let value = ByHand(keyed: { for key in ["z", "a", "m"] { try $0.encode(1, forKey: AnyKey(stringValue: key)) } })
    let dictionary = try PropertyList(parsing: encoder(.binary).encode(value)).dictionary
    #expect(dictionary?.keys.elementsEqual(["z", "a", "m"]) == true)
    #expect(try PlistEncoder().encodeToPropertyList(value).dictionary?.keys.elementsEqual(["z", "a", "m"]) == true)
  }

  // MARK: Options

  @Test func nilStrategies() throws {
    let value = ByHand(keyed: { container in
      try container.encodeNil(forKey: "a")
      try container.encode([1, nil], forKey: "b")
    })
    var encoder = PlistEncoder()
    #expect(try PropertyList(parsing: encoder.encode(value)) == ["a": "$null", "b": [1, "$null"]])
    encoder.nilEncodingStrategy = .nullObject
    #expect(try PropertyList(parsing: encoder.encode(value)) == ["a": .null, "b": [1, .null]])
    #expect(try encoder.encodeToPropertyList(value) == ["a": .null, "b": [1, .null]])
    encoder.nilEncodingStrategy = .omit
    #expect(try PropertyList(parsing: encoder.encode(value)) == ["b": [1, "$null"]])
    encoder.nilEncodingStrategy = .string("nothing")
    #expect(try PropertyList(parsing: encoder.encode(value)) == ["a": "nothing", "b": [1, "nothing"]])
    encoder.outputFormat = .xml
    encoder.nilEncodingStrategy = .nullObject
    #expect(throws: EncodingError.self) { try encoder.encode(value) }
  }

  @Test(arguments: [
    "a", "", "oneTwoThree", "oneTwoThree4", "URL", "myURL", "myURLProperty", "URLOfImage", "already_snake", "_private",
    "trailing_", "__doubleUnderscore", "A", "aB", "aBC", "ABc", "x1Y2Z3", "éÉé", "iOS", "someHTTPRequest9XX", "ß",
    "aİb",
    "ABCdefGHI", "one two", "dž",
  ])
  func snakeCase(_ key: String) throws {
    struct Key: CodingKey {
      var stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }
    let value = ByHand(keyed: { try $0.encode(1, forKey: AnyKey(stringValue: key)) })
    let json = JSONEncoder()
    json.keyEncodingStrategy = .convertToSnakeCase
    let expected = try JSONDecoder().decode([String: Int].self, from: json.encode(value)).keys.first
    var encoder = PlistEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    #expect(try encoder.encodeToPropertyList(value).dictionary?.keys.first == expected)
  }

  @Test func keyStrategiesAreThoseOfJSON() throws {
    let value = ByHand(keyed: { container in
      try container.encode(["dictionaryKey": Box(value: 1)], forKey: "someDictionary")
      try container.encode(["textKey": "oneValue"], forKey: "textDictionary")
      var nested = container.nestedContainer(keyedBy: AnyKey.self, forKey: "nestedContainer")
      try nested.encode([Optionals(first: 1)], forKey: "innerArray")
      try Box(value: true).encode(to: container.superEncoder())
    })
    let json = JSONEncoder()
    var encoder = PlistEncoder()
    for sortsKeys in [false, true] {
      encoder.writeOptions.sortedKeys = sortsKeys
      json.keyEncodingStrategy = .convertToSnakeCase
      encoder.keyEncodingStrategy = .convertToSnakeCase
      #expect(try tree(json.encode(value)) == tree(encoder.encode(value)))

      json.keyEncodingStrategy = .custom { AnyKey(stringValue: "\($0.count > 0) \($0[$0.count - 1].stringValue)") }
      encoder.keyEncodingStrategy = .custom { AnyKey(stringValue: "\($0.count > 0) \($0[$0.count - 1].stringValue)") }
      #expect(try tree(json.encode(value)) == tree(encoder.encode(value)))
    }
  }

  @Test func customStrategiesAreGivenTheWholePath() throws {
    var encoder = PlistEncoder()
    encoder.keyEncodingStrategy = .custom { path in
      AnyKey(stringValue: path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: "/"))
    }
    let value = ByHand(keyed: { container in
      var nested = container.nestedContainer(keyedBy: AnyKey.self, forKey: "n")
      try nested.encode([Box(value: 1)], forKey: "a")
      try container.encode(["d": Box(value: 2)], forKey: "m")
    })
    #expect(
      try encoder.encodeToPropertyList(value) == ["n": ["n/a": [["n/a/0/value": 1]]], "m": ["d": ["m/d/value": 2]]])
  }

  private func tree(_ data: Data) throws -> String {
    let tree =
      if data.starts(with: Data("bplist".utf8)) {
        try unsafe PropertyListSerialization.propertyList(from: data, options: [], format: nil)
      } else { try JSONSerialization.jsonObject(with: data) }
    return try String(decoding: JSONSerialization.data(withJSONObject: tree, options: .sortedKeys), as: UTF8.self)
      .replacingOccurrences(of: "true", with: "1")
  }

  @Test func configurations() throws {
    let encoder = PlistEncoder()
    let value = Configured(value: 2)
    #expect(try PropertyList(parsing: encoder.encode(value, configuration: .init(factor: 5))) == ["value": 10])
    #expect(try PropertyList(parsing: encoder.encode(value, configuration: TripleConfiguration.self)) == ["value": 6])
    #expect(try encoder.encodeToPropertyList(value, configuration: .init(factor: 1)) == ["value": 2])
  }

  @Test func userInfoIsPassedOn() throws {
    let key = try #require(CodingUserInfoKey(rawValue: "key"))
    var encoder = PlistEncoder()
    encoder.userInfo[key] = "info"
    let value = ByHand { encoder in
      var container = encoder.singleValueContainer()
      try container.encode(encoder.userInfo[key] as? String)
    }
    #expect(try PropertyList(parsing: encoder.encode([value])) == ["info"])
  }

  @Test func textFormats() throws {
    let value = ["list": [["a": "b", "c": "d é\n"], [:]]]
    for format in [PlistFormat.openStep, .gnuStep, .json] {
      let document = try encoder(format).encode(value)
      #expect(PlistFormat(detecting: document) == (format == .json ? .json : .openStep))
      #expect(try PropertyList(parsing: document) == encoder(.binary).encodeToPropertyList(value))
    }
    #expect(try String(decoding: encoder(.json).encode(5), as: UTF8.self) == "5\n")
    #expect(try encoder(.json).encode(Configured(value: 2), configuration: .init(factor: 5)).isEmpty == false)
    var lossy = encoder(.json)
    lossy.writeOptions = PlistWriteOptions(unrepresentable: .convert, layout: .compact)
    let date = Date(timeIntervalSinceReferenceDate: 0)
    #expect(try String(decoding: lossy.encode([date]), as: UTF8.self) == #"["2001-01-01T00:00:00Z"]"#)
  }

  @Test func whatTextFormatsCannotHoldHasItsCodingPath() {
    let date = Date(timeIntervalSinceReferenceDate: 0)
    let error = #expect(throws: EncodingError.self) { try encoder(.json).encode(["b": [[date]]]) }
    guard case .invalidValue(let found, let context)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(found as? Date == date)
    #expect(context.codingPath.map(\.stringValue) == ["b", "Index 0", "Index 0"])
    #expect(error?.plistError?.code == .unrepresentableValue)
    #expect(error?.plistError?.path == "b.0.0")
    let number = #expect(throws: EncodingError.self) { try encoder(.openStep).encode(["a": 1]) }
    guard case .invalidValue(_, let context)? = number else {
      Issue.record("\(String(describing: number))")
      return
    }
    #expect(context.codingPath.map(\.stringValue) == ["a"])
  }

  @Test func realStyle() throws {
    var encoder = encoder(.xml)
    encoder.writeOptions.realStyle = .foundation
    #expect(try String(decoding: encoder.encode([0.1]), as: UTF8.self).contains("<real>0.10000000000000001</real>"))
  }

  @Test func filesAreReplacedWhole() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "plist-\(UInt64.random(in: 0 ... .max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "value.plist")
    try encoder(.xml).encode(["a": 1], to: file)
    #expect(try PropertyList(contentsOf: file) == ["a": 1])
    #expect(throws: EncodingError.self) { try encoder(.xml).encode(["a": "\0"], to: file) }
    #expect(try PropertyList(contentsOf: file) == ["a": 1])
    #expect(throws: PlistError.self) { try encoder(.xml).encode([1], to: folder.appending(path: "none/x.plist")) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["value.plist"])
  }

  // MARK: Threads

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func oneEncoderForManyTasks() async throws {
    let encoder = encoder(.xml)
    let cases = EncodingCase.encodable
    let expected = try cases.map { try PropertyList(parsing: encoder.encode($0.make())) }
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for task in 0..<64 {
        group.addTask {
          let number = task % cases.count
          return try PropertyList(parsing: encoder.encode(cases[number].make())) == expected[number]
        }
      }
      for try await isSame in group { #expect(isSame) }
    }
  }
}
