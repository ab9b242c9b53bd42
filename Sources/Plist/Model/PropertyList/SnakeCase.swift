#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Converts between camel case and snake case by the rules of Foundation's `JSONEncoder` and `JSONDecoder`.
enum SnakeCase {
  /// Returns the words of a camel-case key in lowercase, joined by underscores.
  static func converted(_ key: String) -> String {
    guard key.count > 1 else { return key.lowercased() }
    let characters = Array(key)
    var words: [ArraySlice<Character>] = []
    var start = 0
    var position = 1
    while let capital = characters[position...].firstIndex(where: \.hasUppercase) {
      words.append(characters[start..<capital])
      start = capital
      guard let small = characters[capital...].firstIndex(where: \.hasLowercase) else { break }
      // The last of several capital letters starts the next word: in `URLPath`, the `P` starts `Path`.
      if small > capital + 1 {
        words.append(characters[capital..<small - 1])
        start = small - 1
      }
      position = small + 1
    }
    words.append(characters[start...])
    return words.map { String($0).lowercased() }.joined(separator: "_")
  }

  static func camelCase(_ key: String) -> String {
    let body = key.drop { $0 == "_" }
    let leading = key[..<body.startIndex]
    guard let last = body.lastIndex(where: { $0 != "_" }) else { return key }
    let trailing = body[body.index(after: last)...]
    let words = body[...last].split(separator: "_")
    guard words.count > 1 else { return key }
    return leading + words[0].lowercased() + words.dropFirst().map(\.capitalized).joined() + trailing
  }
}

extension Character {
  fileprivate var hasUppercase: Bool {
    unicodeScalars.contains {
      $0.properties.generalCategory == .uppercaseLetter || $0.properties.generalCategory == .titlecaseLetter
    }
  }
  fileprivate var hasLowercase: Bool { unicodeScalars.contains { $0.properties.generalCategory == .lowercaseLetter } }
}
