import Foundation
import Plist
import PlistFoundation

/// A name space for conversions between Foundation's objects and property lists.
enum FoundationValue {
  /// Returns the property lists of objects by their keys; invalid objects are omitted.
  static func dictionary(_ objects: [String: Any]) -> PropertyListDictionary {
    var contents: PropertyListDictionary = [:]
    for (key, object) in objects { contents[key] = try? PropertyList(foundation: object) }
    return contents
  }

  /// Returns the Foundation object for a property list.
  ///
  /// - Throws: ``DefaultsError`` if no object exists, for example for null. (`UserDefaults` would stop the process.)
  static func object(_ propertyList: PropertyList) throws -> Any {
    guard isStorable(propertyList) else {
      throw DefaultsError(.unstorableValue, "user defaults cannot store null or keyed-archiver UIDs")
    }
    return propertyList.foundationValue
  }

  private static func isStorable(_ propertyList: PropertyList) -> Bool {
    var left = [propertyList]
    while let next = left.popLast() {
      switch next {
      case .null, .uid: return false
      case .array(let elements): left += elements
      case .dictionary(let pairs):
        // Foundation's dictionaries would keep only one of two keys that are equal as strings.
        if Set(pairs.keys).count != pairs.count { return false }
        left += pairs.values
      default: break
      }
    }
    return true
  }
}
