/// A run of one operation on a small fixed workload, which `Budgets/check-budgets.py` measures with valgrind.
///
/// The script `check-budgets.py` measures two runs, whose numbers of repetitions differ by one. The difference between
/// the two measurements is the cost of one operation without the set-up. The set-up must therefore not depend on the
/// number of repetitions.
enum BudgetRun {
  static func run(_ operation: Operation, repetitions: Int) throws {
    let workload = Workload(
      name: "budget", note: "500 records", documents: [try Document(Records.array(500))])
    let trial = try operation.contestants[0].trial(workload)
    for _ in 0..<repetitions { try trial.runKeepingResults() }
  }
}
