typealias BinaryFailure = ReadFailure<BinaryFailureReason>

/// The reasons why a binary property list cannot be read.
enum BinaryFailureReason {
  case tooShort, magic
  /// An unsupported version of the format; `detail` contains the ASCII codes of the version's two digits, the first
  /// digit in the higher byte.
  case version
  case noObjects, sizeOfZero, referenceSize, offsetSize, tableOffset
  /// The object number of the top object is too large; `detail` is this object number.
  case topObject
  /// The offset of an object is invalid; `detail` is the object number, and `offset` is the position of the object's
  /// entry in the offset table.
  ///
  /// If the object number is unknown, `detail` is −1, and `offset` is the invalid offset.
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
  case depth, tooManyValues, tooMuchPayload, longKeys, repeatedLongKeys
}
