/// The snake case of keys, by the rules of Foundation's `JSONEncoder`.
enum SnakeCase {
  /// The words of `key`, in small letters, with underscores between them.
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
      // The last of several capitals begins the word that the small letter is in.
      if small > capital + 1 {
        words.append(characters[capital..<small - 1])
        start = small - 1
      }
      position = small + 1
      if position > characters.count { break }
    }
    words.append(characters[start...])
    return words.map { String($0).lowercased() }.joined(separator: "_")
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
