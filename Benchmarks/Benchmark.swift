import Foundation

/// One run of the program: every set, every operation, then the reports.
struct Benchmark {
  private let options: Options
  private var report: Report

  init(_ options: Options) {
    self.options = options
    report = Report(machine: Machine.current(), plan: options.plan)
  }

  mutating func run() throws {
    for set in options.sets { try measure(set) }
    try finish()
  }

  private var operations: [Operation] { Operation.all.filter { options.operations.contains($0.name) } }

  private func contestants(_ operation: Operation) -> [Contestant] {
    options.onlyOurs ? Array(operation.contestants.prefix(1)) : operation.contestants
  }

  private mutating func measure(_ set: WorkloadSet) throws {
    PlistBenchmarks.complain("\(set.rawValue): set-up")
    let workloads = try set.workloads(options)
    var section = Report.Section(set: set.rawValue, workloads: workloads.map(Report.Input.init))
    for operation in operations {
      PlistBenchmarks.complain("\(set.rawValue): \(operation.title)")
      let row = row(operation, set, workloads)
      section.rows.append(row)
      if options.measuresMemory, set.hasLargeDocument { measureMemory(set, operation, row) }
    }
    if set != .scaling, !options.onlyOurs { section.references = row(.references, set, workloads) }
    report.sections.append(section)
    PlistBenchmarks.report(MarkdownReport.section(section))
  }

  /// Measures an operation: everybody on one workload, or for scaling only ours on each size.
  private func row(_ operation: Operation, _ set: WorkloadSet, _ workloads: [Workload]) -> Report.Row {
    var comparison = Comparison()
    for workload in workloads {
      let bytes = workload.bytes(operation.form)
      if set == .scaling {
        comparison.add(workload.name, operation.contestants[0], workload, bytes: bytes)
      } else {
        for contestant in contestants(operation) { comparison.add(contestant.name, contestant, workload, bytes: bytes) }
      }
    }
    return Report.Row(operation: operation.name, title: operation.title, measurements: comparison.run(options.plan))
  }

  /// Measures the peaks of everybody who succeeded, and who does not take longer than a figure is worth.
  private mutating func measureMemory(_ set: WorkloadSet, _ operation: Operation, _ row: Report.Row) {
    for (contestant, measurement) in zip(contestants(operation), row.measurements) {
      guard let median = measurement.median, median < 20, contestant.name != References.scan.name else { continue }
      if let figure = ChildProcess.peak(set, operation, contestant, options) { report.memory.append(figure) }
    }
  }

  private func finish() throws {
    let rest = [MarkdownReport.goals(report), MarkdownReport.memory(report)].filter { !$0.isEmpty }
    PlistBenchmarks.report(rest.joined(separator: "\n"))
    if let file = options.markdown { try Data(MarkdownReport.whole(report).utf8).write(to: file) }
    if let file = options.json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      try encoder.encode(report).write(to: file)
    }
  }
}
