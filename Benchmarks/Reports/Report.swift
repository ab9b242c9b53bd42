import Foundation

struct Report: Codable {
  struct Section: Codable {
    let set: String
    let workloads: [Input]
    var rows: [Row] = []
    var references: Row?
  }

  struct Input: Codable {
    let name: String
    let note: String
    let documents: Int
    let repetitions: Int
    let xmlBytes: Int
    let binaryBytes: Int

    init(_ workload: Workload) {
      name = workload.name
      note = workload.note
      documents = workload.documents.count
      repetitions = workload.repetitions
      xmlBytes = workload.bytes(.xml)
      binaryBytes = workload.bytes(.binary)
    }
  }

  /// A row of measurements, starting with this package's.
  struct Row: Codable {
    let operation: String
    let title: String
    /// Whether these are first runs, each in a new process.
    var isFirstRun = false
    let measurements: [Measurement]
  }

  let machine: Machine
  let rounds: Int
  let slowRounds: Int
  var sections: [Section] = []
  var memory: [PeakMemory.Figure] = []

  init(machine: Machine, plan: RoundPlan) {
    self.machine = machine
    rounds = plan.rounds
    slowRounds = plan.slowRounds
  }
}

extension Report.Row {
  /// Returns how many times as long as this package a contestant takes, so above 1, this package is faster.
  func ratio(to contestant: String) -> Double? {
    guard let ours = measurements.first?.median, ours > 0 else { return nil }
    return measurements.first { $0.contestant == contestant }?.median.map { $0 / ours }
  }
}
