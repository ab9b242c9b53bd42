#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Date {
  /// The date as `2001-01-01T00:00:00Z`, in UTC and the proleptic Gregorian calendar, with a fraction if there is one;
  /// `date(nan)` with the seconds since 2001 for what that cannot show exactly: not numbers, and far or tiny intervals.
  var propertyListDescription: String {
    let interval = timeIntervalSinceReferenceDate
    let seconds = interval.rounded(.down)
    let fraction = interval - seconds
    let digits = fraction.description  // "0.25"
    // 10¹³ seconds are some 300,000 years; written this way, NaN fails as well.
    guard abs(interval) < 1e13, seconds + fraction == interval, fraction < 1, !digits.contains("e"),
      interval != 0 || interval.sign == .plus
    else { return "date(\(interval))" }

    let whole = Int64(seconds)
    let days = whole.floorQuotient(86_400)
    let second = whole - days * 86_400
    let (year, month, day) = Self.civil(daysSince2001: days)
    let time = [second / 3600, second / 60 % 60, second % 60].map { Self.padded($0, 2) }.joined(separator: ":")
    let sign = year < 0 ? "-" : ""
    return "\(sign)\(Self.padded(abs(year), 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))"
      + "T\(time)\(fraction == 0 ? "" : String(digits.dropFirst()))Z"
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  /// The calendar date of a day, by Howard Hinnant's `civil_from_days`: years begin in March, so that the day that comes
  /// and goes is the last one.
  private static func civil(daysSince2001: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let days = daysSince2001 + 730_791  // from 1 March of year 0
    let era = days.floorQuotient(146_097)
    let dayOfEra = days - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }
}

extension Int64 {
  /// The quotient rounded down, also for negative numbers.
  fileprivate func floorQuotient(_ divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
