/// The code that `Budgets/check-budgets.py` runs under valgrind: one operation on a small fixed workload.
///
/// The script measures two runs, whose numbers of repetitions differ by one. The difference of both measurements is the
/// cost of the operation without the set-up. Only the operation is therefore allowed to depend on the number of
/// repetitions.
enum BudgetRun {
  static func run(_ operation: Operation, repetitions: Int) throws {
    let workload = Workload(
      name: "budget", note: "500 records", documents: [try Document(Records.array(500))])
    let trial = try operation.contestants[0].trial(workload)
    for _ in 0..<repetitions { try trial.runKeepingResults() }
  }
}
