import Dispatch
import Observation

/// A signal for one state of a reference's property; the signal notifies the observers that have read this state.
///
/// Each state of a property has its own signal, so that a change notifies only the observers that have read an outdated
/// state.
///
/// The unchecked conformance to `Sendable` is sound, since the key path in `state` is never replaced.
final class StateSignal: Observable, @unchecked Sendable {
  private let registrar = ObservationRegistrar()
  /// The key path has a subscript argument, so each signal has its own key-path object.
  ///
  /// Swift uses one shared object for all uses of a key path without arguments.
  private var state: KeyPath<StateSignal, Void> = \.[of: 0]

  private subscript(of _: Int) -> Void { () }

  /// Whether any observation of the state is active.
  ///
  /// An active observation retains the key path, so a uniquely referenced key path has no active observation.
  var isObserved: Bool { !isKnownUniquelyReferenced(&state) }

  func access() { registrar.access(self, keyPath: state) }

  func willSet() { registrar.willSet(self, keyPath: state) }

  /// Calls the observers that have read the state of this signal.
  func fire() {
    registrar.willSet(self, keyPath: state)
    registrar.didSet(self, keyPath: state)
  }

  /// Calls the observers of the state at growing intervals until no observation of the state is active.
  ///
  /// `withObservationTracking` registers an observer only after the closure that reads the values has returned. If a
  /// value changes after an observer has read the value but before the observer is registered, the change cannot call
  /// the observer. Repeated calls reach observers that register late, for example the observer of a view whose `body`
  /// was running during the change.
  ///
  /// - Precondition: A new state has replaced the state of this signal, so no later read returns the old state. Only
  ///   `fireWhileObserved` and the caller of `fireWhileObserved` fire the signal.
  func fireWhileObserved(attempt: Int = 0) {
    guard isObserved else { return }
    let delay = attempt < Self.delays.count ? Self.delays[attempt] : 1000
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(delay)) { @Sendable [self] in
      fire()
      fireWhileObserved(attempt: attempt + 1)
    }
  }

  /// The delays before the first five calls of observers by ``fireWhileObserved(attempt:)``, in milliseconds.
  private static let delays = [1, 5, 25, 125, 625]
}

enum ReferenceProperty: CaseIterable {
  case value, error, isDefault
  /// The property `value`, for observers that are called on the main actor.
  case mainActorValue
}

struct ReferenceProperties: OptionSet {
  let rawValue: UInt8
  static let value = Self(rawValue: 1)
  static let error = Self(rawValue: 2)
  static let isDefault = Self(rawValue: 4)

  /// Returns whether the set contains a property; `value` and `mainActorValue` count as one property.
  func covers(_ property: ReferenceProperty) -> Bool {
    switch property {
    case .value, .mainActorValue: contains(.value)
    case .error: contains(.error)
    case .isDefault: contains(.isDefault)
    }
  }
}

/// A namespace for checking whether the current code runs on the main queue.
///
/// A check for the main thread would be wrong, since any thread can run the main queue on Linux.
enum MainQueue {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }
}

/// The signals of a reference.
///
/// They are not fields of the generic state, since code would have to look up where in the state they are, which takes
/// half as long as a read.
///
/// The unchecked conformance to `Sendable` is sound, since code uses the variables only while holding the lock of the
/// reference's state.
final class ReferenceSignals: @unchecked Sendable {
  private var value: StateSignal?
  private var error: StateSignal?
  private var isDefault: StateSignal?
  private var mainActorValue: StateSignal?

  subscript(property: ReferenceProperty) -> StateSignal? {
    get {
      switch property {
      case .value: value
      case .error: error
      case .isDefault: isDefault
      case .mainActorValue: mainActorValue
      }
    }
    set {
      switch property {
      case .value: value = newValue
      case .error: error = newValue
      case .isDefault: isDefault = newValue
      case .mainActorValue: mainActorValue = newValue
      }
    }
  }

  /// Registers an observation while the lock is held, which is safe since the registration calls no other code.
  func access(_ property: ReferenceProperty) {
    if let signal = self[property] { return signal.access() }
    let signal = StateSignal()
    self[property] = signal
    signal.access()
  }
}
