import Foundation
import Plist

/// A name space for the forms other than absolute strings in which Foundation's user defaults store URLs.
enum StoredURL {
  /// Returns the absolute string of a URL that is stored as an archive, or as a path that begins with a slash or a
  /// tilde.
  ///
  /// Other values are returned unchanged.
  static func normalized(_ propertyList: PropertyList) -> PropertyList {
    switch propertyList {
    case .data(let archive):
      let url = try? NSKeyedUnarchiver.unarchivedObject(ofClass: NSURL.self, from: archive)
      return url.map { .string(($0 as URL).absoluteString) } ?? propertyList
    case .string(let text) where text.hasPrefix("/") || text.hasPrefix("~"):
      return .string(URL(fileURLWithPath: NSString(string: text).expandingTildeInPath).absoluteString)
    default: return propertyList
    }
  }

  /// Whether values of a type are URLs.
  static func isType(_ type: Any.Type) -> Bool { type == URL.self || type == URL?.self }
}
