#if CommandLineTool
extension String {
  /// This text between quotation marks, as languages write it that took their escapes from C.
  ///
  /// - Parameter control: Spells a control character that has no escape of its own.
  /// - Returns: The literal, quotation marks included.
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
