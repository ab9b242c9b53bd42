import Foundation
import Plist

extension FuzzTarget {
  static let differential = FuzzTarget(
    "differential", "verdict and value are Foundation's, but for differences that are known",
    formats: ["xml", "binary", "openstep", "strings"]
  ) { try Differential.check($0) }
}

enum Differential {
  struct Outcomes {
    let document: Data
    let here: Result<PropertyList, PlistError>
    let foundation: FoundationValue?
  }

  @discardableResult
  static func check(_ document: Data) throws -> String? {
    let options = PlistReadOptions(limits: PlistLimits(maximumValueCount: 5_000, maximumExpansion: 500))
    let here = Result { () throws(PlistError) in try PropertyList(parsing: document, options: options) }
    guard FoundationValue.survives(document, here) else { return nil }
    let outcomes = Outcomes(document: document, here: here, foundation: FoundationValue(reading: document))
    try checkRepairs(outcomes)
    switch (outcomes.here, outcomes.foundation) {
    case (.failure, nil): return nil
    case (.success(let value), let foundation?) where foundation.isSame(as: value): return nil
    default: break
    }
    if let difference = ExpectedDifference.all.first(where: { $0.explains(outcomes) }) { return difference.reason }
    throw FuzzFinding(
      "\(outcomes.hereText) here, but \(foundationText(outcomes.foundation)) with Foundation: \(document.shown)")
  }

  /// Checks that a repaired document has Foundation's value, apart from known differences.
  private static func checkRepairs(_ outcomes: Outcomes) throws {
    guard case .failure = outcomes.here, let foundation = outcomes.foundation,
      let repaired = try? RepairedPropertyList(parsing: outcomes.document),
      !foundation.isSame(as: repaired.propertyList)
    else { return }
    let here = Outcomes(document: outcomes.document, here: .success(repaired.propertyList), foundation: foundation)
    if ExpectedDifference.all.contains(where: { $0.explains(here) }) { return }
    throw FuzzFinding(
      "\(repaired.propertyList.debugDescription) repaired, but \(foundationText(foundation)) with Foundation: "
        + outcomes.document.shown)
  }

  private static func foundationText(_ value: FoundationValue?) -> String {
    guard let value else { return "refused" }
    return "\(value.value) as \(value.formatName)".replacing("\n", with: " ")
  }
}

extension Differential.Outcomes {
  fileprivate var hereText: String {
    switch here {
    case .success(let value): value.debugDescription
    case .failure(let error): "\(error.code), \(error)"
    }
  }
}

struct FoundationValue {
  let value: Any
  let format: PropertyListSerialization.PropertyListFormat

  init?(reading document: Data) {
    var format = PropertyListSerialization.PropertyListFormat.xml
    guard let value = try? unsafe PropertyListSerialization.propertyList(from: document, options: [], format: &format)
    else { return nil }
    self.value = value
    self.format = format
  }

  var formatName: String {
    switch format {
    case .binary: "binary"
    case .xml: "xml"
    default: "OpenStep"
    }
  }

  static func survives(_ document: Data, _ here: Result<PropertyList, PlistError>) -> Bool {
    if case .failure(let error) = here, error.category == .limit { return false }
    guard document.starts(with: Data("bplist".utf8)) else { return true }
    if case .failure = here, mayExpand(document) { return false }
    return !document.dropFirst(8).dropLast(32).contains { 0xC0...0xCF ~= $0 }
  }

  private static func mayExpand(_ document: Data) -> Bool {
    var paths = 1
    for byte in document.dropFirst(8).dropLast(32) where 0xA0...0xAF ~= byte || 0xD0...0xDF ~= byte {
      paths *= byte & 0xF == 0xF ? document.count : max(1, Int(byte & 0xF))
      if paths > 100_000 { return true }
    }
    return false
  }

  func isSame(as other: PropertyList) -> Bool { Self.isSame(value, other) }

  private static func isSame(_ foundation: Any, _ value: PropertyList) -> Bool {
    switch value {
    case .string(let text): return (foundation as? String).map { $0.utf8.elementsEqual(text.utf8) } ?? false
    case .data(let data): return foundation as? Data == data
    case .date(let date):
      guard let other = foundation as? Date else { return false }
      return isSame(other.timeIntervalSinceReferenceDate, date.timeIntervalSinceReferenceDate)
    case .boolean(let boolean): return number(foundation, ofType: "c")?.boolValue == boolean
    case .real(let real): return number(foundation, ofType: "d", "f").map { isSame($0.doubleValue, real) } ?? false
    case .integer(let integer):
      guard let number = number(foundation, ofType: "q", "i", "s", "Q", "l", "L", "I", "S", "C") else { return false }
      if number.compare(NSNumber(value: Int64.max)) == .orderedDescending {
        return !integer.isNegative && number.uint64Value == integer.magnitude
      }
      return PropertyListInteger(number.int64Value) == integer
    case .uid(let uid): return self.uid(foundation) == uid.value
    case .null: return foundation is NSNull
    case .array(let elements):
      guard let others = foundation as? [Any], others.count == elements.count else { return false }
      return zip(others, elements).allSatisfy { isSame($0, $1) }
    case .dictionary(let dictionary):
      guard let others = foundation as? [String: Any], others.count == dictionary.count else { return false }
      return dictionary.allSatisfy { key, value in others[key].map { isSame($0, value) } ?? false }
    }
  }

  private static func isSame(_ left: Double, _ right: Double) -> Bool {
    left.isNaN ? right.isNaN : left.bitPattern == right.bitPattern
  }

  /// Returns a number if its Objective-C type, which tells Booleans, integers and reals apart, is one of `types`.
  private static func number(_ value: Any, ofType types: Unicode.Scalar...) -> NSNumber? {
    guard let number = value as? NSNumber else { return nil }
    let type = unsafe UInt8(bitPattern: number.objCType.pointee)
    return types.contains(Unicode.Scalar(type)) ? number : nil
  }

  /// Returns the number of a UID, which Foundation shows only in the XML it writes.
  private static func uid(_ value: Any) -> UInt32? {
    guard String(describing: type(of: value)) == "_NSKeyedArchiverUID",
      let xml = try? PropertyListSerialization.data(fromPropertyList: value, format: .xml, options: 0),
      case .uid(let uid) = try? PropertyList(parsing: xml)
    else { return nil }
    return uid.value
  }
}
