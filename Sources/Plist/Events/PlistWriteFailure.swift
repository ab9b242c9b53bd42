/// Why a value cannot be written, without where it is; one byte, since it is looked for after each value.
enum PlistWriteFailure: Error {
  case null
  case nul
  case date
  case tooManyObjects

  /// What the failure is called in messages.
  var message: String {
    switch self {
    case .null: "XML property lists cannot hold null"
    case .nul: "a NUL in text, which XML cannot hold"
    case .date: "a date that is no number, or too far away for XML"
    case .tooManyObjects: "more objects than a binary property list can refer to in four bytes"
    }
  }
}
