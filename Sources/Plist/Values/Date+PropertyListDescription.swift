#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Date {
  /// The date in a form such as `2001-01-01T00:00:00Z`, in UTC and the proleptic Gregorian calendar, with any fraction
  /// of a second.
  ///
  /// If the calendar form cannot represent the date exactly, the description has the seconds since 2001, such as
  /// `date(nan)`. NaN and very large or tiny intervals have no exact calendar form.
  var propertyListDescription: String {
    let interval = timeIntervalSinceReferenceDate
    let seconds = interval.rounded(.down)
    let fraction = interval - seconds
    let digits = fraction.description  // "0.25"
    // 10¹³ seconds are about 300,000 years. The condition `abs(interval) < 1e13` is also false if the interval is NaN.
    guard abs(interval) < 1e13, seconds + fraction == interval, fraction < 1, !digits.contains("e"),
      interval != 0 || interval.sign == .plus, let date = GregorianDate(secondsSinceReference: seconds)
    else { return "date(\(interval))" }
    let text = date.description
    return fraction == 0 ? text : text.dropLast() + digits.dropFirst() + "Z"
  }
}
