#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Writes XML property lists, byte for byte in the layout of Apple's writers: tabs, LF, data in lines that get shorter
/// with the depth.
///
/// Memory is bounded by the open containers and the largest single value: the bytes go to the sink as they come.
/// Dictionaries are written in the order of the events.
public struct XMLPlistWriter<Sink: PlistSink>: PlistWriter {
  private var sink: Sink
  private var buffer = ByteBuffer(capacity: 4096)
  private var grammar = PlistEventGrammar()
  private let realStyle: PlistWriteOptions.RealStyle
  /// The bytes handed to the sink so far.
  private var flushed = 0
  /// Whether the last event began a container whose tag is still open, so that `<array/>` can be written.
  private var hasOpenTag = false
  private var hasFailed = false

  /// How many bytes are gathered before they go to the sink.
  private static var flushSize: Int { 1 << 16 }

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - sink: What takes the bytes.
  ///   - options: How real numbers are written; sorting does not apply to events.
  public init(to sink: Sink, options: PlistWriteOptions = PlistWriteOptions()) {
    self.sink = sink
    realStyle = options.realStyle
    buffer.append(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">

      """)
  }

  /// Writes one event.
  ///
  /// - Throws: ``PlistError`` where the event may not come here, or XML cannot hold the value: null, a NUL in text, a
  ///   date that is not a number or more than some 285 million years away; and what the sink throws.
  public mutating func write(_ event: PlistEvent) throws {
    if hasFailed { throw failure(.invalidEventOrder, "an event after a failure") }
    // Taken back at the end: whatever is thrown on the way leaves it set.
    hasFailed = true
    if let fault = grammar.fault(of: event) { throw failure(.invalidEventOrder, fault) }
    if hasOpenTag, try closeTag(before: event) {
      hasFailed = false
      return
    }
    try append(event)
    grammar.advance(past: event)
    if buffer.count >= Self.flushSize { try flush() }
    hasFailed = false
  }

  /// Completes the document.
  ///
  /// - Returns: The sink, all the bytes having been written to it.
  /// - Throws: ``PlistError`` where the property list is not complete, and what the sink throws.
  public mutating func finish() throws -> Sink {
    guard grammar.isComplete, !hasFailed else {
      throw failure(.invalidEventOrder, "the property list is not complete")
    }
    buffer.append("</plist>\n")
    try flush()
    hasFailed = true
    return sink
  }

  private mutating func flush() throws {
    try buffer.withSpan { try sink.write($0) }
    flushed += buffer.count
    buffer.removeAll()
  }

  private func failure(_ code: PlistError.Code, _ message: String) -> PlistError {
    PlistError(code: code, message: message, format: .xml, offset: flushed + buffer.count, path: grammar.path)
  }

  /// Completes the tag of the container just begun; true where `event` ends it, and so is written too.
  private mutating func closeTag(before event: PlistEvent) throws -> Bool {
    hasOpenTag = false
    switch event {
    case .endArray, .endDictionary:
      buffer.append("/>\n")
      grammar.advance(past: event)
      return true
    default:
      buffer.append(">\n")
      return false
    }
  }

  @inline(__always)
  private mutating func indent(_ depth: Int) { buffer.append(0x09, times: depth) }

  private mutating func append(_ event: PlistEvent) throws {
    let depth = grammar.containers.count
    switch event {
    case .endArray:
      indent(depth - 1)
      buffer.append("</array>\n")
      return
    case .endDictionary:
      indent(depth - 1)
      buffer.append("</dict>\n")
      return
    default: indent(depth)
    }
    switch event {
    case .beginDictionary:
      buffer.append("<dict")
      hasOpenTag = true
    case .beginArray:
      buffer.append("<array")
      hasOpenTag = true
    case .key(let text):
      buffer.append("<key>")
      try append(text)
      buffer.append("</key>\n")
    case .string(let text):
      buffer.append("<string>")
      try append(text)
      buffer.append("</string>\n")
    case .integer(let integer):
      buffer.append("<integer>")
      if integer.isNegative { buffer.append(0x2D) }
      buffer.append(decimal: integer.magnitude)
      buffer.append("</integer>\n")
    case .real(let real):
      buffer.append("<real>")
      buffer.append(real: real, style: realStyle)
      buffer.append("</real>\n")
    case .boolean(let value): if value { buffer.append("<true/>\n") } else { buffer.append("<false/>\n") }
    case .date(let date):
      guard let fields = GregorianDate(secondsSinceReference: date.timeIntervalSinceReferenceDate) else {
        throw failure(.unrepresentableValue, "a date that is no number, or too far away for XML")
      }
      buffer.append("<date>")
      buffer.append(fields)
      buffer.append("</date>\n")
    case .data(let bytes):
      buffer.append("<data>\n")
      append(Data(bytes), depth: depth)
      indent(depth)
      buffer.append("</data>\n")
    case .uid(let uid):
      buffer.append("<dict>\n")
      indent(depth + 1)
      buffer.append("<key>CF$UID</key>\n")
      indent(depth + 1)
      buffer.append("<integer>")
      buffer.append(decimal: UInt64(uid.value))
      buffer.append("</integer>\n")
      indent(depth)
      buffer.append("</dict>\n")
    case .null: throw failure(.unrepresentableValue, "XML property lists cannot hold null")
    case .endArray, .endDictionary: break
    }
  }

  /// Appends text, with `&`, `<` and `>` escaped, as Apple's writers do.
  @inline(__always)
  private mutating func append(_ text: PlistText) throws {
    let hasNUL = text.withUTF8 { buffer.append(escapingXML: $0) }
    if hasNUL { throw failure(.unrepresentableValue, "a NUL in text, which XML cannot hold") }
  }

  /// Appends base64 in lines of 76 characters, less eight for each of up to eight tabs before them.
  private mutating func append(_ data: Data, depth: Int) {
    let bytes = data.bytes
    let tabs = min(depth, 8)
    let lineLength = (76 - 8 * tabs) / 4 * 3
    var offset = 0
    while offset < bytes.byteCount {
      let end = min(offset + lineLength, bytes.byteCount)
      indent(tabs)
      Base64.encode(bytes, in: offset..<end, into: &buffer)
      buffer.append(0x0A)
      offset = end
    }
  }
}
