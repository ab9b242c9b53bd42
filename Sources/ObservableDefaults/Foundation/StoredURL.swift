import Foundation
import Plist

/// A converter for the forms in which user defaults store URLs.
///
/// Foundation stores a URL as a keyed archive, as an absolute path, or as a path that begins with a tilde. Other
/// libraries archive arrays of URLs.
enum StoredURL {
  /// Returns the absolute string of a URL, or those of an archived array of URLs.
  ///
  /// Any other value is returned unchanged, but the result is nil for a JSON string, which `URL(string:)` would accept
  /// with its quotation marks.
  static func normalized(_ stored: PropertyList) -> PropertyList? {
    switch stored {
    case .data(let archive):
      let object = try? NSKeyedUnarchiver.unarchivedObject(ofClasses: [NSURL.self, NSArray.self], from: archive)
      if let url = object as? URL { return .string(url.absoluteString) }
      return (object as? [URL]).map { .array($0.map { .string($0.absoluteString) }) } ?? stored
    case .string(let text) where isPath(text):
      return .string(URL(fileURLWithPath: NSString(string: text).expandingTildeInPath).absoluteString)
    case .string(let text) where text.utf8.first == 0x22: return nil
    default: return stored
    }
  }

  /// Returns the URLs of a collection in the form in which we store them, or nil if one of them is a JSON string.
  static func normalizedElements(_ stored: PropertyList) -> PropertyList? {
    switch stored {
    case .data: return normalized(stored)
    case .string(let text): return text.utf8.first == 0x22 ? nil : stored
    case .array(let elements): return elements.contains { normalizedElements($0) == nil } ? nil : stored
    case .dictionary(let pairs): return pairs.values.contains { normalizedElements($0) == nil } ? nil : stored
    default: return stored
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

  /// Returns whether values of the type are collections of URLs.
  static func isCollection(_ type: Any.Type) -> Bool {
    guard let element = (type as? any ForeignCollection.Type)?.elementType else { return false }
    return element == URL.self || isCollection(element)
  }
}
