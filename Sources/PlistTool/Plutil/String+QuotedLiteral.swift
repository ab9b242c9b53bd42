#if CommandLineTool
extension String {
  /// Returns a string literal with escapes that C and many other languages share, such as `\n`.
  ///
  /// `control` returns the escapes of all other control characters.
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
