/// A value or key in a ``TextIndex``, in sixteen bytes.
struct TextIndexEntry {
  let kind: PlistToken.Kind
  private let form: PlistToken.Form
  // The upper sixteen bits of the 48-bit offset of the element's `<`.
  private let highOffset: UInt16
  private let lowOffset: UInt32
  // For text, the top sixteen bits are the distance from the element's `<` to the text, and the other bits are its
  // length in bytes. For a container, the upper half is the number of nested entries, and the lower half is the number
  // of elements or pairs.
  private var tail: UInt64

  private static let distanceShift: UInt64 = 48
  private static let lengthMask: UInt64 = 1 << 48 - 1

  private init(_ kind: PlistToken.Kind, _ form: PlistToken.Form, at start: Int, tail: UInt64) {
    self.kind = kind
    self.form = form
    highOffset = UInt16(truncatingIfNeeded: start >> 32)
    lowOffset = UInt32(truncatingIfNeeded: start)
    self.tail = tail
  }

  init(_ token: PlistToken, at start: Int) {
    let distance = token.first &- UInt64(truncatingIfNeeded: start)
    // If attributes make the distance too large for sixteen bits, it is stored as 0, and the element is read again to
    // find its text.
    let tail = distance <= 0xFFFF ? distance << Self.distanceShift | UInt64(truncatingIfNeeded: token.count) : 0
    self.init(token.kind, token.form, at: start, tail: tail)
  }

  /// The offset of the element's `<`.
  var offset: Int { Int(highOffset) << 32 | Int(lowOffset) }

  /// The text or data, or nil if the element must be read again.
  var text: PlistToken? {
    guard tail >> Self.distanceShift != 0 else { return nil }
    return PlistToken(kind, form, at: textStart, count: textCount)
  }

  /// The value, or nil if it must be read again, as numbers and dates always are.
  var token: PlistToken? {
    switch kind {
    case .string, .key, .data: text
    case .beginArray, .beginDictionary, .booleanTrue, .booleanFalse: PlistToken(kind)
    default: nil
    }
  }

  /// The position of text without escapes, or nil for anything else.
  var plainText: (start: Int, count: Int)? {
    guard tail >> Self.distanceShift != 0, form.isPlainUTF8 else { return nil }
    return (textStart, textCount)
  }

  private var textStart: Int { offset &+ Int(truncatingIfNeeded: tail >> Self.distanceShift) }

  private var textCount: Int { Int(truncatingIfNeeded: tail & Self.lengthMask) }

  /// The number of a container's elements or pairs.
  var count: Int { Int(truncatingIfNeeded: tail & 0xFFFF_FFFF) }

  /// The number of entries for a container's contents, including nested ones.
  var descendants: Int { Int(truncatingIfNeeded: tail >> 32) }

  var isContainer: Bool { kind == .beginArray || kind == .beginDictionary }

  /// Creates the entry of an open container; `parent` is the index of its parent's entry, or −1 for the root.
  init(opening kind: PlistToken.Kind, at start: Int, in parent: Int) {
    self.init(kind, .bytes, at: start, tail: UInt64(truncatingIfNeeded: parent))
  }

  /// The index of the parent's entry, or −1 for the root; valid only while the container is open.
  var parent: Int { Int(truncatingIfNeeded: tail) }

  mutating func close(count: Int, descendants: Int) {
    tail = UInt64(truncatingIfNeeded: descendants) << 32 | UInt64(truncatingIfNeeded: count)
  }
}
