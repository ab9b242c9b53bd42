#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Writes binary property lists, version `bplist00`.
///
/// Scalars that are equal are written once. Objects are numbered in the order of the events, the top one being 0;
/// scalars come first in the file and containers after them, since only at the end it is known how many bytes a
/// reference takes. Sizes of references and offsets are 1, 2, 4 or 8 bytes, as Apple's writer has them and every
/// reader takes them. The same events give the same bytes.
public struct BinaryPlistWriter<Sink: PlistSink>: PlistWriter {
  private var sink: Sink
  private var grammar = PlistEventGrammar()
  /// The magic and the scalars, as they will be in the file.
  private var buffer = ByteBuffer(capacity: 4096)
  /// Where each object is in the file; containers get their place at the end.
  private var offsets: [Int] = []
  private var unique = BinaryUniqueTable()
  /// The references of open containers, outermost first, and where each begins; keys and values alternate.
  private var open: [(object: UInt32, isDictionary: Bool, start: Int)] = []
  private var openReferences: [UInt32] = []
  /// The containers that are complete, and their references.
  private var closed: [(object: UInt32, isDictionary: Bool, count: Int)] = []
  private var closedReferences: [UInt32] = []
  private var hasFailed = false

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - sink: What takes the bytes.
  ///   - options: Nothing in them applies to binary property lists made from events.
  public init(to sink: Sink, options: PlistWriteOptions = PlistWriteOptions()) {
    self.sink = sink
    buffer.append("bplist00")
  }

  /// Writes one event.
  ///
  /// - Throws: ``PlistError`` where the event may not come here.
  public mutating func write(_ event: PlistEvent) throws {
    if hasFailed { throw failure("an event after a failure") }
    if let fault = grammar.fault(of: event) {
      hasFailed = true
      throw failure(fault)
    }
    grammar.advance(past: event)
    switch event {
    case .beginDictionary: begin(isDictionary: true)
    case .beginArray: begin(isDictionary: false)
    case .endDictionary, .endArray: end()
    default:
      let start = buffer.count
      BinaryEncoding.append(event, to: &buffer)
      addScalar(from: start)
    }
  }

  /// Completes the document.
  ///
  /// - Returns: The sink, all the bytes having been written to it.
  /// - Throws: ``PlistError`` where the property list is not complete, and what the sink throws.
  public mutating func finish() throws -> Sink {
    guard grammar.isComplete, !hasFailed else { throw failure("the property list is not complete") }
    hasFailed = true
    let referenceSize = BinaryEncoding.size(for: UInt64(offsets.count))
    appendContainers(referenceSize: referenceSize)
    let table = buffer.count
    let offsetSize = BinaryEncoding.size(for: UInt64(table))
    for offset in offsets { buffer.append(bigEndian: UInt64(offset), width: offsetSize) }
    buffer.append(0, times: 6)
    buffer.append(UInt8(offsetSize))
    buffer.append(UInt8(referenceSize))
    buffer.append(bigEndian: UInt64(offsets.count), width: 8)
    buffer.append(bigEndian: 0, width: 8)
    buffer.append(bigEndian: UInt64(table), width: 8)
    try buffer.withSpan { try sink.write($0) }
    return sink
  }

  private func failure(_ message: String) -> PlistError {
    PlistError(
      code: .invalidEventOrder, message: message, format: .binary, offset: buffer.count, path: grammar.path)
  }

  private mutating func begin(isDictionary: Bool) {
    let object = UInt32(offsets.count)
    refer(to: object)
    offsets.append(0)
    open.append((object, isDictionary, openReferences.count))
  }

  private mutating func end() {
    let container = open.removeLast()
    let end = openReferences.count
    // By position: a slice would be a second owner, and the removal below would copy the whole.
    if container.isDictionary {
      for index in stride(from: container.start, to: end, by: 2) { closedReferences.append(openReferences[index]) }
      for index in stride(from: container.start + 1, to: end, by: 2) { closedReferences.append(openReferences[index]) }
    } else {
      for index in container.start..<end { closedReferences.append(openReferences[index]) }
    }
    closed.append((container.object, container.isDictionary, end - container.start))
    openReferences.removeLast(end - container.start)
  }

  /// Refers to the scalar whose encoding has been appended from `start` on, or to an equal one before it.
  private mutating func addScalar(from start: Int) {
    let object = UInt32(offsets.count)
    let end = buffer.count
    if let same = buffer.withSpan({ unique.object(encodedIn: $0, start..<end, orAdd: object) }) {
      buffer.truncate(to: start)
      refer(to: same)
    } else {
      offsets.append(start)
      refer(to: object)
    }
  }

  @inline(__always)
  private mutating func refer(to object: UInt32) {
    if !open.isEmpty { openReferences.append(object) }
  }

  private mutating func appendContainers(referenceSize: Int) {
    var next = 0
    for container in closed {
      offsets[Int(container.object)] = buffer.count
      let count = container.isDictionary ? container.count / 2 : container.count
      BinaryEncoding.appendMarker(container.isDictionary ? 0xD0 : 0xA0, count: count, to: &buffer)
      for reference in closedReferences[next..<next + container.count] {
        buffer.append(bigEndian: UInt64(reference), width: referenceSize)
      }
      next += container.count
    }
  }
}
