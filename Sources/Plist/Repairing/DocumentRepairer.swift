#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads documents that neither Foundation nor the rest of this package can read: text in a wrong encoding, property
/// lists among other text, and malformed OpenStep text.
///
/// There are only a few ways to read a document, and each is tried once on the whole document and once from where a
/// property list seems to begin. If there may be several documents, each is first looked for in the text before the
/// start of the next.
struct DocumentRepairer {
  private let data: Data
  private let options: PlistReadOptions
  /// The number of bytes that further attempts to read all the remaining data may look at.
  ///
  /// Without this limit, many documents with other text between them would take quadratic time.
  private var budget: Int

  /// A property list and the offset after it.
  private struct Found {
    var document: RepairedPropertyList
    let end: Int
  }

  /// Returns the first property list in `data` with its repairs, or nil if none can be repaired.
  static func read(_ data: Data, options: PlistReadOptions) -> RepairedPropertyList? {
    var repairer = DocumentRepairer(data, options: options)
    return repairer?.next(from: PlistPosition())?.document
  }

  /// Returns all property lists in `data`, or nil if there are none.
  static func readAll(_ data: Data, options: PlistReadOptions) -> [RepairedPropertyList]? {
    guard var repairer = DocumentRepairer(data, options: options) else { return nil }
    var documents: [RepairedPropertyList] = []
    var place = PlistPosition()
    var next = repairer.next(from: place, isOneOfMany: true)
    while let found = next {
      var start = max(found.end, place.offset + 1)
      // White space between documents is not a fault.
      while start < data.count, isSeparator(data.bytes.byte(at: start)) { start += 1 }
      if start < data.count {
        place = repairer.position(of: start, after: place)
        next = repairer.next(from: place, isOneOfMany: true)
      } else {
        next = nil
      }
      let isLost = next == nil && start < data.count
      documents.append(isLost ? found.document.losingRest(at: place) : found.document.withoutRest)
    }
    return documents.isEmpty ? nil : documents
  }

  private init?(_ data: Data, options: PlistReadOptions) {
    // The text may be copied three times and become three times as long.
    guard data.count <= options.limits.givenByteCount, options.limits.canCopy(3 * data.count),
      !SignedMessage.begins(data), !PlistFormat.isBlank(data.bytes)
    else { return nil }
    (self.data, self.options, budget) = (data, options, 16 * data.count)
  }

  private static func isSeparator(_ byte: UInt8) -> Bool { byte == 0 || OpenStepScanner.isSpace(byte) }

  /// Reads the property list at `place`, or the next one that begins after it.
  private mutating func next(from place: PlistPosition, isOneOfMany: Bool = false) -> Found? {
    if let found = document(at: place, isOneOfMany) { return found }
    // After other text, or in another kind of file such as an executable, try whatever begins like a property list.
    guard let beginning = DocumentBeginning.next(in: data.bytes, after: place.offset),
      var found = document(at: position(of: beginning, after: place), isOneOfMany)
    else { return nil }
    let message = "found \(FileKind.name(data.bytes) ?? "other text") before the property list"
    let format = options.format ?? PlistFormatDetection(data[(data.startIndex + beginning)...].bytes).format
    let error = PlistError(code: .unknownFormat, message: message, at: place, format: format ?? .xml, path: nil)
    found.document.insert(PlistRepair(error: error, replacement: "nothing"))
    return found
  }

  private func position(of offset: Int, after place: PlistPosition) -> PlistPosition {
    var position = place
    position.advance(over: data.bytes, in: place.offset..<offset, encoding: .utf8)
    return position
  }

  /// Reads the property list at `place`, in the format that its first bytes suggest.
  private mutating func document(at place: PlistPosition, _ isOneOfMany: Bool) -> Found? {
    let slice = data[(data.startIndex + place.offset)...]
    switch options.format ?? PlistFormatDetection(slice.bytes).format {
    case .xml:
      let next = isOneOfMany ? Self.nextBeginning(in: slice.bytes) : slice.count
      if next < slice.count {
        if let found = xmlDocument(slice.prefix(next), at: place) { return found }
        // What looks like the beginning of the next document may be text inside this one.
        guard DocumentBeginning.isMarkup(slice.bytes, at: 0) else { return nil }
      }
      return spend(slice) ? xmlDocument(slice, at: place) : nil
    case .binary: return spend(slice) ? binaryDocument(slice) : nil
    case let format:
      guard isOneOfMany, place.offset > 0 else {
        return spend(slice) ? textDocument(slice, at: place, format ?? .openStep) : nil
      }
      // Almost any text could be repaired, so text after another document must be valid without repairs and begin with
      // a bracket.
      guard [0x7B, 0x28, 0x5B].contains(slice.bytes.byte(at: 0)), Self.nextBeginning(in: slice.bytes) == slice.count,
        spend(slice), let value = try? PropertyList(parsing: slice, options: options)
      else { return nil }
      return Found(document: RepairedPropertyList(value, repairs: [], count: 0), end: data.count)
    }
  }

  private mutating func spend(_ slice: Data) -> Bool {
    guard budget >= slice.count else { return false }
    budget -= slice.count
    return true
  }

  /// Returns the offset where the next XML document seems to begin, or the end if there is none.
  ///
  /// A document with an XML declaration ends at the next declaration, because a `<!DOCTYPE plist` or `<plist` before
  /// that belongs to it.
  private static func nextBeginning(in bytes: RawSpan) -> Int {
    let beginnings: [StaticString] = ["<?xml", "<!DOCTYPE plist", "<plist"]
    let start = OpenStepScanner.skipSpace(bytes, from: 0)
    let others = beginnings.prefix { !bytes.hasBytes($0, at: start) }.count + 1
    var offset = start
    repeat {
      offset = bytes.firstOffset(of: 0x3C, from: offset + 1)
    } while offset < bytes.byteCount && !beginnings.prefix(others).contains { bytes.hasBytes($0, at: offset) }
    return offset
  }

  private func binaryDocument(_ slice: Data) -> Found? {
    if let value = try? PropertyList(parsing: slice, options: options) {
      return Found(document: RepairedPropertyList(value, repairs: [], count: 0), end: data.count)
    }
    return BinaryRepairer.read(slice, options: options).map { Found(document: $0, end: data.count) }
  }

  private func xmlDocument(_ slice: Data, at place: PlistPosition) -> Found? {
    if let (source, invalid) = XMLEncoding.lenientSource(of: slice, at: place),
      let (document, end) = XMLRepairer.read(source, invalid, options: options)
    {
      return Found(document: document, end: source.originalOffset(of: end))
    }
    let text = RepairedText(slice, at: place, .xml)
    guard !text.repairs.isEmpty, let (document, end) = XMLRepairer.read(text.source, nil, options: options) else {
      return nil
    }
    return Found(
      document: document.with(text),
      end: text.hasExactOffsets ? text.source.originalOffset(of: end) : place.offset + slice.count)
  }

  private func textDocument(_ slice: Data, at place: PlistPosition, _ format: PlistFormat) -> Found? {
    var text = RepairedText(slice, at: place, format)
    text.skipInvisibleCharacters()
    let source = text.source
    let found: RepairedPropertyList?
    let format = options.format ?? PlistFormatDetection(source.data.bytes).format
    switch format {
    case .binary: return nil
    case .xml: found = XMLRepairer.read(source, nil, options: options)?.document
    default:
      let document = OpenedDocument(text: source, format: format ?? .openStep)
      if let value = try? PropertyListBuilder.build(document, options: options) {
        found = RepairedPropertyList(value, repairs: [], count: 0)
      } else {
        // A colon instead of an equals sign makes OpenStep text look like JSON, which has no semicolons.
        let isJSON = format == .json && source.data.bytes.firstOffset(of: 0x3B, from: 0) == source.data.count
        found = isJSON ? nil : OpenStepRepairer.read(source, options: options)
      }
    }
    return found.map { Found(document: $0.with(text), end: data.count) }
  }
}

extension RepairedPropertyList {
  /// Adds a repair before all others.
  fileprivate mutating func insert(_ repair: PlistRepair) {
    self = RepairedPropertyList(
      propertyList, repairs: Array(([repair] + repairs).prefix(Self.maximumRepairs)), count: repairCount + 1)
  }

  /// A copy without the repair for what follows, because that is the next property list.
  fileprivate var withoutRest: RepairedPropertyList {
    let others = repairs.filter { $0.replacement != RepairList.endOfDocument }
    return RepairedPropertyList(
      propertyList, repairs: others, count: repairCount - (repairs.count - others.count))
  }

  /// Returns a copy with a repair for the loss of whatever follows at `place`, unless there is one already.
  fileprivate func losingRest(at place: PlistPosition) -> RepairedPropertyList {
    if repairs.contains(where: { $0.replacement == RepairList.endOfDocument }) { return self }
    let error = PlistError(
      code: .unknownFormat, message: "found text after the property list that is not another one", at: place,
      format: .xml, path: nil)
    let repair = PlistRepair(error: error, replacement: RepairList.endOfDocument)
    return RepairedPropertyList(
      propertyList, repairs: Array((repairs + [repair]).prefix(Self.maximumRepairs)), count: repairCount + 1)
  }

  /// Returns a copy that includes the repairs made to the text before it was read.
  fileprivate func with(_ text: RepairedText) -> RepairedPropertyList {
    let all = (text.repairs + repairs).enumerated().sorted {
      let (one, other) = ($0.element.error, $1.element.error)
      return (one.line ?? 0, one.column ?? 0, $0.offset) < (other.line ?? 0, other.column ?? 0, $1.offset)
    }
    return RepairedPropertyList(
      propertyList, repairs: all.prefix(Self.maximumRepairs).map(\.element), count: repairCount + text.repairCount)
  }
}

/// A document in UTF-8, with repairs for bytes that are not valid in its encoding.
private struct RepairedText {
  private(set) var source: PlistSource
  private(set) var repairs: [PlistRepair] = []
  private(set) var repairCount = 0
  /// Whether offsets in ``source`` can be converted to offsets in the document.
  private(set) var hasExactOffsets = true
  private let format: PlistFormat

  /// Decodes a document that begins at `place`, using `format` in errors.
  ///
  /// A byte-order mark or zeros in the first bytes show that the text is in UTF-16 or UTF-32. Otherwise, bytes that are
  /// not valid UTF-8 are read as windows-1252.
  init(_ data: Data, at place: PlistPosition, _ format: PlistFormat) {
    self.format = format
    let bytes = data.bytes
    let (encoding, markLength) = XMLEncoding.mark(of: bytes) ?? (XMLEncoding.unmarkedJSON(bytes) ?? .utf8, 0)
    var start = place
    start.offset += markLength
    if encoding != .utf8 {
      var buffer = ByteBuffer(capacity: data.count)
      let invalid = bytes.transcode(from: encoding, start: markLength, into: &buffer)
      source = PlistSource(buffer.data(), encoding: encoding, start: start)
      if markLength == 0 {
        add("the text is in \(encoding.name) without a byte-order mark", .unknownEncoding, at: place, encoding.name)
      }
      if let invalid {
        let error = XMLEncoding.invalidText(bytes.byte(at: invalid), after: source)
        add(error.message, error.code, at: source.position(of: source.data.count), "the end of the document")
      }
      return
    }
    let text = data.dropFirst(markLength)
    source = PlistSource(text, start: start)
    if text.bytes.firstInvalidUTF8(in: 0..<text.count) != nil { decodeInvalidBytes() }
  }

  private mutating func add(_ message: String, _ code: PlistError.Code, at place: PlistPosition, _ replacement: String)
  {
    repairCount += 1
    guard repairs.count < RepairedPropertyList.maximumRepairs else { return }
    let error = PlistError(code: code, message: message, at: place, format: format, path: nil)
    repairs.append(PlistRepair(error: error, replacement: replacement))
  }

  private mutating func decodeInvalidBytes() {
    let (data, place) = (source.data, source.start)
    let bytes = data.bytes
    var buffer = ByteBuffer(capacity: data.count)
    var invalid: [(offset: Int, byte: UInt8, scalar: UInt32)] = []
    var offset = 0
    var isMixed = false
    while offset < bytes.byteCount {
      let next = bytes.firstInvalidUTF8(in: offset..<bytes.byteCount) ?? bytes.byteCount
      isMixed = isMixed || !bytes.isASCII(in: offset..<next)
      buffer.append(bytes.extracting(offset..<next))
      offset = next
      guard offset < bytes.byteCount else { break }
      let byte = bytes.byte(at: offset)
      let scalar = bytes.windowsLatin1Scalar(byte) ?? 0xFFFD
      if repairs.count + invalid.count < RepairedPropertyList.maximumRepairs {
        invalid.append((buffer.count, byte, scalar))
      } else {
        repairCount += 1
      }
      let encoded = UTF8Scalar(scalar)
      buffer.append(word: encoded.word, width: encoded.count)
      offset += 1
    }
    hasExactOffsets = !isMixed
    source = PlistSource(buffer.data(), encoding: isMixed ? .utf8 : .windowsLatin1, start: place)
    var lines = LineTable()
    for (offset, byte, scalar) in invalid {
      let character = scalar == 0xFFFD ? "U+FFFD" : "'\(Unicode.Scalar(scalar).map(String.init) ?? "")'"
      add(
        "byte 0x\(byte.hexadecimalDigits) is not valid UTF-8 here", .invalidText,
        at: lines.position(of: offset, in: source), "\(character), as in windows-1252")
    }
  }

  /// Skips invisible characters at the beginning, such as a second byte-order mark.
  mutating func skipInvisibleCharacters() {
    let bytes = source.data.bytes
    var offset = 0
    while offset < bytes.byteCount {
      let isNUL = bytes.byte(at: offset) == 0
      guard isNUL || InvisibleCharacter.isThere(bytes, at: offset) else { break }
      let message = "found \(source.character(at: offset)) before the property list"
      add(message, .unexpectedCharacter, at: source.position(of: offset), "nothing")
      offset += isNUL ? 1 : 3
    }
    guard offset > 0 else { return }
    source = PlistSource(
      source.data.dropFirst(offset), encoding: source.encoding, start: source.position(of: offset))
  }
}
