#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads binary documents whose strings are not in the encoding that their markers indicate.
///
/// A repaired document consists of the original objects, followed by valid strings and an offset table that refers to
/// them. This way, objects stay shared and the limits still apply.
enum BinaryRepairer {
  static func read(_ data: Data, options: PlistReadOptions) -> RepairedPropertyList? {
    let bytes = data.bytes
    guard let table = try? BinaryObjectTable(bytes) else { return nil }
    var objects = ByteBuffer(capacity: 0)
    objects.append(bytes.extracting(0..<table.tableOffset))
    var offsets: [UInt64] = []
    offsets.reserveCapacity(table.objectCount)
    var repaired: [Int: UInt64] = [:]
    var repairs: [PlistRepair] = []
    var count = 0
    // Strings can overlap, so a small document can have many long ones.
    var bound = 4 * data.count
    for index in 0..<table.objectCount {
      let offset = table.offset(of: index, in: bytes)
      offsets.append(repaired[offset] ?? UInt64(offset))
      guard repaired[offset] == nil, let object = try? BinaryObject(at: offset, in: bytes, of: table), object.isText
      else { continue }
      bound -= object.count
      guard bound > 0 else { return nil }
      guard let failure = object.textFailure(in: bytes) else { continue }
      let text: String
      let replacement: String
      if object.kind == .asciiString {
        let range = object.start..<object.start + object.count
        let isUTF8 = bytes.firstInvalidUTF8(in: range) == nil
        text = isUTF8 ? String(utf8: bytes, in: range) : String(windowsLatin1: bytes, in: range)
        replacement = isUTF8 ? "UTF-8" : "windows-1252"
      } else {
        text = String(lenientUTF16BigEndian: bytes, in: object.start..<object.start + object.count)
        replacement = "U+FFFD"
      }
      repaired[offset] = UInt64(objects.count)
      offsets[index] = UInt64(objects.count)
      append(text, to: &objects)
      count += 1
      if repairs.count < RepairedPropertyList.maximumRepairs {
        let error = failure.error(in: PlistSource(data))
        repairs.append(PlistRepair(error: error, replacement: replacement))
      }
    }
    guard count > 0 else { return nil }
    let tableOffset = UInt64(objects.count)
    for offset in offsets { objects.append(bigEndian: offset, width: 8) }
    objects.append([0, 0, 0, 0, 0, 0, 8, UInt8(truncatingIfNeeded: table.references.size)])
    for number in [UInt64(table.objectCount), UInt64(table.topObject), tableOffset] {
      objects.append(bigEndian: number, width: 8)
    }
    var options = options
    // The repaired document may be larger than the limit, so raise the limit.
    options.limits.maximumByteCount = max(options.limits.readByteCount, objects.count)
    guard let value = try? PropertyList(parsing: objects.takeData(), options: options) else { return nil }
    repairs.sort { $0.error.offset < $1.error.offset }
    return RepairedPropertyList(value, repairs: repairs, count: count)
  }

  private static func append(_ text: String, to objects: inout ByteBuffer) {
    let units = Array(text.utf16)
    objects.append([0x6F, 0x13])
    objects.append(bigEndian: UInt64(units.count), width: 8)
    for unit in units { objects.append(bigEndian: UInt64(unit), width: 2) }
  }
}

extension String {
  fileprivate init(windowsLatin1 bytes: RawSpan, in range: Range<Int>) {
    self = String(
      String.UnicodeScalarView(
        range.map { index in
          bytes.windowsLatin1Scalar(bytes.byte(at: index)).flatMap(Unicode.Scalar.init) ?? "\u{FFFD}"
        }))
  }

  fileprivate init(lenientUTF16BigEndian bytes: RawSpan, in range: Range<Int>) {
    let units = stride(from: range.lowerBound, to: range.upperBound - 1, by: 2).map { index in
      UInt16(truncatingIfNeeded: bytes.bigEndian(at: index, width: 2))
    }
    self = String(decoding: units, as: UTF16.self)
  }
}
