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

  /// A row of measurements, in which this package's contestant is first.
  struct Row: Codable {
    let operation: String
    let title: String
    /// Whether the row contains first runs, each in a new process.
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
  /// Returns the ratio of a contestant's time to the time of this package; a ratio above 1 means that this package is
  /// faster.
  func ratio(to contestant: String) -> Double? {
    guard let ours = measurements.first?.median, ours > 0 else { return nil }
    return measurements.first { $0.contestant == contestant }?.median.map { $0 / ours }
  }
}
