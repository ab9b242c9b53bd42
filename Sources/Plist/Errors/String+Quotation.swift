extension String {
  /// The text as messages show it: in one line, control characters as escapes, and shortened.
  func shownInMessages(upTo limit: Int = 40) -> String {
    var shown = ""
    var count = 0
    for scalar in unicodeScalars {
      if count == limit { return shown + "…" }
      count += 1
      switch scalar {
      case "\n": shown += "\\n"
      case "\r": shown += "\\r"
      case "\t": shown += "\\t"
      // C0, C1 and the separators that end lines too.
      case _ where scalar.value < 0x20 || 0x7F...0x9F ~= scalar.value || 0x2028...0x2029 ~= scalar.value:
        shown += "\\u{\(String(scalar.value, radix: 16))}"
      default: shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }
}
