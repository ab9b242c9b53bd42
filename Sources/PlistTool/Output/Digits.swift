#if CommandLineTool
extension UnsignedInteger {
  /// Returns the number's digits, padded with zeros to `width`.
  func digits(radix: Int, width: Int, uppercase: Bool = false) -> String {
    let digits = String(self, radix: radix, uppercase: uppercase)
    return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
  }
}
#endif
