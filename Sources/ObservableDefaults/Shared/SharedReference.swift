import Foundation
public import Observation
public import Plist

/// A value that is kept in a store, shared by all users of its key, and observable.
///
/// ```swift
/// let count = DefaultsStores.current.reference(for: .launchCount)
/// count.value += 1                                  // stored when the assignment returns
/// count.withLock { $0 += 1 }                        // atomic among threads
/// let token = count.observe { old, new in print(old, "→", new) }
/// for await value in count.updates { print(value) }
/// ```
///
/// In a store, each combination of key and value type has one reference while that reference is in use. The reference
/// begins with the stored value and follows every change of the store. The default is visible when nothing is stored,
/// and is never stored itself. If a key is used with several defaults, the reference has the default with which it was
/// created.
///
/// **Changes.** A value equal to the current one changes nothing: no observer is called and nothing is stored. (Values
/// that are not `Equatable` are compared by their property lists.) Assigning a different value takes these steps before
/// the assignment returns:
///
/// 1. The framework Observation calls `onChange` while the old value is still visible.
/// 2. The new value becomes visible. Observers that have read the old value and registered again are called again.
/// 3. The value is stored. If another thread is storing, the assignment waits; only the newest value is stored.
/// 4. ``observe(initial:_:)`` and ``updates`` deliver the change. If another thread is delivering changes, that thread
///    delivers this change too, in order.
///
/// An observer that reads the old value during a change, and registers after the change, is called again soon after the
/// registration. Every observer therefore finally sees the newest value. No closure is called while a lock is held,
/// except the closure of ``withLock(_:)``. An observer is therefore allowed to set this value or any other value.
///
/// **Failures.** If the stored value is of another type, the default is visible, and ``error`` reports the reason. The
/// stored value stays until a value is set. If a value cannot be stored, the value is still visible, and ``error``
/// reports the reason.
@dynamicMemberLookup
public final class SharedReference<Value: Sendable>: Observable, Sendable {
  struct Snapshot {
    var value: Value
    var isDefault: Bool
    var error: (any Error)?
    /// The number of the change that created the snapshot; successive changes have consecutive numbers.
    var number = 0
  }

  /// Changes become visible in the order of their numbers.
  struct Change {
    let snapshot: Snapshot
    let properties: ReferenceProperties
  }

  struct Delivery {
    let old: Value
    let new: Value
    let number: Int
  }

  enum Saving {
    case value(Value)
    case removal
  }

  struct State {
    var visible: Snapshot
    /// The state after all changes, including changes that are not visible yet; new values are computed from this
    /// state.
    var latest: Snapshot
    /// The properties in which the visible and the latest state differ.
    var pending: ReferenceProperties = []
    /// `announced` contains the signals whose observers are being called.
    let signals: ReferenceSignals
    let announced = ReferenceSignals()
    /// `savingNumber` is the number of the last change to store.
    ///
    /// `savedNumber` is the number of the last change that was stored or could not be stored.
    var savingNumber = 0
    var savedNumber = 0
    /// The number of the change that a thread is storing, until the store's subscribers have been called.
    var saver: Int?
    /// The visible value, if the store could not store that value.
    var failed: Value?
    var unsaved: (saving: Saving, number: Int)?
    var undelivered: [Delivery] = []
    var isDelivering = false
    /// A change of the store while a value was being stored makes a reload necessary.
    var mustReload = false
  }

  /// The value that is visible when nothing is stored.
  public let defaultValue: Value
  let backing: any ReferenceBacking<Value>
  let comparison: ValueComparison<Value>
  let turn = WriterTurn()
  let saved = NSCondition()
  let state: Guarded<State>
  /// The lock of `state` guards the signals of the visible state.
  private let signals: ReferenceSignals
  let observers = Subscribers<(old: Value, new: Value)>()
  /// The subscription to the store, which ends with the reference.
  let connection = Guarded<DefaultsSubscription?>(nil)

  init(default value: Value, backing: any ReferenceBacking<Value>, comparison: ValueComparison<Value>) {
    defaultValue = value
    self.backing = backing
    self.comparison = comparison
    let snapshot = Snapshot(backing.load(), default: value)
    signals = ReferenceSignals()
    state = Guarded(State(visible: snapshot, latest: snapshot, signals: signals))
  }

  /// The stored value, or the default value if nothing is stored.
  ///
  /// Reading is observed and costs some tens of nanoseconds. Setting stores the value.
  public var value: Value {
    get {
      state.withLock { state in
        signals.access(.value)
        return state.visible.value
      }
    }
    set { assign(newValue) }
  }

  /// The error that occurred when the value was loaded or stored; nil if there was no error.
  public var error: (any Error)? { read(.error).error }

  /// A Boolean value that indicates whether the default is visible because no usable value is stored.
  public var isDefault: Bool { read(.isDefault).isDefault }

  /// The stored property list, even if its type is wrong; nil if nothing is stored or the store cannot be read.
  public var storedPropertyList: PropertyList? {
    backing.storedPropertyList
  }

  /// The read is observed if `property` is not nil.
  func read(_ property: ReferenceProperty?) -> Snapshot {
    state.withLock { state in
      if let property { signals.access(property) }
      return state.visible
    }
  }
}

extension SharedReference.Snapshot {
  init(_ stored: StoredValue<Value>, default defaultValue: Value) {
    switch stored {
    case .absent: self.init(value: defaultValue, isDefault: true, error: nil)
    case .value(let value): self.init(value: value, isDefault: false, error: nil)
    case .undecodable(_, let error), .failure(let error):
      self.init(value: defaultValue, isDefault: true, error: error)
    }
  }
}
