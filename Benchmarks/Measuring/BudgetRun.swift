/// What `Budgets/check-budgets.py` runs under valgrind: one operation on a small fixed workload.
///
/// It counts a run with one repetition more than another; the difference is what the operation takes, without the
/// set-up. Nothing but the operation may therefore depend on the number of repetitions.
enum BudgetRun {
  static func run(_ operation: Operation, repetitions: Int) throws {
    let workload = Workload(
      name: "budget", note: "500 records", documents: [try Document(Records.array(500))])
    let trial = try operation.contestants[0].trial(workload)
    for _ in 0..<repetitions { try trial.runKeepingResults() }
  }
}
