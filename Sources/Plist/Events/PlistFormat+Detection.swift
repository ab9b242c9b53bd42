#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension PlistFormat {
  /// The format that `data` appears to be in, by its first bytes; nil where it is none that can be read.
  ///
  /// Binary property lists begin with `bplist`. XML begins, after a byte-order mark and white space if any, with `<`,
  /// in UTF-8, UTF-16 or UTF-32; without a mark UTF-16 is recognized where the document begins with `<?`. A document
  /// that is cut off is recognized by what there is of it.
  ///
  /// - Parameter data: The document, or its beginning.
  /// - Complexity: O(1), but for white space at the start of the document.
  public init?(detecting data: Data) {
    let bytes = data.bytes
    if bytes.hasBytes("bplist", at: 0) {
      self = .binary
      return
    }
    guard let offset = PlistFormat.firstVisible(bytes) else { return nil }
    guard bytes.byte(at: offset) == 0x3C else { return nil }
    self = .xml
  }

  /// Whether there is nothing in the document but a byte-order mark, if any, and white space.
  static func isBlank(_ bytes: RawSpan) -> Bool { firstVisible(bytes) == nil }

  /// The offset of the first byte that is neither part of a mark, nor white space, nor the zero half of a code unit.
  private static func firstVisible(_ bytes: RawSpan) -> Int? {
    let mark = XMLEncoding.mark(of: bytes)
    var isWide = mark.map { $0.0.unitWidth > 1 } ?? false
    // The zeros of unmarked UTF-16 are told from the NUL of something else by what they surround.
    if bytes.starts(with: [0, 0x3C, 0, 0x3F]) || bytes.starts(with: [0x3C, 0, 0x3F, 0]) { isWide = true }
    var offset = mark?.markLength ?? 0
    while offset < bytes.byteCount {
      let byte = bytes.byte(at: offset)
      guard XMLScanner.isSpace(byte) || isWide && byte == 0 else { return offset }
      offset += 1
    }
    return nil
  }
}
