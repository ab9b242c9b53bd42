#if CommandLineTool
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Texts of dates in the calendar of XML property lists.
///
/// Foundation's `Date.description` traps for NaN, and its calendar differs from the calendar of XML property lists for
/// dates before 1582.
extension Date {
  /// The text of the date in XML, such as `2001-01-01T00:00:00Z`, or nil if XML cannot represent the date.
  var xmlText: String? {
    GregorianDate(secondsSinceReference: timeIntervalSinceReferenceDate)?.xmlText
  }

  /// The date in a form such as `2001-01-01 00:00:00 +0000`.
  ///
  /// If XML cannot represent the date, the text has the seconds since 2001, such as `date(nan)`.
  var spacedText: String {
    guard let text = xmlText else { return PropertyList.date(self).description }
    return text.dropLast().replacing("T", with: " ") + " +0000"
  }
}
#endif
