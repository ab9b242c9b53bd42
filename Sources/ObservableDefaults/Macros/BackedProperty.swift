#if Macros
import Plist

/// A stored property of a class with `@ObservableDefaults` or `@ObservableCloud`, for generated code.
///
/// The property shares the stored property list with all users of the key, through a ``SharedReference``, and decodes
/// its own value when it is read. Each backed property decodes its own value, so the value's type need not be
/// `Sendable`, and its conformances can be isolated to an actor.
public final class _BackedProperty<Value> {
  private typealias Snapshot = SharedReference<PropertyList>.Snapshot

  private struct State {
    /// The generation of the location shows whether the reference belongs to the current store and prefix.
    var bound: (reference: SharedReference<PropertyList>, generation: Int)?
    /// `number` is the number of the reference's change from which the value was decoded.
    var decoded: (value: Value, number: Int, isFallback: Bool)?
    var isIgnored = false
  }

  private let name: String
  private let defaultValue: Value
  private let coding: DefaultsCoding<Value>
  private let state = Guarded(State())

  init(_ name: String, default defaultValue: Value, coding: DefaultsCoding<Value>) {
    self.name = name
    self.defaultValue = defaultValue
    self.coding = coding
  }

  /// Sets whether the object's observers are called only for changes that the object itself makes.
  public func ignoreExternalChanges(_ isIgnored: Bool) {
    state.withLock { $0.isIgnored = isIgnored }
  }

  /// The stored value, or the declared value if nothing is stored.
  public func value(in host: _BackedPropertyHost) -> Value {
    let (reference, isFollowing) = reference(in: host)
    let shown = reference.read(isFollowing ? host.observedProperty : nil)
    return value(of: shown, in: host)
  }

  /// Stores a value unless the value equals the current value; a value whose property list is null removes the stored
  /// value.
  ///
  /// If changes from outside the object are ignored, `signal` runs the change and notifies the object's observers.
  public func set(_ newValue: Value, in host: _BackedPropertyHost, signal: (() -> Void) -> Void) {
    let (reference, isFollowing) = reference(in: host)
    let shown = reference.read(nil)
    let stored: PropertyList
    do { stored = try coding.encode(newValue) } catch {
      keep(newValue, in: reference, error, signal: signal)
      return
    }
    guard isChange(newValue, stored, of: shown, in: host) else { return }
    let change = {
      if stored.isNull {
        reference.reset()
      } else {
        reference.value = stored
      }
    }
    if isFollowing { change() } else { signal(change) }
    host.didStore()
  }

  /// Stores a value as ``set(_:in:signal:)`` does, and calls the property's `willSet` and `didSet` before and after.
  ///
  /// As in any class, a `willSet` or `didSet` that sets its own property is not called again for this change.
  public func setObserved(
    _ newValue: Value, in host: _BackedPropertyHost, signal: (() -> Void) -> Void,
    willSet before: (Value) -> Void = { _ in }, didSet after: (Value) -> Void = { _ in }
  ) {
    let observed = ObservedProperties.current
    let property = ObjectIdentifier(self)
    if observed.contains(property) { return set(newValue, in: host, signal: signal) }
    let oldValue = value(of: reference(in: host).reference.read(nil), in: host)
    let observing = observed.union([property])
    ObservedProperties.$current.withValue(observing) { before(newValue) }
    set(newValue, in: host, signal: signal)
    ObservedProperties.$current.withValue(observing) { after(oldValue) }
  }

  /// Removes the stored value, so that the declared value becomes visible.
  public func reset(in host: _BackedPropertyHost, signal: (() -> Void) -> Void) {
    let (reference, isFollowing) = reference(in: host)
    if isFollowing { reference.reset() } else { signal { reference.reset() } }
    host.didStore()
  }

  /// The error that occurred when the value was loaded or stored; nil if there was no error.
  public func error(in host: _BackedPropertyHost) -> (any Error)? {
    let reference = reference(in: host).reference
    if let error = reference.error { return error }
    let shown = reference.read(nil)
    if shown.isDefault { return nil }
    let decoded = state.withLock(\.decoded)
    if let decoded, decoded.number == shown.number, !decoded.isFallback { return nil }
    do {
      _ = try coding.decode(shown.value)
      return nil
    } catch { return decode(shown.value, in: host) == nil ? error : nil }
  }

  /// If `isFollowing` is true, the object's observers are also called for changes from outside the object.
  private func reference(in host: _BackedPropertyHost) -> (reference: SharedReference<PropertyList>, isFollowing: Bool)
  {
    let situation = host.situation
    let (bound, isIgnored) = state.withLock { ($0.bound, $0.isIgnored) }
    let isFollowing = situation.isFollowing && !isIgnored
    if let bound, bound.generation == situation.generation {
      if situation.mayChangeUnnoticed { bound.reference.refresh() }
      return (bound.reference, isFollowing)
    }
    let location = host.location
    let defaultForm = (try? coding.encode(defaultValue)) ?? .null
    let reference = location.store.reference(
      for: DefaultKey(location.prefix + name, default: defaultForm, coding: .propertyListAsIs))
    let last = state.withLock { state in
      defer { (state.bound, state.decoded) = ((reference, location.generation), nil) }
      return (state.bound, state.decoded)
    }
    // The old reference is released outside of the lock, since its deinitializer can run other code.
    withExtendedLifetime(last) {}
    return (reference, isFollowing)
  }

  private func value(of shown: Snapshot, in host: _BackedPropertyHost) -> Value {
    let decoded = state.withLock(\.decoded)
    if let decoded, decoded.number == shown.number { return decoded.value }
    if shown.isDefault { return defaultValue }
    let stored = decode(shown.value, in: host)
    let value = stored ?? defaultValue
    let last = state.withLock { state in
      defer { state.decoded = (value, shown.number, stored == nil) }
      return state.decoded
    }
    withExtendedLifetime(last) {}
    return value
  }

  private func decode(_ propertyList: PropertyList, in host: _BackedPropertyHost) -> Value? {
    if let value = try? coding.decode(propertyList) { return value }
    // A command-line argument is a string, so the argument is decoded again as a number or a Boolean value.
    let location = host.location
    let key = location.prefix + name
    return (location.store as? SearchListStore)?.typedArgument(for: key).flatMap { try? coding.decode($0) }
  }

  private func isChange(
    _ newValue: Value, _ stored: PropertyList, of shown: Snapshot, in host: _BackedPropertyHost
  ) -> Bool {
    if shown.error != nil { return true }
    if stored.isNull { return !shown.isDefault }
    // A stored value of another type is replaced even if the new value equals the visible default.
    if !shown.isDefault && decode(shown.value, in: host) == nil { return true }
    return shown.value != stored && !Self.areEqual(value(of: shown, in: host), newValue)
  }

  /// Returns false if the type of the values is not `Equatable`.
  private static func areEqual(_ one: Value, _ other: Value) -> Bool {
    func compare<Known: Equatable>(_ one: Known) -> Bool { one == other as? Known }
    return (one as? any Equatable).map { compare($0) } ?? false
  }

  /// A value that cannot be stored is still visible, and the error is reported.
  private func keep(
    _ newValue: Value, in reference: SharedReference<PropertyList>, _ error: any Error, signal: (() -> Void) -> Void
  ) {
    signal {
      reference.fail(error)
      let number = reference.read(nil).number
      state.withLock { $0.decoded = (newValue, number, false) }
    }
  }
}

/// The conformance to `Sendable` is unchecked because the coding can use conformances that are isolated to an actor.
///
/// The unchecked conformance to `Sendable` is sound, since only generated code uses `_BackedProperty`, in a class that
/// is isolated to the same actor.
extension _BackedProperty: @unchecked Sendable where Value: Sendable {}

extension SharedReference {
  /// Some stores do not notify subscribers of all changes, so these stores must be read again before a value is used.
  ///
  /// A value that is being stored, or that could not be stored, stays visible.
  fileprivate func refresh() {
    let isSettled = state.withLock { $0.savingNumber <= $0.savedNumber && $0.visible.error == nil }
    if isSettled { reload() }
  }
}

extension DefaultsCoding<PropertyList> {
  fileprivate static let propertyListAsIs = Self("propertyListAsIs", encode: { $0 }, decode: { $0 })
}

/// The properties whose `willSet` or `didSet` the current task is calling; setting such a property does not call them
/// again.
private enum ObservedProperties {
  @TaskLocal static var current: Set<ObjectIdentifier> = []
}
#endif
