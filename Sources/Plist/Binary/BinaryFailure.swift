/// A failure to read a binary property list: a reason, an offset, and a second number.
struct BinaryFailure: Error {
  enum Reason {
    case tooShort, magic
    /// Another version of the format; `detail` is its two digits' ASCII codes, the first in the higher byte.
    case version
    case noObjects, sizeOfZero, referenceSize, offsetSize, tableOffset
    /// `detail` is the number of the top object.
    case topObject
    /// `detail` is the object whose offset is bad, and the position is that of its entry in the table. If the position
    /// is that of the object, `detail` is unknown.
    case offset
    /// `detail` is the reference.
    case reference
    /// `detail` is the marker.
    case marker
    case count
    /// `detail` is the number of bytes, code units, elements or pairs.
    case payload
    /// `detail` is the size.
    case integerSize
    case integerRange, uidRange, nonASCII, surrogate
    case key, cycle
    /// `detail` is the limit.
    case depth, tooManyValues, tooMuchPayload, longKeys
  }

  var reason: Reason
  /// The position of the failure, in bytes from the start of the document.
  var offset: Int
  /// A second number; see ``Reason``.
  var detail: Int

  init(_ reason: Reason, at offset: Int, detail: Int = 0) {
    self.reason = reason
    self.offset = offset
    self.detail = detail
  }
}
