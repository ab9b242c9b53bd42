#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Encodes the scalars of a binary property list.
///
/// Each `append` method adds a scalar to a buffer and returns its hash.
struct BinaryEncoding {
  private let hasher = ByteHash()

  /// Returns the smallest size that holds `number` as an integer object: 1, 2, 4 or 8 bytes.
  private static func integerSize(_ number: UInt64) -> Int {
    number <= 0xFF ? 1 : number <= 0xFFFF ? 2 : number <= 0xFFFF_FFFF ? 4 : 8
  }

  /// Returns the smallest size for references or offsets up to `bound`, 1 to 8 bytes.
  ///
  /// Sizes such as 3 bytes are fine: `PropertyListEncoder` writes them too, and Foundation's readers, libplist and
  /// Python accept them.
  static func size(for bound: UInt64) -> Int { max(1, (64 - bound.leadingZeroBitCount + 7) / 8) }

  /// The length from which only a sample of data is hashed, in bytes.
  static let sampledLength = 4096

  func hash(_ bytes: RawSpan) -> UInt32 { hasher.hash(bytes, isSample: false) }

  @inline(__always)
  func append(_ text: RawSpan, to buffer: inout ByteBuffer) -> UInt32 {
    let start = buffer.count
    var result = (hash: UInt32(0), isASCII: false)
    let count = text.byteCount
    buffer.write(upTo: count + Self.longestMarker) { cursor in
      Self.putMarker(0x50, count: count, to: &cursor)
      result = cursor.put(hashing: text, hasher)
    }
    if result.isASCII { return result.hash }
    buffer.truncate(to: start)
    appendUTF16(text, to: &buffer)
    return result.hash
  }

  @inline(never)
  private func appendUTF16(_ text: RawSpan, to buffer: inout ByteBuffer) {
    // A Unicode scalar takes one UTF-16 code unit, or two if its UTF-8 encoding has four bytes.
    var units = 0
    for index in 0..<text.byteCount {
      let byte = text.byte(at: index)
      if byte & 0xC0 != 0x80 { units += byte >= 0xF0 ? 2 : 1 }
    }
    Self.appendMarker(0x60, count: units, to: &buffer)
    buffer.append(utf16BigEndian: text)
  }

  /// Appends an integer in 1, 2, 4, 8 or 16 bytes.
  ///
  /// A non-negative integer takes as few bytes as possible, but 16 if it is above `Int64.max`. A negative one takes 8.
  @inline(__always)
  func append(_ integer: PropertyListInteger, to buffer: inout ByteBuffer) -> UInt32 {
    buffer.write(upTo: 17) { Self.put(integer, to: &$0) }
    return hasher.hash(integer.bits, kind: integer.isNegative ? 1 : 2)
  }

  @inline(__always)
  func append(real: Double, marker: UInt8 = 0x23, to buffer: inout ByteBuffer) -> UInt32 {
    buffer.write(upTo: 9) { cursor in
      cursor.put(marker)
      cursor.put(bigEndian: real.bitPattern, width: 8)
    }
    return hasher.hash(real.bitPattern, kind: UInt64(marker))
  }

  func append(real: Float, to buffer: inout ByteBuffer) -> UInt32 {
    buffer.write(upTo: 5) { cursor in
      cursor.put(0x22)
      cursor.put(bigEndian: UInt64(real.bitPattern), width: 4)
    }
    return hasher.hash(UInt64(real.bitPattern), kind: 0x22)
  }

  func append(date: Date, to buffer: inout ByteBuffer) -> UInt32 {
    append(real: date.timeIntervalSinceReferenceDate, marker: 0x33, to: &buffer)
  }

  func append(_ data: Data, to buffer: inout ByteBuffer) -> UInt32 {
    let bytes = data.bytes
    Self.appendMarker(0x40, count: bytes.byteCount, to: &buffer)
    buffer.append(bytes)
    return hasher.hash(bytes, isSample: bytes.byteCount >= Self.sampledLength)
  }

  func append(_ uid: PropertyListUID, to buffer: inout ByteBuffer) -> UInt32 {
    let size = uid.value <= 0xFF ? 1 : uid.value <= 0xFFFF ? 2 : 4
    buffer.append(0x80 | UInt8(size - 1))
    buffer.append(bigEndian: UInt64(uid.value), width: size)
    return hasher.hash(UInt64(uid.value), kind: 3)
  }

  /// Appends a Boolean or null, which consists only of a marker.
  func append(marker: UInt8, to buffer: inout ByteBuffer) -> UInt32 {
    buffer.append(marker)
    return hasher.hash(UInt64(marker), kind: 4)
  }

  /// Appends a marker and a count, which goes into the marker's low nibble if it is below 15, and otherwise after the
  /// marker.
  static func appendMarker(_ marker: UInt8, count: Int, to buffer: inout ByteBuffer) {
    buffer.write(upTo: longestMarker) { putMarker(marker, count: count, to: &$0) }
  }

  /// The maximum length of a marker and the count after it, in bytes.
  static let longestMarker = 10

  static func putMarker(_ marker: UInt8, count: Int, to cursor: inout ByteCursor) {
    if count < 0x0F {
      cursor.put(marker | UInt8(truncatingIfNeeded: count))
    } else {
      cursor.put(marker | 0x0F)
      put(PropertyListInteger(Int64(count)), to: &cursor)
    }
  }

  @inline(__always)
  private static func put(_ integer: PropertyListInteger, to cursor: inout ByteCursor) {
    let bits = integer.bits
    if integer.isNegative {
      cursor.put(0x13)
      cursor.put(bigEndian: bits, width: 8)
    } else if bits > UInt64(Int64.max) {
      cursor.put(0x14)
      cursor.put(bigEndian: 0, width: 8)
      cursor.put(bigEndian: bits, width: 8)
    } else {
      let size = integerSize(bits)
      cursor.put(0x10 | UInt8(size.trailingZeroBitCount))
      cursor.put(bigEndian: bits, width: size)
    }
  }
}
