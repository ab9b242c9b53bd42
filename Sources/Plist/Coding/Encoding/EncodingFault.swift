#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The reason that a value was not encoded; the caller gets an `EncodingError` with the value and its path.
enum EncodingFault: Error {
  case output(PlistWriteFailure)
  case system(any Error)
  case depth
  case integerRange
  case occupied
  case closed
  case duplicateKey
  case noDictionary
  case missingKey
  case unexpectedKey

  init(_ error: any Error) {
    switch error {
    case let fault as EncodingFault: self = fault
    case let failure as PlistWriteFailure: self = .output(failure)
    default: self = .system(error)
    }
  }

  private var message: String {
    switch self {
    case .output(let failure): failure.message
    case .system(let error): "\(error)"
    case .depth:
      "values nest deeper than the limit of \(EncoderState.deepest) levels, or deeper than the thread's stack allows"
    case .integerRange: "integers must be from -9223372036854775808 to 18446744073709551615"
    case .occupied: "encode(to:) has encoded a second value where only one value is allowed"
    case .duplicateKey: "the key has already been encoded in the same dictionary"
    case .noDictionary:
      "encode(contentsOf:) requires a value that is encoded with encodeDictionary"
    case .missingKey: "a value in a dictionary must be encoded with a key"
    case .unexpectedKey: "a key can be encoded only in the closure of encodeDictionary"
    case .closed:
      "a container or an encoder was used too late: the call of encode(to:) that requested it had already returned"
    }
  }

  private var code: PlistError.Code {
    switch self {
    case .depth: .depthLimit
    case .occupied, .closed, .duplicateKey, .noDictionary, .missingKey, .unexpectedKey: .invalidEventOrder
    case .output(let failure): failure.code
    case .system, .integerRange: .unrepresentableValue
    }
  }

  func error(for value: Any, at path: [any CodingKey], format: PlistFormat?) -> EncodingError {
    let error = PlistError(
      code: code, message: message, format: format,
      path: PropertyListPath(components: path.map { $0.intValue.map(String.init) ?? $0.stringValue }))
    return EncodingError.invalidValue(
      EncodingError.printable(value),
      EncodingError.Context(codingPath: path, debugDescription: message, underlyingError: error))
  }
}

extension EncodingError {
  /// Returns what an error contains for a value: a scalar itself, or the type of any other value.
  ///
  /// `EncodingError` prints the value that it contains, but Foundation traps when it describes a date that is NaN or
  /// too far in the past or future. A model can contain such a date at any depth, so errors don't contain models.
  static func printable(_ value: Any) -> Any {
    switch value {
    case let date as Date:
      GregorianDate(secondsSinceReference: date.timeIntervalSinceReferenceDate) == nil
        ? date.timeIntervalSinceReferenceDate as Any : date
    case is String, is Bool, is Data, is URL, is any BinaryInteger, is any BinaryFloatingPoint, is Decimal,
      is PropertyListUID,
      is PropertyList:
      value
    default: type(of: value)
    }
  }
}
