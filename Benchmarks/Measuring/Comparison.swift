struct RoundPlan {
  var rounds = 5
  /// The number of rounds for contestants whose run takes more than a second.
  var slowRounds = 3
}

/// A contestant's times in all rounds, in seconds.
struct Measurement: Codable {
  let contestant: String
  /// How many bytes of property lists a run reads or writes.
  let bytes: Int
  var times: [Double] = []
  var wallTimes: [Double] = []
  var releaseTimes: [Double] = []
  var failure: String?

  var median: Double? { times.median }
  var minimum: Double? { times.min() }
}

extension [Double] {
  /// The median; for an even number of elements, the mean of the middle two.
  var median: Double? {
    guard !isEmpty else { return nil }
    let sorted = sorted()
    return (sorted[count / 2] + sorted[(count - 1) / 2]) / 2
  }
}

/// Compares contestants by running them in turns, so that disturbances of the machine affect all of them alike.
struct Comparison {
  private var measurements: [Measurement] = []
  private var trials: [(any Trial)?] = []

  mutating func add(_ name: String, _ contestant: Contestant, _ workload: Workload, bytes: Int) {
    add(name, contestant, workload, bytes: bytes) { try contestant.trial(workload) }
  }

  mutating func add(
    _ name: String, _ contestant: Contestant, _ workload: Workload, bytes: Int, trial makeTrial: () throws -> any Trial
  ) {
    var measurement = Measurement(contestant: name, bytes: bytes)
    var trial: (any Trial)?
    if contestant.excluded.contains(workload.name) {
      measurement.failure = "left out"
    } else {
      do { trial = try makeTrial() } catch { measurement.failure = "\(error)" }
    }
    measurements.append(measurement)
    trials.append(trial)
  }

  /// Runs all rounds, after a warm-up for each contestant.
  ///
  /// If a warm-up takes more than a second, it counts as a round and there are fewer others; if it takes more than
  /// twenty seconds, there are no others.
  mutating func run(_ plan: RoundPlan) -> [Measurement] {
    var quotas = trials.map { _ in plan.rounds }
    for index in trials.indices {
      guard let timing = run(index), timing.work > 1 else { continue }
      record(timing, index)
      quotas[index] = timing.work > 20 ? 1 : min(plan.slowRounds, plan.rounds)
    }
    for _ in 0..<plan.rounds {
      for index in trials.indices where measurements[index].times.count < quotas[index] {
        if let timing = run(index) { record(timing, index) }
      }
    }
    return measurements
  }

  private mutating func run(_ index: Int) -> Timing? {
    defer { Heap.settle() }
    do { return try trials[index]?.run() } catch {
      measurements[index].failure = "\(error)"
      trials[index] = nil
      return nil
    }
  }

  private mutating func record(_ timing: Timing, _ index: Int) {
    measurements[index].times.append(timing.work)
    measurements[index].wallTimes.append(timing.wall)
    measurements[index].releaseTimes.append(timing.release)
  }
}
