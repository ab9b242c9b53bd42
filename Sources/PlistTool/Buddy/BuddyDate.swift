#if CommandLineTool
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#else
import Darwin
#endif

/// PlistBuddy's date format, in the time zone of the process.
///
/// This uses the C library's calendar because Foundation's would add 45 MB of tables to a static binary.
enum BuddyDate {
  private static let weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
  ]
  /// The time zones recognized by name, with their offsets from GMT in hours.
  private static let zones = [
    "UTC": 0, "GMT": 0, "Z": 0, "EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7,
  ]

  /// Formats a date like `Fri Nov 21 14:30:00 UTC 2025`.
  static func text(of date: Date) -> String {
    guard let time = LocalTime(date) else { return date.spacedText }
    let two = { (number: Int) in number.magnitude.digits(radix: 10, width: 2) }
    let day = "\(name(weekdays[time.weekday])) \(name(months[time.month])) \(two(time.day))"
    let clock = "\(two(time.hour)):\(two(time.minute)):\(two(time.second))"
    let year = (time.year < 0 ? "-" : "") + time.year.magnitude.digits(radix: 10, width: 4)
    return "\(day) \(clock) \(time.zone) \(year)"
  }

  private static func name(_ word: String) -> String { word.prefix(1).uppercased() + word.prefix(3).dropFirst() }

  /// Parses a date like `Fri Nov 21 14:30:00 UTC 2025`; the time zone is optional.
  ///
  /// It also accepts `11/21/25` and the date format of XML property lists, where an offset can replace the `Z`.
  static func date(_ text: String) -> Date? {
    let words = text.split(separator: " ")
    if words.count == 1 { return text.contains("/") ? day(text) : dateInXML(text) }
    guard words.count == 5 || words.count == 6, index(of: words[0], in: weekdays) != nil,
      let month = index(of: words[1], in: months), let day = number(words[2]),
      let clock = clock(words[3]), let year = number(words[words.count - 1])
    else { return nil }
    var offset: Int?
    if words.count == 6 {
      guard let found = self.offset(String(words[4]), in: (year, month, day), clock) else { return nil }
      offset = found
    }
    return date(year, month, day, clock, offset: offset)
  }

  private static func index(of word: Substring, in names: [String]) -> Int? {
    names.firstIndex { $0 == word.lowercased() || $0.prefix(3) == word.lowercased() }
  }

  private static func number(_ text: Substring) -> Int? {
    text.utf8.allSatisfy { 0x30...0x39 ~= $0 } && text.utf8.count < 7 ? Int(text) : nil
  }

  /// Converts a time of day like `14:30:00` to seconds since midnight.
  private static func clock(_ text: Substring) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(number)
    guard parts.count == 3, let hour = parts[0], let minute = parts[1], let second = parts[2], hour < 24, minute < 60,
      second < 60
    else { return nil }
    return hour * 3600 + minute * 60 + second
  }

  /// Returns the first moment of a day like `11/21/25`.
  ///
  /// A two-digit year means one between 80 years ago and 19 years from now.
  private static func day(_ text: String) -> Date? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    let numbers = parts.compactMap(number)
    guard numbers.count == 3, parts.count == 3 else { return nil }
    var year = numbers[2]
    if parts[2].utf8.count == 2 {
      let last = (LocalTime(Date())?.year ?? 2000) + 19
      year = last - (last - year) % 100
    }
    return date(year, numbers[0] - 1, numbers[1], 0, offset: nil)
  }

  /// Parses a date like `2025-11-21T14:30:00Z`; an offset such as `+01` or `+0130` can replace the `Z`.
  private static func dateInXML(_ text: String) -> Date? {
    var (text, offset) = (text, 0)
    if let sign = text.lastIndex(where: { $0 == "+" || $0 == "-" }), text[..<sign].contains("T") {
      guard let found = numericOffset(text[sign...]) else { return nil }
      (text, offset) = (text[..<sign] + "Z", found)
    }
    guard text.utf8.allSatisfy({ "0123456789-:TZ".utf8.contains($0) }),
      let value = try? PropertyList(parsing: Data("<plist><date>\(text)</date></plist>".utf8)),
      case .date(let date) = value
    else { return nil }
    return date - TimeInterval(offset)
  }

  /// Returns a time zone's offset from GMT in seconds, or nil if its name is unknown.
  private static func offset(_ zone: String, in day: (year: Int, month: Int, day: Int), _ clock: Int) -> Int? {
    if let hours = zones[zone.uppercased()] { return hours * 3600 }
    if let offset = numericOffset(zone.hasPrefix("GMT") ? zone.dropFirst(3) : zone[...]) { return offset }
    // A zone can have different names in summer and winter, so also look half a year back and ahead.
    for days in [0, 182, -182] {
      guard let date = date(day.year, day.month, day.day, clock, offset: nil),
        let time = LocalTime(date + Double(days * 86400)), time.zone == zone
      else { continue }
      return time.offset
    }
    return nil
  }

  /// Converts a time-zone offset such as `+01`, `+1`, `+0130` or `+01:30` to seconds.
  private static func numericOffset(_ text: Substring) -> Int? {
    guard let sign = text.first, sign == "+" || sign == "-" else { return nil }
    let digits = text.dropFirst().filter { $0 != ":" }
    guard let number = number(digits[...]), (1...4).contains(digits.count) else { return nil }
    let minutes = digits.count > 2 ? number / 100 * 60 + number % 100 : number * 60
    return (sign == "-" ? -60 : 60) * minutes
  }

  /// Returns a date, or nil for a day that does not exist, such as February 30.
  ///
  /// Without an `offset`, the time is in the time zone of the process.
  private static func date(_ year: Int, _ month: Int, _ day: Int, _ clock: Int, offset: Int?) -> Date? {
    let time = LocalTime.seconds(year, month, day, clock, isLocal: offset == nil)
    return time.map { Date(timeIntervalSince1970: Double($0 - (offset ?? 0))) }
  }
}

/// A calendar date and a time of day in the time zone of the process.
private struct LocalTime {
  let year: Int
  /// The number of months since January, from 0 to 11.
  let month: Int
  let day: Int
  let weekday: Int
  let hour: Int
  let minute: Int
  let second: Int
  let zone: String
  let offset: Int

  /// Returns nil if the C library cannot represent the date.
  init?(_ date: Date) {
    guard var time = time_t(exactly: date.timeIntervalSince1970.rounded(.down)) else { return nil }
    // Sound: `localtime_r` reads `time`, fills `fields` and keeps no pointer. The zone's name is a C string that stays
    // valid until the process changes its time zone, which it never does, and the name is copied here.
    var fields = unsafe tm()
    guard unsafe localtime_r(&time, &fields) != nil else { return nil }
    (year, month, day) = unsafe (Int(fields.tm_year) + 1900, Int(fields.tm_mon), Int(fields.tm_mday))
    (weekday, hour) = unsafe (Int(fields.tm_wday), Int(fields.tm_hour))
    (minute, second) = unsafe (Int(fields.tm_min), Int(fields.tm_sec))
    (zone, offset) = unsafe (fields.tm_zone.map { unsafe String(cString: $0) } ?? "UTC", fields.tm_gmtoff)
  }

  /// Returns the number of seconds since the start of 1970 in UTC, or nil if the day does not exist.
  static func seconds(_ year: Int, _ month: Int, _ day: Int, _ clock: Int, isLocal: Bool) -> Int? {
    // Sound: `mktime` and `timegm` use their argument only during the call. They turn a day that does not exist, such
    // as February 30, into one that does, so the result is nil if the month or day has changed.
    var fields = unsafe tm()
    unsafe fields.tm_year = Int32(year - 1900)
    unsafe fields.tm_mon = Int32(month)
    unsafe fields.tm_mday = Int32(day)
    unsafe fields.tm_hour = Int32(clock / 3600)
    unsafe fields.tm_min = Int32(clock / 60 % 60)
    unsafe fields.tm_sec = Int32(clock % 60)
    unsafe fields.tm_isdst = -1
    let seconds = unsafe isLocal ? mktime(&fields) : timegm(&fields)
    return unsafe fields.tm_mon == Int32(month) && fields.tm_mday == Int32(day) ? seconds : nil
  }
}
#endif
