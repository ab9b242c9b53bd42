/// The times of one run, in seconds.
struct Timing: Codable {
  /// The processor time from the first input to the last result.
  var work = 0.0
  /// The wall-clock time from the first input to the last result, which is longer if the machine is busy.
  var wall = 0.0
  var release = 0.0
}

protocol Trial: AnyObject {
  /// Processes all inputs, once per repetition.
  func run() throws -> Timing

  /// Processes the inputs and keeps every result until the end, to measure peak memory.
  func runKeepingResults() throws
}

/// Processes inputs in batches, and stops the clock while the results of a batch are released.
///
/// That way, nobody benefits from leaking results. Batches are small enough for the results of small documents to stay
/// in the processor's caches.
final class BatchTrial<Input, Output>: Trial {
  private static var batchSize: Int { 100 }

  private let inputs: [Input]
  private let repetitions: Int
  private let body: (Input) throws -> Output

  init(inputs: [Input], repetitions: Int, body: @escaping (Input) throws -> Output) {
    self.inputs = inputs
    self.repetitions = repetitions
    self.body = body
  }

  func run() throws -> Timing {
    let clock = ContinuousClock()
    var timing = Timing()
    var outputs: [Output] = []
    outputs.reserveCapacity(Self.batchSize)
    var position = 0
    var left = inputs.count * repetitions
    while left > 0 {
      let count = min(left, Self.batchSize)
      left -= count
      let wallStart = clock.now
      let start = ProcessorTime.now
      for _ in 0..<count {
        outputs.append(try body(inputs[position]))
        position = position + 1 == inputs.count ? 0 : position + 1
      }
      let finish = ProcessorTime.now
      timing.wall += (clock.now - wallStart) / .seconds(1)
      outputs.removeAll(keepingCapacity: true)
      timing.release += ProcessorTime.now - finish
      timing.work += finish - start
    }
    return timing
  }

  func runKeepingResults() throws {
    var outputs: [Output] = []
    for input in inputs { outputs.append(try body(input)) }
    withExtendedLifetime(outputs) {}
  }
}
