#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

typealias SequentialBinaryFailure = ReadFailure<SequentialBinaryFailureReason>

/// The reasons why a `bplist16` or `bplist17` document cannot be read.
enum SequentialBinaryFailureReason {
  /// The document ends at an offset at which an object must begin.
  case missingObject
  /// The first byte of an object is not supported; `detail` is this byte.
  case marker
  case length
  /// An object is too long; `detail` is the largest allowed offset of the object's end.
  case payload
  /// A container ends before its contents begin; `detail` is the offset of the container's last byte.
  case containerEnd
  case terminator, nonASCII, surrogate
  case key, missingValue, cycle
  /// The target of a reference is invalid; `detail` is the offset of the target.
  case reference
  /// A reference has an unsupported size; `detail` is the size in bytes.
  case referenceSize
  /// The document exceeds a limit; `detail` is this limit.
  case depth, tooManyValues, tooMuchPayload
}

extension SequentialBinaryReader {
  init(_ source: PlistSource, limits: PlistLimits, from offset: Int = BinaryObjectTable.magicSize) {
    self.init(source.data.bytes, limits: limits, from: offset)
  }

  func error(for failure: SequentialBinaryFailure, in source: PlistSource) -> PlistError {
    let (code, message) = explanation(of: failure, in: source.data.bytes)
    return PlistError(
      code: code, message: message, format: .binary, offset: failure.offset, path: path(in: source), source: source)
  }

  private func explanation(
    of failure: SequentialBinaryFailure, in bytes: RawSpan
  ) -> (PlistError.Code, String) {
    let detail = failure.detail
    func object() -> String { Self.name(ofObjectAt: failure.offset, in: bytes) }
    switch failure.reason {
    case .missingObject: return (.truncated, "the document ends before its first object")
    case .marker:
      return (.invalidObject, "an object has the unknown marker 0x\(UInt8(detail).hexadecimalDigits)")
    case .length: return (.invalidObject, "the length of an object is not an integer of 1 to 8 bytes")
    case .payload:
      return detail == bytes.byteCount
        ? (.truncated, "the document ends within \(object())")
        : (.invalidObject, "\(object()) extends beyond the end of its container at byte \(detail)")
    case .containerEnd:
      return (.invalidOffset, "\(object()) ends at byte \(detail), before its contents begin")
    case .terminator: return (.invalidText, "an ASCII string has no zero byte at its end")
    case .nonASCII:
      let byte = bytes.byte(at: failure.offset).hexadecimalDigits
      return (.invalidText, "a string that is marked as ASCII contains the byte 0x\(byte)")
    case .surrogate: return (.invalidText, "a UTF-16 string contains an unpaired surrogate")
    case .key: return (.invalidKey, "a dictionary key is \(object()); keys must be strings or null")
    case .missingValue: return (.invalidObject, "the last key of a dictionary has no value")
    case .cycle: return (.cycle, "\(object()) contains itself")
    case .reference:
      return (.invalidObjectReference, "found a reference to byte \(detail), at which no object can begin")
    case .referenceSize: return (.invalidObject, "a reference has \(detail) bytes; references have 1 to 8 bytes")
    case .depth: return (.depthLimit, "containers nest deeper than the limit of \(detail) levels")
    case .tooManyValues:
      return (.expandedObjectsLimit, "the document expands to more values than the limit of \(detail)")
    case .tooMuchPayload:
      return (
        .expandedObjectsLimit, "the total size of strings and data exceeds the limit of \(detail) bytes"
      )
    }
  }

  private static func name(ofObjectAt offset: Int, in bytes: RawSpan) -> String {
    switch offset < bytes.byteCount ? bytes.byte(at: offset) >> 4 : 0 {
    case 0x1, 0xF: "an integer"
    case 0x2: "a real number"
    case 0x4: "data"
    case 0x6: "a UTF-16 string"
    case 0x7: "an ASCII string"
    case 0x8: "a reference"
    case 0xA: "an array"
    case 0xB, 0xC: "a boolean"
    case 0xD: "a dictionary"
    case 0xE: "null"
    default: "an object"
    }
  }

  func path(in source: PlistSource) -> PropertyListPath {
    var components: [String] = []
    for frame in open {
      if !frame.isDictionary {
        components.append(String(frame.count))
      } else if let key = frame.key {
        components.append(source.data.bytes.decodedText(key))
      }
    }
    return PropertyListPath(components: components)
  }
}
