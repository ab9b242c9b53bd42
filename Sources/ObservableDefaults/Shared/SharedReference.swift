public import Observation
public import Plist

/// A value that is kept in a store, shared by all who use its key, and observable.
///
/// ```swift
/// let count = DefaultsStores.current.reference(for: .launchCount)
/// count.value += 1                                  // stored when the assignment returns
/// count.withLock { $0 += 1 }                        // atomic among threads
/// let token = count.observe { old, new in print(old, "→", new) }
/// for await value in count.updates { print(value) }
/// ```
///
/// There is one reference for a key, a type of value and a default in a store, as long as somebody holds it. It begins with
/// what is stored, and follows every change, whoever makes it. The default is what shows when nothing is stored; it is
/// never stored itself.
///
/// **Changes.** A value equal to the present one changes nothing: nobody is told and nothing is stored. (Values that are
/// not `Equatable` are compared by their property lists.) Otherwise observation's `onChange` is called while the old value
/// is still visible; then the value is swapped; then it is stored and ``observe(initial:_:)`` and ``updates`` are told, all
/// before the assignment returns. If another thread is storing this very value just then, it does so for both. No closure
/// of yours is called while a lock is held, except the one that is given to ``withLock(_:)``; so an observer may set
/// this value or any other.
///
/// **Failures.** Where what is stored is of another type, the default shows, ``error`` says why, and what is stored stays
/// until a value is set. Where a value cannot be stored, it shows all the same, and ``error`` says why.
public final class SharedReference<Value: Sendable>: Observable, Sendable {
  /// What shows at one moment.
  struct Snapshot {
    var value: Value
    var isDefault: Bool
    var error: (any Error)?
  }

  /// A change that is computed and has to be made visible, in the order of the numbers.
  struct Change {
    let snapshot: Snapshot
    let number: Int
    let properties: ReferenceSignals.Properties
    /// What to store.
    let saving: Saving?
  }

  enum Saving {
    case value(Value)
    case removal
  }

  struct State {
    /// What shows.
    var visible: Snapshot
    /// What is going to show when the changes under way are made visible; new values are computed from it.
    var latest: Snapshot
    /// The number of the last change that was computed, and of the last that was made visible.
    var lastNumber = 0
    var visibleNumber = 0
    /// The properties whose observers are being told that they are about to change, and those of them that changed again.
    var announcing: ReferenceSignals.Properties = []
    var announcedMeanwhile: ReferenceSignals.Properties = []
    /// The number of the last change that is to be stored, and of the last that was, or could not be.
    var savingNumber = 0
    var savedNumber = 0
    /// What is to be stored next.
    var unsaved: (saving: Saving, number: Int)?
    /// What observers are to be told.
    var undelivered: [(old: Value, new: Value)] = []
    /// Whether a thread is storing and telling.
    var isDelivering = false
    /// Whether the store changed while a value was on its way to it.
    var mustReload = false
    var streams: [Int: AsyncStream<Value>.Continuation] = [:]
    var lastStream = 0
  }

  /// What shows when nothing is stored.
  public let defaultValue: Value
  let backing: any ReferenceBacking<Value>
  let comparison: ValueComparison<Value>
  /// Whether what others store shows.
  ///
  /// If it does not, what is stored is not known, and every value that is set is stored.
  let followsStore: Bool
  let signals = ReferenceSignals()
  let turn = WriterTurn()
  let state: Guarded<State>
  let observers = Subscribers<(old: Value, new: Value)>()
  /// What keeps the reference in touch with its store, and is ended with it.
  let connection = Guarded<DefaultsSubscription?>(nil)

  init(
    default value: Value, backing: any ReferenceBacking<Value>, comparison: ValueComparison<Value>,
    followsStore: Bool = true
  ) {
    defaultValue = value
    self.followsStore = followsStore
    self.backing = backing
    self.comparison = comparison
    let snapshot = Snapshot(backing.load(), default: value)
    state = Guarded(State(visible: snapshot, latest: snapshot))
  }

  deinit {
    for stream in state.withLock(\.streams).values { stream.finish() }
  }

  /// The value that is stored, or else the default.
  ///
  /// Reading it is observed and costs some tens of nanoseconds. Setting it stores it.
  public var value: Value {
    get {
      signals.accessValue()
      return state.withLock { $0.visible.value }
    }
    set { withLock { $0 = newValue } }
  }

  /// Why the value that is stored cannot be shown, or the one that shows could not be stored; nil if all is well.
  public var error: (any Error)? {
    signals.accessError()
    return state.withLock { $0.visible.error }
  }

  /// Whether the default shows, as nothing is stored that could.
  public var isDefault: Bool {
    signals.accessIsDefault()
    return state.withLock { $0.visible.isDefault }
  }

  /// What is stored, whether or not it is of the value's type; nil where nothing is, or it cannot be found out.
  public var storedPropertyList: PropertyList? {
    (backing as? any PropertyListBacking)?.propertyList
  }
}

extension SharedReference.Snapshot {
  /// What shows for what is stored.
  init(_ stored: StoredValue<Value>, default defaultValue: Value) {
    switch stored {
    case .absent: self.init(value: defaultValue, isDefault: true, error: nil)
    case .value(let value): self.init(value: value, isDefault: false, error: nil)
    case .undecodable(_, let error), .failure(let error):
      self.init(value: defaultValue, isDefault: true, error: error)
    }
  }
}
