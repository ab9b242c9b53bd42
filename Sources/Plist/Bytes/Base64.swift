#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Base64 with the standard alphabet (RFC 4648, section 4).
enum Base64 {
  private static let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

  /// The value of a digit, or a number above 63 for any other byte.
  @inline(__always)
  static func value(of byte: UInt8) -> UInt8 {
    switch byte {
    case 0x41...0x5A: return byte - 0x41
    case 0x61...0x7A: return byte - 0x47
    case 0x30...0x39: return byte + 4
    case 0x2B: return 62
    case 0x2F: return 63
    default: return 0xFF
    }
  }

  @inline(__always)
  static func isDigit(_ byte: UInt8) -> Bool { value(of: byte) < 64 }

  /// The bytes that the base64 in `range` spells, skipping everything outside the alphabet.
  static func decode(_ bytes: RawSpan, in range: Range<Int>) -> Data {
    var buffer = ByteBuffer(capacity: (range.upperBound - range.lowerBound) / 4 * 3 + 8)
    var group: UInt32 = 0
    var digits = 0
    for offset in range {
      let value = value(of: bytes.byte(at: offset))
      if value > 63 { continue }
      group = group << 6 | UInt32(value)
      digits += 1
      if digits == 4 {
        buffer.append(bigEndian: UInt64(group), width: 3)
        digits = 0
        group = 0
      }
    }
    switch digits {
    case 2: buffer.append(UInt8(truncatingIfNeeded: group >> 4))
    case 3: buffer.append(bigEndian: UInt64(group >> 2), width: 2)
    default: break
    }
    return buffer.data()
  }

  /// Appends the base64 of `bytes` in `range`, padded.
  static func encode(_ bytes: RawSpan, in range: Range<Int>, into buffer: inout ByteBuffer) {
    buffer.reserve((range.upperBound - range.lowerBound + 2) / 3 * 4 + 8)
    var offset = range.lowerBound
    while offset < range.upperBound {
      let left = min(3, range.upperBound - offset)
      var group = UInt64(bytes.byte(at: offset)) << 16
      if left > 1 { group |= UInt64(bytes.byte(at: offset + 1)) << 8 }
      if left > 2 { group |= UInt64(bytes.byte(at: offset + 2)) }
      var word = UInt64(digit(group >> 18)) | UInt64(digit(group >> 12)) << 8
      word |= left > 1 ? UInt64(digit(group >> 6)) << 16 : 0x3D << 16
      word |= left > 2 ? UInt64(digit(group)) << 24 : 0x3D << 24
      buffer.append(word: word, width: 4)
      offset += left
    }
  }

  @inline(__always)
  private static func digit(_ bits: UInt64) -> UInt8 { alphabet.byte(at: Int(bits & 63)) }
}

extension StaticString {
  /// The UTF-8 byte at `offset`.
  @inline(__always)
  func byte(at offset: Int) -> UInt8 {
    precondition(offset >= 0 && offset < utf8CodeUnitCount)
    // Sound: within the static string, as checked.
    return unsafe utf8Start[offset]
  }
}
