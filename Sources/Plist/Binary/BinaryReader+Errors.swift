#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension BinaryReader {
  /// Checks the table of `source`.
  init(_ source: PlistSource, limits: PlistLimits, sharesObjects: Bool) throws(PlistError) {
    do { try self.init(source.data.bytes, limits: limits, sharesObjects: sharesObjects) } catch {
      throw error.error(path: nil, source: source)
    }
  }

  func error(for failure: BinaryFailure, in source: PlistSource) -> PlistError {
    failure.error(path: path(in: source), source: source)
  }

  func error(_ code: PlistError.Code, _ message: String, in source: PlistSource) -> PlistError {
    PlistError(
      code: code, message: message, format: .binary, offset: tokenStart, path: path(in: source), source: source)
  }

  /// The path of the value that is being read.
  private func path(in source: PlistSource) -> PropertyListPath {
    let bytes = source.data.bytes
    var components: [String] = []
    for frame in frames {
      // The frames outside the innermost have already moved on to what comes after it.
      let isInnermost = components.count == frames.count - 1
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

extension BinaryFailure {
  /// The error to report, with the path of the value concerned where there is one.
  func error(path: PropertyListPath?, source: PlistSource) -> PlistError {
    let (code, message) = explanation
    return PlistError(
      code: code, message: message, format: .binary, offset: offset, path: path, source: source)
  }

  private var explanation: (PlistError.Code, String) {
    switch reason {
    case .tooShort: return (.truncated, "the document is shorter than any binary property list")
    case .magic: return (.unknownFormat, "the document does not begin with \"bplist\"")
    case .version:
      let digits = [UInt8(truncatingIfNeeded: detail >> 8), UInt8(truncatingIfNeeded: detail)]
      let version = digits.map { 0x20..<0x7F ~= $0 ? String(Unicode.Scalar($0)) : "?" }.joined()
      return (.unsupportedFormat, "unsupported binary plist version \"\(version)\"; only \"00\" can be read")
    case .noObjects: return (.invalidTrailer, "the trailer says that there are no objects")
    case .sizeOfZero: return (.invalidTrailer, "the trailer gives offsets or references a size of 0 bytes")
    case .referenceSize: return (.invalidTrailer, "the references are too small for the number of objects")
    case .offsetSize: return (.invalidTrailer, "the offsets are too small for the size of the document")
    case .tableOffset:
      return (
        .invalidTrailer, "the offset table does not lie between the objects and the trailer; is the file cut off?"
      )
    case .topObject: return (.invalidTrailer, "the top object, \(detail), is not one of the objects")
    case .offset:
      let object = detail < 0 ? "an object" : "object \(detail)"
      return (.invalidOffset, "the offset of \(object) is outside the objects")
    case .reference: return (.invalidObjectReference, "a reference to object \(detail), which does not exist")
    case .marker: return (.invalidObject, "an unknown object marker, 0x\(String(detail, radix: 16, uppercase: true))")
    case .count: return (.invalidObject, "an object whose count is not an integer")
    case .payload: return (.invalidObject, "an object that runs past the end of the objects")
    case .integerSize: return (.invalidObject, "an integer of \(detail) bytes; 16 are the most")
    case .integerRange: return (.invalidInteger, "an integer that is not in the range of -2^63 to 2^64 - 1")
    case .uidRange: return (.invalidUID, "a UID that does not fit in 32 bits")
    case .nonASCII: return (.invalidText, "an ASCII string with a byte above 0x7F")
    case .surrogate: return (.invalidText, "a UTF-16 string with an unpaired surrogate")
    case .key: return (.invalidKey, "a dictionary key that is not a string")
    case .cycle: return (.cycle, "a container that holds itself")
    case .depth: return (.depthLimit, "containers nest deeper than the limit")
    case .tooManyValues:
      return (.expandedObjectsLimit, "the document expands to more values than the limit allows")
    }
  }
}
