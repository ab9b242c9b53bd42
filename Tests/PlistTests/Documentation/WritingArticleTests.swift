import Foundation
import Plist
import Testing

struct WritingArticleTests {
  private struct Server: Codable { var port: Int }

  private let source = FileManager.default.temporaryDirectory.appending(path: "writing-\(UUID()).plist")

  private func export(_ lines: some Sequence<String>, to file: URL) throws {
    let replacement = try PlistFileReplacement(of: file)
    var writer = PlistEventWriter(to: replacement, format: .xml)
    try writer.write(.beginDictionary)
    try writer.write(.key("lines"))
    try writer.write(.beginArray)
    for line in lines { try writer.write(.string(PlistText(line))) }
    try writer.write(.endArray)
    try writer.write(.endDictionary)
    try writer.finish().commit()
  }

  @Test func files() throws {
    defer { try? FileManager.default.removeItem(at: source) }
    try export(["one", "two"], to: source)
    #expect(try PropertyList(contentsOf: source) == ["lines": ["one", "two"]])

    let before = try Data(contentsOf: source)
    #expect(throws: PlistError.self) { try export(["three", "a\0b"], to: source) }
    #expect(try Data(contentsOf: source) == before)
    let names = try FileManager.default.contentsOfDirectory(atPath: source.deletingLastPathComponent().path)
    #expect(names.filter { $0.contains(source.lastPathComponent) } == [source.lastPathComponent])
  }

  @Test func types() throws {
    let servers = [Server(port: 80), Server(port: 8080)]
    let encoder = PlistEncoder()
    var writer = PlistEventWriter(to: Data(), format: .xml)
    try writer.write(.beginDictionary)

    try writer.write(.key("servers"))
    try writer.write(.beginArray)
    for server in servers { try writer.write(encoder.encodeToPropertyList(server)) }
    try writer.write(.endArray)

    try writer.write(.endDictionary)
    #expect(try PropertyList(parsing: writer.finish()) == ["servers": [["port": 80], ["port": 8080]]])
  }

  @Test func records() throws {
    let servers = [Server(port: 80), Server(port: 8080)]
    let target = source
    defer { try? FileManager.default.removeItem(at: target) }

    let encoder = PlistEncoder(outputFormat: .binary)
    var stream = try PlistStreamEncoder(to: PlistFileReplacement(of: target), encoder: encoder)
    for server in servers { try stream.encode(server) }
    try stream.finish().commit()

    #expect(try PropertyList(contentsOf: target) == [["port": 80], ["port": 8080]])
    #expect(try PlistFormat(detecting: Data(contentsOf: target)) == .binary)
  }

  @Test func changes() throws {
    let target = source.appendingPathExtension("copy")
    defer {
      try? FileManager.default.removeItem(at: source)
      try? FileManager.default.removeItem(at: target)
    }
    let list: PropertyList = ["icons": [.data(Data([1, 2, 3]))], "name": "Ada"]
    try list.write(to: source, format: .xml)

    var reader = try PlistEventReader(contentsOf: source)
    var writer = PlistEventWriter(to: try PlistFileReplacement(of: target), format: .binary)
    while let event = try reader.next() {
      if case .data = event { try writer.write(.data(PlistBytes(Data()))) } else { try writer.write(event) }
    }
    try writer.finish().commit()

    #expect(try PropertyList(contentsOf: target) == ["icons": [.data(Data())], "name": "Ada"])
    #expect(try PlistFormat(detecting: Data(contentsOf: target)) == .binary)
  }

  private final class Connection {
    private(set) var chunks: [Data] = []
    func send(_ chunk: Data) throws { chunks.append(chunk) }
  }

  @Test func closures() throws {
    let connection = Connection()
    let list = PropertyList.array((0..<10_000).map { .string("value \($0)") })

    var writer = PlistEventWriter(to: PlistClosureSink { chunk in try connection.send(chunk) }, format: .xml)
    try writer.write(list)
    _ = try writer.finish()

    #expect(connection.chunks.count > 1)
    for chunk in connection.chunks.dropLast() { #expect((60_000..<70_000).contains(chunk.count)) }
    #expect(try Data(connection.chunks.joined()) == list.data(format: .xml))
  }

  @Test(
    arguments: [
      [], [.endArray], [.beginArray], [.key("a")], [.beginDictionary, .null], [.beginDictionary, .key("a"), .key("b")],
      [.beginDictionary, .key("a"), .endDictionary], [.beginArray, .key("a")], [.beginArray, .endDictionary],
      [.boolean(true), .boolean(true)],
    ] as [[PlistEvent]])
  func otherOrders(_ events: [PlistEvent]) throws {
    let error = #expect(throws: PlistError.self) {
      var writer = PlistEventWriter(to: Data(), format: .xml)
      for event in events { try writer.write(event) }
      _ = try writer.finish()
    }
    #expect(error?.code == .invalidEventOrder)
  }
}
