import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#else
import Darwin
#endif

/// Simple loops over the bytes of a document, which show how fast a reader could be at best.
///
/// A reader has to look at every byte, so it cannot be much faster than these loops.
///
/// The unsafe code is sound because pointers come from `Data` and stay inside the closure that receives them, and
/// because every length is that of the buffer or of the rest of it.
enum References {
  private static let opening = UInt8(ascii: "<")

  /// Finds every `<` eight bytes at a time, like an XML tokenizer.
  static var scan: Contestant {
    Contestant("< scan", from: \.xml) { countOpenings($0.bytes) }
  }

  /// Finds every `<` with the C library's vectorized `memchr`.
  static var findOpenings: Contestant {
    Contestant("memchr <", from: \.xml) { count(opening, in: $0) }
  }

  /// Looks for a byte that is not there, to see how fast bytes can be inspected.
  static var findAbsentByte: Contestant {
    Contestant("memchr absent", from: \.xml) { count(0xFF, in: $0) }
  }

  /// Copies the bytes to memory that is already allocated.
  static var copy: Contestant {
    let prepare = { (document: Document) in (document.xml, Destination(count: document.xml.count)) }
    return Contestant("memcpy", from: prepare) { source, destination in destination.copy(source) }
  }

  /// Validates UTF-8, as every reader of text must.
  static var validate: Contestant {
    Contestant("UTF-8 validation", from: \.xml) { data in
      if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
        return (try? UTF8Span(validating: data.span)) != nil
      }
      return String(validating: data, as: UTF8.self) != nil
    }
  }

  private static func countOpenings(_ bytes: RawSpan) -> Int {
    var count = 0
    var offset = firstOpening(bytes, from: 0)
    while offset < bytes.byteCount {
      count += 1
      offset = firstOpening(bytes, from: offset + 1)
    }
    return count
  }

  @inline(__always)
  private static func firstOpening(_ bytes: RawSpan, from start: Int) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    var offset = start
    while offset <= bytes.byteCount - 8 {
      // In a little-endian word, the lowest set bit of `found` belongs to the first `<`. The higher bits are
      // unreliable, because the subtraction can borrow from another byte and set its bit.
      let word = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
      let difference = UInt64(littleEndian: word) ^ (ones &* UInt64(opening))
      let found = (difference &- ones) & ~difference & (ones << 7)
      if found != 0 { return offset + found.trailingZeroBitCount / 8 }
      offset += 8
    }
    while offset < bytes.byteCount {
      if unsafe bytes.unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self) == opening { break }
      offset += 1
    }
    return offset
  }

  private static func count(_ byte: UInt8, in data: Data) -> Int {
    unsafe data.withUnsafeBytes { buffer in
      guard let start = buffer.baseAddress else { return 0 }
      var count = 0
      var offset = 0
      while let found = unsafe memchr(start + offset, Int32(byte), buffer.count - offset) {
        count += 1
        offset = unsafe UnsafeRawPointer(found) - start + 1
      }
      return count
    }
  }

  private final class Destination {
    private var bytes: [UInt8]

    init(count: Int) { bytes = [UInt8](repeating: 1, count: count) }

    func copy(_ source: Data) {
      unsafe bytes.withUnsafeMutableBytes { target in
        unsafe source.withUnsafeBytes { source in
          guard let from = source.baseAddress, let to = target.baseAddress else { return }
          unsafe memcpy(to, from, min(source.count, target.count))
        }
      }
    }
  }
}
