#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The envelope of a signed property list: a CMS message (RFC 5652), or one in the older PKCS #7 format.
///
/// Provisioning profiles and signed configuration profiles are messages of this kind. They are encoded in BER, which
/// allows lengths that are not known in advance and content that is split into pieces. Apple's tools write the content
/// in one piece; openssl splits it when streaming. Nothing after the content is read, so no signature is checked.
package enum SignedMessage {
  /// Whether the document begins like a CMS message of any kind.
  static func begins(_ bytes: RawSpan) -> Bool {
    guard bytes.byteCount > 2, bytes.byte(at: 0) == BER.sequence else { return false }
    let length = bytes.byte(at: 1)
    let content = length > 0x80 ? 2 + Int(length & 0x7F) : 2
    return kinds.indices.allSatisfy { content + $0 < bytes.byteCount && bytes.byte(at: content + $0) == kinds[$0] }
  }

  package static func begins(_ data: Data) -> Bool { begins(data.bytes) }

  /// The object identifier 1.2.840.113549.1.7, which is followed by the number of the message's kind.
  private static let kinds: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07]
  private static let signedData: UInt8 = 2
  private static let encrypted: [UInt8] = [3, 4, 6]

  /// The error for a message that the options do not allow.
  static var refusal: PlistError {
    PlistError(
      code: .signedDocument,
      message: """
        the document is signed (a CMS or PKCS #7 message, as in provisioning profiles), and reading it without checking \
        the signature is not allowed here
        """)
  }

  /// Returns the signed content of a message, which is a slice of `data` if the content is in one piece.
  ///
  /// - Throws: ``PlistError`` if the message is malformed or has no content that can be read.
  package static func content(of data: Data, limits: PlistLimits = PlistLimits()) throws(PlistError) -> Data {
    do throws(Failure) {
      let bytes = data.bytes
      let string = try contentString(bytes)
      guard string.isConstructed else {
        return data[data.startIndex + string.start..<data.startIndex + (string.end ?? string.start)]
      }
      var buffer = ByteBuffer(capacity: 0)
      guard limits.canCopy(data.count) else { throw Failure(.memory, at: data.count) }
      try string.forEachPiece(bytes) { buffer.append(bytes.extracting($0)) }
      return buffer.takeData()
    } catch {
      throw error.error
    }
  }

  /// Returns the OCTET STRING with the content, inside ContentInfo, SignedData and EncapsulatedContentInfo.
  private static func contentString(_ bytes: RawSpan) throws(Failure) -> BER {
    let message = try BER(bytes, at: 0, in: nil).expecting(BER.sequence, at: 0)
    var offset = message.start
    let kind = try message.next(BER.objectIdentifier, bytes, at: &offset)
    let number = bytes.byte(at: offset - 1)
    guard offset - kind.start == kinds.count - 1, number == signedData else {
      throw Failure(encrypted.contains(number) ? .encrypted : .unsigned, at: kind.start)
    }
    let signed = try message.next(BER.context0, bytes, at: &offset, enters: true)
    let signedData = try signed.next(BER.sequence, bytes, at: &offset, enters: true)
    _ = try signedData.next(BER.integer, bytes, at: &offset)
    _ = try signedData.next(BER.set, bytes, at: &offset)
    let content = try signedData.next(BER.sequence, bytes, at: &offset, enters: true)
    _ = try content.next(BER.objectIdentifier, bytes, at: &offset)
    if try content.ends(bytes, at: offset) { throw Failure(.detached, at: offset) }
    let explicit = try content.next(BER.context0, bytes, at: &offset, enters: true)
    let start = offset
    let string = try explicit.next(nil, bytes, at: &offset, enters: true)
    guard string.tag & ~BER.constructed == BER.octetString else { throw Failure(.malformed, at: start) }
    return string
  }
}

extension SignedMessage {
  fileprivate struct Failure: Error {
    enum Reason { case truncated, malformed, tooDeep, encrypted, unsigned, detached, memory }

    let reason: Reason
    let offset: Int

    init(_ reason: Reason, at offset: Int) {
      self.reason = reason
      self.offset = offset
    }

    var error: PlistError {
      let (code, message): (PlistError.Code, String) =
        switch reason {
        case .truncated: (.truncated, "the signed document ends within its envelope, which began before byte \(offset)")
        case .malformed: (.malformedEnvelope, "the envelope of the signed document is malformed at byte \(offset)")
        case .tooDeep:
          (.malformedEnvelope, "the envelope of the signed document nests too deeply at byte \(offset)")
        case .encrypted: (.unsupportedFormat, "the document is encrypted (a CMS message), so it cannot be read")
        case .unsigned: (.unsupportedFormat, "the document is a CMS message of a kind that has no property list")
        case .detached:
          (.malformedEnvelope, "the signature is not in one file with its document (a detached CMS signature)")
        case .memory: (.documentSizeLimit, PlistError.insufficientMemory(offset).message)
        }
      return PlistError(code: code, message: message, offset: reason == .memory ? 0 : offset)
    }
  }
}

/// The header of a BER element: its tag, and the position of its contents.
///
/// Every length comes from the input, so it is checked against the available bytes before it is used.
private struct BER {
  let tag: UInt8
  let start: Int
  /// The end of the contents, or nil if they end with an end-of-contents marker.
  let end: Int?
  /// The offset that the contents can't exceed: the end of the innermost element of known length, which may be this
  /// one.
  let bound: Int

  static let sequence: UInt8 = 0x30
  static let set: UInt8 = 0x31
  static let integer: UInt8 = 0x02
  static let objectIdentifier: UInt8 = 0x06
  static let octetString: UInt8 = 0x04
  static let context0: UInt8 = 0xA0
  static let constructed: UInt8 = 0x20
  private static let mostLevels = 64

  var isConstructed: Bool { tag & Self.constructed != 0 }

  typealias Failure = SignedMessage.Failure

  /// Reads the header at `offset` in the contents of `parent`, or in the whole document if `parent` is nil.
  init(_ bytes: RawSpan, at offset: Int, in parent: BER?) throws(Failure) {
    let limit = parent?.bound ?? bytes.byteCount
    let failure = Failure(limit < bytes.byteCount ? .malformed : .truncated, at: offset)
    guard offset + 2 <= limit else { throw failure }
    tag = bytes.byte(at: offset)
    let first = bytes.byte(at: offset + 1)
    // Tags of several bytes don't occur in these messages.
    guard tag & 0x1F != 0x1F, first != 0xFF else { throw Failure(.malformed, at: offset) }
    if first == 0x80 {
      guard tag & Self.constructed != 0 else { throw Failure(.malformed, at: offset) }
      (start, end, bound) = (offset + 2, nil, limit)
      return
    }
    let width = first < 0x80 ? 0 : Int(first & 0x7F)
    guard offset + 2 + width <= limit else { throw failure }
    var length = first < 0x80 ? Int(first) : 0
    for index in 0..<width {
      guard length <= limit >> 8 else { throw failure }
      length = length << 8 | Int(bytes.byte(at: offset + 2 + index))
    }
    let start = offset + 2 + width
    guard length <= limit - start else { throw failure }
    (self.start, end, bound) = (start, start + length, start + length)
  }

  func expecting(_ tag: UInt8, at offset: Int) throws(Failure) -> BER {
    guard self.tag == tag else { throw Failure(.malformed, at: offset) }
    return self
  }

  func ends(_ bytes: RawSpan, at offset: Int) throws(Failure) -> Bool {
    if let end { return offset >= end }
    guard offset + 2 <= bound else { throw Failure(bound < bytes.byteCount ? .malformed : .truncated, at: offset) }
    return bytes.byte(at: offset) == 0 && bytes.byte(at: offset + 1) == 0
  }

  /// Reads the child at `offset`, which must have the given tag unless that is nil, and moves `offset` past the child
  /// or, if `enters` is true, to its contents.
  func next(_ tag: UInt8?, _ bytes: RawSpan, at offset: inout Int, enters: Bool = false) throws(Failure) -> BER {
    if try ends(bytes, at: offset) { throw Failure(.malformed, at: offset) }
    let child = try BER(bytes, at: offset, in: self)
    if let tag { _ = try child.expecting(tag, at: offset) }
    offset = enters ? child.start : try child.offsetBehind(bytes)
    return child
  }

  private func offsetBehind(_ bytes: RawSpan) throws(Failure) -> Int {
    // If the length isn't known, the contents have to be walked to find their end.
    if let end { return end }
    return try walk(bytes) { child, _ in child.end == nil }
  }

  /// Passes the ranges of a string's pieces to `body` in order; pieces can be nested.
  func forEachPiece(_ bytes: RawSpan, _ body: (Range<Int>) -> Void) throws(Failure) {
    _ = try walk(bytes) { piece, offset throws(Failure) in
      guard piece.tag & ~Self.constructed == Self.octetString else { throw Failure(.malformed, at: offset) }
      if !piece.isConstructed { body(piece.start..<(piece.end ?? piece.start)) }
      return piece.isConstructed
    }
  }

  /// Passes each child and its offset to `enters`, and descends into those for which it returns true.
  ///
  /// - Returns: The offset after the element.
  private func walk(
    _ bytes: RawSpan, _ enters: (_ child: BER, _ offset: Int) throws(Failure) -> Bool
  ) throws(Failure) -> Int {
    var open = [self]
    var offset = start
    while let last = open.last {
      if try last.ends(bytes, at: offset) {
        offset += last.end == nil ? 2 : 0
        open.removeLast()
        continue
      }
      let child = try BER(bytes, at: offset, in: last)
      if try enters(child, offset) {
        open.append(child)
        offset = child.start
        if open.count > Self.mostLevels { throw Failure(.tooDeep, at: offset) }
      } else {
        offset = child.end ?? child.start
      }
    }
    return offset
  }
}
