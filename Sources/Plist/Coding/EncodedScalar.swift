#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What the values that are encoded come down to, other than containers.
enum EncodedScalar {
  case string(String)
  case integer(PropertyListInteger)
  case real(Double)
  case float(Float)
  case boolean(Bool)
  case date(Date)
  case data(Data)
  case uid(PropertyListUID)
  case null

  /// The value as an error shows it.
  var payload: Any {
    switch self {
    case .string(let value): value
    case .integer(let value): value
    case .real(let value): value
    case .float(let value): value
    case .boolean(let value): value
    case .date(let value): value
    case .data(let value): value
    case .uid(let value): value
    case .null: Any?.none as Any
    }
  }

  var kind: EncodedKind {
    switch self {
    case .string: .string
    case .integer, .real, .float: .number
    case .boolean: .boolean
    case .date: .date
    case .data: .data
    case .uid: .other
    case .null: .null
    }
  }
}

/// What has been encoded in a place.
enum EncodedKind: UInt8 {
  case nothing, string, number, boolean, date, null, data, other
  /// Containers that are open.
  case dictionary, array

  /// The same for a place whose container has ended.
  var withoutContainer: EncodedKind { self == .dictionary || self == .array ? .other : self }

  /// What a value of this kind is called that cannot be a document, or nil where it can be one.
  var fragmentName: String? {
    switch self {
    case .string, .number, .boolean, .date, .null: "\(self)"
    case .nothing, .data, .other, .dictionary, .array: nil
    }
  }
}
