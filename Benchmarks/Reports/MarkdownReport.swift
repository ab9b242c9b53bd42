import Foundation

/// A report in Markdown, with tables that are also readable in a terminal.
enum MarkdownReport {
  /// Returns the whole report, as in `RESULTS.md`.
  static func whole(_ report: Report) -> String {
    let parts = [head(report)] + report.sections.map(section) + [goals(report), memory(report)]
    return parts.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private static func head(_ report: Report) -> String {
    let machine = report.machine
    return """
      # Results

      Written by `\(machine.command)`; [README.md](README.md) says what is measured and how.

      | | |
      |---|---|
      | date | \(machine.date) |
      | revision | \(machine.revision) |
      | processor | \(machine.processor), \(machine.cores) cores |
      | memory | \(Figure.gibibytes(machine.memory)) |
      | system | \(machine.system) |
      | Swift | \(machine.swift) |
      | libplist | \(machine.libplist) |
      | load before | \(machine.load) |

      Milliseconds of processor time are the median of the rounds, with the best in brackets. × is a contestant's
      median over ours of the same run: above 1 we are faster. Rounds are counted in the order of the contestants.

      """
  }

  static func section(_ section: Report.Section) -> String {
    var text = "## \(section.set)\n\n"
    for input in section.workloads {
      text += "\(input.name): \(input.note); \(Figure.megabytes(input.xmlBytes)) XML, "
      text += "\(Figure.megabytes(input.binaryBytes)) binary\(input.repetitions > 1 ? " in all" : "").\n"
    }
    text += "\n" + (section.workloads.count > 1 ? sizes(section) : operations(section))
    if let references = section.references { text += "\n" + self.references(references) }
    return text
  }

  private static func operations(_ section: Report.Section) -> String {
    var names: [String] = []
    for measurement in section.rows.flatMap({ $0.measurements.dropFirst() })
    where !names.contains(measurement.contestant) { names.append(measurement.contestant) }
    var table = Table(["operation", "Plist ms", "MB/s"] + names.flatMap { ["\($0) ms", "×"] } + ["rounds"])
    for row in section.rows {
      guard let ours = row.measurements.first else { continue }
      var cells = [row.title, Figure.milliseconds(ours), Figure.throughput(ours)]
      for name in names {
        let measurement = row.measurements.first { $0.contestant == name }
        cells.append(measurement.map(Figure.milliseconds) ?? "")
        cells.append(row.ratio(to: name).map(Figure.ratio) ?? "")
      }
      cells.append(row.measurements.map { String($0.times.count) }.joined(separator: "/"))
      table.add(cells)
    }
    return table.text + perDocument(section)
  }

  /// Returns a line with the time per document, or nothing if the workload processes at most 1,000 documents.
  private static func perDocument(_ section: Report.Section) -> String {
    guard let input = section.workloads.first, input.documents * input.repetitions > 1000 else { return "" }
    let times = section.rows.compactMap { row in
      row.measurements.first?.median.map {
        "\(row.title) \(Figure.number($0 * 1e6 / Double(input.documents * input.repetitions))) µs"
      }
    }
    return "\nEach document: " + times.joined(separator: ", ") + ".\n"
  }

  private static func references(_ row: Report.Row) -> String {
    let figures = row.measurements.map {
      "\($0.contestant) \(Figure.milliseconds($0)) ms, \(Figure.throughput($0)) MB/s"
    }
    return "References over the XML: " + figures.joined(separator: "; ") + ".\n"
  }

  /// Returns a table of nanoseconds per byte.
  private static func sizes(_ section: Report.Section) -> String {
    var table = Table(["operation"] + section.workloads.map { "\($0.name) ns/byte" } + ["worst ÷ best", "rounds"])
    for row in section.rows {
      let costs = row.measurements.map { measurement in
        measurement.median.map { $0 * 1e9 / Double(measurement.bytes) }
      }
      let measured = costs.compactMap(\.self)
      let spread = measured.min().flatMap { best in measured.max().map { $0 / best } }
      let cells = [row.title] + costs.map { $0.map(Figure.number) ?? "–" }
      let rounds = row.measurements.map { String($0.times.count) }.joined(separator: "/")
      table.add(cells + [spread.map(Figure.ratio) ?? "–", rounds])
    }
    return table.text
  }

  static func goals(_ report: Report, _ goals: [Goal] = Goal.hardest) -> String {
    var table = Table(["set", "operation", "measured against", "goal ×", "reached ×", "Plist ms", "rounds", ""])
    for section in report.sections {
      for row in section.rows {
        for goal in goals where goal.concerns(row, of: section.set) {
          guard let ratio = row.ratio(to: goal.contestant) else { continue }
          table.add([
            section.set, row.title, goal.contestant, Figure.ratio(goal.ratio), Figure.ratio(ratio),
            row.measurements.first.map(Figure.milliseconds) ?? "",
            row.measurements.map { String($0.times.count) }.joined(separator: "/"),
            ratio >= goal.ratio ? "yes" : "no",
          ])
        }
      }
    }
    return table.isEmpty ? "" : "## Goals\n\n" + table.text
  }

  static func memory(_ report: Report) -> String {
    guard !report.memory.isEmpty else { return "" }
    var table = Table(["set", "operation", "contestant", "before MB", "peak MB", "more ÷ document", "peak ÷ document"])
    for figure in report.memory {
      let bytes = Double(figure.bytes)
      table.add([
        figure.set, figure.operation, figure.contestant, Figure.number(Double(figure.before) / 1e6),
        Figure.number(Double(figure.peak) / 1e6), Figure.ratio(Double(figure.peak - figure.before) / bytes),
        Figure.ratio(Double(figure.peak) / bytes),
      ])
    }
    return "## Peak memory\n\n" + table.text
  }
}
