import Foundation
import Plist
import Testing

/// If a mapped file changes, reading gives wrong values or errors, but never traps or makes a malformed string.
struct MappedDocumentTests {
  private struct Model: Codable {
    struct Item: Codable {
      var name: String
      var text: String
      var number: Int
      var ratio: Double
      var data: Data
      var flags: [Bool]
    }
    var title: String
    var items: [Item]
  }

  private static let model = Model(
    title: "Überschrift & mehr",
    items: (0..<14).map {
      Model.Item(
        name: "name \($0)", text: "ein längerer Text <\($0)> — \u{1F600}, der nicht in einen Zeiger passt",
        number: $0 * 1000,
        ratio: Double($0) / 7, data: Data(repeating: UInt8($0), count: 40), flags: [true, $0 % 2 == 0])
    })

  private static let changes = isThorough ? 10_000 : 30

  #if os(Linux)
  @Test func filesWithoutASizeAreRead() throws {
    let url = URL(filePath: "/proc/sys/kernel/ostype")
    let options = PlistReadOptions(fileAccess: .mapped)
    #expect(try PropertyList(contentsOf: url, options: options) == "Linux")
  }
  #endif

  @Test(arguments: [PlistFormat.xml, .binary, .gnuStep, .json])
  func valuesOrErrors(_ format: PlistFormat) throws {
    var value = try PlistEncoder().encodeToPropertyList(Self.model)
    if format == .json || format == .gnuStep {
      for index in 0..<14 { value["items"]?[index]?["data"] = "none" }
    }
    let original = try value.data(format: format)
    let url = FileManager.default.temporaryDirectory.appending(path: "mapped-\(UUID().uuidString)")
    try original.write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    let file = try FileHandle(forUpdating: url)
    defer { try? file.close() }
    let options = PlistReadOptions(fileAccess: .mapped)
    let document = try PlistDocument(contentsOf: url, options: options)
    var random = Generator(state: 15)
    var visitor = Visitor()
    for change in 0..<Self.changes {
      try file.seek(toOffset: 0)
      try file.write(contentsOf: original)
      let items = try #require(document.root["items"])
      let nodes = (0..<items.count).compactMap { items[$0] }
      if change % 5 == 0 {
        try file.truncate(atOffset: UInt64.random(in: 0..<UInt64(original.count), using: &random))
        try file.truncate(atOffset: UInt64(original.count))
      }
      for _ in 0..<Int.random(in: 1...40, using: &random) {
        let offset = Int.random(in: 0..<original.count, using: &random)
        let length = Int.random(in: 1...min(4, original.count - offset), using: &random)
        let from = Int.random(in: 0...original.count - length, using: &random)
        let bytes =
          Bool.random(using: &random)
          ? original[from..<from + length] : Data((0..<length).map { _ in UInt8.random(in: 0...255, using: &random) })
        try file.seek(toOffset: UInt64(offset))
        try file.write(contentsOf: bytes)
      }
      for node in nodes { visitor.visit(node) }
      visitor.visit(document.root)
      if let list = try? document.root.propertyList() { visitor.visit(list) }
      try? document.validate()
      var decoder = PlistDecoder()
      decoder.readOptions = options
      if let model = try? decoder.decode(Model.self, contentsOf: url) {
        for item in model.items { visitor.visit(PropertyList.string(item.text)) }
      }
      if var reader = try? PlistEventReader(parsing: try Data(contentsOf: url, options: .alwaysMapped)) {
        var writer = PlistEventWriter(to: Data(), format: .binary)
        while let event = try? reader.next() { try? writer.write(event) }
      }
    }
    #expect(visitor.strings > Self.changes)
    #expect(visitor.malformed == 0)
  }

  @Test func fileAccessIsAChoice() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "access-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: url) }
    try PropertyList(["name": "Ada"]).write(to: url, format: .binary)
    let read = try PlistDocument(contentsOf: url)
    let mapped = try PlistDocument(contentsOf: url, options: PlistReadOptions(fileAccess: .mapped))
    #expect(read.root["name"]?.string == "Ada" && mapped.root["name"]?.string == "Ada")
    let bytes = try Data(contentsOf: url)
    let file = try FileHandle(forUpdating: url)
    let start = try #require(bytes.range(of: Data("Ada".utf8))).lowerBound
    try file.seek(toOffset: UInt64(start))
    try file.write(contentsOf: Data("Eve".utf8))
    try file.close()
    #expect(read.root["name"]?.string == "Ada")
    #expect(mapped.root["name"]?.string == "Eve")
    // The limit is for bytes that are read into memory.
    var small = PlistReadOptions(limits: PlistLimits(maximumByteCount: 10), fileAccess: .mapped)
    #expect(try PlistDocument(contentsOf: url, options: small).root["name"]?.string == "Eve")
    #expect(try PropertyList(contentsOf: url, options: small) == ["name": "Eve"])
    #expect(try PlistDecoder(options: small).decode([String: String].self, contentsOf: url) == ["name": "Eve"])
    small.fileAccess = .read
    let error = #expect(throws: PlistError.self) { try PlistDocument(contentsOf: url, options: small) }
    #expect(error?.code == .documentSizeLimit)
  }

  private struct Visitor {
    var strings = 0
    var malformed = 0

    mutating func visit(_ string: String) {
      strings += 1
      if String(validating: Array(string.utf8), as: UTF8.self) == nil { malformed += 1 }
    }

    mutating func visit(_ node: PlistNode) {
      var left = 300
      visit(node, depth: 0, &left)
    }

    private mutating func visit(_ node: PlistNode, depth: Int, _ left: inout Int) {
      left -= 1
      guard left > 0, depth < 8 else { return }
      _ = (
        node.kind, node.count, node.line, node.column, node.offset, node.int, node.double, node.date, node.data,
        node.uid
      )
      if let string = node.string { visit(string) }
      for element in node.array.map({ Array($0.prefix(50)) }) ?? [] { visit(element, depth: depth + 1, &left) }
      for pair in node.dictionary.map({ Array($0.prefix(50)) }) ?? [] {
        let (key, value) = (pair.key, pair.value)
        visit(key)
        _ = node[key]
        visit(value, depth: depth + 1, &left)
      }
      _ = node[0]
      _ = node[node.count - 1]
    }

    mutating func visit(_ list: PropertyList) {
      switch list {
      case .string(let string): visit(string)
      case .array(let elements): for element in elements { visit(element) }
      case .dictionary(let pairs):
        for (key, value) in pairs {
          visit(key)
          visit(value)
        }
      default: break
      }
    }
  }

  private struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var word = state
      word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
      word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
      return word ^ word >> 31
    }
  }
}
