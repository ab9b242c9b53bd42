import Plist
import PlistArchives

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The forms that URLs take in user defaults.
///
/// Foundation stores a URL as a keyed archive, or as a path that is absolute or begins with a tilde. Other libraries
/// archive arrays of URLs.
enum StoredURL {
  /// Returns the absolute string of a stored URL, or the array of absolute strings of an archived array of URLs.
  ///
  /// Any other value is returned unchanged, except that the result is nil for a JSON string, because `URL(string:)`
  /// would accept it with its quotation marks.
  static func normalized(_ stored: PropertyList) -> PropertyList? {
    switch stored {
    case .data(let archive):
      guard let object = try? KeyedArchive(parsing: archive).root else { return stored }
      if let url = object.url { return .string(url.absoluteString) }
      guard let elements = object.elements else { return stored }
      let urls = elements.compactMap(\.url)
      return urls.count == elements.count ? .array(urls.map { .string($0.absoluteString) }) : stored
    case .string(let text) where isPath(text):
      return .string(URL(fileURLWithPath: expandingTilde(text)).absoluteString)
    case .string(let text) where text.utf8.first == 0x22: return nil
    default: return stored
    }
  }

  /// Returns a collection's URLs in the form in which we store them, or nil if any of them is a JSON string.
  static func normalizedElements(_ stored: PropertyList) -> PropertyList? {
    switch stored {
    case .data: return normalized(stored)
    case .string(let text): return text.utf8.first == 0x22 ? nil : stored
    case .array(let elements): return elements.contains { normalizedElements($0) == nil } ? nil : stored
    case .dictionary(let pairs): return pairs.values.contains { normalizedElements($0) == nil } ? nil : stored
    default: return stored
    }
  }

  /// Returns the path with a leading `~` or `~user` replaced by the home folder.
  private static func expandingTilde(_ path: String) -> String {
    guard path.utf8.first == 0x7E else { return path }
    let end = path.utf8.firstIndex(of: 0x2F) ?? path.endIndex
    let user = String(path[path.index(after: path.startIndex)..<end])
    var home: URL? = .homeDirectory
    #if os(macOS) || !canImport(Darwin)
    if !user.isEmpty { home = FileManager.default.homeDirectory(forUser: user) }
    #else
    if !user.isEmpty { home = nil }
    #endif
    return home.map { $0.path + path[end...] } ?? path
  }

  private static func isPath(_ text: String) -> Bool { text.hasPrefix("/") || text.hasPrefix("~") }

  /// Rejects a relative URL that ``normalized(_:)`` would mistake for a file path.
  static func check(_ form: PropertyList) throws(DefaultsError) {
    guard let text = form.string, isPath(text) else { return }
    throw DefaultsError(
      .unstorableValue, "the relative URL \"\(text)\" cannot be stored, because it would be read as the path of a file")
  }

  static func isType(_ type: Any.Type) -> Bool { type == URL.self || type == URL?.self }

  /// Returns whether a type is a collection of URLs, possibly nested.
  static func isCollection(_ type: Any.Type) -> Bool {
    guard let element = (type as? any ForeignCollection.Type)?.elementType else { return false }
    return element == URL.self || isCollection(element)
  }
}
