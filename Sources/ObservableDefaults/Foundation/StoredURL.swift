import Foundation
import Plist

/// A converter for the forms in which Foundation's user defaults store a URL.
///
/// Foundation stores a URL as a keyed archive, as an absolute path, or as a path that begins with a tilde.
enum StoredURL {
  /// Returns the absolute string of a URL; a value that is neither a keyed archive nor a path is returned unchanged.
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

  static func isType(_ type: Any.Type) -> Bool { type == URL.self || type == URL?.self }
}
