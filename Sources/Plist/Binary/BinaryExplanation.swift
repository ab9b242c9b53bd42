#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The code and the message of a failure in a binary property list.
struct BinaryExplanation {
  private let failure: BinaryFailure
  private let source: PlistSource

  init(_ failure: BinaryFailure, source: PlistSource) {
    self.failure = failure
    self.source = source
  }

  static func longKeys(_ limit: Int) -> String {
    "the total size of the dictionary's keys exceeds the limit of \(limit) bytes, "
      + "because many pairs refer to the same long key"
  }

  static func repeatedLongKeys(_ limit: Int) -> String {
    "the total size of the keys in all dictionaries exceeds the limit of \(limit) bytes, "
      + "because many dictionaries refer to the same long keys"
  }

  func error(path: PropertyListPath?) -> PlistError {
    let (code, message) = ofTrailer ?? ofObject
    return PlistError(
      code: code, message: message, format: .binary, offset: failure.offset, path: path, source: source)
  }

  /// The code and message of a failure in the magic bytes, the trailer or the offset table; nil for other failures.
  private var ofTrailer: (PlistError.Code, String)? {
    let detail = failure.detail
    switch failure.reason {
    case .tooShort:
      return (.truncated, "the document has \(source.data.count) bytes; a binary property list has at least 42 bytes")
    case .magic: return (.unknownFormat, "the document does not begin with \"bplist\"")
    case .version:
      let digits = [UInt8(truncatingIfNeeded: detail >> 8), UInt8(truncatingIfNeeded: detail)]
      let version = digits.map { 0x20..<0x7F ~= $0 ? String(Unicode.Scalar($0)) : "?" }.joined()
      return (
        .unsupportedFormat,
        "unsupported binary plist version \"\(version)\"; only \"00\", \"16\" and \"17\" can be read"
      )
    case .noObjects:
      return (
        .invalidTrailer,
        "the trailer states that the document has 0 objects; a property list has at least one object"
      )
    case .sizeOfZero:
      let what = failure.offset == trailer + 6 ? "offsets" : "references"
      return (.invalidTrailer, "the trailer states a size of 0 bytes for \(what); \(Self.hint)")
    case .referenceSize:
      let (size, objects) = (Self.count(referenceSize, "byte"), Self.count(objectCount, "object"))
      return (
        .invalidTrailer, "the trailer states a size of \(size) for references, which is too small for \(objects)"
      )
    case .offsetSize:
      let size = Self.count(offsetSize, "byte")
      return (
        .invalidTrailer,
        "the trailer states a size of \(size) for offsets, which is too small for \(tableOffset) bytes of objects"
      )
    case .tableOffset: return (.invalidTrailer, "\(misplacedTable); \(Self.hint)")
    case .topObject:
      return (
        .invalidTrailer, "the trailer states that the top object is object \(detail), but \(numberOfObjects)"
      )
    case .offset:
      // The entry size of the offset table is clamped, because a mapped file can change after its trailer has been
      // checked.
      let width = min(max(Int(offsetSize), 1), 8)
      let start = failure.offset + max(0, Int(offsetSize) - width)
      let bytes = source.data.bytes
      let offset = start <= bytes.byteCount - width ? bytes.bigEndian(at: start, width: width) : 0
      let end = max(tableOffset, 1) - 1
      return (
        .invalidOffset,
        "the offset table puts object \(detail) at byte \(offset), but objects are at bytes 8 to \(end)"
      )
    default: return nil
    }
  }

  private var misplacedTable: String {
    let size = UInt64(source.data.count)
    // The message quotes the trailer's object count and table offset only if both are less than the document's size. If
    // either field is at least the document's size, the last bytes of the document are probably not a trailer.
    guard objectCount < size, tableOffset < size else {
      return "the trailer describes an offset table that is not inside the document"
    }
    let entries = "\(Self.count(objectCount, "entry")) of \(Self.count(offsetSize, "byte"))"
    return
      "the offset table (\(entries) from byte \(tableOffset)) does not end at byte \(trailer), where the trailer begins"
  }

  private var ofObject: (PlistError.Code, String) {
    let detail = failure.detail
    switch failure.reason {
    case .reference:
      return (.invalidObjectReference, "found a reference to object \(detail), but \(numberOfObjects)")
    case .marker:
      return (.invalidObject, "an object has the unknown marker 0x\(UInt8(detail).hexadecimalDigits)")
    case .count: return (.invalidObject, "the size of an object is not a complete integer")
    case .payload:
      return (.invalidObject, "\(object(sized: true)) extends beyond the end of the objects at byte \(tableOffset)")
    case .integerSize: return (.invalidObject, "an integer has \(detail) bytes; the maximum is 16 bytes")
    case .integerRange: return (.invalidInteger, "an integer is not in the range of -2^63 to 2^64 - 1")
    case .uidRange: return (.invalidUID, "a UID is larger than 4294967295")
    case .nonASCII:
      let byte = source.data.bytes.byte(at: failure.offset).hexadecimalDigits
      return (.invalidText, "a string that is marked as ASCII contains the byte 0x\(byte)")
    case .surrogate: return (.invalidText, "a UTF-16 string contains an unpaired surrogate")
    case .key: return (.invalidKey, "a dictionary key is \(object(sized: false)); keys must be strings")
    case .cycle: return (.cycle, "\(object(sized: false)) contains itself")
    case .depth: return (.depthLimit, "containers nest deeper than the limit of \(detail) levels")
    case .tooManyValues:
      return (.expandedObjectsLimit, "the document expands to more values than the limit of \(detail)")
    case .tooMuchPayload:
      return (
        .expandedObjectsLimit,
        "the total size of strings and data that share bytes exceeds the limit of \(detail) bytes"
      )
    case .longKeys: return (.expandedObjectsLimit, Self.longKeys(detail))
    case .repeatedLongKeys: return (.expandedObjectsLimit, Self.repeatedLongKeys(detail))
    default: return (.invalidObject, "an object is malformed")
    }
  }

  /// Returns the kind of the object at the position of the failure and, if `sized` is true, the object's size.
  ///
  /// The object's marker determines the kind, and the failure's detail determines the size.
  private func object(sized: Bool) -> String {
    let bytes = source.data.bytes
    let marker = failure.offset < bytes.byteCount ? bytes.byte(at: failure.offset) : 0xFF
    let number = UInt64(clamping: failure.detail)
    func of(_ unit: String) -> String { sized ? " of \(Self.count(number, unit))" : "" }
    switch marker >> 4 {
    case 0x0: return marker == 0 ? "null" : "a boolean"
    case 0x1: return "an integer\(of("byte"))"
    case 0x2: return "a real number\(of("byte"))"
    case 0x3: return "a date\(of("byte"))"
    case 0x4: return "data\(of("byte"))"
    case 0x5: return "an ASCII string\(of("byte"))"
    case 0x6: return "a UTF-16 string\(of("code unit"))"
    case 0x8: return "a UID\(of("byte"))"
    case 0xA: return "an array\(of("element"))"
    case 0xB, 0xC: return "a set\(of("element"))"
    case 0xD: return "a dictionary\(of("pair"))"
    default: return "an object"
    }
  }

  private static let hint = "the document is possibly truncated, or has bytes after its end"

  private static func count(_ count: UInt64, _ noun: String) -> String {
    if count == 1 { return "1 \(noun)" }
    return "\(count) " + (noun.hasSuffix("y") ? "\(noun.dropLast())ies" : "\(noun)s")
  }

  private var numberOfObjects: String {
    "the document has only \(Self.count(objectCount, "object")), numbered from 0"
  }

  // The fields of the trailer; their values are valid only if the document has a trailer.
  private var trailer: Int { source.data.count - BinaryObjectTable.trailerSize }
  private var offsetSize: UInt64 { field(6, width: 1) }
  private var referenceSize: UInt64 { field(7, width: 1) }
  private var objectCount: UInt64 { field(8, width: 8) }
  private var tableOffset: UInt64 { field(24, width: 8) }

  private func field(_ offset: Int, width: Int) -> UInt64 {
    source.data.bytes.bigEndian(at: trailer + offset, width: width)
  }
}
