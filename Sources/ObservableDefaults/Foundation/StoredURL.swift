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
    case .string(let text) where isPath(text):
      return .string(URL(fileURLWithPath: NSString(string: text).expandingTildeInPath).absoluteString)
    default: return propertyList
    }
  }

  private static func isPath(_ text: String) -> Bool { text.hasPrefix("/") || text.hasPrefix("~") }

  /// Throws an error if ``normalized(_:)`` would interpret the stored form of a relative URL as the path of a file.
  static func check(_ form: PropertyList) throws(DefaultsError) {
    guard let text = form.string, isPath(text) else { return }
    throw DefaultsError(
      .unstorableValue, "the relative URL \"\(text)\" cannot be stored, because it would be read as the path of a file")
  }

  static func isType(_ type: Any.Type) -> Bool { type == URL.self || type == URL?.self }
}
