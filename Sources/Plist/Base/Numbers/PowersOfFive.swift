/// The leading 128 bits of the powers of five, for converting decimal numbers to binary.
///
/// There are two words for each exponent from −342 to 308, the more significant first. Positive powers are truncated to
/// 128 bits. For a negative exponent −*n*, the words contain the quotient 2ᵇ / 5ⁿ, with *b* chosen so that the quotient
/// has 128 bits. It is rounded up for *n* from 1 to 27 and down for larger *n*. This is enough to find the nearest
/// `Double` for almost any decimal number. Reference: Daniel Lemire, "Number Parsing at a Gigabyte per Second",
/// Software: Practice and Experience 51 (8), 2021.
enum PowersOfFive {
  static let exponents = -342...308

  /// Returns the two words for `exponent`, which must be in ``exponents``.
  static func power(_ exponent: Int) -> (high: UInt64, low: UInt64) {
    let index = 2 * (exponent - exponents.lowerBound)
    return (words[index], words[index + 1])
  }

  /// Computing the words takes 80 µs; a literal would take 330 lines.
  private static let words: [UInt64] = {
    var words = [UInt64](repeating: 0, count: 2 * exponents.count)
    func store(_ number: [UInt64], _ exponent: Int, isRoundedUp: Bool = false) {
      let last = number.lastIndex { $0 != 0 } ?? 0
      let (high, middle, low) = (number[last], last > 0 ? number[last - 1] : 0, last > 1 ? number[last - 2] : 0)
      let shift = high.leadingZeroBitCount
      let index = 2 * (exponent - exponents.lowerBound)
      words[index] = high << shift | middle >> (64 - shift)
      words[index + 1] = (middle << shift | low >> (64 - shift)) + (isRoundedUp ? 1 : 0)
    }
    // The least significant word comes first. 5³⁰⁸ and 2¹⁰²⁴ fit into 17 words.
    var power = [UInt64](repeating: 0, count: 17)
    power[0] = 1
    for exponent in 0...exponents.upperBound {
      store(power, exponent)
      var carry: UInt64 = 0
      for word in power.indices {
        let (high, low) = power[word].multipliedFullWidth(by: 5)
        power[word] = low &+ carry
        carry = high &+ (power[word] < carry ? 1 : 0)
      }
    }
    var quotient = [UInt64](repeating: 0, count: 17)
    quotient[16] = 1
    for exponent in 1...(-exponents.lowerBound) {
      var remainder: UInt64 = 0
      for word in quotient.indices.reversed() {
        (quotient[word], remainder) = UInt64(5).dividingFullWidth((remainder, quotient[word]))
      }
      store(quotient, -exponent, isRoundedUp: exponent <= 27)
    }
    return words
  }()
}
