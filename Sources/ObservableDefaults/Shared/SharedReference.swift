public import Observation
public import Plist

/// An observable value in a store, shared by everyone who uses its key.
///
/// ```swift
/// let count = DefaultsStores.current.reference(for: .launchCount)
/// count.value += 1                                  // stored when the assignment returns
/// count.withLock { $0 += 1 }                        // atomic among threads
/// let token = count.observe { old, new in print(old, "→", new) }
/// for await value in count.updates { print(value) }
/// ```
///
/// A key in a store has one reference at a time for each value type and coding. The reference starts with the stored
/// value and follows every change that the store reports. When nothing is stored, it has the default value, which is
/// never stored itself. If users of a key specify different defaults, the first one wins.
///
/// **Changes.** Assigning an equal value does nothing, except that it retries after an error. (Values that aren't
/// `Equatable` are compared by their property lists.) Assigning a different value takes these steps:
///
/// 1. The Observation framework calls `onChange` while the old value is still visible.
/// 2. The new value becomes visible. An observer that has since read the old value and registered again is called
///    again, so every observer ends up with the newest value.
/// 3. The value is stored. If another thread is storing a value, the assignment waits for it, and then only the newest
///    value is stored.
/// 4. ``observe(initial:_:)`` and ``updates`` deliver the value before the assignment returns. If another thread is
///    already delivering values, that thread delivers this one too.
///
/// Only the closure passed to ``withLock(_:)`` runs under a lock, so an observer can set this or any other value.
///
/// **Failures.** If the stored value has a different type, the reference has its default value, and ``error`` explains
/// why. The stored value stays until a new one is set, and the store then keeps a copy of it, such as
/// `volume.undecodable` for the key `volume`. A value that cannot be stored is still visible, and ``error`` explains
/// why it wasn't stored.
@dynamicMemberLookup
public final class SharedReference<Value: Sendable>: Observable, Sendable {
  struct Snapshot {
    var value: Value
    var isDefault: Bool
    var error: (any Error)?
    /// The number of the change that led to this state.
    var number = 0
  }

  /// A change to a reference's state.
  ///
  /// Changes become visible in order of their numbers.
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

  struct Saving {
    /// The value to store, or nil to remove the stored one.
    let value: Value?
  }

  struct State {
    var visible: Snapshot
    /// The state after all changes, including those that are not visible yet.
    var latest: Snapshot
    /// The properties that differ between ``visible`` and ``latest``.
    var pending: ReferenceProperties = []
    let signals: ReferenceSignals
    let announced = ReferenceSignals()
    /// The number of the latest change that has to be stored.
    var savingNumber = 0
    var savedNumber = 0
    /// The change being stored and the thread that is storing it, until the store has notified its subscribers.
    var saver: (number: Int, thread: UInt)?
    /// The number of the latest change that an inner call has left for the outer call to store.
    var postponed = 0
    /// Whether the store has yet to notify this reference of the change being stored.
    var expectsEcho = false
    /// A stored value that could not be decoded and that the next save will replace.
    var undecodable: PropertyList?
    /// The visible value if storing it has failed, or nil.
    var failed: Value?
    var unsaved: (saving: Saving, number: Int)?
    var undelivered: [Delivery] = []
    var isDelivering = false
    /// Whether to reload the value after it is stored, because the store has changed or doesn't show exactly that
    /// value.
    var mustReload = false
  }

  /// The value used when nothing is stored.
  public let defaultValue: Value
  let backing: any ReferenceBacking<Value>
  let comparison: ValueComparison<Value>
  let turn = WriterTurn()
  let saved = SavedSignal()
  let state: Guarded<State>
  /// The visible state's signals, used only while `state` is locked.
  private let signals: ReferenceSignals
  let observers = Subscribers<Delivery>()
  /// The references to parts of the value, which also follow changes to `error` and `isDefault`.
  let parts = Subscribers<Void>()
  /// The subscription to the store, which ends with the reference.
  let connection = Guarded<DefaultsSubscription?>(nil)

  init(default value: Value, backing: any ReferenceBacking<Value>, comparison: ValueComparison<Value>) {
    defaultValue = value
    self.backing = backing
    self.comparison = comparison
    let snapshot = Snapshot(value: value, isDefault: true, error: nil)
    signals = ReferenceSignals()
    state = Guarded(State(visible: snapshot, latest: snapshot, signals: signals))
  }

  /// Keeps a subscription to the store and then loads the value, so that no change in between is missed.
  func connect(_ token: DefaultsSubscription) {
    connection.withLock { $0 = token }
    reload()
  }

  /// The stored value, or the default value if nothing is stored.
  ///
  /// Reading the value registers an observation and takes tens of nanoseconds. Setting the value stores it.
  public var value: Value {
    get {
      state.withLock { state in
        signals.access(.value)
        return state.visible.value
      }
    }
    set { assign(newValue) }
  }

  /// The error from the last attempt to load or store the value, or nil if that attempt succeeded.
  public var error: (any Error)? { read(.error).error }

  /// Whether the value is the default because no usable value is stored.
  public var isDefault: Bool { read(.isDefault).isDefault }

  /// The store that keeps the value, or nil if the value isn't in a store.
  ///
  /// By default, a value with a `.fileStorage` key is written after a delay; `try $document.store?.flush()` writes it
  /// immediately.
  public var store: (any DefaultsStore)? { backing.place?.store }

  /// The stored property list, even if it cannot be decoded.
  ///
  /// It is nil if nothing is stored or the store cannot be read.
  public var storedPropertyList: PropertyList? { backing.place.flatMap { try? $0.store.load($0.key) } }

  /// Returns the visible state and registers an observation of `property`, if it isn't nil.
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
