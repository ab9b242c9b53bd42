import Foundation

/// A Markdown table with aligned columns.
struct Table {
  private var rows: [[String]]

  init(_ head: [String]) { rows = [head] }

  /// Whether there are no rows below the head.
  var isEmpty: Bool { rows.count == 1 }

  mutating func add(_ cells: [String]) { rows.append(cells) }

  var text: String {
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    var lines = rows.map { row in
      let cells = zip(row, widths).enumerated().map { column, cell in
        let space = String(repeating: " ", count: cell.1 - cell.0.count)
        // The first column has names, and the others have numbers, which are aligned to the right.
        return column == 0 ? cell.0 + space : space + cell.0
      }
      return "| " + cells.joined(separator: " | ") + " |"
    }
    let rule = widths.enumerated().map { column, width in
      column == 0 ? String(repeating: "-", count: width + 2) : String(repeating: "-", count: width + 1) + ":"
    }
    lines.insert("|" + rule.joined(separator: "|") + "|", at: 1)
    return lines.joined(separator: "\n") + "\n"
  }
}

enum Figure {
  static func number(_ value: Double) -> String {
    let digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3
    return String(format: "%.\(digits)f", value)
  }

  static func ratio(_ value: Double) -> String { number(value) }

  static func milliseconds(_ measurement: Measurement) -> String {
    guard let median = measurement.median, let minimum = measurement.minimum else { return measurement.failure ?? "–" }
    return "\(number(median * 1000)) (\(number(minimum * 1000)))"
  }

  static func throughput(_ measurement: Measurement) -> String {
    measurement.median.map { number(Double(measurement.bytes) / 1e6 / $0) } ?? "–"
  }

  static func megabytes(_ bytes: Int) -> String { "\(number(Double(bytes) / 1e6)) MB" }

  static func gibibytes(_ bytes: Int) -> String { "\(number(Double(bytes) / 1_073_741_824)) GiB" }
}
