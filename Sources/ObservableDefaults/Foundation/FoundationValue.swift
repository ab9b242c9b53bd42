import Foundation
import Plist
import PlistFoundation

enum FoundationValue {
  /// Converts Foundation objects to property lists, and omits objects that have no property-list form.
  static func dictionary(_ objects: [String: Any]) -> PropertyListDictionary {
    var contents: PropertyListDictionary = [:]
    for (key, object) in objects { contents[key] = try? PropertyList(foundation: object) }
    return contents
  }

  /// Converts a property list to a Foundation object that `UserDefaults` can store.
  ///
  /// The method throws a ``DefaultsError`` for null and for UIDs of keyed archives, since setting such a value in
  /// `UserDefaults` would stop the process. The method also refuses a date that XML cannot represent. If user defaults
  /// contained a date that XML cannot represent, Foundation on Linux would lose all values in the file of the user
  /// defaults.
  static func object(_ propertyList: PropertyList) throws -> Any {
    guard isStorable(propertyList) else {
      throw DefaultsError(
        .unstorableValue,
        "user defaults cannot store null, keyed-archiver UIDs, or dates that are NaN or too far from 2001")
    }
    return propertyList.foundationValue
  }

  private static func isStorable(_ propertyList: PropertyList) -> Bool {
    var left = [propertyList]
    while let next = left.popLast() {
      switch next {
      case .null, .uid: return false
      case .date(let date):
        if GregorianDate(secondsSinceReference: date.timeIntervalSinceReferenceDate) == nil { return false }
      case .array(let elements): left += elements
      case .dictionary(let pairs):
        // A dictionary with two keys that are equal as Swift strings is not storable, since a Foundation dictionary
        // would keep only one of the two keys.
        if Set(pairs.keys).count != pairs.count { return false }
        left += pairs.values
      default: break
      }
    }
    return true
  }
}
