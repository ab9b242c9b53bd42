/// A token in a document, which refers to its text by offset and length so that the consumer can decide what to decode.
struct PlistToken {
  enum Kind: UInt8 {
    case beginDictionary, endDictionary, beginArray, endArray
    case key, string, data
    case integer, negativeInteger, real, date, uid
    case booleanFalse, booleanTrue, null
    /// A value that was read before; ``first`` is the index of the shared object.
    ///
    /// This occurs only in formats with shared objects.
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
    /// UTF-8 with well-formed XML references or CDATA sections.
    case escapedXML
    /// Big-endian UTF-16 without unpaired surrogates.
    case utf16BigEndian
    /// Raw bytes.
    case bytes
    /// Base64, possibly with white space.
    case base64
    /// UTF-8 with well-formed escapes of OpenStep or JSON strings.
    case escapedOpenStep, escapedJSON
    /// Hexadecimal digits, possibly with white space.
    case hexadecimal
    /// ASCII stored in the token itself, which then has no position in the source.
    case inline
    /// A real in place of an integer of more than 64 bits, for decoding it as a floating-point number.
    case rounded

    /// Whether the bytes are the text's UTF-8, without any decoding.
    var isPlainUTF8: Bool { self == .ascii || self == .utf8 }
  }

  var kind: Kind
  var form: Form
  /// The offset of text and data, the index of a shared object, or the bits of a scalar.
  var first: UInt64
  /// The number of bytes of text or data in the source, or the number of values in a binary container.
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

  /// Returns a token that holds a copy of the text if the text is short, otherwise this token.
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
