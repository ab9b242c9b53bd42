#if CommandLineTool
import Plist

/// A progress line on the terminal, such as `[######--------------]  31 %   412 MB/s`.
final class Progress: Sendable {
  private let total: Int
  private let start = ContinuousClock.now
  private let state = Guarded(State())

  private struct State {
    var shown: ContinuousClock.Instant?
    /// Whether to show how many bytes were read rather than written.
    var readsChunks = false
  }

  /// The least time between two updates.
  private static let interval = Duration.milliseconds(100)
  private static let width = 20

  /// Returns nil if standard error is not a terminal.
  init?(bytes: Int) {
    guard StandardError.isTerminal else { return nil }
    total = max(1, bytes)
  }

  /// Returns nil if standard error is not a terminal.
  convenience init?(files: Int) { self.init(bytes: files) }

  /// Updates the line unless it was updated in the last 100 ms.
  func update(read count: Int) {
    state.withLock { $0.readsChunks = true }
    guard let seconds = secondsWhereDue() else { return }
    show("\(bar(count)) \(percentage(count)) %", count, seconds)
  }

  /// Shows how many bytes were written, unless the line already shows how many were read.
  func update(written count: Int) {
    guard !state.withLock({ $0.readsChunks }), let seconds = secondsWhereDue() else { return }
    show("\(padded(Double(count) / 1e6, to: 5)) MB written", count, seconds)
  }

  func update(files count: Int) {
    guard secondsWhereDue() != nil else { return }
    StandardError.write("\r\(bar(count)) \(percentage(count)) %  \(count) of \(total) files\u{1B}[K")
  }

  /// Shows how many files are done, how many per second, and the time left if the total is known.
  ///
  /// - Parameters:
  ///   - count: The number of files done.
  ///   - first: The number of files that were done at the start.
  ///   - total: The number of all files, if known.
  func update(files count: Int, since first: Int, of total: Int?) {
    guard let seconds = secondsWhereDue() else { return }
    StandardError.write("\r" + Self.text(files: count, since: first, of: total, in: seconds) + "\u{1B}[K")
  }

  static func text(files count: Int, since first: Int, of total: Int?, in seconds: Double) -> String {
    let rate = Double(count - first) / max(seconds, 0.001)
    let text = "\(Int(rate)) files/s"
    guard let total, total > 0 else { return "\(count) files  \(text)" }
    let share = min(1, Double(count) / Double(total))
    let bar = bar(share) + " \(padded(share * 100, to: 3)) %  \(count) of \(total) files  \(text)"
    guard rate > 0 else { return bar }
    let left = Int((Double(max(0, total - count)) / rate).rounded(.up))
    return bar + (left < 100 ? "  \(left) s left" : "  \((left + 30) / 60) min left")
  }

  func erase() {
    let isShown = state.withLock { state in
      defer { state.shown = nil }
      return state.shown != nil
    }
    if isShown { StandardError.write("\r\u{1B}[K") }
  }

  /// Returns the seconds since the work started, or nil if it is too early for an update.
  private func secondsWhereDue() -> Double? {
    let now = ContinuousClock.now
    let isDue = state.withLock { state in
      guard now - (state.shown ?? start) >= Self.interval else { return false }
      state.shown = now
      return true
    }
    return isDue ? (now - start) / .seconds(1) : nil
  }

  private func bar(_ count: Int) -> String { Self.bar(min(1, Double(count) / Double(total))) }

  private static func bar(_ share: Double) -> String {
    let done = Int(share * Double(width))
    return "[" + String(repeating: "#", count: done) + String(repeating: "-", count: width - done) + "]"
  }

  private func percentage(_ count: Int) -> String { padded(min(1, Double(count) / Double(total)) * 100, to: 3) }

  private func show(_ text: String, _ count: Int, _ seconds: Double) {
    StandardError.write("\r\(text) \(padded(Double(count) / seconds / 1e6, to: 5)) MB/s\u{1B}[K")
  }

  private func padded(_ number: Double, to width: Int) -> String { Self.padded(number, to: width) }

  private static func padded(_ number: Double, to width: Int) -> String {
    let text = String(Int(number))
    return String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
#endif
