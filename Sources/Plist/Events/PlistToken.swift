/// What a format's reader found, with text left where it stands: the trivially copyable core of a ``PlistEvent``.
///
/// Readers hand out tokens, and whoever consumes them decides what to decode.
struct PlistToken {
  enum Kind: UInt8 {
    case beginDictionary, endDictionary, beginArray, endArray
    case key, string, data
    case integer, negativeInteger, real, date, uid
    case booleanFalse, booleanTrue, null
    /// A value read before: ``first`` is the object's index. Only from readers asked to share.
    case shared
    /// A key read before, likewise.
    case sharedKey
    /// The document is complete.
    case end
  }

  /// How text or data is spelled in the source.
  enum Form: UInt8 {
    /// ASCII bytes as they are.
    case ascii
    /// Well-formed UTF-8 as it is.
    case utf8
    /// UTF-8 with XML references or CDATA sections, all well formed.
    case escapedXML
    /// Big-endian UTF-16 without unpaired surrogates.
    case utf16BigEndian
    /// Bytes as they are.
    case bytes
    /// Base64 with white space.
    case base64
    /// UTF-8 with the escapes of OpenStep strings, or of JSON's, all well formed.
    case escapedOpenStep, escapedJSON
    /// Hexadecimal digits with white space.
    case hexadecimal
    /// ASCII that is in the token itself, which no longer says where it stands.
    case short
  }

  var kind: Kind
  var form: Form
  /// For text and data, the offset of the first byte; for shared objects their index; for scalars their bits.
  var first: UInt64
  /// For text and data, the length in bytes in the source.
  var count: Int

  @inline(__always)
  init(_ kind: Kind) { self.init(kind, bits: 0) }

  @inline(__always)
  init(_ kind: Kind, bits: UInt64) {
    self.kind = kind
    form = .bytes
    first = bits
    count = 0
  }

  @inline(__always)
  init(_ kind: Kind, _ form: Form, _ range: Range<Int>) {
    self.init(kind, form, at: range.lowerBound, count: range.upperBound - range.lowerBound)
  }

  @inline(__always)
  init(_ kind: Kind, _ form: Form, at start: Int, count: Int) {
    self.kind = kind
    self.form = form
    first = UInt64(truncatingIfNeeded: start)
    self.count = count
  }

  /// The token of an integer.
  init(_ integer: PropertyListInteger) {
    self.init(integer.isNegative ? .negativeInteger : .integer, bits: integer.bits)
  }

  /// This token, with its text in the token itself where that is short.
  @inline(__always)
  func holdingShortText(of bytes: RawSpan) -> PlistToken {
    guard form == .ascii, kind == .key || kind == .string,
      let text = ShortText(bytes, at: Int(truncatingIfNeeded: first), count: count)
    else { return self }
    var token = self
    token.form = .short
    token.first = text.words.low
    token.count = Int(truncatingIfNeeded: text.words.high)
    return token
  }

  /// The text that the token itself holds.
  @inline(__always)
  var shortText: ShortText? {
    form == .short ? ShortText(low: first, high: UInt64(bitPattern: Int64(count))) : nil
  }

  /// Where text or data stands in the source, in bytes.
  @inline(__always)
  var range: Range<Int> {
    let start = Int(truncatingIfNeeded: first)
    return start..<start + count
  }

  /// The value of an integer token.
  @inline(__always)
  var integer: PropertyListInteger {
    kind == .negativeInteger
      ? PropertyListInteger(Int64(bitPattern: first)) : PropertyListInteger(first)
  }
}
