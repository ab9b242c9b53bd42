import Foundation
import Plist
import Synchronization
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

  /// Each thread makes its own copy of the shared writer, so `@unchecked Sendable` is sound.
  private struct Shared<Writer>: @unchecked Sendable { let writer: Writer }

  private func check<Writer: PlistWriter & SendableMetatype>(_ make: () -> Writer) throws where Writer.Sink == Data {
    let wanted = try (0..<4).map { thread in
      var writer = make()
      for event in Self.opening + Self.rest(thread) { try writer.write(event) }
      return try writer.finish()
    }
    for _ in 0..<50 {
      var writer = make()
      for event in Self.opening { try writer.write(event) }
      let shared = Shared(writer: writer)
      let found = Mutex([Data](repeating: Data(), count: 4))
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
    try check { XMLPlistWriter(to: Data()) }
    try check { BinaryPlistWriter(to: Data()) }
    try check { JSONPlistWriter(to: Data()) }
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

  private func checkFailing<Writer: PlistWriter>(_ make: (UnreliableSink) -> Writer) throws {
    let sink = UnreliableSink()
    let text = PlistText(String(repeating: "text that fills what a writer gathers ", count: 4_000))
    var writers: [Writer] = []
    for _ in 0..<4 {
      var writer = make(sink)
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
    try checkFailing { XMLPlistWriter(to: $0) }
    try checkFailing { BinaryPlistWriter(to: $0) }
    try checkFailing { JSONPlistWriter(to: $0) }
  }
}
