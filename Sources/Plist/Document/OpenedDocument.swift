#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A document whose format has been detected, ready for the format's reader.
struct OpenedDocument {
  let format: PlistFormat
  let source: PlistSource
  /// The objects of a binary document; nil for a text document.
  let table: BinaryObjectTable?

  /// Opens a document in a text format whose bytes are UTF-8.
  init(text: PlistSource, format: PlistFormat) { (source, self.format, table) = (text, format, nil) }

  /// Detects the format of `data`, which holds the bytes of `mapping` unless that is nil.
  init(_ data: Data, mapping: MappedFile? = nil, options: PlistReadOptions) throws(PlistError) {
    guard data.count <= options.limits.givenByteCount else { throw Self.tooLarge(data, options.limits) }
    // The bytes are accessed only once, because in a small document, each access takes as long as detecting the format.
    let source = PlistSource(data, mapping: mapping)
    let (plain, isSequential) = source.withBytes { bytes in
      let format = Self.plainFormat(bytes)
      return (format, format == .binary && SequentialBinaryReader.reads(bytes))
    }
    if let plain, options.format == nil || options.format == plain {
      format = plain
      if isSequential { try Self.checkCopy(of: data, options.limits) }
      self.source = isSequential ? try SequentialBinaryReader.converted(source, limits: options.limits) : source
      table = plain == .binary ? try BinaryObjectTable(of: self.source) : nil
      return
    }
    if SignedMessage.begins(data.bytes) {
      guard options.signedDocuments == .readUnverified else { throw SignedMessage.refusal }
      var options = options
      options.signedDocuments = .refuse
      self = try OpenedDocument(SignedMessage.content(of: data, limits: options.limits), options: options)
      return
    }
    guard let format = options.format ?? PlistFormatDetection(data.bytes).format else {
      throw Self.unknownFormat(data)
    }
    self.format = format
    if format != .binary, XMLEncoding.isConverted(data, format: format) { try Self.checkCopy(of: data, options.limits) }
    self.source =
      format == .binary
      ? source
      : try XMLEncoding.source(of: data, format: format, isDetected: options.format == nil, limits: options.limits)
    table = format == .binary ? try BinaryObjectTable(of: source) : nil
  }

  private static func tooLarge(_ data: Data, _ limits: PlistLimits) -> PlistError {
    PlistError(
      code: .documentSizeLimit,
      message: "the document has \(data.count) bytes; the limit is \(limits.readByteCount)")
  }

  /// Throws if the document is too large to be copied into memory, which converting it would require.
  private static func checkCopy(of data: Data, _ limits: PlistLimits) throws(PlistError) {
    guard limits.canCopy(data.count) else {
      throw data.count > limits.readByteCount ? tooLarge(data, limits) : .insufficientMemory(3 * data.count)
    }
  }

  /// Returns the format if the document begins like most binary documents or most XML in UTF-8.
  private static func plainFormat(_ bytes: RawSpan) -> PlistFormat? {
    if bytes.hasBytes("bplist", at: 0) { return .binary }
    return XMLProlog.begins(bytes) ? .xml : nil
  }

  static func unknownFormat(_ data: Data) -> PlistError {
    if data.isEmpty { return PlistError(code: .truncated, message: "the document is empty") }
    if PlistFormat.isBlank(data.bytes) {
      return PlistError(
        code: .truncated, message: "the document is empty except for a byte-order mark", offset: data.count)
    }
    if data.bytes.isPrefix(of: "bplist", from: 0) {
      return PlistError(
        code: .truncated,
        message: "the document ends within \"bplist00\", the first bytes of a binary property list",
        offset: data.count)
    }
    if XMLEncoding.isPartOfMark(data.bytes) {
      return PlistError(
        code: .truncated, message: "the document ends within its byte-order mark", offset: data.count)
    }
    if let kind = FileKind.name(data.bytes) {
      let place = DocumentBeginning.next(in: data.bytes, after: 0)
      let hint = place.map { "; a property list seems to begin at byte \($0)" } ?? ""
      return PlistError(code: .unknownFormat, message: "the document is \(kind), not a property list\(hint)")
    }
    return unknownCharacter(data)
      ?? PlistError(
        code: .unknownFormat,
        message: """
          the document is not a property list: XML begins with '<', a binary property list with "bplist", and OpenStep \
          text and JSON with a bracket, a quotation mark, a letter or a digit
          """)
  }

  /// Returns an error that names the first character if it looks right or is invisible, but can't begin a property
  /// list.
  private static func unknownCharacter(_ data: Data) -> PlistError? {
    let markLength = data.bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let source = PlistSource(data.dropFirst(markLength), start: PlistPosition(offset: markLength))
    let bytes = source.data.bytes
    let start = OpenStepScanner.skipSpace(bytes, from: 0)
    guard start < bytes.byteCount else { return nil }
    // All of the characters recognized below have three bytes in UTF-8.
    let scalar = String(utf8: bytes, in: start..<min(bytes.byteCount, start + 3)).unicodeScalars.first?.value ?? 0
    let point = "U+\(String(scalar, radix: 16, uppercase: true))"
    let message: String
    if let name = InvisibleCharacter.name(bytes, at: start, isFirst: markLength == 0) {
      message = "found \(name) (\(point)) where a property list should begin"
    } else if InvisibleCharacter.isQuotationMark(bytes, at: start) || InvisibleCharacter.isApostrophe(bytes, at: start)
    {
      message =
        "found a typographic quotation mark (\(point)) where a property list should begin; the quotation marks of OpenStep text are \" and '"
    } else {
      return nil
    }
    return PlistError(
      code: .unknownFormat, message: message, format: .openStep,
      offset: start, path: nil, source: source)
  }
}
