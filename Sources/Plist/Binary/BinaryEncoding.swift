#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// How scalars are encoded in binary property lists.
enum BinaryEncoding {
  /// The size in bytes, 1, 2, 4 or 8, of numbers up to `bound`.
  static func size(for bound: UInt64) -> Int {
    bound <= 0xFF ? 1 : bound <= 0xFFFF ? 2 : bound <= 0xFFFF_FFFF ? 4 : 8
  }

  /// Appends the encoding of a scalar or key.
  @inline(__always)
  static func append(_ event: PlistEvent, to buffer: inout ByteBuffer) {
    switch event {
    case .key(let text), .string(let text): text.withUTF8 { append(text: $0, to: &buffer) }
    case .integer(let integer): append(integer, to: &buffer)
    case .real(let real):
      buffer.append(0x23)
      buffer.append(bigEndian: real.bitPattern, width: 8)
    case .boolean(let value): buffer.append(value ? 0x09 : 0x08)
    case .date(let date):
      buffer.append(0x33)
      buffer.append(bigEndian: date.timeIntervalSinceReferenceDate.bitPattern, width: 8)
    case .data(let bytes):
      let data = Data(bytes)
      appendMarker(0x40, count: data.count, to: &buffer)
      buffer.append(data.bytes)
    case .uid(let uid):
      let size = uid.value <= 0xFF ? 1 : uid.value <= 0xFFFF ? 2 : 4
      buffer.append(0x80 | UInt8(size - 1))
      buffer.append(bigEndian: UInt64(uid.value), width: size)
    case .null: buffer.append(0x00)
    case .beginArray, .beginDictionary, .endArray, .endDictionary: break
    }
  }

  /// Appends a marker with `count` in its low nibble, or after it where 15 or more.
  static func appendMarker(_ marker: UInt8, count: Int, to buffer: inout ByteBuffer) {
    if count < 0x0F {
      buffer.append(marker | UInt8(truncatingIfNeeded: count))
    } else {
      buffer.append(marker | 0x0F)
      append(PropertyListInteger(Int64(count)), to: &buffer)
    }
  }

  /// Non-negative integers take the fewest of 1, 2, 4 and 8 bytes, negative ones 8, those beyond `Int64.max` 16.
  private static func append(_ integer: PropertyListInteger, to buffer: inout ByteBuffer) {
    let bits = integer.bits
    if integer.isNegative {
      buffer.append(0x13)
      buffer.append(bigEndian: bits, width: 8)
    } else if bits > UInt64(Int64.max) {
      buffer.append(0x14)
      buffer.append(bigEndian: 0, width: 8)
      buffer.append(bigEndian: bits, width: 8)
    } else {
      let size = size(for: bits)
      buffer.append(0x10 | UInt8(size.trailingZeroBitCount))
      buffer.append(bigEndian: bits, width: size)
    }
  }

  private static func append(text: RawSpan, to buffer: inout ByteBuffer) {
    let length = text.byteCount
    if text.isASCII(in: 0..<length) {
      appendMarker(0x50, count: length, to: &buffer)
      buffer.append(text)
      return
    }
    // Every scalar is one unit, and one of four bytes two.
    var units = 0
    for index in 0..<length {
      let byte = text.byte(at: index)
      if byte & 0xC0 != 0x80 { units += byte >= 0xF0 ? 2 : 1 }
    }
    appendMarker(0x60, count: units, to: &buffer)
    buffer.append(utf16BigEndian: text)
  }
}
