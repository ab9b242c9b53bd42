import Foundation
import PlistFuzzTargets

extension Mutation {
  static func apply(to document: Data, using random: inout SeededGenerator) -> Data {
    Data(apply(to: Array(document), using: &random))
  }
}
