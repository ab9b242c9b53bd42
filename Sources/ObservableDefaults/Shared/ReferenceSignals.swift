import Dispatch
import Observation

/// A signal for the observers that have read one property of a reference in one state.
///
/// Each state of a property that is read has a signal of its own. So the observers of an outdated state can be called
/// again without those of the present state.
///
/// Unchecked because of the key path. Sound since it is never replaced.
final class StateSignal: Observable, @unchecked Sendable {
  private let registrar = ObservationRegistrar()
  /// A key path of this signal alone, because it has an argument: key paths without one are shared.
  private var state: KeyPath<StateSignal, Void> = \.[of: 0]

  private subscript(of _: Int) -> Void { () }

  /// A Boolean value that indicates whether an observation has read the state and has not ended.
  ///
  /// An observation keeps the key path from the read until it ends, also before it is registered.
  var isObserved: Bool { !isKnownUniquelyReferenced(&state) }

  /// Registers the current observation, if there is one.
  func access() { registrar.access(self, keyPath: state) }

  /// Announces that the state is about to be replaced.
  func willSet() { registrar.willSet(self, keyPath: state) }

  /// Calls the observers that are left, or that registered again, because the state has been replaced.
  func fire() {
    registrar.willSet(self, keyPath: state)
    registrar.didSet(self, keyPath: state)
  }

  /// Fires at growing intervals until no observation can have the state.
  ///
  /// `withObservationTracking` registers an observer after its closure has returned. A change between the read and the
  /// registration finds no observer to call. An observer that registers late, such as a view whose body was running, is
  /// called by this method.
  ///
  /// - Precondition: The state has been replaced, so it is not read any more, and only the caller fires the signal.
  func fireWhileObserved(attempt: Int = 0) {
    guard isObserved else { return }
    let delay = attempt < Self.delays.count ? Self.delays[attempt] : 1000
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(delay)) { @Sendable [self] in
      fire()
      fireWhileObserved(attempt: attempt + 1)
    }
  }

  /// The first delays in milliseconds.
  private static let delays = [1, 5, 25, 125, 625]
}

/// The observable properties of a reference.
enum ReferenceProperty: CaseIterable {
  case value, error, isDefault
  /// The value as objects of the main actor see it: its observers are called on the main actor.
  case mainActorValue
}

/// A set of observable properties.
struct ReferenceProperties: OptionSet {
  let rawValue: UInt8
  static let value = Self(rawValue: 1)
  static let error = Self(rawValue: 2)
  static let isDefault = Self(rawValue: 4)

  /// Whether a property is in the set, by the name under which it is observed.
  func covers(_ property: ReferenceProperty) -> Bool {
    switch property {
    case .value, .mainActorValue: contains(.value)
    case .error: contains(.error)
    case .isDefault: contains(.isDefault)
    }
  }
}

/// A test for the main queue, which runs the main actor.
///
/// On Linux any thread may run it.
enum MainQueue {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }
}

/// One optional signal for each property of a reference.
///
/// An object, since its position in a generic reference does not depend on the layout of other fields. A read takes 40
/// ns with it, and 56 ns if the signals are fields of the state.
///
/// Unchecked because of the variables. Sound since they are used only while the lock of the reference's state is held.
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

  /// Registers the current observation, if there is one, with the signal of the present state of a property.
  ///
  /// The signal is created when the state is first read. Registering calls no observer, so the lock may be held. A
  /// cached read is then 29 times as fast as `UserDefaults`; if the signal is returned out of the lock, 22 times.
  func access(_ property: ReferenceProperty) {
    if let signal = self[property] { return signal.access() }
    let signal = StateSignal()
    self[property] = signal
    signal.access()
  }
}
