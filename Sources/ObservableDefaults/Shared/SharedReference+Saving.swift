import Dispatch
import Plist

// How a value gets into the store: writers take turns, and one thread at a time stores the newest value.

extension SharedReference {
  /// Returns once every earlier change has been stored or replaced by a later one.
  ///
  /// One thread at a time stores the value, and the others wait for it. If the store runs an observer while saving and
  /// that observer sets the value again, the inner call returns immediately, and the outer call stores the new value
  /// before returning.
  func save() {
    var target = state.withLock { $0.savingNumber }
    let thread = CurrentThread.identifier
    var hasWaited = false
    while true {
      let step = state.withLock { state -> SaveStep in
        if state.savedNumber >= target { return .done }
        if let saver = state.saver {
          if saver.thread == thread {
            state.postponed = target
            return .done
          }
          // Waiting keeps calls to the store's subscribers in order. But a subscriber may itself be waiting for this
          // thread. Subscribers are called only after the value has been stored, so once a wait has timed out, this
          // thread can store the next value.
          if !hasWaited || state.savedNumber < saver.number { return .wait }
        }
        guard let (saving, number) = state.unsaved else { return .done }
        state.unsaved = nil
        state.saver = (number, thread)
        return .save(saving, number)
      }
      switch step {
      case .done: return
      case .wait: hasWaited = !saved.wait { state.withLock { $0.saver == nil || $0.savedNumber >= target } }
      case .save(let saving, let number): target = max(target, save(saving, number))
      }
    }
  }

  private enum SaveStep {
    case done
    case wait
    case save(Saving, Int)
  }

  /// Stores a value and returns the number of the latest change that inner calls to `save()` have left to this call.
  private func save(_ saving: Saving, _ number: Int) -> Int {
    var replaced: [(ReferenceProperty, StateSignal)] = []
    let undecodable = state.withLock { state in
      state.expectsEcho = true
      return state.undecodable
    }
    do {
      let isShown = try backing.save(saving.value, keeping: undecodable) {
        state.withLock { $0.savedNumber = max($0.savedNumber, number) }
      }
      state.withLock { state in
        state.undecodable = nil
        if !isShown { state.mustReload = true }
      }
    } catch {
      // Make the error visible before calling any observer, since observers can wait for other threads. Drop the error
      // if a later change still has to be stored.
      if state.withLock({ $0.savingNumber == number }), let change = claim(error) {
        replaced = state.withLock { state in
          if state.latest.number == change.snapshot.number { state.failed = saving.value }
          return state.swap(change)
        }
      }
    }
    let postponed = state.withLock { state in
      state.savedNumber = max(state.savedNumber, number)
      if state.saver?.number == number {
        state.saver = nil
        state.expectsEcho = false
      }
      return state.postponed
    }
    saved.broadcast()
    fire(replaced)
    return postponed
  }

  /// Returns true for the first change that the store reports on the saving thread, which is this reference's own
  /// change.
  func takeEcho() -> Bool {
    state.withLock { state in
      guard state.expectsEcho, state.saver?.thread == CurrentThread.identifier else { return false }
      state.expectsEcho = false
      return true
    }
  }
}

/// Lets one writer at a time compute a new value; readers do not wait.
///
/// The lock is recursive so that a nested call is detected instead of deadlocking.
///
/// `@unchecked Sendable` is sound because `isTaken` is used only while the lock is held.
final class WriterTurn: @unchecked Sendable {
  private let lock = Lock(isRecursive: true)
  private var isTaken = false

  /// Runs `body`, which must not take the same turn.
  func take<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard let result = try takeUnlessTaken(body) else {
      preconditionFailure("the closure of withLock must not set the shared value that withLock is changing")
    }
    return result
  }

  /// Runs `body`, or returns nil if this thread already has the turn.
  func takeUnlessTaken<Result>(_ body: () throws -> Result) rethrows -> Result? {
    try lock.withLock {
      if isTaken { return nil }
      isTaken = true
      defer { isTaken = false }
      return try body()
    }
  }
}

/// Lets threads wait until another thread has stored a value.
///
/// It uses semaphores rather than a condition variable, whose timeout would depend on the wall clock.
final class SavedSignal: Sendable {
  private let waiting = Guarded<[DispatchSemaphore]>([])

  /// Waits up to a tenth of a second for `isDone` to return true, and returns its last result.
  func wait(until isDone: () -> Bool) -> Bool {
    let end = DispatchTime.now() + .milliseconds(100)
    while true {
      // Add the semaphore before checking, so that no signal in between is missed.
      let semaphore = DispatchSemaphore(value: 0)
      waiting.withLock { $0.append(semaphore) }
      if isDone() { return true }
      if semaphore.wait(timeout: end) == .timedOut { return isDone() }
    }
  }

  func broadcast() {
    let semaphores = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    for semaphore in semaphores { semaphore.signal() }
  }
}
