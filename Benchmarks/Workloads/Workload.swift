import Foundation
import Plist

enum Form: String, CaseIterable {
  case xml, binary
}

struct Document {
  let xml: Data
  let binary: Data
  /// The structure of the root, which decides what type a program would declare for the document.
  let structure: Structure

  subscript(form: Form) -> Data { form == .xml ? xml : binary }
}

extension Document {
  /// Writes a value as XML and as binary with this package.
  init(_ value: PropertyList) throws {
    structure = Structure(value)
    xml = try value.data(format: .xml)
    binary = try value.data(format: .binary)
  }
}

enum Structure: String {
  case strings, numbers, records, data, points, other

  init(_ value: PropertyList) {
    switch value {
    case .dictionary(let dictionary): self = dictionary["integers"] == nil ? .strings : .numbers
    case .array(let elements):
      switch elements.first {
      case .dictionary: self = .records
      case .data: self = .data
      default: self = .points
      }
    default: self = .other
    }
  }
}

/// Documents to process; one run processes them all `repetitions` times.
struct Workload {
  let name: String
  let note: String
  let documents: [Document]
  var repetitions = 1

  /// How many documents one run processes.
  var runs: Int { documents.count * repetitions }

  /// Returns how many bytes one run processes.
  func bytes(_ form: Form) -> Int { documents.reduce(0) { $0 + $1[form].count } * repetitions }
}
