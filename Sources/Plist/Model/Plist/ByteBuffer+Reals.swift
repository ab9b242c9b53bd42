extension ByteBuffer {
  /// Appends a real in the form that Apple's writers use: `nan`, `+infinity`, `-infinity`, or its digits.
  ///
  /// A finite number has as few digits as possible and no trailing `.0`, or seventeen significant digits if `style` is
  /// `foundation`.
  mutating func append(real value: Double, style: PlistWriteOptions.RealStyle) {
    if value.isNaN {
      append("nan")
    } else if value.isInfinite {
      if value < 0 { append("-infinity") } else { append("+infinity") }
    } else if style == .foundation {
      if value == 0 { append("0.0") } else { append(seventeenDigits: value) }
    } else {
      append(shortest: value)
    }
  }
}
