/// One operation on a small fixed workload, for `Budgets/check-budgets.py` to measure with valgrind.
///
/// The script measures two runs, one of which has an extra repetition. The difference is the cost of the operation, so
/// the set-up must not depend on the number of repetitions.
enum BudgetRun {
  static func run(_ operation: Operation, repetitions: Int) throws {
    let workload = Workload(
      name: "budget", note: "500 records", documents: [try Document(Records.array(500))])
    let trial = try operation.contestants[0].trial(workload)
    for _ in 0..<repetitions { try trial.runKeepingResults() }
  }
}
