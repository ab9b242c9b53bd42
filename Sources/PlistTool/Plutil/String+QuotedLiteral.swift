#if CommandLineTool
extension String {
  /// The escapes are those of C, which other languages use too.
  ///
  /// The closure `control` returns the spelling of a control character that has no escape of its own.
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
