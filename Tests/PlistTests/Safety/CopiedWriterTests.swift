import Foundation
import Plist
import Testing

struct CopiedWriterTests {
  private static let opening: [PlistEvent] = [.beginDictionary, .key("shared"), .string("text before the copy")]

  private static func rest(_ thread: Int) -> [PlistEvent] {
    var events: [PlistEvent] = []
    for number in 0..<40 {
      events += [.key(PlistText("key \(thread) \(number)")), .integer(PropertyListInteger(thread * 1000 + number))]
      events += [.key(PlistText("text \(thread) \(number)"))]
      events += [.string(PlistText(String(repeating: "\(thread)", count: 20)))]
    }
    return events + [.endDictionary]
  }

  /// `@unchecked Sendable` is sound: each thread makes its own copy of the shared writer.
  private struct Shared<Writer>: @unchecked Sendable { let writer: Writer }

  private func check(_ format: PlistFormat) throws {
    let make = { PlistEventWriter(to: Data(), format: format) }
    let wanted = try (0..<4).map { thread in
      var writer = make()
      for event in Self.opening + Self.rest(thread) { try writer.write(event) }
      return try writer.finish()
    }
    for _ in 0..<50 {
      var writer = make()
      for event in Self.opening { try writer.write(event) }
      let shared = Shared(writer: writer)
      let found = Guarded([Data](repeating: Data(), count: 4))
      DispatchQueue.concurrentPerform(iterations: 4) { thread in
        var own = shared.writer
        for event in Self.rest(thread) { try? own.write(event) }
        let data = (try? own.finish()) ?? Data()
        found.withLock { $0[thread] = data }
      }
      #expect(found.withLock { $0 } == wanted)
    }
  }

  @Test func copiesOnSeveralThreads() throws {
    for format in [PlistFormat.xml, .binary, .json] { try check(format) }
  }

  /// Two copies of a writer, made after bytes went to the sink, do not affect each other.
  private func checkCopies(
    _ opening: [PlistEvent], _ format: PlistFormat, _ options: PlistWriteOptions = PlistWriteOptions()
  ) throws {
    let make = { PlistEventWriter(to: Data(), format: format, options: options) }
    let long = PlistText(String(repeating: "é", count: 50_000))
    let ends = (0..<3).map { number in
      (0..<number * 3).flatMap { [PlistEvent.key("\(number) \($0)"), .string(long)] } + [.endDictionary]
    }
    var shared = make()
    for event in opening { try shared.write(event) }
    var copies = [shared, shared, shared]
    // The copies take turns with their events.
    for index in 0..<(ends.map(\.count).max() ?? 0) {
      for copy in copies.indices where index < ends[copy].count { try copies[copy].write(ends[copy][index]) }
    }
    for (copy, end) in zip(copies.indices, ends) {
      var fresh = make()
      for event in opening + end { try fresh.write(event) }
      #expect(try copies[copy].finish() == fresh.finish())
    }
  }

  @Test func copiesAfterAFlush() throws {
    let long = PlistText(String(repeating: "x", count: 100_000))
    for opening in [Self.opening, Self.opening + [.key("long"), .string(long)], [.beginDictionary]] {
      for format in [PlistFormat.xml, .binary, .json] { try checkCopies(opening, format) }
      try checkCopies(opening, .xml, PlistWriteOptions(xml: .init(controlCharacters: .omit)))
      for encoding in [PlistWriteOptions.OpenStepOptions.Encoding.utf8, .utf16] {
        for isTable in [false, true] {
          var options = PlistWriteOptions()
          options.openStep.encoding = encoding
          options.openStep.isStringsTable = isTable
          try checkCopies(opening, .openStep, options)
        }
      }
    }
  }

  @Test func copiesOfAStreamEncoderWithACharacterFilter() throws {
    var encoder = PlistEncoder(outputFormat: .xml)
    encoder.writeOptions.xml.controlCharacters = .omit
    let long = String(repeating: "x\u{1}", count: 50_000)
    var stream = try PlistStreamEncoder(to: Data(), of: .dictionary, encoder: encoder)
    try stream.encode(long, forKey: "a\u{1}")
    var other = stream
    try stream.encode("one", forKey: "b")
    try other.encode("two", forKey: "b\u{2}")
    #expect(throws: PlistError.self) { try stream.encode("again", forKey: "a") }
    let document = try other.finish()
    #expect(try PropertyList(parsing: document) == ["a": .string(String(repeating: "x", count: 50_000)), "b": "two"])
  }

  private final class UnreliableSink: PlistSink {
    struct Failure: Error {}
    var calls = 0
    var kept: [Data] = []

    func write(_ bytes: RawSpan) throws {
      calls += 1
      var data = Data()
      data.write(bytes)
      kept.append(data)
      let other = try PlistEncoder().encode(["calls": calls, "bytes": data.count])
      guard try PlistDecoder().decode([String: Int].self, from: other)["calls"] == calls else { throw Failure() }
      if calls % 3 == 0 { throw Failure() }
    }
  }

  private func checkFailing(_ format: PlistFormat) throws {
    let sink = UnreliableSink()
    let text = PlistText(String(repeating: "text that fills what a writer gathers ", count: 4_000))
    var writers: [PlistEventWriter<UnreliableSink>] = []
    for _ in 0..<4 {
      var writer = PlistEventWriter(to: sink, format: format)
      try writer.write(.beginArray)
      writers.append(writer)
      for number in 0..<20 {
        try? writer.write(.string(text))
        try? writer.write(.integer(PropertyListInteger(number)))
        if number % 7 == 0 { writers.append(writer) }
      }
    }
    for index in writers.indices {
      try? writers[index].write(.string(text))
      try? writers[index].write(.endArray)
      _ = try? writers[index].finish()
      #expect(throws: PlistError.self) { try writers[index].write(.string("after the end")) }
    }
    #expect(sink.calls > 3)
  }

  @Test func sinksThatFail() throws {
    for format in [PlistFormat.xml, .binary, .json] { try checkFailing(format) }
  }
}
