import Foundation

struct DefaultsFigure {
  private let title: String
  private let seconds: Double
  private let peer: Double?
  private let goal: String
  private let isReached: Bool

  /// Creates a figure whose `limit` is in seconds; the peer must take at least `ratio` times as long.
  init(_ title: String, _ seconds: Double, peer: Double? = nil, limit: Double, ratio: Double? = nil) {
    self.title = title
    self.seconds = seconds
    self.peer = peer
    goal = "≤ \(Self.text(limit))" + (ratio.map { ", × ≥ \($0.formatted())" } ?? "")
    isReached = seconds <= limit && (peer ?? 0) >= seconds * (ratio ?? 0)
  }

  init(_ title: String, _ seconds: Double, note: String, isReached: Bool) {
    self.title = title
    self.seconds = seconds
    peer = nil
    goal = note
    self.isReached = isReached
  }

  static func table(_ figures: [DefaultsFigure]) -> String {
    var lines = ["## ObservableDefaults", ""]
    lines += ["| | ours | UserDefaults | × | goal | |", "|---|---:|---:|---:|---|---|"]
    for figure in figures {
      let ratio = figure.peer.map { String(format: "%.1f", $0 / figure.seconds) } ?? ""
      lines.append(
        "| \(figure.title) | \(text(figure.seconds)) | \(figure.peer.map(text) ?? "") | \(ratio) | \(figure.goal) | "
          + "\(figure.isReached ? "reached" : "missed") |")
    }
    return lines.joined(separator: "\n")
  }

  private static func text(_ seconds: Double) -> String {
    switch seconds {
    case ..<1e-6: String(format: "%.0f ns", seconds * 1e9)
    case ..<1e-3: String(format: "%.1f µs", seconds * 1e6)
    default: String(format: "%.1f ms", seconds * 1e3)
    }
  }
}
