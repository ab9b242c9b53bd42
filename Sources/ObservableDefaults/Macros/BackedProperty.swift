#if Macros
import Plist

/// What stands behind a stored property of a class with `@ObservableDefaults` or `@ObservableCloud`, for generated code.
///
/// The property shares what is stored for its key with everybody else, as a ``SharedReference`` to a property list, and
/// makes its own value of it where the property is used. So the type of the value need not be `Sendable`, and its
/// conformances may be an actor's.
public final class _BackedProperty<Value> {
  private struct State {
    /// The reference for the key in the place that the host had when it was at the generation.
    var bound: (reference: SharedReference<PropertyList>, generation: Int)?
    /// The value of what the reference showed after its change of the number.
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

  /// Says whether only the object's own changes are told, though it hears of others'.
  ///
  /// - Parameter isIgnored: Whether others' changes are ignored.
  public func ignoreExternalChanges(_ isIgnored: Bool) {
    state.withLock { $0.isIgnored = isIgnored }
  }

  /// The value that is stored, or else the one that the property was declared with.
  ///
  /// - Parameter host: The object's host.
  /// - Returns: The value; observed, unless others' changes are ignored.
  public func value(in host: _BackedPropertyHost) -> Value {
    let (reference, isFollowing) = reference(in: host)
    let shown = reference.shown(isFollowing ? host.observedProperty : nil)
    return value(of: shown, in: host)
  }

  /// Stores a value, unless it is the present one.
  ///
  /// - Parameters:
  ///   - newValue: The value; nil removes what is stored.
  ///   - host: The object's host.
  ///   - signal: Makes the change and tells the object's own observers, where others' changes are ignored.
  public func set(_ newValue: Value, in host: _BackedPropertyHost, signal: (() -> Void) -> Void) {
    let (reference, isFollowing) = reference(in: host)
    let shown = reference.shown(nil)
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

  /// Stores a value as ``set(_:in:signal:)`` does, between the calls of a property's observers.
  ///
  /// As with any property, an observer that sets the property itself is not called again for that.
  ///
  /// - Parameters:
  ///   - newValue: The value; nil removes what is stored.
  ///   - host: The object's host.
  ///   - signal: Makes the change and tells the object's own observers, where others' changes are ignored.
  ///   - before: Called before, with the new value.
  ///   - after: Called afterwards, with the old value.
  public func setObserved(
    _ newValue: Value, in host: _BackedPropertyHost, signal: (() -> Void) -> Void,
    willSet before: (Value) -> Void = { _ in }, didSet after: (Value) -> Void = { _ in }
  ) {
    let observed = ObservedProperties.current
    let property = ObjectIdentifier(self)
    if observed.contains(property) { return set(newValue, in: host, signal: signal) }
    let oldValue = value(of: reference(in: host).reference.shown(nil), in: host)
    let observing = observed.union([property])
    ObservedProperties.$current.withValue(observing) { before(newValue) }
    set(newValue, in: host, signal: signal)
    ObservedProperties.$current.withValue(observing) { after(oldValue) }
  }

  /// Removes what is stored, so that the declared value shows.
  ///
  /// - Parameters:
  ///   - host: The object's host.
  ///   - signal: Makes the change and tells the object's own observers, if others' changes are ignored.
  public func reset(in host: _BackedPropertyHost, signal: (() -> Void) -> Void) {
    let (reference, isFollowing) = reference(in: host)
    if isFollowing { reference.reset() } else { signal { reference.reset() } }
    host.didStore()
  }

  /// Why the stored value cannot be shown, or the visible one could not be stored; nil if all is well.
  ///
  /// - Parameter host: The object's host.
  /// - Returns: The error; observed.
  public func error(in host: _BackedPropertyHost) -> (any Error)? {
    let reference = reference(in: host).reference
    if let error = reference.error { return error }
    let shown = reference.shown(nil)
    if shown.isDefault { return nil }
    let decoded = state.withLock(\.decoded)
    if let decoded, decoded.number == shown.number, !decoded.isFallback { return nil }
    do {
      _ = try coding.decode(shown.propertyList)
      return nil
    } catch { return decode(shown.propertyList, in: host) == nil ? error : nil }
  }

  /// The reference for the property's key, and whether others' changes of it concern the object.
  private func reference(in host: _BackedPropertyHost) -> (reference: SharedReference<PropertyList>, isFollowing: Bool)
  {
    let situation = host.situation
    let (bound, isIgnored) = state.withLock { ($0.bound, $0.isIgnored) }
    let isFollowing = situation.isFollowing && !isIgnored
    if let bound, bound.generation == situation.generation {
      if situation.mayChangeUnnoticed { bound.reference.refresh() }
      return (bound.reference, isFollowing)
    }
    let place = host.place
    let defaultForm = (try? coding.encode(defaultValue)) ?? .null
    let reference = place.store.reference(
      for: DefaultKey(place.prefix + name, default: defaultForm, coding: .propertyListAsIs))
    let last = state.withLock { state in
      defer { (state.bound, state.decoded) = ((reference, place.generation), nil) }
      return (state.bound, state.decoded)
    }
    // Released outside of the lock, as that may run anything.
    withExtendedLifetime(last) {}
    return (reference, isFollowing)
  }

  private func value(of shown: ShownPropertyList, in host: _BackedPropertyHost) -> Value {
    let decoded = state.withLock(\.decoded)
    if let decoded, decoded.number == shown.number { return decoded.value }
    if shown.isDefault { return defaultValue }
    let stored = decode(shown.propertyList, in: host)
    let value = stored ?? defaultValue
    let last = state.withLock { state in
      defer { state.decoded = (value, shown.number, stored == nil) }
      return state.decoded
    }
    withExtendedLifetime(last) {}
    return value
  }

  /// The value of what is stored, or nil where that is of another type.
  private func decode(_ propertyList: PropertyList, in host: _BackedPropertyHost) -> Value? {
    if let value = try? coding.decode(propertyList) { return value }
    // A command line has words only.
    let place = host.place
    guard let number = (place.store as? SearchListStore)?.typedArgument(for: place.prefix + name) else { return nil }
    return try? coding.decode(number)
  }

  /// Whether setting a value, which has the given form, changes anything.
  private func isChange(
    _ newValue: Value, _ stored: PropertyList, of shown: ShownPropertyList, in host: _BackedPropertyHost
  ) -> Bool {
    if shown.isFailure { return true }
    if stored.isNull { return !shown.isDefault }
    // What is of another type is replaced, even by the default that shows in its place.
    if !shown.isDefault && decode(shown.propertyList, in: host) == nil { return true }
    return shown.propertyList != stored && !Self.areEqual(value(of: shown, in: host), newValue)
  }

  /// Whether two values are equal; false if their type does not say so.
  private static func areEqual(_ one: Value, _ other: Value) -> Bool {
    func compare<Known: Equatable>(_ one: Known) -> Bool { one == other as? Known }
    return (one as? any Equatable).map { compare($0) } ?? false
  }

  /// Shows a value that has no form to be stored in.
  private func keep(
    _ newValue: Value, in reference: SharedReference<PropertyList>, _ error: any Error, signal: (() -> Void) -> Void
  ) {
    signal {
      reference.fail(error)
      let number = reference.shown(nil).number
      state.withLock { $0.decoded = (newValue, number, false) }
    }
  }
}

/// Unchecked because of what makes and reads the values' forms: sound since those use conformances of an actor only where
/// the property is that actor's too, as generated code has it, which alone uses this.
extension _BackedProperty: @unchecked Sendable where Value: Sendable {}

/// The properties whose observers are being called.
private enum ObservedProperties {
  @TaskLocal static var current: Set<ObjectIdentifier> = []
}
#endif
