#if CommandLineTool
import Foundation

/// A line on the terminal that says how far a conversion is: `[######--------------]  31 %  412 MB/s`.
final class Progress {
  private let total: Int
  private let start = ContinuousClock.now
  private var shown: ContinuousClock.Instant?
  /// Whether it is told how much was read.
  private var readsChunks = false

  /// How long a line stays at least; more often is not readable.
  private static let interval = Duration.milliseconds(100)
  private static let width = 20

  /// Begins with nothing shown; nil where standard error is no terminal.
  ///
  /// - Parameter total: How many bytes there are.
  init?(total: Int) {
    guard isatty(STDERR_FILENO) == 1 else { return nil }
    self.total = max(1, total)
  }

  /// Shows that `count` bytes have been read, unless the last time was just now.
  func update(read count: Int) {
    readsChunks = true
    guard let seconds = secondsWhereDue() else { return }
    let part = min(1, Double(count) / Double(total))
    let done = Int(part * Double(Self.width))
    let bar = String(repeating: "#", count: done) + String(repeating: "-", count: Self.width - done)
    show("[\(bar)] \(padded(part * 100, to: 3)) %", count, seconds)
  }

  /// Shows that `count` bytes have been written, where it is not known how many there will be nor how much was read.
  func update(written count: Int) {
    guard !readsChunks, let seconds = secondsWhereDue() else { return }
    show("\(padded(Double(count) / 1e6, to: 5)) MB written", count, seconds)
  }

  /// Removes the line, if there is one.
  func erase() {
    if shown != nil { write("\r\u{1B}[K") }
    shown = nil
  }

  /// The seconds since the beginning, where it is time for the next line.
  private func secondsWhereDue() -> Double? {
    let now = ContinuousClock.now
    guard now - (shown ?? start) >= Self.interval else { return nil }
    shown = now
    return (now - start) / .seconds(1)
  }

  private func show(_ text: String, _ count: Int, _ seconds: Double) {
    write("\r\(text) \(padded(Double(count) / seconds / 1e6, to: 5)) MB/s\u{1B}[K")
  }

  private func padded(_ number: Double, to width: Int) -> String {
    let text = String(Int(number))
    return String(repeating: " ", count: max(0, width - text.count)) + text
  }

  private func write(_ text: String) {
    // Where standard error is closed, there is nobody to tell.
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}
#endif
