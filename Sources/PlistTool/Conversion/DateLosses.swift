#if CommandLineTool
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a conversion changes in dates: XML and OpenStep text have whole seconds, and no text format has dates that are
/// infinite or millions of years away.
struct DateLosses {
  private var fractions = Loss()
  private var distant = Loss()
  private let keepsFractions: Bool

  private struct Loss {
    var count = 0
    var first: PropertyListPath?
  }

  /// Creates an empty list for a conversion to `format`; nil if binary, which keeps every date.
  init?(to format: OutputFormat) {
    guard format != .binary else { return nil }
    keepsFractions = format == .json
  }

  mutating func add(_ date: Date, at path: PropertyListPath? = nil) {
    let seconds = date.timeIntervalSinceReferenceDate
    if GregorianDate(secondsSinceReference: seconds) == nil {
      distant.count += 1
      if distant.first == nil { distant.first = path }
    } else if !keepsFractions, seconds != seconds.rounded(.down) {
      fractions.count += 1
      if fractions.first == nil { fractions.first = path }
    }
  }

  /// Adds the dates of a value.
  mutating func add(_ value: PropertyList) {
    // Most documents lose nothing, so the first walk makes no paths.
    guard Self.dates(in: value, hasLosses: { self.loses($0) }) else { return }
    var pending = [(PropertyListPath(), value)]
    while let (path, value) = pending.popLast() {
      switch value {
      case .date(let date): add(date, at: path)
      case .array(let elements):
        for (index, element) in elements.enumerated().reversed() { pending.append((path.appending(index), element)) }
      case .dictionary(let pairs):
        for (key, value) in pairs.reversed() { pending.append((path.appending(key), value)) }
      default: break
      }
    }
  }

  private func loses(_ date: Date) -> Bool {
    var losses = self
    losses.add(date)
    return losses.fractions.count > fractions.count || losses.distant.count > distant.count
  }

  private static func dates(in value: PropertyList, hasLosses loses: (Date) -> Bool) -> Bool {
    var pending = [value]
    while let value = pending.popLast() {
      switch value {
      case .date(let date): if loses(date) { return true }
      case .array(let elements): pending += elements
      case .dictionary(let pairs): pending += pairs.values
      default: break
      }
    }
    return false
  }

  /// The warnings, one for each kind of loss.
  var warnings: [PlistError] {
    [
      (fractions, "lost the fraction of its second", "lost the fractions of their seconds"),
      (
        distant, "is NaN or too far from 2001 and became the nearest",
        "are NaN or too far from 2001 and became the nearest"
      ),
    ].compactMap { loss, one, several in
      guard loss.count > 0 else { return nil }
      let subject = loss.count == 1 ? "a date \(one)" : "\(loss.count) dates \(several)"
      return PlistError(code: .unrepresentableValue, message: subject, path: loss.first)
    }
  }
}
#endif
