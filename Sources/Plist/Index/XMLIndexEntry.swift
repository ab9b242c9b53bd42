/// An entry of an ``XMLIndex``, for one value or key of the document, in sixteen bytes.
struct XMLIndexEntry {
  // From the highest bits down, `head` contains eight bits for the kind, eight bits for the form, and 48 bits for the
  // offset of the element's `<`.
  private var head: UInt64
  // For text, the top sixteen bits of `tail` contain the distance from the element's `<` to the text. The other bits of
  // `tail` contain the length of the text in bytes. For a container, the upper half of `tail` contains the number of
  // nested entries, and the lower half contains the number of elements or pairs.
  private var tail: UInt64

  private static let offsetBits: UInt64 = 48
  private static let offsetMask: UInt64 = 1 << 48 - 1

  @inline(__always)
  init(_ token: PlistToken, at start: Int) {
    head =
      UInt64(token.kind.rawValue) << 56 | UInt64(token.form.rawValue) << Self.offsetBits
      | UInt64(truncatingIfNeeded: start) & Self.offsetMask
    let distance = token.first &- UInt64(truncatingIfNeeded: start)
    // If attributes make the distance from `<` to the text too large for sixteen bits, 0 is stored. An element without
    // a stored distance is read again to find the element's text.
    tail = distance <= 0xFFFF ? distance << Self.offsetBits | UInt64(truncatingIfNeeded: token.count) : 0
  }

  @inline(__always)
  var kind: PlistToken.Kind { PlistToken.Kind(rawValue: UInt8(truncatingIfNeeded: head >> 56)) ?? .null }

  /// The offset of the element's `<`.
  @inline(__always)
  var offset: Int { Int(truncatingIfNeeded: head & Self.offsetMask) }

  /// The token of the entry's text or data, or nil if the element must be read again.
  @inline(__always)
  var text: PlistToken? {
    guard tail >> Self.offsetBits != 0 else { return nil }
    let start = offset + Int(truncatingIfNeeded: tail >> Self.offsetBits)
    let form = PlistToken.Form(rawValue: UInt8(truncatingIfNeeded: head >> Self.offsetBits)) ?? .bytes
    return PlistToken(kind, form, start..<start + Int(truncatingIfNeeded: tail & Self.offsetMask))
  }

  /// The position and length of text without escapes, or nil for other text.
  @inline(__always)
  var plainText: (start: Int, count: Int)? {
    guard tail >> Self.offsetBits != 0,
      head >> Self.offsetBits & 0xFF <= UInt64(PlistToken.Form.utf8.rawValue)
    else { return nil }
    return (offset + Int(truncatingIfNeeded: tail >> Self.offsetBits), Int(truncatingIfNeeded: tail & Self.offsetMask))
  }

  /// The number of elements of an array, or of pairs of a dictionary.
  @inline(__always)
  var count: Int { Int(truncatingIfNeeded: tail & 0xFFFF_FFFF) }

  /// The number of entries for the contents of a container, including nested contents.
  @inline(__always)
  var descendants: Int { Int(truncatingIfNeeded: tail >> 32) }

  @inline(__always)
  var isContainer: Bool {
    head >> 56 == UInt64(PlistToken.Kind.beginArray.rawValue)
      || head >> 56 == UInt64(PlistToken.Kind.beginDictionary.rawValue)
  }

  /// Creates the entry of an open container; `parent` is the index of the parent's entry, or −1 for the root.
  @inline(__always)
  init(opening kind: PlistToken.Kind, at start: Int, in parent: Int) {
    head = UInt64(kind.rawValue) << 56 | UInt64(truncatingIfNeeded: start) & Self.offsetMask
    tail = UInt64(truncatingIfNeeded: parent)
  }

  /// The index of the parent's entry, or −1 for the root; valid only while the container is open.
  @inline(__always)
  var parent: Int { Int(truncatingIfNeeded: tail) }

  @inline(__always)
  mutating func close(count: Int, descendants: Int) {
    tail = UInt64(truncatingIfNeeded: descendants) << 32 | UInt64(truncatingIfNeeded: count)
  }
}
