import Dispatch
import Observation

/// Notifies the observers that have read a particular state of a property when the property changes.
///
/// Each state has its own signal, so that a change notifies only the observers that have read an outdated state.
///
/// `@unchecked Sendable` is sound because the key path in `state` is never replaced.
final class StateSignal: Observable, @unchecked Sendable {
  private let registrar = ObservationRegistrar()
  /// The key path that identifies the state.
  ///
  /// The subscript argument gives each signal its own key-path object; Swift shares the objects of key paths without
  /// arguments.
  private var state: KeyPath<StateSignal, Void> = \.[of: 0]

  private subscript(of _: Int) -> Void { () }

  /// Whether any observation of the state is active and therefore retains the key path.
  var isObserved: Bool { !isKnownUniquelyReferenced(&state) }

  func access() { registrar.access(self, keyPath: state) }

  func willSet() { registrar.willSet(self, keyPath: state) }

  /// Calls the observers that have read this signal's state.
  func fire() {
    registrar.willSet(self, keyPath: state)
    registrar.didSet(self, keyPath: state)
  }

  /// Calls the observers at growing intervals until no observation of the state is left.
  ///
  /// `withObservationTracking` registers its observer only after the closure that reads the values has returned, so a
  /// change in between notifies nobody. Repeating the call reaches observers that register late, such as that of a view
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

  /// The delays before the first five notifications by ``fireWhileObserved(attempt:)``, in milliseconds.
  private static let delays = [1, 5, 25, 125, 625]
}

enum ReferenceProperty: UInt8, CaseIterable {
  case value, error, isDefault
  /// The `value` property, for observers that are called on the main actor.
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

/// Tells whether the current code is running on the main queue.
///
/// Checking for the main thread isn't enough, because on Linux any thread can run the main queue.
enum MainQueue {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }
}

/// A reference's signals, one for each property that has been read.
///
/// The signals aren't fields of the generic state, since looking up the offsets of its fields takes half as long as an
/// entire read.
///
/// `@unchecked Sendable` is sound because `signals` is used only while the reference's state is locked.
final class ReferenceSignals: @unchecked Sendable {
  private var signals = [StateSignal?](repeating: nil, count: ReferenceProperty.allCases.count)

  subscript(property: ReferenceProperty) -> StateSignal? {
    get { signals[Int(property.rawValue)] }
    set { signals[Int(property.rawValue)] = newValue }
  }

  /// Registers an observation while the lock is held, which is safe because registering calls no other code.
  func access(_ property: ReferenceProperty) {
    if let signal = self[property] { return signal.access() }
    let signal = StateSignal()
    self[property] = signal
    signal.access()
  }
}
