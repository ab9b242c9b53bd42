#if CommandLineTool
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The dates that a conversion changes: XML and OpenStep text store whole seconds, and no text format can express
/// infinite dates or dates millions of years away.
struct DateLosses {
  private enum Kind { case fraction, distant }

  private var found: [Kind: (count: Int, first: PropertyListPath?)] = [:]
  private let keepsFractions: Bool

  /// Returns nil if `format` is binary, which keeps every date.
  init?(to format: OutputFormat) {
    guard format != .binary else { return nil }
    keepsFractions = format == .json
  }

  private func loss(of date: Date) -> Kind? {
    let seconds = date.timeIntervalSinceReferenceDate
    if GregorianDate(secondsSinceReference: seconds) == nil { return .distant }
    return !keepsFractions && seconds != seconds.rounded(.down) ? .fraction : nil
  }

  mutating func add(_ date: Date, at path: PropertyListPath? = nil) {
    if let kind = loss(of: date) { found[kind, default: (0, path)].count += 1 }
  }

  mutating func add(_ value: PropertyList) {
    // Most documents lose nothing, so look for losses first, without building paths.
    guard hasLosses(in: value) else { return }
    var pending = [(PropertyListPath(), value)]
    while let (path, value) = pending.popLast() {
      switch value {
      case .date(let date): add(date, at: path)
      case .array(let elements):
        for (index, element) in elements.enumerated().reversed() {
          pending.append((path.appending(index: index), element))
        }
      case .dictionary(let pairs):
        for (key, value) in pairs.reversed() { pending.append((path.appending(key: key), value)) }
      default: break
      }
    }
  }

  private func hasLosses(in value: PropertyList) -> Bool {
    var pending = [value]
    while let value = pending.popLast() {
      switch value {
      case .date(let date): if loss(of: date) != nil { return true }
      case .array(let elements): pending += elements
      case .dictionary(let pairs): pending += pairs.values
      default: break
      }
    }
    return false
  }

  /// The warnings, one for each kind of loss.
  var warnings: [PlistError] {
    let texts: [(Kind, one: String, several: String)] = [
      (.fraction, "lost its fraction of a second", "lost their fractions of a second"),
      (
        .distant, "is NaN or too far from 2001; wrote the nearest one instead",
        "are NaN or too far from 2001; wrote the nearest ones instead"
      ),
    ]
    return texts.compactMap { kind, one, several in
      guard let (count, first) = found[kind] else { return nil }
      return PlistError(
        code: .unrepresentableValue, message: count == 1 ? "a date \(one)" : "\(count) dates \(several)", path: first)
    }
  }
}
#endif
