import Foundation
import Testing

@testable import Plist

@Suite struct StreamSourceTests {
  private static let fixtures = ["every-kind.xml", "every-kind.binary", "app-info.xml"]

  private static func fixture(_ name: String) throws -> (data: Data, events: [String]) {
    let data = try Data(contentsOf: FixtureFolder.valid.url.appending(path: name + ".plist"))
    return (data, EventOutcome.ofWhole(data, options: PlistReadOptions()).events)
  }

  @Test(arguments: fixtures)
  func closure(_ name: String) throws {
    let (data, expected) = try Self.fixture(name)
    var rest = data
    var reader = PlistStreamReader()
    var events: [String] = []
    while let event = try reader.next(reading: {
      defer { rest = rest.dropFirst(10) }
      return rest.prefix(10)
    }) {
      events.append(EventTranscript.line(event))
    }
    #expect(events == expected)
    #expect(reader.isAtEnd)
  }

  private struct Interruption: Error {}

  @Test func closureThatThrows() throws {
    var chunks: [Data?] = [Data("<array>".utf8), nil, Data("<true/></array>".utf8)]
    var reader = PlistStreamReader()
    func next() throws -> PlistEvent? {
      try reader.next {
        if chunks.isEmpty { return nil }
        guard let chunk = chunks.removeFirst() else { throw Interruption() }
        return chunk
      }
    }
    #expect(try next() == .beginArray)
    #expect(throws: Interruption.self) { try next() }
    #expect(try next() == .boolean(true))
    #expect(try next() == .endArray)
    #expect(try next() == nil)
  }

  @Test(arguments: fixtures)
  func fileDescriptor(_ name: String) throws {
    let (_, expected) = try Self.fixture(name)
    let file = try FileHandle(forReadingFrom: FixtureFolder.valid.url.appending(path: name + ".plist"))
    var reader = PlistStreamReader()
    var events: [String] = []
    let descriptor = PlistFileDescriptor(rawValue: file.fileDescriptor)
    while let event = try reader.next(readingFrom: descriptor) { events.append(EventTranscript.line(event)) }
    #expect(events == expected)
  }

  @Test func pipe() throws {
    let pipe = Pipe()
    let descriptor = PlistFileDescriptor(rawValue: pipe.fileHandleForReading.fileDescriptor)
    var reader = PlistStreamReader()
    try pipe.fileHandleForWriting.write(contentsOf: Data("<array><true/>".utf8))
    #expect(try reader.next(readingFrom: descriptor) == .beginArray)
    #expect(try reader.next(readingFrom: descriptor) == .boolean(true))
    try pipe.fileHandleForWriting.write(contentsOf: Data("</array>".utf8))
    try pipe.fileHandleForWriting.close()
    #expect(try reader.next(readingFrom: descriptor) == .endArray)
    #expect(try reader.next(readingFrom: descriptor) == nil)
  }

  @Test func noDescriptor() {
    var reader = PlistStreamReader()
    let error = #expect(throws: PlistError.self) { try reader.next(readingFrom: PlistFileDescriptor(rawValue: -1)) }
    #expect(error?.code == .unreadableFile)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: fixtures)
  func asynchronousChunks(_ name: String) async throws {
    let (data, expected) = try Self.fixture(name)
    let chunks = AsyncStream { continuation in
      for chunk in data.chunks(of: 100) { continuation.yield(chunk) }
      continuation.yield(Data())
      continuation.finish()
    }
    var events: [String] = []
    for try await event in chunks.plistEvents() { events.append(EventTranscript.line(event)) }
    #expect(events == expected)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func asynchronousArraysAndSlices() async throws {
    let bytes = Array("<array><string>text</string></array>".utf8)
    let arrays = AsyncStream(of: bytes.map { [$0] })
    var events: [PlistEvent] = []
    for try await event in arrays.plistEvents() { events.append(event) }
    #expect(events == [.beginArray, .string("text"), .endArray])
    let slices = AsyncStream(of: [bytes[..<9], bytes[9...]])
    events = []
    for try await event in slices.plistEvents() { events.append(event) }
    #expect(events == [.beginArray, .string("text"), .endArray])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func progressOfAsynchronousEvents() async throws {
    let bytes = Array("<array><string>text</string></array>".utf8)
    var events = AsyncStream(of: [bytes[..<9], bytes[9...]]).plistEvents().makeAsyncIterator()
    #expect(events.byteCount == 0)
    #expect(try await events.next() == .beginArray)
    #expect(events.byteCount == 9)
    while try await events.next() != nil {}
    #expect(events.byteCount == bytes.count)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @MainActor @Test func asynchronousOnAnActor() async throws {
    var events: [PlistEvent] = []
    for try await event in AsyncStream(of: [Array("<true/>".utf8)]).plistEvents() { events.append(event) }
    #expect(events == [.boolean(true)])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func asynchronousFailures() async throws {
    let cut = AsyncStream(of: [Data("<array>".utf8)]).plistEvents()
    var iterator = cut.makeAsyncIterator()
    #expect(try await iterator.next() == .beginArray)
    await #expect(throws: PlistError.self) { try await iterator.next() }
    #expect(try await iterator.next() == nil)

    let interrupted = AsyncThrowingStream<Data, any Error> { continuation in
      continuation.yield(Data("<array>".utf8))
      continuation.finish(throwing: Interruption())
    }
    var other = interrupted.plistEvents().makeAsyncIterator()
    #expect(try await other.next() == .beginArray)
    await #expect(throws: Interruption.self) { try await other.next() }
    #expect(try await other.next() == nil)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func aCancelledTask() async throws {
    let (chunks, continuation) = AsyncStream<Data>.makeStream()
    let (begun, begin) = AsyncStream<Void>.makeStream()
    let task = Task {
      for try await _ in chunks.plistEvents() { begin.yield() }
    }
    continuation.yield(Data("<array>".utf8))
    for await _ in begun { break }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func limitsOfAsynchronousChunks() async throws {
    let options = PlistReadOptions(limits: PlistLimits(maximumByteCount: 10))
    let chunks = AsyncStream(of: Array(repeating: Data("<array>".utf8), count: 10))
    let error = await #expect(throws: PlistError.self) {
      for try await _ in chunks.plistEvents(options: options) {}
    }
    #expect(error?.code == .documentSizeLimit)
  }
}

@Suite struct ByteSourceTests {
  private struct Interruption: Error {}

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: ["every-kind.xml", "every-kind.binary", "app-info.xml"])
  func bytes(_ name: String) async throws {
    let data = try Data(contentsOf: FixtureFolder.valid.url.appending(path: name + ".plist"))
    let expected = EventOutcome.ofWhole(data, options: PlistReadOptions()).events
    var events: [String] = []
    for try await event in AsyncStream(of: Array(data)).plistEvents() { events.append(EventTranscript.line(event)) }
    #expect(events == expected)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func chunks() async throws {
    let long = String(repeating: "x", count: 40_000)
    let text = "<array><string>a > b</string><string>\(long)</string></array>\n"
    var chunks: [String] = []
    for await chunk in AsyncPlistChunks(AsyncStream(of: Array(text.utf8))) {
      chunks.append(String(decoding: chunk, as: UTF8.self))
    }
    #expect(chunks.joined() == text)
    #expect(
      chunks.map(\.utf8.count) == [7, 8, 3, 11, 8, 16_384, 16_384, 40_000 - 2 * 16_384 + 9, 8, 1])
    for await chunk in AsyncPlistChunks(AsyncStream(of: [UInt8]())) { Issue.record("a chunk of \(chunk.count) bytes") }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: [String.Encoding.utf8, .utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian])
  func slowBytes(_ encoding: String.Encoding) async throws {
    let (bytes, continuation) = AsyncStream<UInt8>.makeStream()
    func send(_ text: String) throws {
      for byte in try #require(text.data(using: encoding)) { continuation.yield(byte) }
    }
    var events = bytes.plistEvents().makeAsyncIterator()
    try send("\u{FEFF}<plist><array>")
    #expect(try await events.next() == .beginArray)
    try send("<string>a &gt; b</string>")
    #expect(try await events.next() == .string("a > b"))
    try send("<dict><key>k</key>")
    #expect(try await events.next() == .beginDictionary)
    #expect(try await events.next() == .key("k"))
    try send("<true/></dict>")
    #expect(try await events.next() == .boolean(true))
    #expect(try await events.next() == .endDictionary)
    try send("</array>")
    #expect(try await events.next() == .endArray)
    try send("</plist>")
    continuation.finish()
    #expect(try await events.next() == nil)
    #expect(try await events.next() == nil)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func failures() async throws {
    let interrupted = AsyncThrowingStream<UInt8, any Error> { continuation in
      for byte in "<array><tr".utf8 { continuation.yield(byte) }
      continuation.finish(throwing: Interruption())
    }
    var events = interrupted.plistEvents().makeAsyncIterator()
    #expect(try await events.next() == .beginArray)
    await #expect(throws: Interruption.self) { try await events.next() }
    #expect(try await events.next() == nil)
    var chunks = AsyncPlistChunks(interrupted).makeAsyncIterator()
    #expect(try await chunks.next() == nil)

    let options = PlistReadOptions(limits: PlistLimits(maximumByteCount: 10))
    let error = await #expect(throws: PlistError.self) {
      for try await _ in AsyncStream(of: Array("<array></array>".utf8)).plistEvents(options: options) {}
    }
    #expect(error?.code == .documentSizeLimit)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @MainActor @Test func onAnActor() async throws {
    var events: [PlistEvent] = []
    for try await event in AsyncStream(of: Array("<true/>".utf8)).plistEvents() { events.append(event) }
    #expect(events == [.boolean(true)])
  }
}

extension AsyncStream where Element: Sendable {
  fileprivate init(of elements: [Element]) {
    self.init { continuation in
      for element in elements { continuation.yield(element) }
      continuation.finish()
    }
  }
}
