#if CommandLineTool
extension String {
  /// Returns this text between quotation marks, with the escapes of C, which other languages use too.
  ///
  /// - Parameter control: A closure that returns the spelling of a control character that has no escape of its own.
  /// - Returns: The literal, including the quotation marks.
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
