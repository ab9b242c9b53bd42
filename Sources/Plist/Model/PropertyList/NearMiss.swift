/// Finds the known name that is closest to a misspelled one.
package enum NearMiss {
  /// Names of more than 64 letters are ignored, and only the first thousand names are compared.
  private static let longest = 64
  private static let most = 1_000

  /// Returns a hint such as ` (did you mean "limits"?)` if one of the names is similar to `name`, or an empty string.
  ///
  /// If a name differs from `name` only in its Unicode normalization, the hint says so instead.
  package static func suggestion(for name: String, among names: some Sequence<String>) -> String {
    if let other = names.prefix(most).first(where: { $0 == name && !$0.utf8.elementsEqual(name.utf8) }) {
      let spelling = other.unicodeScalars.map {
        $0.isASCII ? String($0) : "\\u{\(String($0.value, radix: 16, uppercase: true))}"
      }
      return " (there is \"\(spelling.joined().shownInMessages())\", the same text in another Unicode normalization)"
    }
    guard let nearest = nearest(to: name, among: names) else { return "" }
    return " (did you mean \"\(nearest.shownInMessages())\"?)"
  }

  /// Returns the most similar name, or nil if none is similar enough.
  ///
  /// The edit distance can be at most 2, and at most a third of the longer name's length.
  static func nearest(to name: String, among names: some Sequence<String>) -> String? {
    let wanted = Array(name.lowercased().unicodeScalars.prefix(longest + 1))
    guard wanted.count <= longest else { return nil }
    var best: (name: String, distance: Int)?
    for other in names.prefix(most) where !other.utf8.elementsEqual(name.utf8) {
      let letters = Array(other.lowercased().unicodeScalars.prefix(longest + 1))
      guard letters.count <= longest, abs(letters.count - wanted.count) <= 2 else { continue }
      let distance = distance(wanted, letters)
      guard distance <= min(2, max(wanted.count, letters.count) / 3) else { continue }
      if distance < best?.distance ?? .max { best = (other, distance) }
    }
    return best?.name
  }

  /// Returns the edit distance, counting insertions, removals, replacements and swaps of adjacent letters.
  private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var before: [Int] = []
    var last = Array(0...right.count)
    for (row, letter) in left.enumerated() {
      var next = [row + 1]
      for (column, other) in right.enumerated() {
        var cost = min(last[column + 1] + 1, next[column] + 1, last[column] + (letter == other ? 0 : 1))
        if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
          cost = min(cost, before[column - 1] + 1)
        }
        next.append(cost)
      }
      (before, last) = (last, next)
    }
    return last[right.count]
  }
}
