/// The reason why a value cannot be written, in a single byte so that the check after each value is fast.
enum PlistWriteFailure: Error {
  case null, invalidUID
  case nul
  case controlCharacter, sameKeys
  case date
  case tooManyObjects
  case memory
  case nullInOpenStep, integerInOpenStep, realInOpenStep, booleanInOpenStep, dateInOpenStep, uidInOpenStep
  case dateInJSON, dataInJSON, uidInJSON, numberInJSON
  case stringsTable

  var code: PlistError.Code { self == .memory ? .documentSizeLimit : .unrepresentableValue }

  var message: String {
    switch self {
    case .memory: "the document needs more memory than can be allocated"
    case .null: "XML property lists cannot represent null"
    case .invalidUID:
      "XML cannot represent a dictionary whose only key is CF$UID, unless its value is an integer from 0 to 4294967295"
    case .nul: "the text contains a NUL, which XML does not allow"
    case .controlCharacter: "the text contains a control character, which XML does not allow"
    case .sameKeys:
      "two keys of a dictionary differ only in control characters, so the keys would be equal without them"
    case .date: "the date is NaN, or too far from the year 2001"
    case .nullInOpenStep: "OpenStep property lists cannot represent null"
    case .integerInOpenStep:
      "OpenStep property lists cannot represent an integer; allow lossy conversion to a string"
    case .realInOpenStep:
      "OpenStep property lists cannot represent a real number; allow lossy conversion to a string"
    case .booleanInOpenStep:
      "OpenStep property lists cannot represent a boolean; allow lossy conversion to a string"
    case .dateInOpenStep: "OpenStep property lists cannot represent a date; allow lossy conversion to a string"
    case .uidInOpenStep: "OpenStep property lists cannot represent a UID; allow lossy conversion to a dictionary"
    case .dateInJSON: "JSON cannot represent a date; allow lossy conversion to a string"
    case .dataInJSON: "JSON cannot represent data; allow lossy conversion to a string"
    case .uidInJSON: "JSON cannot represent a UID; allow lossy conversion to a dictionary"
    case .numberInJSON: "JSON cannot represent a number that is not finite; allow lossy conversion to a string"
    case .stringsTable: "the root of a .strings file must be a dictionary"
    case .tooManyObjects: "the document has more than 2^32 - 1 objects, the limit for binary property lists"
    }
  }
}
