/// The leading 128 bits of the powers of five, for converting decimal numbers to binary numbers.
///
/// The table of powers has two words for each exponent from −342 to 308, the more significant word first. A power of
/// five with a positive exponent is truncated to 128 bits. A power of five with a negative exponent −*n* is the
/// quotient 2ᵇ / 5ⁿ. The exponent *b* is so large that the quotient 2ᵇ / 5ⁿ has 128 bits. The quotient 2ᵇ / 5ⁿ is
/// rounded up for *n* from 1 to 27, and rounded down for larger *n*. For almost any decimal number, 128 bits of each
/// power are sufficient to find the nearest `Double`. Reference: Daniel Lemire, "Number Parsing at a Gigabyte per
/// Second", Software: Practice and Experience 51 (8), 2021.
enum PowersOfFive {
  static let exponents = -342...308

  /// `exponent` must be one of ``exponents``.
  static func power(_ exponent: Int) -> (high: UInt64, low: UInt64) {
    let index = 2 * (exponent - exponents.lowerBound)
    return (words[index], words[index + 1])
  }

  /// The 64-bit words of the table; computing them takes 80 µs, but an array literal with all words would need 330
  /// lines.
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
    // The arrays `power` and `quotient` have the least significant word first. The numbers 5³⁰⁸ and 2¹⁰²⁴ fit into 17
    // words of 64 bits.
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
