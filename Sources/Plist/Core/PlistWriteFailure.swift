/// A reason why a value cannot be written, without a position.
///
/// The size of `PlistWriteFailure` is one byte, so that the check for a failure after each written value is fast.
enum PlistWriteFailure: Error {
  case null
  case nul
  case controlCharacter, sameKeys
  case date
  case tooManyObjects
  case nullInOpenStep, integerInOpenStep, realInOpenStep, booleanInOpenStep, dateInOpenStep, uidInOpenStep
  case dateInJSON, dataInJSON, uidInJSON, numberInJSON
  case stringsTable

  var message: String {
    switch self {
    case .null: "XML property lists cannot represent null"
    case .nul: "the text contains a NUL, which XML does not allow"
    case .controlCharacter: "the text contains a control character, which XML does not allow"
    case .sameKeys:
      "two keys of a dictionary differ only in control characters, so they would become equal without these characters"
    case .date: "the date is NaN or out of range"
    case .nullInOpenStep: "OpenStep property lists cannot represent null"
    case .integerInOpenStep:
      "OpenStep property lists cannot represent an integer; allow conversion to write it as a string"
    case .realInOpenStep:
      "OpenStep property lists cannot represent a real number; allow conversion to write it as a string"
    case .booleanInOpenStep:
      "OpenStep property lists cannot represent a boolean; allow conversion to write it as a string"
    case .dateInOpenStep: "OpenStep property lists cannot represent a date; allow conversion to write it as a string"
    case .uidInOpenStep: "OpenStep property lists cannot represent a UID; allow conversion to write it as a dictionary"
    case .dateInJSON: "JSON cannot represent a date; allow conversion to write it as a string"
    case .dataInJSON: "JSON cannot represent data; allow conversion to write it as a string"
    case .uidInJSON: "JSON cannot represent a UID; allow conversion to write it as a dictionary"
    case .numberInJSON: "JSON cannot represent a number that is not finite; allow conversion to write it as a string"
    case .stringsTable: "a .strings file can hold only a dictionary"
    case .tooManyObjects: "the document has more objects than a binary property list can refer to in four bytes"
    }
  }
}
