extension ByteBuffer {
  /// Appends a real as Apple's writers do: `nan`, `+infinity`, `-infinity`, or its digits.
  ///
  /// There are as few digits as possible, without a trailing `.0`, or seventeen if `style` is `foundation`.
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
