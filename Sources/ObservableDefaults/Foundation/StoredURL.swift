import Foundation
import Plist

/// Understands URLs as Foundation's user defaults store them, besides the absolute strings that are stored here.
enum StoredURL {
  /// The absolute string of a URL that is stored as an archive, or as a path that begins with a slash or a tilde; what is
  /// neither is left as it is.
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
