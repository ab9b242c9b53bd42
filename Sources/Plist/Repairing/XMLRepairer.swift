#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads malformed XML that ``XMLReader`` refuses.
///
/// ``XMLReader`` reads all tokens up to an error. The repairer then reads the malformed element or markup with
/// ``XMLLenient``, and moves the reader past it. Each malformed part is read at most four times, so the time is linear
/// in the size of the document.
struct XMLRepairer {
  private var reader: XMLReader
  private let source: PlistSource
  private let refusesDuplicates: Bool
  /// Whether to ignore that an element refers to another one, as Foundation does.
  private let ignoresReferences: Bool
  /// The open containers, outermost first.
  private var containers: [Container] = []
  /// The offset after the property list, once its end is known.
  private var end = 0
  /// The value of the document, or nil until it is complete.
  private var root: PropertyList?
  private var repairs: RepairList

  /// An open container, with its complete values.
  private struct Container {
    let isDictionary: Bool
    /// The offset of the opening tag.
    let opened: Int
    var keys: [String] = []
    var values: [PropertyList] = []
  }

  private init(_ source: PlistSource, options: PlistReadOptions, ignoresReferences: Bool) {
    self.source = source
    repairs = RepairList(source)
    reader = XMLReader(limits: options.limits)
    refusesDuplicates = options.duplicateKeys == .refuse
    self.ignoresReferences = ignoresReferences
  }

  /// Returns the value and the repairs of a malformed XML document, or nil if it is beyond repair.
  ///
  /// Unless `asFoundation` is true, an element that refers to another one is beyond repair, because it would be read as
  /// empty.
  static func read(_ data: Data, options: PlistReadOptions, asFoundation: Bool) -> RepairedPropertyList? {
    guard data.count <= options.limits.givenByteCount, MemoryBlock.isAvailable(3 * data.count),
      (options.format ?? PlistFormatDetection(data.bytes).format) == .xml,
      let (source, invalid) = XMLEncoding.lenientSource(of: data)
    else { return nil }
    return read(source, invalid, options: options, asFoundation: asFoundation)?.document
  }

  /// Returns the value and the repairs of a malformed XML document and the offset in `source` after the property list,
  /// or nil if the document is beyond repair.
  ///
  /// `invalid` describes the first bytes that are invalid in the document's encoding, if any.
  static func read(
    _ source: PlistSource, _ invalid: XMLEncoding.InvalidText?, options: PlistReadOptions, asFoundation: Bool = false
  ) -> (document: RepairedPropertyList, end: Int)? {
    var repairer = XMLRepairer(source, options: options, ignoresReferences: asFoundation)
    guard let value = try? repairer.document(invalid) else { return nil }
    let repairs = repairer.repairs
    return (RepairedPropertyList(value, repairs: repairs.located(.xml), count: repairs.count), repairer.end)
  }

  private mutating func note(_ failure: XMLFailure, replacement: String) {
    let (reader, source, path) = (reader, source, path)
    repairs.add(at: failure.offset, replacement: replacement) {
      let (code, message) = reader.explanation(of: failure, in: source)
      return PlistError(code: code, message: message, path: path)
    }
  }

  /// Counts a repair of bytes that are invalid in the document's encoding.
  private mutating func note(_ invalid: XMLEncoding.InvalidText, replacement: String) {
    repairs.add(at: invalid.offset, replacement: replacement) {
      PlistError(code: invalid.error.code, message: invalid.error.message)
    }
  }

  /// The path of the next value, or the path of the innermost container if a key comes next.
  private var path: PropertyListPath {
    PropertyListPath(
      components: containers.compactMap { container in
        guard container.isDictionary else { return String(container.values.count) }
        return container.keys.count > container.values.count ? container.keys.last : nil
      })
  }

  /// Reads the document; `invalid` describes the first bytes that are invalid in its encoding, if any.
  private mutating func document(_ invalid: XMLEncoding.InvalidText?) throws -> PropertyList {
    // `bytes` is valid only while its source exists, so keep the source while `self` changes.
    let source = source
    let bytes = source.data.bytes
    if let invalid, source.encoding == .isoLatin1 { note(invalid, replacement: "ISO-8859-1") }
    while true {
      let token: PlistToken
      do throws(XMLFailure) { token = try reader.next(in: bytes) } catch {
        if let root, reader.top.kind == .document {
          end = error.offset
          // Foundation ignores whatever follows the root.
          note(error, replacement: RepairList.endOfDocument)
          return root
        }
        try repair(error, in: bytes)
        continue
      }
      if token.kind == .end {
        end = bytes.byteCount
        if let invalid, source.encoding != .isoLatin1 { note(invalid, replacement: RepairList.endOfDocument) }
        if let root { return root }
        throw XMLFailure(.emptyDocument, at: reader.offset)
      }
      try take(token, in: bytes)
    }
  }
}

/// Builds the value from tokens.
extension XMLRepairer {
  private mutating func take(_ token: PlistToken, in bytes: RawSpan) throws(XMLFailure) {
    switch token.kind {
    case .key: containers[containers.count - 1].keys.append(bytes.decodedText(token))
    case .beginArray, .beginDictionary:
      containers.append(Container(isDictionary: token.kind == .beginDictionary, opened: reader.tokenStart))
    case .endArray: complete(.array(containers.removeLast().values))
    case .endDictionary:
      let container = containers.removeLast()
      complete(try dictionary(container))
    default: complete(PropertyList(scalar: token, in: source, bytes))
    }
  }

  private mutating func complete(_ value: PropertyList) {
    if containers.isEmpty { root = value } else { containers[containers.count - 1].values.append(value) }
  }

  /// Returns the dictionary of a complete container, or a UID if its only key is `CF$UID` and the value is a number.
  private mutating func dictionary(_ container: Container) throws(XMLFailure) -> PropertyList {
    let dictionary = PropertyListDictionary(
      keys: container.keys, values: container.values, duplicates: PlistFormat.xml.duplicateKeys)
    if refusesDuplicates, dictionary.count < container.keys.count {
      throw XMLFailure(.missingKey, at: container.opened)
    }
    guard dictionary.count == 1, let number = dictionary[PropertyListUID.dictionaryKey] else {
      return .dictionary(dictionary)
    }
    let uid: PropertyListUID
    switch number {
    case .integer(let integer):
      uid = PropertyListUID(UInt32(truncatingIfNeeded: integer.bits))
      if UInt32(exactly: integer) != nil { return .uid(uid) }
    case .real(let real):
      // For a real number of magnitude 2³¹ or more, the UID that Foundation reads depends on the processor.
      guard real.magnitude < 0x1p31 else { throw XMLFailure(.invalidUID, at: container.opened) }
      uid = PropertyListUID(UInt32(bitPattern: Int32(real)))
    default: return .dictionary(dictionary)
    }
    note(XMLFailure(.invalidUID, at: container.opened), replacement: "the UID \(uid.value)")
    return .uid(uid)
  }
}

/// Repairs one malformed element or other markup.
extension XMLRepairer {
  /// Reads the malformed element or markup, or throws if it is beyond repair.
  private mutating func repair(_ failure: XMLFailure, in bytes: RawSpan) throws(XMLFailure) {
    let start = XMLScanner.skipSpace(bytes, from: reader.offset)
    guard start + 1 < bytes.byteCount, bytes.byte(at: start) == 0x3C else { throw failure }
    switch bytes.byte(at: start + 1) {
    case 0x2F: throw failure
    case 0x21, 0x3F:
      guard failure.reason == .nul || failure.reason == .emptyTag else { throw failure }
      let isBeforeRoot = reader.top.kind == .document
      let end = try XMLLenient.markupEnd(bytes, at: start, isBeforeRoot: isBeforeRoot)
      note(failure, replacement: "white space")
      reader.offset = end
    default: try repairElement(at: start, in: bytes)
    }
  }

  private mutating func repairElement(at start: Int, in bytes: RawSpan) throws(XMLFailure) {
    let tag: XMLTag
    do { tag = try XMLScanner.openTag(bytes, at: start) } catch {
      switch error.reason {
      case .elementReference where ignoresReferences: note(error, replacement: "an element of its own")
      case .markupInAttribute, .nul: note(error, replacement: "a tag that ends at its first '>'")
      default: throw error
      }
      tag = try XMLLenient.openTag(bytes, at: start)
    }
    do {
      if let token = try reader.element(tag, bytes, at: start) { try take(token, in: bytes) }
    } catch {
      if error.reason == .invalidUID {
        // A dictionary with an invalid UID is repaired once its last value has been read.
        try reader.begin(.dictionary, tag, at: start)
        try take(PlistToken(.beginDictionary), in: bytes)
      } else {
        try repairContent(of: tag, error, at: start, in: bytes)
      }
    }
  }

  /// Reads the malformed content of an element after its opening tag, giving it the same value as Foundation.
  private mutating func repairContent(
    of tag: XMLTag, _ failure: XMLFailure, at start: Int, in bytes: RawSpan
  ) throws(XMLFailure) {
    guard !tag.isEmpty else { throw failure }
    let value: PropertyList
    let end: Int
    switch (tag.element, failure.reason) {
    case (.string, .nul), (.string, .nulReference), (.string, .invalidReference), (.string, .invalidUTF8),
      (.key, .nul), (.key, .nulReference), (.key, .invalidReference), (.key, .invalidUTF8):
      let read = try XMLLenient.text(bytes, from: tag.end, opened: start, limit: repairs.room)
      for fault in read.faults { note(fault, replacement: fault.reason == .invalidUTF8 ? "U+FFFD" : "U+0000") }
      repairs.add(count: read.faultCount - read.faults.count)
      (value, end) = (.string(read.text), read.end)
    case (.integer, .invalidInteger):
      let read = try XMLLenient.integer(bytes, from: tag.end)
      note(failure, replacement: read.0.integer.description)
      (value, end) = (.integer(read.0.integer), read.1)
    case (.real, .invalidReal), (.real, .nul), (.real, .nulReference), (.real, .invalidReference),
      (.real, .invalidUTF8):
      let read = try XMLLenient.real(bytes, from: tag.end, opened: start)
      let real = Double(bitPattern: read.0.first)
      note(failure, replacement: "\(real)")
      (value, end) = (.real(real), read.1)
    case (.date, _) where failure.reason.element == .date:
      let read = try XMLLenient.date(bytes, from: tag.end)
      let seconds = Double(bitPattern: read.0.first)
      let date = GregorianDate(secondsSinceReference: seconds)
      note(failure, replacement: date?.description ?? "\(seconds) seconds after 2001-01-01T00:00:00Z")
      (value, end) = (.date(Date(timeIntervalSinceReferenceDate: seconds)), read.1)
    case (.data, _) where failure.reason.element == .data || failure.reason == .nul:
      let read = try XMLLenient.data(bytes, from: tag.end)
      note(failure, replacement: read.0.count == 1 ? "data of 1 byte" : "data of \(read.0.count) bytes")
      (value, end) = (.data(read.0), read.1)
    default: throw failure
    }
    let offset = try XMLScanner.closeTag(tag.element, bytes, at: end, opened: start)
    let isKey = reader.completeElement(from: start, to: offset)
    if isKey { containers[containers.count - 1].keys.append(value.string ?? "") } else { complete(value) }
  }
}
