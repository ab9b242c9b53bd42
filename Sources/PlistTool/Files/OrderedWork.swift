#if CommandLineTool
import Dispatch
import Plist

/// Processes a sequence on several threads and outputs the results in order.
///
/// Reading the sequence, doing the work and writing the output overlap. A result waits for the ones before it, and a
/// limit on how many may wait keeps memory use independent of the sequence's length.
final class OrderedWork<Result: Sendable>: Sendable {
  private struct State {
    /// The number of the part whose results are output next.
    var turn = 0
    var finished: [Int: Result] = [:]
    /// The threads waiting for the turn of their parts.
    var waiting: [Int: DispatchSemaphore] = [:]
    var failure: (any Error)?
  }

  /// Where the results of one part go.
  struct Place {
    fileprivate let number: Int
    fileprivate let work: OrderedWork

    /// Outputs a result, after waiting until all earlier parts have finished.
    func put(_ result: Result) throws { try work.put(result, number) }
  }

  private let state = Guarded(State())
  /// The number of parts taken so far, with a separate lock because reading the sequence can be slow.
  private let taken = Guarded(0)
  private let room: DispatchSemaphore
  private let output: @Sendable (Result) throws -> Void

  private init(threads: Int, output: @escaping @Sendable (Result) throws -> Void) {
    // Don't create it with its initial value: Dispatch traps if a semaphore is released with a lower value than it was
    // created with, as can happen after an error.
    room = DispatchSemaphore(value: 0)
    for _ in 0..<4 * threads { room.signal() }
    self.output = output
  }

  /// Calls `work` with each part of a sequence on several threads, and `output` with the results, one at a time and in
  /// order.
  ///
  /// - Parameters:
  ///   - threads: The number of threads.
  ///   - next: Returns the next part of the sequence, or nil after the last; calls do not overlap.
  ///   - work: Returns the result of a part; a part with several results can output the others through its `Place`.
  ///   - output: Outputs a result; calls do not overlap.
  /// - Throws: The first error, after which no more parts are taken.
  static func run<Part: Sendable>(
    threads: Int, next: @escaping @Sendable () throws -> Part?,
    work: @escaping @Sendable (Part, Place) throws -> Result, output: @escaping @Sendable (Result) throws -> Void
  ) throws {
    let all = OrderedWork(threads: threads, output: output)
    DispatchQueue.concurrentPerform(iterations: threads) { @Sendable _ in
      do {
        while let (number, part) = try all.take(next) {
          try all.finish(number, work(part, Place(number: number, work: all)))
        }
      } catch {
        all.fail(error)
      }
    }
    try all.state.withLock { if let failure = $0.failure { throw failure } }
  }

  private func take<Part>(_ next: () throws -> Part?) throws -> (number: Int, part: Part)? {
    room.wait()
    let result = try taken.withLock { taken -> (number: Int, part: Part)? in
      guard !state.withLock({ $0.failure != nil }), let part = try next() else { return nil }
      defer { taken += 1 }
      return (taken, part)
    }
    if result == nil { room.signal() }
    return result
  }

  private func put(_ result: Result, _ number: Int) throws {
    while true {
      let turn = try state.withLock { state -> DispatchSemaphore? in
        if let failure = state.failure { throw failure }
        if state.turn == number {
          try output(result)
          return nil
        }
        let turn = state.waiting[number] ?? DispatchSemaphore(value: 0)
        state.waiting[number] = turn
        return turn
      }
      guard let turn else { return }
      turn.wait()
    }
  }

  private func finish(_ number: Int, _ result: Result) throws {
    try state.withLock { state in
      state.finished[number] = result
      while state.failure == nil, let next = state.finished.removeValue(forKey: state.turn) {
        try output(next)
        state.turn += 1
        room.signal()
        state.waiting.removeValue(forKey: state.turn)?.signal()
      }
    }
  }

  /// Ends the work of all threads; waiting threads throw the error.
  private func fail(_ error: any Error) {
    state.withLock { state in
      if state.failure == nil { state.failure = error }
      for turn in state.waiting.values { turn.signal() }
      state.waiting = [:]
    }
    room.signal()
  }
}
#endif
