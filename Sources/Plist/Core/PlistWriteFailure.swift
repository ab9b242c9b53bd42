/// A reason why a value cannot be written, without a position.
///
/// The size of this type is one byte, so that the check for a failure after each value is fast.
enum PlistWriteFailure: Error {
  case null
  case nul
  case controlCharacter, sameKeys
  case date
  case tooManyObjects
  case nullInOpenStep, integerInOpenStep, realInOpenStep, booleanInOpenStep, dateInOpenStep, uidInOpenStep
  case dateInJSON, dataInJSON, uidInJSON, numberInJSON
  case stringsTable

  /// The text of the failure in messages.
  var message: String {
    switch self {
    case .null: "XML property lists cannot hold null"
    case .nul: "a NUL in text, which XML does not allow"
    case .controlCharacter: "a control character in text, which XML does not allow"
    case .sameKeys: "two keys of a dictionary that differ in control characters only, which XML does not allow"
    case .date: "a date that is NaN or out of range"
    case .nullInOpenStep: "OpenStep property lists cannot hold null"
    case .integerInOpenStep: "OpenStep property lists cannot hold an integer, unless it is converted to a string"
    case .realInOpenStep: "OpenStep property lists cannot hold a real number, unless it is converted to a string"
    case .booleanInOpenStep: "OpenStep property lists cannot hold a boolean, unless it is converted to a string"
    case .dateInOpenStep: "OpenStep property lists cannot hold a date, unless it is converted to a string"
    case .uidInOpenStep: "OpenStep property lists cannot hold a UID, unless it is converted to a dictionary"
    case .dateInJSON: "JSON cannot hold a date, unless it is converted to a string"
    case .dataInJSON: "JSON cannot hold data, unless it is converted to a string"
    case .uidInJSON: "JSON cannot hold a UID, unless it is converted to a dictionary"
    case .numberInJSON: "JSON cannot hold a number that is not finite, unless it is converted to a string"
    case .stringsTable: "a .strings file can hold only a dictionary"
    case .tooManyObjects: "more objects than a binary property list can refer to in four bytes"
    }
  }
}
