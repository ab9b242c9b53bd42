public import Observation
public import Plist

/// A reference to an observable value in a store, shared by all users of the value's key.
///
/// ```swift
/// let count = DefaultsStores.current.reference(for: .launchCount)
/// count.value += 1                                  // stored when the assignment returns
/// count.withLock { $0 += 1 }                        // atomic among threads
/// let token = count.observe { old, new in print(old, "→", new) }
/// for await value in count.updates { print(value) }
/// ```
///
/// In a store, each combination of key and value type has at most one reference at a time. A reference begins with the
/// stored value and follows every change in the store. The default value is visible when nothing is stored, and is
/// never stored itself. If several defaults are given for a key, the reference keeps the default with which the
/// reference was created.
///
/// **Changes.** Assigning a value equal to the current value changes nothing: no observer is called and nothing is
/// stored. (Values that are not `Equatable` are compared by their property lists.) Assigning a different value takes
/// these steps before the assignment returns:
///
/// 1. The framework Observation calls `onChange` while the old value is still visible.
/// 2. The new value becomes visible. If an observer has read the old value and registered again after the call of
/// `onChange`, the observer is called again.
/// 3. The store stores the new value. If another thread is already storing a value, the assignment waits, and
/// afterwards only the newest value is stored.
/// 4. ``observe(initial:_:)`` and ``updates`` deliver the change. If another thread is already delivering earlier
/// changes, that thread also delivers this change.
///
/// An observer that reads the old value during a change, and registers after the change, is called again soon after the
/// registration. Every observer eventually sees the newest value. While a reference holds a lock, the reference calls
/// no closure except the closure of ``withLock(_:)``. An observer can set the observed value or any other value.
///
/// **Failures.** If the stored value does not have the type of the reference, the default value is visible, and
/// ``error`` reports the reason. The stored value remains in the store until a new value is set; the store then keeps a
/// copy of it, for example as `volume.undecodable` for the key `volume`. If the store cannot store a value, the value is
/// still visible, and ``error`` reports the reason.
@dynamicMemberLookup
public final class SharedReference<Value: Sendable>: Observable, Sendable {
  struct Snapshot {
    var value: Value
    var isDefault: Bool
    var error: (any Error)?
    /// The sequence number of the change that created the snapshot; successive changes have consecutive numbers.
    var number = 0
  }

  /// A change of a reference; changes become visible in the order of their sequence numbers.
  struct Change {
    let snapshot: Snapshot
    let properties: ReferenceProperties
  }

  struct Delivery {
    let old: Value
    let new: Value
    let properties: ReferenceProperties
    let number: Int
  }

  enum Saving {
    case value(Value)
    case removal
  }

  struct State {
    var visible: Snapshot
    /// The latest state of the reference, which includes changes that are not visible yet.
    var latest: Snapshot
    /// The properties that differ between the visible state and the latest state.
    var pending: ReferenceProperties = []
    let signals: ReferenceSignals
    let announced = ReferenceSignals()
    /// The number of the latest change that has to be stored.
    var savingNumber = 0
    var savedNumber = 0
    /// The change that a thread is storing, until the store has told its subscribers.
    var saver: (number: Int, thread: UInt)?
    /// The latest change that an inner call has left to the thread that stores the value.
    var postponed = 0
    /// Whether the store still has to tell this reference of the change that is being stored.
    var expectsEcho = false
    /// A stored value that could not be decoded, and that the next save replaces.
    var undecodable: PropertyList?
    /// The visible value if storing it has failed; otherwise nil.
    var failed: Value?
    var unsaved: (saving: Saving, number: Int)?
    var undelivered: [Delivery] = []
    var isDelivering = false
    /// Whether the value must be reloaded because the store changed while a thread was storing the value.
    var mustReload = false
  }

  /// The value that is visible when nothing is stored.
  public let defaultValue: Value
  let backing: any ReferenceBacking<Value>
  let comparison: ValueComparison<Value>
  let turn = WriterTurn()
  let saved = SavedSignal()
  let state: Guarded<State>
  /// Objects that tell views about changes of the visible state; code uses them only while holding the lock of `state`.
  private let signals: ReferenceSignals
  let observers = Subscribers<Delivery>()
  /// The references to parts of the value, which also follow changes of `error` and `isDefault`.
  let parts = Subscribers<Void>()
  /// The subscription to the store, which ends when the reference is released.
  let connection = Guarded<DefaultsSubscription?>(nil)

  init(default value: Value, backing: any ReferenceBacking<Value>, comparison: ValueComparison<Value>) {
    defaultValue = value
    self.backing = backing
    self.comparison = comparison
    let snapshot = Snapshot(value: value, isDefault: true, error: nil)
    signals = ReferenceSignals()
    state = Guarded(State(visible: snapshot, latest: snapshot, signals: signals))
  }

  /// Follows what the token stands for, and then loads the value, so that no change in between is missed.
  func connect(_ token: DefaultsSubscription) {
    connection.withLock { $0 = token }
    reload()
  }

  /// The stored value, or the default value if nothing is stored.
  ///
  /// Reading the value registers an observation, and takes tens of nanoseconds. Setting the value also stores the new
  /// value.
  public var value: Value {
    get {
      state.withLock { state in
        signals.access(.value)
        return state.visible.value
      }
    }
    set { assign(newValue) }
  }

  /// The error of the last attempt to load or store the value, or nil if that attempt succeeded.
  public var error: (any Error)? { read(.error).error }

  /// A Boolean value that indicates whether the default value is visible because no usable value is stored.
  public var isDefault: Bool { read(.isDefault).isDefault }

  /// The store that keeps the value, or nil if the value is not in a store.
  ///
  /// A value with `.fileStorage` is written after a delay; `try $document.store?.flush()` writes it at once.
  public var store: (any DefaultsStore)? { backing.store }

  /// The stored property list, even if the property list cannot be decoded.
  ///
  /// The property is nil if nothing is stored or the store cannot be read.
  public var storedPropertyList: PropertyList? {
    backing.storedPropertyList
  }

  /// Returns the visible state; if `property` is not nil, the read registers an observation.
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
    case .visible(let value, let isDefault, let error): self.init(value: value, isDefault: isDefault, error: error)
    }
  }
}

extension StoredValue {
  /// The stored property list, if it cannot be decoded.
  var undecodable: PropertyList? {
    if case .undecodable(let stored, _) = self { stored } else { nil }
  }
}
