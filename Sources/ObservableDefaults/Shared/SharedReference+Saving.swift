import Foundation

extension SharedReference {
  /// Waits until every earlier change has been stored or replaced by a later change.
  ///
  /// Only one thread at a time stores the value; other threads wait. If the store calls `save()` while storing the
  /// value, the inner call returns immediately, and the outer call stores the new value.
  func save() {
    let target = state.withLock(\.savingNumber)
    var mayTakeOver = false
    while true {
      let step = state.withLock { state -> SaveStep in
        if state.savedNumber >= target { return .done }
        // To avoid a deadlock with a subscriber that waits for this thread, this thread waits at most 0.1 seconds for
        // the storing thread.
        if let saver = state.saver, !mayTakeOver || state.savedNumber < saver { return .wait }
        guard let (saving, number) = state.unsaved else { return .done }
        state.unsaved = nil
        state.saver = number
        return .save(saving, number)
      }
      switch step {
      case .done: return
      case .wait:
        if SavingReference.current?.isSaving(self) == true { return }
        mayTakeOver = !saved.wait(limit: 0.1) { state.withLock { $0.saver == nil || $0.savedNumber >= target } }
      case .save(let saving, let number): save(saving, number)
      }
    }
  }

  private enum SaveStep {
    case done
    case wait
    case save(Saving, Int)
  }

  private func save(_ saving: Saving, _ number: Int) {
    let value: Value? =
      switch saving {
      case .value(let value): value
      case .removal: nil
      }
    let token = SavingReference(self) { [self] in state.withLock { $0.savedNumber = max($0.savedNumber, number) } }
    var replaced: [(ReferenceProperty, StateSignal)] = []
    do {
      try SavingReference.$current.withValue(token) { try backing.save(value) }
      token.commit()
    } catch {
      // The error becomes visible before any observer is called, since observers can wait for other threads. If a later
      // change still has to be stored, the error is not shown.
      if token.end(), state.withLock({ $0.savingNumber == number }), let change = claim(error) {
        replaced = state.withLock { state in
          if state.latest.number == change.snapshot.number { state.failed = value }
          return state.swap(change)
        }
      }
    }
    state.withLock { state in
      state.savedNumber = max(state.savedNumber, number)
      if state.saver == number { state.saver = nil }
      if backing.isLayered { state.mustReload = true }
    }
    // The condition's lock is held during the broadcast, so that a thread that is about to wait cannot miss the
    // broadcast.
    saved.withLock { saved.broadcast() }
    fire(replaced)
  }
}

extension NSCondition {
  /// Waits until `isDone` returns true, but at most `limit` seconds, and returns the last result of `isDone`.
  fileprivate func wait(limit: TimeInterval, until isDone: () -> Bool) -> Bool {
    let end = Date(timeIntervalSinceNow: limit)
    return withLock {
      while !isDone() {
        guard wait(until: end) else { return isDone() }
      }
      return true
    }
  }
}

/// A token for a reference that is storing its value in the current task.
final class SavingReference: Sendable {
  @TaskLocal static var current: SavingReference?

  private let reference: ObjectIdentifier
  private let outer = SavingReference.current
  private let didCommit: @Sendable () -> Void
  private let state = Guarded((isReceived: false, isFinished: false))

  init(_ reference: AnyObject, didCommit: @escaping @Sendable () -> Void) {
    self.reference = ObjectIdentifier(reference)
    self.didCommit = didCommit
  }

  /// Returns whether this token, or a token of an outer call, belongs to the given reference and has not ended.
  ///
  /// Tokens can be nested, since code that a store calls while storing one value can store another value.
  func isSaving(_ reference: AnyObject) -> Bool {
    var next: SavingReference? = self
    while let saving = next {
      if saving.reference == ObjectIdentifier(reference), !saving.state.withLock(\.isFinished) { return true }
      next = saving.outer
    }
    return false
  }

  /// Tells the token that the store has stored the value, before the store calls its subscribers.
  func commit() { if end() { didCommit() } }

  /// Ends the token, or returns false if the token had already ended.
  func end() -> Bool {
    state.withLock { state in
      defer { state.isFinished = true }
      return !state.isFinished
    }
  }

  /// Returns true for the first change that a reference receives while storing its value, since the reference itself
  /// made that change.
  func expects(_ reference: AnyObject) -> Bool {
    guard ObjectIdentifier(reference) == self.reference else { return false }
    return state.withLock { state in
      defer { state.isReceived = true }
      return !state.isReceived
    }
  }
}
