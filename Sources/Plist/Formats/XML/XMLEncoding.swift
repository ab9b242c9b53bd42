#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Detects the encoding of a text document and converts the document to UTF-8.
///
/// A byte-order mark decides first. Without one, XML and JSON may begin with bytes that can only be UTF-16 or UTF-32,
/// and XML may declare its encoding. Otherwise, the encoding is UTF-8.
enum XMLEncoding {
  /// Returns the source of a document in a text format, converted to UTF-8 if necessary.
  ///
  /// UTF-8 in formats other than XML is validated here; the XML reader validates it as it goes.
  ///
  /// - Throws: ``PlistError`` if the declared encoding is unknown, if bytes are not valid in the encoding, or if an XML
  ///   document has another error before those bytes.
  static func source(
    of data: Data, format: PlistFormat, isDetected: Bool, limits: PlistLimits
  ) throws(PlistError) -> PlistSource {
    let bytes = data.bytes
    let (encoding, markLength) = format == .xml ? try detect(data) : encoding(of: bytes, format)
    let start = PlistPosition(offset: markLength)
    if encoding == .utf8 {
      // A slice of `Data` shares its storage, so removing the mark copies nothing.
      let document = markLength == 0 ? data : data.dropFirst(markLength)
      let source = PlistSource(document, start: start, isFormatDetected: isDetected)
      if format != .xml { try checkUTF8(of: source, format) }
      return source
    }
    var buffer = ByteBuffer(capacity: data.count)
    guard let invalid = bytes.transcode(from: encoding, start: markLength, into: &buffer) else {
      return PlistSource(buffer.data(), encoding: encoding, start: start, isFormatDetected: isDetected)
    }
    // The converted text, which ends before the invalid bytes, gives the position of the error.
    let converted = PlistSource(buffer.data(), encoding: encoding, start: start)
    if format == .xml { try checkBeginning(converted, limits) }
    throw invalidText(bytes.byte(at: invalid), after: converted, format: format)
  }

  /// Whether ``source(of:format:isDetected:limits:)`` has to convert the document to UTF-8, which makes a copy.
  static func isConverted(_ data: Data, format: PlistFormat) -> Bool {
    let encoding = format == .xml ? try? detect(data).0 : encoding(of: data.bytes, format).0
    return (encoding ?? .utf8) != .utf8
  }

  /// The first bytes that are invalid in a document's encoding.
  struct InvalidText {
    let error: PlistError
    /// The length of the text before the invalid bytes, in UTF-8.
    let offset: Int
  }

  /// Returns an XML document as UTF-8 up to the first invalid bytes, and describes those bytes; nil if the encoding is
  /// unknown.
  ///
  /// A document already in UTF-8 is not checked. As in Foundation, US-ASCII with bytes above 7F is read as ISO-8859-1,
  /// so all of it is returned. If the document is part of a larger file, `place` is where it begins.
  static func lenientSource(
    of data: Data, at place: PlistPosition = PlistPosition()
  ) -> (PlistSource, InvalidText?)? {
    guard let (encoding, markLength) = try? detect(data) else { return nil }
    var start = place
    start.offset += markLength
    if encoding == .utf8 {
      return (PlistSource(markLength == 0 ? data : data.dropFirst(markLength), start: start), nil)
    }
    func converted(from encoding: TextEncoding) -> (PlistSource, invalid: Int?) {
      var buffer = ByteBuffer(capacity: data.count)
      let invalid = data.bytes.transcode(from: encoding, start: markLength, into: &buffer)
      return (PlistSource(buffer.data(), encoding: encoding, start: start), invalid)
    }
    let (source, invalid) = converted(from: encoding)
    guard let invalid else { return (source, nil) }
    let error = invalidText(data.bytes.byte(at: invalid), after: source)
    let beginning = InvalidText(error: error, offset: source.data.count)
    return (encoding == .ascii ? converted(from: .isoLatin1).0 : source, beginning)
  }

  /// Throws the first error in the beginning of an XML document, ignoring that the rest is missing.
  private static func checkBeginning(_ source: PlistSource, _ limits: PlistLimits) throws(PlistError) {
    var reader = XMLReader(limits: limits)
    do throws(PlistError) {
      try reader.readToEnd(in: source)
    } catch {
      if error.category != .truncated { throw error }
    }
  }

  /// Returns the error for `byte`, which comes right after `source` and is invalid in its encoding.
  static func invalidText(_ byte: UInt8, after source: PlistSource, format: PlistFormat = .xml) -> PlistError {
    let encoding = source.encoding
    let subject = encoding.unitWidth == 1 ? "byte 0x\(byte.hexadecimalDigits) is" : "the bytes are"
    return PlistError(
      code: .invalidText, message: "\(subject) not valid \(encoding.name) here", format: format,
      offset: source.data.count, path: nil, source: source)
  }

  private static func checkUTF8(of source: PlistSource, _ format: PlistFormat) throws(PlistError) {
    let bytes = source.data.bytes
    guard let offset = bytes.firstInvalidUTF8(in: 0..<bytes.byteCount) else { return }
    if bytes.isCutScalar(from: offset) {
      throw PlistError(
        code: .truncated, message: "the document ends before the last byte of a character", format: format,
        offset: bytes.byteCount, path: nil, source: source)
    }
    let error = PlistError(
      code: .invalidText, message: "byte 0x\(bytes.byte(at: offset).hexadecimalDigits) is not valid UTF-8 here",
      format: format, offset: offset, path: nil, source: source)
    // Bytes that begin with a letter or digit and contain control characters may be a file archive or text in another
    // encoding, which makes a detected text format doubtful.
    let isDoubtful =
      source.isFormatDetected && bytes.byte(at: 0).isLetterOrDigit
      && (0..<offset).contains { bytes.byte(at: $0) < 0x20 }
    throw isDoubtful ? error.with(\.doubtfulFormat, format) : error
  }

  /// Returns the encoding of an XML document; `data` must contain the whole XML declaration, if there is one.
  static func detect(_ data: Data) throws(PlistError) -> (TextEncoding, markLength: Int) {
    let bytes = data.bytes
    if let marked = mark(of: bytes) { return marked }
    // Without a mark, the zero bytes in `<?` reveal the width and byte order.
    if bytes.starts(with: [0x3C, 0, 0x3F, 0]) { return (.utf16LittleEndian, 0) }
    if bytes.starts(with: [0, 0x3C, 0, 0x3F]) { return (.utf16BigEndian, 0) }
    if let encoding = unmarkedWideXML(bytes) { return (encoding, 0) }
    let declaration = declaration(bytes)
    if case .malformed(let offset) = declaration {
      throw PlistError(
        code: .unknownEncoding,
        message: "the XML declaration is not well-formed: there is no quotation mark after the encoding's name",
        format: .xml, offset: offset, path: nil, source: PlistSource(data))
    }
    guard case .name(let name, let offset) = declaration else { return (.utf8, 0) }
    guard let encoding = TextEncoding(name: name) else {
      throw PlistError(
        code: .unknownEncoding,
        message: """
          the XML declaration names the encoding "\(name.shownInMessages())"; \
          the known encodings are UTF-8, UTF-16, UTF-32, US-ASCII, ISO-8859-1 and windows-1252
          """,
        format: .xml, offset: offset, path: nil, source: PlistSource(data))
    }
    guard encoding.unitWidth == 1 else {
      throw PlistError(
        code: .unknownEncoding,
        message: """
          the XML declaration names the encoding "\(name.shownInMessages())", \
          but the bytes of the document have another encoding
          """,
        format: .xml, offset: offset, path: nil, source: PlistSource(data))
    }
    return (encoding, 0)
  }

  /// Returns the encoding of UTF-32 XML without a byte-order mark, going by its first character.
  static func unmarkedWideXML(_ bytes: RawSpan) -> TextEncoding? {
    if bytes.starts(with: [0, 0, 0, 0x3C]) { return .utf32BigEndian }
    return bytes.starts(with: [0x3C, 0, 0, 0]) ? .utf32LittleEndian : nil
  }

  static func mark(of bytes: RawSpan) -> (TextEncoding, markLength: Int)? {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
    if bytes.starts(with: [0xFF, 0xFE, 0, 0]) { return (.utf32LittleEndian, 4) }
    if bytes.starts(with: [0, 0, 0xFE, 0xFF]) { return (.utf32BigEndian, 4) }
    if bytes.starts(with: [0xFF, 0xFE]) { return (.utf16LittleEndian, 2) }
    if bytes.starts(with: [0xFE, 0xFF]) { return (.utf16BigEndian, 2) }
    return nil
  }

  private static func encoding(of bytes: RawSpan, _ format: PlistFormat) -> (TextEncoding, markLength: Int) {
    mark(of: bytes) ?? ((format == .json ? unmarkedJSON(bytes) : nil) ?? .utf8, 0)
  }

  /// Returns the encoding of JSON without a byte-order mark, or nil unless its first character rules out UTF-8.
  ///
  /// JSON contains no NUL and begins with an ASCII character, so the zeros among the first four bytes tell the
  /// encodings apart (RFC 4627, section 3).
  static func unmarkedJSON(_ bytes: RawSpan) -> TextEncoding? {
    guard bytes.byteCount >= 2 else { return nil }
    switch (bytes.byte(at: 0), bytes.byte(at: 1)) {
    case (0, 0): return .utf32BigEndian
    case (0, _): return .utf16BigEndian
    case (_, 0):
      let isWider = bytes.byteCount >= 4 && bytes.bigEndian(at: 2, width: 2) == 0
      return isWider ? .utf32LittleEndian : .utf16LittleEndian
    default: return nil
    }
  }

  /// Whether the whole document is just the start of a byte-order mark.
  static func isPartOfMark(_ bytes: RawSpan) -> Bool {
    let marks: [[UInt8]] = [[0xEF, 0xBB], [0xEF], [0xFF], [0xFE], [0, 0, 0xFE], [0, 0]]
    return marks.contains { bytes.byteCount == $0.count && bytes.starts(with: $0) }
  }

  private enum Declaration {
    case nothing
    case name(String, offset: Int)
    /// The name has no closing quotation mark.
    case malformed(offset: Int)
    /// The bytes end before the name does.
    case cut
  }

  /// Whether more bytes could change the result of ``detect(_:)``.
  static func isUndecided(_ bytes: RawSpan) -> Bool {
    if bytes.byteCount < longestMark { return true }
    if mark(of: bytes) != nil { return false }
    if case .cut = declaration(bytes) { return true }
    return false
  }

  private static let longestMark = 4

  /// Returns the encoding named in the XML declaration.
  ///
  /// As in Foundation, a declaration after white space has no effect.
  private static func declaration(_ bytes: RawSpan) -> Declaration {
    if bytes.isPrefix(of: "<?xml", from: 0) { return .cut }
    guard bytes.hasBytes("<?xml", at: 0) else { return .nothing }
    var offset = 5
    // As in Foundation, any `?` or `>` before `encoding` ends the declaration.
    while offset < bytes.byteCount, bytes.byte(at: offset) != 0x3F, bytes.byte(at: offset) != 0x3E {
      guard XMLScanner.isSpace(bytes.byte(at: offset)), bytes.hasBytes("encoding", at: offset + 1) else {
        offset += 1
        continue
      }
      offset = XMLScanner.skipSpace(bytes, from: offset + 9)
      guard bytes.hasBytes("=", at: offset) else { continue }
      offset = XMLScanner.skipSpace(bytes, from: offset + 1)
      guard offset < bytes.byteCount else { return .cut }
      let quote = bytes.byte(at: offset)
      guard quote == 0x22 || quote == 0x27 else { return .nothing }
      var end = offset + 1
      while end < bytes.byteCount, bytes.byte(at: end) != quote {
        if bytes.hasBytes("?>", at: end) { return .malformed(offset: offset) }
        end += 1
      }
      guard end < bytes.byteCount else { return .cut }
      return .name(String(utf8: bytes, in: offset + 1..<end), offset: offset + 1)
    }
    return offset < bytes.byteCount ? .nothing : .cut
  }
}
