import Foundation
import Plist
import PlistFuzzTargets
import Testing

struct DocumentTests {
  @Test(
    arguments: try FixtureFolder.valid.files(endingIn: ".plist") + FixtureFolder.encodings.files(endingIn: ".plist"))
  func nodesAreTheValues(_ fixture: Fixture) throws {
    let data = try fixture.data()
    let document = try PlistDocument(parsing: data)
    let value = try PropertyList(parsing: data)
    try document.validate()
    #expect(try document.root.propertyList() == value)
    try check(document.root, value)
  }

  @Test func descriptions() throws {
    let value: PropertyList = [
      "text", .string(String(repeating: "x", count: 41)), 5, .data(Data(repeating: 1, count: 40)), [true], [:],
    ]
    let root = try PlistDocument(parsing: value.data(format: .xml)).root
    #expect("\(root)" == "array of 6 elements")
    let x = String(repeating: "x", count: 40)
    #expect(
      root.array?.map(\.description) == [
        "\"text\"", "\"\(x)\"…", "5", "\(PropertyList.data(Data(repeating: 1, count: 40)))", "array of 1 element",
        "dictionary of 0 pairs",
      ])
  }

  @Test(arguments: try FixtureFolder.invalid.files(endingIn: ".plist"))
  func refusals(_ fixture: Fixture) throws {
    let data = try fixture.data()
    let expected = #expect(throws: PlistError.self) { try PropertyList(parsing: data) }
    let error = #expect(throws: PlistError.self) { try PlistDocument(parsing: data).validate() }
    #expect(error?.description == expected?.description)
  }

  @Test(arguments: UInt64(200)..<230)
  func randomValues(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let value = PropertyList.random(using: &generator, depth: 5)
    for format in [PlistFormat.xml, .binary] {
      let document = try PlistDocument(parsing: value.data(format: format))
      try check(document.root, value)
    }
  }

  private func check(_ node: PlistNode, _ value: PropertyList) throws {
    #expect(node.kind == value.kind)
    switch value {
    case .array(let elements):
      let array = try #require(node.array)
      #expect(array.count == elements.count && node.count == elements.count)
      for (position, (child, element)) in zip(array, elements).enumerated() {
        try check(child, element)
        #expect(try node[position]?.propertyList() == element)
      }
      #expect(node[elements.count]?.kind == nil && node[-1]?.kind == nil)
    case .dictionary(let dictionary):
      let pairs = try #require(node.dictionary)
      #expect(pairs.keys == Array(dictionary.keys))
      for (child, pair) in zip(pairs, dictionary) {
        #expect(child.key == pair.key)
        try check(child.value, pair.value)
        #expect(try node[pair.key]?.propertyList() == pair.value)
      }
      #expect(node["no such key"]?.kind == nil && node[0]?.kind == nil)
    default:
      #expect(try node.propertyList() == value)
      #expect(node.count == 0 && node.array?.count == nil && node.dictionary?.count == nil)
      #expect(node[0]?.kind == nil && node["a"]?.kind == nil)
      #expect(node.string == value.string)
      #expect(node.integer == value.integer && node.int == value.int)
      #expect(node.double?.bitPattern == value.double?.bitPattern)
      #expect(node.bool == value.bool && node.uid == value.uid)
      #expect(node.data == value.data)
      #expect(
        node.date?.timeIntervalSinceReferenceDate.bitPattern == value.date?.timeIntervalSinceReferenceDate.bitPattern)
    }
  }
}

struct DocumentLookupTests {
  static let text = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0">
    <dict>
    	<key>servers</key>
    	<array>
    		<dict><key>port</key><integer>80</integer><key>a.b</key><true/></dict>
    		<dict key="long"><key>p&amp;q</key><string>x&lt;y</string></dict>
    	</array>
    	<key>é</key>  <string>composed</string>
    	<key>e\u{301}</key>  <string>decomposed</string>
    </dict>
    </plist>
    """

  @Test func paths() throws {
    let root = try PlistDocument(parsing: Data(Self.text.utf8)).root
    #expect(root["servers.0.port"]?.int == nil)
    #expect(root[PropertyListPath("servers.0.port")]?.int == 80)
    #expect(root[#"servers.0.a\.b"# as PropertyListPath]?.bool == true)
    #expect(root["servers.2.port" as PropertyListPath]?.int == nil)
    #expect(root["servers"]?[1]?["p&q"]?.string == "x<y")
    #expect(root["é"]?.string == "composed")
    #expect(root["e\u{301}"]?.string == "decomposed")
  }

  @Test func places() throws {
    let root = try PlistDocument(parsing: Data(Self.text.utf8)).root
    #expect(root.line == 3 && root.column == 1)
    let port = try #require(root["servers"]?[0]?["port"])
    #expect(port.line == 6 && port.column == 24)
    let composed = try #require(root["é"])
    #expect(composed.line == 9 && composed.column == 16)
    let binary = try PlistDocument(parsing: root.propertyList().data(format: .binary)).root
    #expect(binary.line == nil && binary.column == nil)
  }

  @Test(arguments: [PlistFormat.xml, .binary])
  func largeContainers(_ format: PlistFormat) throws {
    var dictionary = PropertyListDictionary()
    for number in 0..<5_000 { dictionary["key \(number)"] = .integer(PropertyListInteger(number)) }
    let list: PropertyList = ["table": .dictionary(dictionary), "list": .array(dictionary.values.map { $0 })]
    let root = try PlistDocument(parsing: list.data(format: format)).root
    for number in stride(from: 0, to: 5_000, by: 37) {
      #expect(root["table"]?["key \(number)"]?.int == number)
      #expect(root["list"]?[number]?.int == number)
    }
    #expect(root["table"]?["key 5000"]?.int == nil)
    #expect(root["list"]?[5_000]?.int == nil)
  }

  @Test(arguments: [2, 40])
  func duplicateKeys(_ padding: Int) throws {
    let rest = (0..<padding).map { "<key>k\($0)</key><true/>" }.joined()
    let xml = "<dict><key>a</key><integer>1</integer>\(rest)<key>a</key><integer>2</integer></dict>"
    #expect(try PlistDocument(parsing: Data(xml.utf8)).root["a"]?.int == 2)
    #expect(try PropertyList(parsing: Data(xml.utf8))["a"]?.int == 2)
  }

  @Test func manyThreadsLookUpAtOnce() async throws {
    let list = PropertyList.array((0..<2_000).map { ["n": .integer(PropertyListInteger($0))] })
    let root = try PlistDocument(parsing: list.data(format: .xml)).root
    await withTaskGroup(of: Int.self) { group in
      for start in 0..<8 {
        group.addTask {
          stride(from: start, to: 2_000, by: 8).reduce(0) { $0 + (root[$1]?["n"]?.int ?? 0) }
        }
      }
      var sum = 0
      for await part in group { sum += part }
      #expect(sum == 1_999_000)
    }
  }

  @Test(arguments: [PlistFormat.xml, .binary])
  func filesAreMapped(_ format: PlistFormat) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "document-\(UUID().uuidString).plist")
    defer { try? FileManager.default.removeItem(at: file) }
    try PropertyList(["a": ["b": "c"]]).write(to: file, format: format)
    let document = try PlistDocument(contentsOf: file)
    try FileManager.default.removeItem(at: file)
    #expect(document.format == format)
    #expect(document.root["a"]?["b"]?.string == "c")
    let error = #expect(throws: PlistError.self) { try PlistDocument(contentsOf: file) }
    #expect(error?.category == .io)
  }

  @Test func malformedObjectsOfBinaryDocuments() throws {
    var data = try (["good": "text", "bad": 5] as PropertyList).data(format: .binary)
    let offset = try #require(data.firstIndex(of: 0x10))
    data[offset] = 0x70
    let document = try PlistDocument(parsing: data)
    #expect(document.root["good"]?.string == "text")
    #expect(document.root["bad"]?.kind == .null)
    #expect(throws: PlistError.self) { try document.root["bad"]?.propertyList() }
    let error = #expect(throws: PlistError.self) { try document.validate() }
    #expect(error?.code == .invalidObject && error?.path == "bad")
  }

  @Test(arguments: [3, 5000])
  func malformedTextsOfBinaryDocuments(count: Int) throws {
    let text = String(repeating: "k", count: count)
    let value: PropertyList = .array([.string(text), .dictionary([text: 5]), 7])
    var data = try value.data(format: .binary)
    let end = try #require(data.lastIndex(of: 0x6B))
    data[end] = 0xC3
    let root = try PlistDocument(parsing: data).root
    let node = try #require(root[0])
    #expect(node.kind == .null && node.isNull && node.string == nil && node.int == nil && node.count == 0)
    #expect(node["k"] == nil && root[2]?.int == 7 && node.description == "malformed")
    let pairs = try #require(root[1]?.dictionary)
    #expect(pairs.keys == [""] && pairs.values.map(\.kind) == [.null] && Array(pairs).map(\.key) == [""])
    #expect(root[1]?[text] == nil)
    let error = #expect(throws: PlistError.self) { try node.propertyList() }
    #expect(error?.code == .invalidText)
  }

  @Test func cyclesOfBinaryDocuments() throws {
    let fixture = Fixture(folder: .invalid, name: "binary-cycle-of-one", suffix: ".plist")
    let root = try PlistDocument(parsing: fixture.data()).root
    #expect(root[0]?[0]?[0]?.kind == .array)
    let error = #expect(throws: PlistError.self) { try root.propertyList() }
    #expect(error?.code == .cycle)
  }

  @Test(arguments: [1, 2, 3, 4, 5, 8, 9])
  func offsetsOfAnySize(_ size: Int) throws {
    let count = 40
    let objects =
      [0xAF, 0x10, UInt8(count - 1)] + (1..<count).map { UInt8($0) } + [UInt8](repeating: 0x09, count: count - 1)
    let table = 8 + objects.count
    func document(_ offsets: [Int]) -> Data {
      func number(_ value: Int, _ width: Int) -> [UInt8] {
        (0..<width).reversed().map { $0 < 8 ? UInt8(truncatingIfNeeded: value >> ($0 * 8)) : 0 }
      }
      return Data(Array("bplist00".utf8) + objects + offsets.flatMap { number($0, size) })
        + Data([0, 0, 0, 0, 0, 0, UInt8(size), 1] + number(count, 8) + number(0, 8) + number(table, 8))
    }
    let offsets = [8] + (1..<count).map { 8 + 3 + count - 1 + $0 - 1 }
    #expect(
      try PlistDocument(parsing: document(offsets)).root.propertyList()
        == .array(Array(repeating: true, count: count - 1)))
    for position in [0, 1, count / 2, count - 1] {
      var wrong = offsets
      wrong[position] = table
      let error = try #require(throws: PlistError.self) { try PlistDocument(parsing: document(wrong)) }
      #expect(error.offset == table + position * size)
      wrong[position] = size == 1 ? 255 : 0xFFFF
      #expect(throws: PlistError.self) { try PlistDocument(parsing: document(wrong)) }
    }
  }

  #if os(Linux)
  /// Many objects of a binary document can have one offset, so their `LookUpTable`s could take far more memory than the
  /// document.
  @Test func theMemoryOfLookUpTablesIsBounded() async {
    await #expect(processExitsWith: .success) {
      let count = 5_000
      func bytes(_ numbers: [Int]) -> [UInt8] { numbers.flatMap { BinaryDocument.bigEndian($0, width: 4) } }
      let array: [UInt8] = [0xAF, 0x12] + bytes([count] + Array(1...count))
      let keys = [Int](repeating: count + 1, count: count - 1)
      let values = [Int](repeating: count + 3, count: count)
      let dictionary: [UInt8] = [0xDF, 0x12] + bytes([count, count + 2] + keys + values)
      let scalars: [UInt8] = [0x51, 0x62, 0x51, 0x61, 0x09]
      var data = Data("bplist00".utf8) + Data(array + dictionary + scalars)
      let start = 8 + array.count
      let first = start + dictionary.count
      let table = data.count
      data += bytes([8] + [Int](repeating: start, count: count) + [first, first + 2, first + 4])
      data += [0, 0, 0, 0, 0, 0, 4, 4]
      for number in [count + 4, 0, table] { data += BinaryDocument.bigEndian(number, width: 8) }
      let root = try PlistDocument(parsing: data).root
      try resetPeakMemory()
      let before = try peakMemory()
      for position in 0..<count {
        // The second look-up makes the table.
        for _ in 0..<2 { precondition(root[position]?["a"]?.bool == true, "element \(position) has no key") }
      }
      let added = try peakMemory() - before
      precondition(added < 64 << 20, "\(added) bytes for a document of \(data.count) bytes")
    }
  }
  #endif
}
