import Foundation
import Plist

extension Reading {
  /// Checks that the lenient reader agrees with the strict one and repairs nothing, or else lists its repairs.
  static func checkRepairs(
    of document: Data, _ options: PlistReadOptions, _ value: Result<PropertyList, PlistError>
  ) throws {
    let repaired = Result { () throws(PlistError) in try RepairedPropertyList(parsing: document, options: options) }
    switch (value, repaired) {
    case (.success(let value), .success(let repaired)):
      try expect(repaired.repairCount == 0 && repaired.repairs.isEmpty, "a well-formed document is repaired")
      try expect(value == repaired.propertyList, "the lenient reader has another value")
    case (.failure(let error), .failure(let other)):
      try expect(isSame(error, other), "the lenient reader has \(facts(of: other)), the value has \(facts(of: error))")
    case (.success, .failure(let error)): throw FuzzFinding("only the lenient reader has \(facts(of: error))")
    case (.failure, .success(let repaired)): try checkRepairs(repaired, of: document)
    }
  }

  private static func checkRepairs(_ repaired: RepairedPropertyList, of document: Data) throws {
    let repairs = repaired.repairs
    try expect(
      repairs.count == min(repaired.repairCount, RepairedPropertyList.maximumRepairs) && !repairs.isEmpty,
      "\(repairs.count) of \(repaired.repairCount) repairs are listed")
    for repair in repairs {
      try checkError(repair.error, of: document)
      try expect(!repair.replacement.contains { $0.isNewline }, "a replacement of several lines")
    }
    let offsets = repairs.map(\.error.offset)
    try expect(offsets == offsets.sorted(), "repairs are not in the order of the document")
  }
}
