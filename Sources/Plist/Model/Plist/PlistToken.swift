/// A token of a document: it refers to its text by offset and length, and the consumer decides what to decode.
struct PlistToken {
  enum Kind: UInt8 {
    case beginDictionary, endDictionary, beginArray, endArray
    case key, string, data
    case integer, negativeInteger, real, date, uid
    case booleanFalse, booleanTrue, null
    /// A value that was read before; ``first`` is the index of the shared object.
    ///
    /// Only in formats with shared objects.
    case shared
    /// A key that was read before; ``first`` is the index of the shared object.
    case sharedKey
    /// The document is complete.
    case end
  }

  enum Form: UInt8 {
    /// ASCII bytes without escapes.
    case ascii
    /// Valid UTF-8 without escapes.
    case utf8
    /// UTF-8 with XML references or CDATA sections, all well formed.
    case escapedXML
    /// Big-endian UTF-16 without unpaired surrogates.
    case utf16BigEndian
    /// Bytes without any encoding.
    case bytes
    /// Base64 with white space.
    case base64
    /// UTF-8 with well-formed escapes of OpenStep strings or of JSON strings.
    case escapedOpenStep, escapedJSON
    /// Hexadecimal digits with white space.
    case hexadecimal
    /// ASCII in the token itself, which has no position in the source.
    case inline
    /// A real that stands for an integer of more than 64 bits, if somebody decodes a floating-point number.
    case rounded

    /// Whether the bytes of text are its UTF-8.
    var isPlainUTF8: Bool { self == .ascii || self == .utf8 }
  }

  var kind: Kind
  var form: Form
  /// The offset of text and data, the index of a shared object, or the bits of a scalar.
  var first: UInt64
  /// The bytes of text or data in the source, or the number of values in a binary container.
  var count: Int

  init(_ kind: Kind) { self.init(kind, bits: 0) }

  init(_ kind: Kind, bits: UInt64) {
    self.kind = kind
    form = .bytes
    first = bits
    count = 0
  }

  init(_ kind: Kind, _ form: Form, _ range: Range<Int>) {
    self.init(kind, form, at: range.lowerBound, count: range.upperBound - range.lowerBound)
  }

  init(_ kind: Kind, _ form: Form, at start: Int, count: Int) {
    self.kind = kind
    self.form = form
    first = UInt64(truncatingIfNeeded: start)
    self.count = count
  }

  init(_ integer: PropertyListInteger) {
    self.init(integer.isNegative ? .negativeInteger : .integer, bits: integer.bits)
  }

  /// Returns a token with a copy of the text if that is short, or this one.
  @inline(__always)
  func holdingInlineText(of bytes: RawSpan) -> PlistToken {
    guard form == .ascii, kind == .key || kind == .string,
      let text = InlineText(bytes, at: Int(truncatingIfNeeded: first), count: count)
    else { return self }
    var token = self
    token.form = .inline
    token.first = text.words.low
    token.count = Int(truncatingIfNeeded: text.words.high)
    return token
  }

  var inlineText: InlineText? {
    form == .inline ? InlineText(low: first, high: UInt64(bitPattern: Int64(count))) : nil
  }

  var range: Range<Int> {
    let start = Int(truncatingIfNeeded: first)
    return start..<start + count
  }

  var integer: PropertyListInteger {
    kind == .negativeInteger
      ? PropertyListInteger(Int64(bitPattern: first)) : PropertyListInteger(first)
  }
}
