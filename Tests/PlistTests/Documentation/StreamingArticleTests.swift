import Foundation
import Plist
import Testing

struct StreamingArticleTests {
  private struct Record: Codable { var id: Int }

  private let fixture = Fixture(folder: .valid, name: "settings", suffix: ".xml.plist")

  private struct Chunks: AsyncSequence, AsyncIteratorProtocol {
    var rest: Data

    func makeAsyncIterator() -> Chunks { self }

    mutating func next() async -> Data? {
      defer { rest = Data(rest.dropFirst(7)) }
      return rest.isEmpty ? nil : rest.prefix(7)
    }
  }

  @Test func converter() throws {
    let data = try fixture.data()

    var reader = try PlistEventReader(parsing: data)
    var writer = PlistEventWriter(to: Data(), format: .binary)
    while let event = try reader.next() { try writer.write(event) }
    let binary = try writer.finish()

    #expect(try PropertyList(parsing: binary) == PropertyList(parsing: data))
  }

  @Test func pieces() throws {
    var pipe = try [fixture.data().prefix(300), fixture.data().dropFirst(300)].makeIterator()
    var events: [PlistEvent] = []
    func handle(_ event: PlistEvent) { events.append(event) }

    var reader = PlistStreamReader()
    while let chunk = pipe.next() {
      reader.feed(chunk)
      while let event = try reader.next() { handle(event) }
    }
    reader.finish()
    while let event = try reader.next() { handle(event) }

    var whole = try PlistEventReader(parsing: fixture.data())
    for event in events { #expect(try whole.next() == event) }
    #expect(try whole.next() == nil)
  }

  @Test func descriptors() throws {
    let handle = try FileHandle(forReadingFrom: fixture.url)
    var reader = PlistStreamReader()
    var count = 0

    let descriptor = PlistFileDescriptor(rawValue: handle.fileDescriptor)
    while let event = try reader.next(readingFrom: descriptor) { count += event == .beginDictionary ? 1 : 0 }

    #expect(count == 4)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func asynchronous() async throws {
    let chunks = try Chunks(rest: fixture.data())
    var keys: [String] = []

    for try await event in chunks.plistEvents() {
      if case .key(let key) = event { keys.append(String(key)) }
    }

    #expect(keys.prefix(3) == ["version", "firstLaunch", "appearance"])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func elements() async throws {
    let list: PropertyList = ["records": [["id": 1], ["id": 2], ["id": 3]]]
    let chunks = try Chunks(rest: list.data(format: .xml))
    var sum = 0

    for try await record in PlistDecoder().elements(of: Record.self, from: chunks, at: "records") { sum += record.id }

    #expect(sum == 6)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func pairs() async throws {
    struct Track: Codable { var name: String }
    let list: PropertyList = ["Tracks": ["1234": ["name": "One"], "1236": ["name": "Two"]]]
    let library = FileManager.default.temporaryDirectory.appending(path: "article-\(UUID()).plist")
    defer { try? FileManager.default.removeItem(at: library) }
    try list.data(format: .xml).write(to: library)
    let chunks = try Chunks(rest: list.data(format: .binary))
    var names: [String: String] = [:]

    var tracks = try PlistDecoder().pairs(of: Track.self, contentsOf: library, at: "Tracks")
    while let (id, track) = try tracks.next() { names[id] = track.name }

    #expect(names == ["1234": "One", "1236": "Two"])
    names = [:]

    for try await (id, track) in PlistDecoder().pairs(of: Track.self, from: chunks, at: "Tracks") {
      names[id] = track.name
    }

    #expect(names == ["1234": "One", "1236": "Two"])
  }

  @Test func progress() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "article-\(UUID()).plist")
    defer { try? FileManager.default.removeItem(at: file) }
    let list = PropertyList.array([["id": 1], ["id": 2]])
    let data = try list.data(format: .xml)
    try data.write(to: file)
    let size = data.count
    var progress = 0.0

    var records = try PlistDecoder().elements(of: Record.self, contentsOf: file)
    while let record = try records.next() {
      handle(record)
      progress = Double(records.byteCount) / Double(size)
    }

    func handle(_ record: Record) {}
    #expect(progress == 1)
  }

  @Test func output() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "article-\(UUID()).plist")
    defer { try? FileManager.default.removeItem(at: file) }

    let replacement = try PlistFileReplacement(of: file)
    var writer = PlistEventWriter(to: replacement, format: .xml)
    try writer.write(.beginArray)
    for number in 0..<3 { try writer.write(.integer(PropertyListInteger(number))) }
    try writer.write(.endArray)
    try writer.finish().commit()

    #expect(try PropertyList(contentsOf: file) == [0, 1, 2])
  }
}
