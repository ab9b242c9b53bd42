/// One way to perform an operation: this package's, a peer's, or a reference.
struct Contestant {
  let name: String
  /// Workloads to skip, because they would take minutes or hours.
  var excluded: Set<String> = []
  private let makeTrial: (Workload) throws -> any Trial

  /// Creates a contestant; `prepare` is not timed, and the results of `body` are kept until the clock has stopped.
  init<Input, Output>(
    _ name: String, from prepare: @escaping (Document) throws -> Input, _ body: @escaping (Input) throws -> Output
  ) {
    self.name = name
    makeTrial = { workload in
      BatchTrial(inputs: try workload.documents.map(prepare), repetitions: workload.repetitions, body: body)
    }
  }

  func trial(_ workload: Workload) throws -> any Trial { try makeTrial(workload) }

  func except(_ workloads: String...) -> Contestant {
    var contestant = self
    contestant.excluded = Set(workloads)
    return contestant
  }
}
