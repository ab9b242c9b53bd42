#if CommandLineTool
extension String {
  /// Returns a string literal whose escapes, such as `\n`, are valid in C and in other languages.
  ///
  /// The closure `control` returns the escape for a control character that has no short C escape.
  func quotedLiteral(control: (Unicode.Scalar) -> String) -> String {
    var text = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"", "\\": text += "\\" + String(scalar)
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case ..<" ", "\u{7F}": text += control(scalar)
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }
}
#endif
