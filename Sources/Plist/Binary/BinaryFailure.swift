/// A failure to read a binary property list, with a reason, an offset and a second number.
struct BinaryFailure: Error {
  enum Reason {
    case tooShort, magic
    /// An unsupported version of the format; `detail` contains the ASCII codes of the version's two digits, the first
    /// digit in the higher byte.
    case version
    case noObjects, sizeOfZero, referenceSize, offsetSize, tableOffset
    /// The number of the top object is too large; `detail` is this number.
    case topObject
    /// The offset of an object is invalid; `detail` is the object's number, and `offset` is the position of the
    /// object's entry.
    ///
    /// If the number of the object is unknown, `detail` is −1, and `offset` is the invalid offset.
    case offset
    /// An object reference is invalid; `detail` is the reference.
    case reference
    /// The marker of an object is not supported; `detail` is the marker.
    case marker
    case count
    /// An object is too long; `detail` is the number of its bytes, code units, elements or pairs.
    case payload
    /// An integer has an unsupported size; `detail` is the size in bytes.
    case integerSize
    case integerRange, uidRange, nonASCII, surrogate
    case key, cycle
    /// The document exceeds a limit; `detail` is this limit.
    case depth, tooManyValues, tooMuchPayload, longKeys
  }

  var reason: Reason
  /// The position of the failure, in bytes from the start of the document.
  var offset: Int
  /// A second number, whose meaning depends on the ``reason``.
  var detail: Int

  init(_ reason: Reason, at offset: Int, detail: Int = 0) {
    self.reason = reason
    self.offset = offset
    self.detail = detail
  }
}
