import Foundation
import PlistFuzzTargets

extension Mutation {
  /// Returns the document with one to three small changes.
  static func apply(to document: Data, using random: inout SeededGenerator) -> Data {
    Data(apply(to: Array(document), using: &random))
  }
}
