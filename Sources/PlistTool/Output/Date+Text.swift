#if CommandLineTool
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Dates as text, in the calendar of XML property lists.
///
/// Foundation's `Date.description` traps for NaN and uses another calendar before 1582.
extension Date {
  /// The date as in XML, such as `2001-01-01T00:00:00Z`, or nil if XML cannot represent it.
  var xmlText: String? {
    GregorianDate(secondsSinceReference: timeIntervalSinceReferenceDate)?.xmlText
  }

  /// The date in a form such as `2001-01-01 00:00:00 +0000`.
  ///
  /// A date that XML cannot represent appears as its seconds since 2001, such as `date(nan)`.
  var spacedText: String {
    guard let text = xmlText else { return PropertyList.date(self).description }
    return text.dropLast().replacing("T", with: " ") + " +0000"
  }
}
#endif
