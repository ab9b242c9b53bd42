#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

typealias BinaryFailure = ReadFailure<BinaryFailureReason>

/// Why a binary document cannot be read; ``BinaryFailure/explanation(in:)`` has the messages.
enum BinaryFailureReason {
  case tooShort, magic
  /// `detail` has the ASCII codes of the version's two digits, the first in the higher byte.
  case version
  case noObjects, sizeOfZero, referenceSize, offsetSize, tableOffset
  /// The number of the top object is too large; `detail` is that number.
  case topObject
  /// An object's offset is invalid; `detail` is the object's number, and `offset` is where its entry in the offset
  /// table is.
  ///
  /// If the number is unknown, `detail` is −1 and `offset` is the invalid offset.
  case offset
  /// A reference is invalid; `detail` is the reference.
  case reference
  /// A marker is not supported; `detail` is the marker.
  case marker
  case count
  /// An object is too long; `detail` is its number of bytes, code units, elements or pairs.
  case payload
  /// `detail` is the size of the integer in bytes.
  case integerSize
  case integerRange, uidRange, nonASCII, surrogate
  case key, cycle
  /// A limit is exceeded; `detail` is the limit.
  case depth, tooManyValues, tooMuchPayload, longKeys, repeatedLongKeys
}

extension BinaryFailure {
  /// Creates the failure for a long key that exceeds a limit of `budget`.
  init(_ limit: ReadBudget.KeyLimit, at offset: Int, of budget: ReadBudget) {
    switch limit {
    case .ofDictionary: self.init(.longKeys, at: offset, detail: budget.dictionaryKeyLimit)
    case .ofDocument: self.init(.repeatedLongKeys, at: offset, detail: budget.longKeyLimit)
    }
  }

  func error(path: PropertyListPath? = nil, in source: PlistSource) -> PlistError {
    error(explanation(in: source), format: .binary, path: path, in: source)
  }

  func explanation(in source: PlistSource) -> (PlistError.Code, String) {
    let bytes = source.data.bytes
    var trailer: BinaryTrailer { BinaryTrailer(of: source.data.bytes) }
    switch reason {
    case .tooShort:
      return (.truncated, "the document has \(bytes.byteCount) bytes; a binary property list has at least 42 bytes")
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
        .invalidTrailer, "the trailer states that the document has 0 objects; a property list has at least one object"
      )
    case .sizeOfZero:
      let what = offset == trailer.start + 6 ? "offsets" : "references"
      return (.invalidTrailer, "the trailer states a size of 0 bytes for \(what); \(BinaryTrailer.hint)")
    case .referenceSize:
      let (size, objects) = (counted(trailer.referenceSize, "byte"), counted(trailer.objectCount, "object"))
      return (
        .invalidTrailer, "the trailer states a size of \(size) for references, which is too small for \(objects)"
      )
    case .offsetSize:
      let (size, objects) = (counted(trailer.offsetSize, "byte"), "\(trailer.tableOffset) bytes of objects")
      return (.invalidTrailer, "the trailer states a size of \(size) for offsets, which is too small for \(objects)")
    case .tableOffset: return (.invalidTrailer, "\(trailer.misplacedTable); \(BinaryTrailer.hint)")
    case .topObject:
      return (
        .invalidTrailer, "the trailer states that the top object is object \(detail), but \(trailer.numberOfObjects)"
      )
    case .offset:
      let end = max(trailer.tableOffset, 1) - 1
      return (
        .invalidOffset,
        "the offset table puts object \(detail) at byte \(trailer.entry(at: offset, in: bytes)), "
          + "but objects are at bytes 8 to \(end)"
      )
    case .reference:
      return (.invalidObjectReference, "found a reference to object \(detail), but \(trailer.numberOfObjects)")
    case .marker: return (.invalidObject, "an object has the unknown marker 0x\(UInt8(detail).hexadecimalDigits)")
    case .count: return (.invalidObject, "the size of an object is not a complete integer")
    case .payload:
      let object = object(sized: true, in: bytes)
      return (.invalidObject, "\(object) extends beyond the end of the objects at byte \(trailer.tableOffset)")
    case .integerSize: return (.invalidObject, "an integer has \(detail) bytes; the maximum is 16 bytes")
    case .integerRange: return (.invalidInteger, "an integer is not in the range of -2^63 to 2^64 - 1")
    case .uidRange: return (.invalidUID, "a UID is larger than 4294967295")
    case .nonASCII:
      let byte = bytes.byte(at: offset).hexadecimalDigits
      return (.invalidText, "a string that is marked as ASCII contains the byte 0x\(byte)")
    case .surrogate: return (.invalidText, "a UTF-16 string contains an unpaired surrogate")
    case .key: return (.invalidKey, "a dictionary key is \(object(sized: false, in: bytes)); keys must be strings")
    case .cycle: return (.cycle, "\(object(sized: false, in: bytes)) contains itself")
    case .depth: return (.depthLimit, PlistError.depthMessage(detail))
    case .tooManyValues:
      return (.expandedObjectsLimit, "the document expands to more values than the limit of \(detail)")
    case .tooMuchPayload:
      return (
        .expandedObjectsLimit,
        "the total size of strings and data that share bytes exceeds the limit of \(detail) bytes"
      )
    case .longKeys:
      return (
        .expandedObjectsLimit,
        "the total size of the dictionary's keys exceeds the limit of \(detail) bytes, "
          + "because many pairs refer to the same long key"
      )
    case .repeatedLongKeys:
      return (
        .expandedObjectsLimit,
        "the total size of the keys in all dictionaries exceeds the limit of \(detail) bytes, "
          + "because many dictionaries refer to the same long keys"
      )
    }
  }

  /// Describes the object in which the failure occurred by its kind and, if `sized` is true, its size.
  ///
  /// The kind is taken from the object's marker, and the size from the failure's detail.
  private func object(sized: Bool, in bytes: RawSpan) -> String {
    let marker = offset < bytes.byteCount ? bytes.byte(at: offset) : 0xFF
    let number = UInt64(clamping: detail)
    func of(_ unit: String) -> String { sized ? " of \(counted(number, unit))" : "" }
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
}

/// The unchecked fields of the trailer; the document must have at least 32 bytes.
private struct BinaryTrailer {
  let start: Int
  let offsetSize: UInt64
  let referenceSize: UInt64
  let objectCount: UInt64
  let tableOffset: UInt64

  static let hint = "the document is possibly truncated, or has bytes after its end"

  init(of bytes: RawSpan) {
    start = bytes.byteCount - BinaryObjectTable.trailerSize
    offsetSize = bytes.bigEndian(at: start + 6, width: 1)
    referenceSize = bytes.bigEndian(at: start + 7, width: 1)
    objectCount = bytes.bigEndian(at: start + 8, width: 8)
    tableOffset = bytes.bigEndian(at: start + 24, width: 8)
  }

  var numberOfObjects: String { "the document has only \(counted(objectCount, "object")), numbered from 0" }

  var misplacedTable: String {
    let size = UInt64(start + BinaryObjectTable.trailerSize)
    // Quote the fields only if both are below the document's size; otherwise, these bytes are probably not a trailer.
    guard objectCount < size, tableOffset < size else {
      return "the trailer describes an offset table that is not inside the document"
    }
    let entries = "\(counted(objectCount, "entry")) of \(counted(offsetSize, "byte"))"
    return
      "the offset table (\(entries) from byte \(tableOffset)) does not end at byte \(start), where the trailer begins"
  }

  /// Returns the offset stored in the table entry at `position`.
  func entry(at position: Int, in bytes: RawSpan) -> UInt64 {
    // Clamp the width, because a mapped file may have changed since its trailer was checked.
    let width = min(max(Int(offsetSize), 1), 8)
    let start = position + max(0, Int(offsetSize) - width)
    return start <= bytes.byteCount - width ? bytes.bigEndian(at: start, width: width) : 0
  }
}

private func counted(_ count: UInt64, _ noun: String) -> String {
  if count == 1 { return "1 \(noun)" }
  return "\(count) " + (noun.hasSuffix("y") ? "\(noun.dropLast())ies" : "\(noun)s")
}

extension BinaryReader {
  func error(for failure: BinaryFailure, in source: PlistSource) -> PlistError {
    placed(failure).error(path: path(in: source), in: source)
  }

  /// Moves a failure about an invalid offset to the object's entry in the offset table.
  private func placed(_ failure: BinaryFailure) -> BinaryFailure {
    guard failure.reason == .offset else { return failure }
    return BinaryFailure(.offset, at: table.tableOffset + object * table.offsetSize, detail: object)
  }

  func path(in source: PlistSource) -> PropertyListPath {
    let bytes = source.data.bytes
    var components: [String] = []
    for frame in depth > 0 ? parents + [top] : [] {
      // In every open container but the innermost, `position` is one past the child being read.
      let isInnermost = components.count == depth - 1
      let position = isInnermost ? frame.position : frame.position - 1
      if !frame.isDictionary {
        components.append(String(position))
      } else if !isInnermost || frame.hasKey {
        components.append(key(of: frame, at: position, in: bytes) ?? "?")
      }
    }
    return PropertyListPath(components: components)
  }

  private func key(of frame: Frame, at position: Int, in bytes: RawSpan) -> String? {
    guard let object = try? table.reference(at: frame.start + position * table.referenceSize, in: bytes),
      let head = try? BinaryObject(at: table.offset(of: object, in: bytes), in: bytes, of: table)
    else { return nil }
    let range = head.start..<head.start + head.count
    return head.kind == .asciiString ? String(utf8: bytes, in: range) : String(utf16BigEndian: bytes, in: range)
  }
}
