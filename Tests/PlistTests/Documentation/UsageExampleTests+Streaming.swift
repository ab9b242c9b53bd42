import Foundation
import Plist
import Testing

extension UsageExampleTests {
  private static let tracks = """
    <plist version="1.0"><dict><key>Tracks</key><array>
    <dict><key>name</key><string>One</string><key>year</key><integer>1999</integer></dict>
    <dict><key>name</key><string>Two</string><key>year</key><integer>2000</integer></dict>
    </array></dict></plist>
    """

  private struct Track: Decodable { var name: String; var year: Int }

  private static func bytes(of text: String) -> AsyncStream<UInt8> {
    AsyncStream { continuation in
      for byte in text.utf8 { continuation.yield(byte) }
      continuation.finish()
    }
  }

  private static func chunks(of text: String) -> AsyncStream<Data> {
    AsyncStream { continuation in
      for start in stride(from: 0, to: text.utf8.count, by: 50) {
        continuation.yield(Data(text.utf8.dropFirst(start).prefix(50)))
      }
      continuation.finish()
    }
  }

  @Test func streamReaders() throws {
    let url = try scratch.file("list.plist", Self.servers.data(format: .xml))
    let file = try FileHandle(forReadingFrom: url)
    var events: [PlistEvent] = []
    func handle(_ event: PlistEvent) { events.append(event) }

    var reader = PlistStreamReader()
    while let chunk = try file.read(upToCount: 65_536) {
      reader.feed(chunk)
      while let event = try reader.next() { handle(event) }
    }
    reader.finish()
    while let event = try reader.next() { handle(event) }

    #expect(events.count == 21)
    #expect(events.first == .beginDictionary && events.last == .endDictionary)
  }

  @Test func requestedChunks() throws {
    let url = try scratch.file("list.plist", Self.servers.data(format: .xml))
    let file = try FileHandle(forReadingFrom: url)
    var events: [PlistEvent] = []
    func handle(_ event: PlistEvent) { events.append(event) }

    var reader = PlistStreamReader()
    while let event = try reader.next(reading: { try file.read(upToCount: 65_536) }) { handle(event) }

    #expect(events.count == 21)
    #expect(events.first == .beginDictionary && events.last == .endDictionary)
  }

  #if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
  @Test func standardInput() async throws {
    await #expect(processExitsWith: .success) {
      let pipe = Pipe()
      dup2(pipe.fileHandleForReading.fileDescriptor, 0)
      try pipe.fileHandleForWriting.write(contentsOf: Data("{ port = 80; }".utf8))
      try pipe.fileHandleForWriting.close()
      var reader = PlistStreamReader()
      var events: [PlistEvent] = []
      func handle(_ event: PlistEvent) { events.append(event) }

      while let event = try reader.next(readingFrom: .standardInput) { handle(event) }

      precondition(events == [.beginDictionary, .key("port"), .string("80"), .endDictionary])
    }
  }
  #endif

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func asynchronousEvents() async throws {
    let chunks = Self.chunks(of: Self.tracks)

    for try await event in chunks.plistEvents() {
      if case .key(let key) = event { print(String(key)) }
    }

    #expect(scratch.lines == ["Tracks", "name", "year", "name", "year"])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func countedEvents() async throws {
    let chunks = Self.chunks(of: Self.tracks)
    var count = 0
    for try await event in chunks.plistEvents() where event == .beginDictionary { count += 1 }
    #expect(count == 3)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func countedEventsOfBytes() async throws {
    let bytes = Self.bytes(of: Self.tracks)
    var count = 0
    let events = bytes.plistEvents()  // collects the bytes into chunks
    for try await event in events where event == .beginDictionary { count += 1 }
    #expect(count == 3)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func asynchronousElements() async throws {
    let chunks = Self.chunks(of: Self.tracks)
    for try await track in PlistDecoder().elements(of: Track.self, from: chunks, at: "Tracks") { print(track.name) }
    #expect(scratch.lines == ["One", "Two"])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func chosenElements() async throws {
    let chunks = Self.chunks(of: Self.tracks)
    let tracks = PlistDecoder().elements(of: Track.self, from: chunks, at: "Tracks")
    for try await track in tracks where track.year >= 2000 { print(track.name) }
    #expect(scratch.lines == ["Two"])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func asynchronousPairs() async throws {
    let list: PropertyList = ["Tracks": ["1": ["name": "One"], "2": ["name": "Two"]]]
    let library = String(decoding: try list.data(format: .xml), as: UTF8.self)
    struct Track: Decodable { var name: String }
    let chunks = Self.chunks(of: library)
    for try await (id, track) in PlistDecoder().pairs(of: Track.self, from: chunks, at: "Tracks") {
      print(id, track.name)
    }
    let lines = scratch.lines

    struct Session {
      let bytes: AsyncStream<UInt8>
      func bytes(from url: URL) async throws -> (AsyncStream<UInt8>, String) { (bytes, url.path) }
    }
    struct Sessions { let shared: Session }
    let URLSession = Sessions(shared: Session(bytes: Self.bytes(of: library)))
    let url = try #require(URL(string: "http://example.invalid/library"))

    let (bytes, _) = try await URLSession.shared.bytes(from: url)
    for try await (id, track) in PlistDecoder().pairs(of: Track.self, from: bytes, at: "Tracks") {
      print(id, track.name)
    }

    #expect(lines == ["1 One", "2 Two"] && scratch.lines == lines + lines)
  }

  @Test func progressOfElements() async throws {
    let list: PropertyList = [["name": "One", "year": 1999], ["name": "Two", "year": 2001]]
    let library = String(decoding: try list.data(format: .xml), as: UTF8.self)
    let chunks = Self.chunks(of: library)
    let size = Double(library.utf8.count)
    func show(_ track: Track, progress: Double) { print(track.name, progress <= 1) }

    var tracks = PlistDecoder().elements(of: Track.self, from: chunks).makeAsyncIterator()
    while let track = try await tracks.next() { show(track, progress: Double(tracks.byteCount) / size) }

    #expect(scratch.lines == ["One true", "Two true"])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func bytesOfHandles() async throws {
    struct Input {
      var bytes: AsyncStream<UInt8> { UsageExampleTests.bytes(of: UsageExampleTests.tracks) }
    }
    enum FileHandle { static let standardInput = Input() }

    for try await event in FileHandle.standardInput.bytes.plistEvents() {
      if case .key(let key) = event { print(String(key)) }
    }

    #expect(scratch.lines == ["Tracks", "name", "year", "name", "year"])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func bytesOfSessions() async throws {
    struct Session {
      func bytes(from url: URL) async throws -> (AsyncStream<UInt8>, String) {
        (UsageExampleTests.bytes(of: UsageExampleTests.tracks), url.path)
      }
    }
    enum URLSession { static let shared = Session() }
    let url = try #require(URL(string: "http://example.invalid/library"))

    let (bytes, _) = try await URLSession.shared.bytes(from: url)
    for try await track in PlistDecoder().elements(of: Track.self, from: bytes, at: "Tracks") { print(track.name) }

    #expect(scratch.lines == ["One", "Two"])
  }
}
