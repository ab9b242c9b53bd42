/// The shortest decimal number that reads back as a given `Double`; if there are several, the nearest one.
///
/// The algorithm is Schubfach: Raffaello Giulietti, *The Schubfach way to render doubles*, 2021. It chooses a power 10ᵏ
/// about as large as the interval of decimal numbers that round to the `Double`. The candidates are at most two
/// multiples of 10ᵏ⁺¹ or, if none of them is in the interval, two multiples of 10ᵏ. 128 bits of a power of ten are
/// enough to decide which candidates are in the interval.
struct ShortestDecimal {
  /// The digits as an integer, without trailing zeros.
  private(set) var digits: UInt64
  /// The power of ten by which ``digits`` is multiplied.
  private(set) var exponent: Int

  /// Finds the shortest number for `value`, which must be finite and positive, or returns nil if `value` is below
  /// 2⁻⁹⁵⁸.
  @inline(__always)
  init?(_ value: Double) {
    let bits = value.bitPattern
    let fraction = bits & (1 << 52 - 1)
    let biased = Int(bits >> 52)
    guard biased > 64 else { return nil }
    let c = fraction | 1 << 52
    let q = biased - 1075
    if -52...0 ~= q, c & (1 << UInt64(-q) - 1) == 0 {
      digits = c >> UInt64(-q)
      exponent = 0
      removeZeros()
      return
    }
    // Below a power of two, the next `Double` is half as far away as above it.
    let isCloserBelow = fraction == 0
    let k = (q * 1_262_611 - (isCloserBelow ? 524_031 : 0)) >> 22
    let h = UInt64(truncatingIfNeeded: q + (-k * 1_741_647) >> 19 + 1)
    let power = Self.power(-k)
    let odd = c & 1
    let lower = Self.roundToOdd(power, (4 * c - 2 + (isCloserBelow ? 1 : 0)) << h) + odd
    let middle = Self.roundToOdd(power, (4 * c) << h)
    let upper = Self.roundToOdd(power, (4 * c + 2) << h) - odd

    let s = middle / 4
    let tens = s / 10
    let isTensInside = lower <= 40 * tens
    if isTensInside != (40 * tens + 40 <= upper) {
      digits = isTensInside ? tens : tens + 1
      exponent = k + 1
      removeZeros()
      return
    }
    let isInside = lower <= 4 * s
    if isInside != (4 * s + 4 <= upper) {
      digits = isInside ? s : s + 1
    } else {
      // If both or neither round to `value`, use the nearer one or, if they are equally near, the even one.
      let half = 4 * s + 2
      digits = middle > half || middle == half && s & 1 != 0 ? s + 1 : s
    }
    exponent = k
    // Most numbers have no trailing zeros.
    if digits % 10 == 0 { removeZeros() }
  }

  private mutating func removeZeros() {
    while true {
      let (quotient, remainder) = digits.quotientAndRemainder(dividingBy: 100)
      if remainder != 0 { break }
      digits = quotient
      exponent += 2
    }
    if digits % 10 == 0 {
      digits /= 10
      exponent += 1
    }
  }

  /// Returns the leading 128 bits of 10ᵏ, rounded up if bits are lost, as the algorithm requires.
  private static func power(_ k: Int) -> (high: UInt64, low: UInt64) {
    let power = PowersOfFive.power(k)
    // The table is exact for exponents from 0 to 55, rounded up from −27 to −1, and rounded down for all others. None
    // of its low words has all bits set, so adding 1 does not overflow.
    return -27...55 ~= k ? power : (power.high, power.low &+ 1)
  }

  /// Returns the upper 64 bits of the product of a power and `factor`, setting the lowest bit if the next 64 bits
  /// exceed 1.
  private static func roundToOdd(_ power: (high: UInt64, low: UInt64), _ factor: UInt64) -> UInt64 {
    let lower = power.low.multipliedFullWidth(by: factor).high
    let (high, low) = power.high.multipliedFullWidth(by: factor)
    let (sum, overflow) = low.addingReportingOverflow(lower)
    return (overflow ? high &+ 1 : high) | (sum > 1 ? 1 : 0)
  }
}
