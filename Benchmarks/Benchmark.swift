import Foundation

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

  /// Measures only the operations in ``Goal/speedToKeep``, against the contestants that those goals name.
  mutating func runSpeedGoals() throws {
    for set in WorkloadSet.allCases {
      let goals = Goal.speedToKeep.filter { $0.set == set.rawValue }
      guard !goals.isEmpty, let workload = try set.workloads(options).first else { continue }
      let files = try WorkloadFiles(workload)
      var section = Report.Section(set: set.rawValue, workloads: [Report.Input(workload)])
      for isFirstRun in [false, true] {
        for operation in Operation.all {
          let peers = goals.filter { $0.operation == operation.name && $0.isFirstRun == isFirstRun }.map(\.contestant)
          guard !peers.isEmpty else { continue }
          PlistBenchmarks.complain("\(set.rawValue): \(operation.title)\(isFirstRun ? ", first run" : "")")
          let contestants = operation.contestants.filter { $0.name == "Plist" || peers.contains($0.name) }
          section.rows.append(isolatedRow(operation, contestants, files, isFirstRun: isFirstRun))
        }
      }
      report.sections.append(section)
    }
    PlistBenchmarks.report(MarkdownReport.goals(report, Goal.speedToKeep))
    try writeFiles()
  }

  /// Measures an operation, with each run in a new process.
  private func isolatedRow(
    _ operation: Operation, _ contestants: [Contestant], _ files: WorkloadFiles, isFirstRun: Bool
  ) -> Report.Row {
    var comparison = Comparison()
    let bytes = files.workload.bytes(operation.form) / (isFirstRun ? files.workload.repetitions : 1)
    for contestant in contestants {
      comparison.add(contestant.name, contestant, files.workload, bytes: bytes) {
        ChildTrial(operation, contestant, files, isFirstRun: isFirstRun)
      }
    }
    return Report.Row(
      operation: operation.name, title: operation.title + (isFirstRun ? ", first run" : ""), isFirstRun: isFirstRun,
      measurements: comparison.run(options.plan))
  }

  private mutating func measure(_ set: WorkloadSet) throws {
    PlistBenchmarks.complain("\(set.rawValue): set-up")
    let workloads = try set.workloads(options)
    var section = Report.Section(set: set.rawValue, workloads: workloads.map(Report.Input.init))
    // A process measures one workload, so `scaling`, which has several, can't be isolated.
    let isolates = (options.isolates || options.measuresFirstRuns) && set != .scaling
    let files = isolates ? try workloads.first.map(WorkloadFiles.init) : nil
    for operation in operations {
      PlistBenchmarks.complain("\(set.rawValue): \(operation.title)")
      let row =
        if options.isolates, let files {
          isolatedRow(operation, contestants(operation), files, isFirstRun: false)
        } else {
          row(operation, set, workloads)
        }
      section.rows.append(row)
      if options.measuresFirstRuns, let files {
        section.rows.append(isolatedRow(operation, contestants(operation), files, isFirstRun: true))
      }
      if options.measuresMemory, set.hasLargeDocument { measureMemory(set, operation, row) }
    }
    if set != .scaling, !options.onlyOurs { section.references = row(.references, set, workloads) }
    report.sections.append(section)
    PlistBenchmarks.report(MarkdownReport.section(section))
  }

  /// Measures all contestants on one workload or, for `scaling`, only this package on each workload.
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

  /// Measures the peak memory of each contestant, except those that failed or took twenty seconds.
  private mutating func measureMemory(_ set: WorkloadSet, _ operation: Operation, _ row: Report.Row) {
    for (contestant, measurement) in zip(contestants(operation), row.measurements) {
      guard let median = measurement.median, median < 20, contestant.name != References.scan.name else { continue }
      if let figure = ChildProcess.peak(set, operation, contestant, options) { report.memory.append(figure) }
    }
  }

  private func finish() throws {
    let rest = [MarkdownReport.goals(report), MarkdownReport.memory(report)].filter { !$0.isEmpty }
    PlistBenchmarks.report(rest.joined(separator: "\n"))
    try writeFiles()
  }

  private func writeFiles() throws {
    if let file = options.markdown { try Data(MarkdownReport.whole(report).utf8).write(to: file) }
    if let file = options.json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      try encoder.encode(report).write(to: file)
    }
  }
}
