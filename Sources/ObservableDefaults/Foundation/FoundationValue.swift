import Foundation
import Plist

/// A name space for conversions between Foundation's objects and property lists.
enum FoundationValue {
  /// Returns the property list of an object of `UserDefaults`.
  static func propertyList(_ object: Any) throws -> PropertyList {
    // Foundation converts the object, since only Foundation can distinguish Boolean values from numbers. The object is
    // put in an array, since a number at the root can be invalid.
    let data = try PropertyListSerialization.data(fromPropertyList: [object], format: .binary, options: 0)
    guard let propertyList = try PropertyList(parsing: data)[0] else { throw DefaultsCoding<Bool>.mismatch(.null) }
    return propertyList
  }

  /// Returns the property lists of objects by their keys; invalid objects are omitted.
  static func dictionary(_ objects: [String: Any]) -> PropertyListDictionary {
    // All objects are converted at once, since converting them one by one is much slower.
    if let all = try? propertyList(objects).dictionary { return all }
    var contents: PropertyListDictionary = [:]
    for (key, object) in objects { contents[key] = try? propertyList(object) }
    return contents
  }

  /// Returns the Foundation object for a property list.
  ///
  /// - Throws: ``DefaultsError`` if no object exists, for example for null. (`UserDefaults` would stop the process.)
  static func object(_ propertyList: PropertyList) throws -> Any {
    guard isStorable(propertyList) else {
      throw DefaultsError(.unstorableValue, "user defaults cannot store null or keyed-archiver UIDs")
    }
    switch propertyList {
    case .string(let text): return text
    case .data(let data): return data
    case .date(let date): return date
    default:
      let data = try PropertyList.array([propertyList]).data(format: .binary)
      // The `unsafe` call is sound, since the pointer to the format is nil.
      guard
        let objects = try unsafe PropertyListSerialization.propertyList(from: data, options: [], format: nil) as? [Any],
        let object = objects.first
      else {
        throw DefaultsError(.unstorableValue, "user defaults cannot store a value of the kind \(propertyList.kind)")
      }
      return object
    }
  }

  private static func isStorable(_ propertyList: PropertyList) -> Bool {
    var left = [propertyList]
    while let next = left.popLast() {
      switch next {
      case .null, .uid: return false
      case .array(let elements): left += elements
      case .dictionary(let pairs): left += pairs.values
      default: break
      }
    }
    return true
  }
}
