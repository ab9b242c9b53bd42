import Dispatch
import Observation

/// Notifies observers that have read one state of a property when the property changes.
///
/// Each state has a signal of its own, so that a change reaches only those who have read an outdated one.
///
/// The unchecked conformance to `Sendable` is sound, since the key path in `state` is never replaced.
final class StateSignal: Observable, @unchecked Sendable {
  private let registrar = ObservationRegistrar()
  /// The argument of the subscript gives each signal a key-path object of its own; Swift shares those without arguments.
  private var state: KeyPath<StateSignal, Void> = \.[of: 0]

  private subscript(of _: Int) -> Void { () }

  /// Whether any observation of the state is active: it retains the key path.
  var isObserved: Bool { !isKnownUniquelyReferenced(&state) }

  func access() { registrar.access(self, keyPath: state) }

  func willSet() { registrar.willSet(self, keyPath: state) }

  /// Calls the observers that have read the state of this signal.
  func fire() {
    registrar.willSet(self, keyPath: state)
    registrar.didSet(self, keyPath: state)
  }

  /// Calls the observers at growing intervals until no observation of the state is left.
  ///
  /// `withObservationTracking` registers its observer only after the closure that reads the values has returned, so a
  /// change in between reaches nobody. Calling again reaches those who register late, such as the observer of a view
  /// whose `body` was running.
  ///
  /// - Precondition: No later read returns this state, and nobody else fires the signal.
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

enum ReferenceProperty: UInt8, CaseIterable {
  case value, error, isDefault
  /// The property `value`, for observers that are called on the main actor.
  case mainActorValue
}

/// The properties that a change affects; `value` includes `mainActorValue`.
struct ReferenceProperties: OptionSet {
  let rawValue: UInt8
  static let value = Self(.value).union(Self(.mainActorValue))
  static let error = Self(.error)
  static let isDefault = Self(.isDefault)

  init(rawValue: UInt8) { self.rawValue = rawValue }

  init(_ property: ReferenceProperty) { rawValue = 1 << property.rawValue }
}

/// Whether the current code runs on the main queue.
///
/// Being on the main thread is not the same: on Linux, any thread can run the main queue.
enum MainQueue {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }
}

/// The signals of a reference, one for each property that anybody has read.
///
/// They are not fields of the generic state, since looking up the offsets of such fields takes half as long as a read.
///
/// The unchecked conformance to `Sendable` is sound, since code uses the variable only while holding the lock of the
/// reference's state.
final class ReferenceSignals: @unchecked Sendable {
  private var signals = [StateSignal?](repeating: nil, count: ReferenceProperty.allCases.count)

  subscript(property: ReferenceProperty) -> StateSignal? {
    get { signals[Int(property.rawValue)] }
    set { signals[Int(property.rawValue)] = newValue }
  }

  /// Registers an observation while the lock is held, which is safe since the registration calls no other code.
  func access(_ property: ReferenceProperty) {
    if let signal = self[property] { return signal.access() }
    let signal = StateSignal()
    self[property] = signal
    signal.access()
  }
}
