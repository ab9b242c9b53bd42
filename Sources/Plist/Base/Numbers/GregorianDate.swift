/// A date and time of day in UTC, in the proleptic Gregorian calendar with astronomical years (0 is 1 BC).
package struct GregorianDate: Hashable, Sendable {
  var year: Int64
  var month = 1
  var day = 1
  var hour = 0
  var minute = 0
  var second = 0

  /// The greatest supported distance from 2001-01-01, in seconds: the end of the year 2147483647, the last year that
  /// Foundation writes.
  ///
  /// Within about 285 million years of 2001, a `Double` represents every whole second; at this distance, only every
  /// eighth.
  static let furthest = 67_767_975_255_225_592.0

  /// The years that have dates within ``furthest`` seconds of 2001-01-01; the beginning of the first year is out of
  /// range.
  static let years: ClosedRange<Int64> = -2_147_479_646...2_147_483_647

  /// Returns the interval for a whole number of seconds since 2001-01-01, or nil if the date is too far away.
  ///
  /// A `Double` would round the last seconds of the last year up into the next year, so they are clamped to
  /// ``furthest``.
  static func interval(_ seconds: Int64) -> Double? {
    guard seconds.magnitude < UInt64(furthest) + 8 else { return nil }
    return min(max(Double(seconds), -furthest), furthest)
  }

  /// Whether every field is in its range; `second` can be 60.
  var isValid: Bool {
    1...12 ~= month && 1...Self.days(inMonth: month, of: year) ~= day && 0...23 ~= hour && 0...59 ~= minute
      && 0...60 ~= second
  }

  private static func days(inMonth month: Int, of year: Int64) -> Int {
    switch month {
    case 4, 6, 9, 11: return 30
    case 2: return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    default: return 31
    }
  }

  /// Whole seconds since 2001-01-01T00:00:00Z.
  ///
  /// - Precondition: The year fits into 32 bits.
  var secondsSinceReference: Int64 {
    // Years begin in March here, so that the leap day is the last day of the year. An era is 400 years.
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = Int64((153 * ((month + 9) % 12) + 2) / 5 + day - 1)
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    // 730,791 days lie between 0000-03-01 and 2001-01-01.
    let days = era * 146_097 + dayOfEra - 730_791
    return days * 86_400 + Int64((hour * 60 + minute) * 60 + second)
  }
}

extension GregorianDate {
  /// Creates a date to write, or returns nil if `seconds` is NaN or too far from 2001-01-01 and `clamps` is false.
  ///
  /// If `clamps` is true, NaN becomes 2001-01-01T00:00:00Z, and a date that is too far away becomes the furthest one in
  /// its direction.
  package init?(secondsSinceReference seconds: Double, clamps: Bool) {
    let inRange = seconds.isNaN ? 0 : min(max(seconds, -Self.furthest), Self.furthest)
    self.init(secondsSinceReference: clamps ? inRange : seconds)
  }

  /// Creates the date `seconds` seconds after 2001-01-01T00:00:00Z, rounded down to a whole second.
  ///
  /// Returns nil for NaN and for dates beyond ``furthest``.
  package init?(secondsSinceReference seconds: Double) {
    guard seconds.magnitude <= Self.furthest else { return nil }
    let whole = Int64(seconds.rounded(.down))
    var days = whole / 86_400
    var time = whole % 86_400
    if time < 0 {
      time += 86_400
      days -= 1
    }
    days += 730_791
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    // The day of the era and the second of the day fit into 32 bits, and a 32-bit division takes half as many steps as
    // a 64-bit one.
    let dayOfEra = UInt32(truncatingIfNeeded: days - era * 146_097)
    let yearOfEra = (dayOfEra &- dayOfEra / 1_460 &+ dayOfEra / 36_524 &- dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra &- (365 &* yearOfEra &+ yearOfEra / 4 &- yearOfEra / 100)
    let shiftedMonth = (5 &* dayOfYear &+ 2) / 153
    month = Int(shiftedMonth < 10 ? shiftedMonth &+ 3 : shiftedMonth &- 9)
    year = Int64(yearOfEra) + era * 400 + (month <= 2 ? 1 : 0)
    day = Int(dayOfYear &- (153 &* shiftedMonth &+ 2) / 5 &+ 1)
    let minutes = UInt32(truncatingIfNeeded: time) / 60
    hour = Int(minutes / 60)
    minute = Int(minutes % 60)
    second = Int(truncatingIfNeeded: time) &- 60 &* Int(minutes)
  }
}

extension GregorianDate: CustomStringConvertible {
  /// The date in the form `2001-01-01T00:00:00Z`, with at least four digits for the year.
  package var description: String {
    if year < 0 {
      var positive = self
      positive.year = -year
      return "-" + positive.description
    }
    return xmlText
  }

  /// The date as XML text, with the year padded to at least four characters, including a minus sign.
  package var xmlText: String {
    var buffer = ByteBuffer()
    buffer.append(self)
    return buffer.withSpan { String(utf8: $0, in: 0..<$0.byteCount) }
  }
}
