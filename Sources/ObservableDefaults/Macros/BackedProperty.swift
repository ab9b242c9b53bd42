#if Macros
@_exported public import Observation
import Plist

/// The storage that the macros `@ObservableDefaults` and `@ObservableCloud` generate for each property of a class.
///
/// All properties with the same key share the persisted property list, but each property decodes the property list
/// separately. The type of the value need not be `Sendable`, and the type's conformances can be isolated to an actor.
public final class _BackedProperty<Value> {
  private typealias Snapshot = SharedReference<PropertyList>.Snapshot

  private struct State {
    /// The reference to the stored property list.
    ///
    /// If `generation` differs from the host's generation, the reference is for an earlier store or prefix.
    var bound: (reference: SharedReference<PropertyList>, generation: Int)?
    /// The decoded value; `number` is the sequence number of the change that set the decoded property list.
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

  /// Sets whether changes from outside the object are hidden from the object's observers.
  public func ignoreExternalChanges(_ isIgnored: Bool) {
    state.withLock { $0.isIgnored = isIgnored }
  }

  /// Returns the stored value, or the initial value in the property's declaration if nothing is stored.
  public func value(in host: _BackedPropertyHost) -> Value {
    let (reference, isFollowing) = reference(in: host)
    let shown = reference.read(isFollowing ? host.observedProperty : nil)
    return value(of: shown, in: host)
  }

  /// Stores a value if it differs from the current value.
  ///
  /// If the property list of the new value is null, the stored value is removed. If the property ignores changes from
  /// outside the object, the closure `signal` makes the change and notifies the object's observers.
  public func set(_ newValue: Value, in host: _BackedPropertyHost, signal: (() -> Void) -> Void) {
    let (reference, isFollowing) = reference(in: host)
    let shown = reference.read(nil)
    let stored: PropertyList
    do { stored = try coding.encode(newValue) } catch {
      if shown.error == nil, Self.areEqual(value(of: shown, in: host), newValue) { return }
      keep(newValue, in: reference, error, signal: signal)
      return
    }
    guard isChange(newValue, stored, of: shown, in: host) else { return }
    let undecodable = undecodable(in: shown, host)
    let change = {
      if let undecodable { reference.willReplace(undecodable) }
      if stored.isNull {
        reference.reset()
      } else {
        reference.value = stored
      }
    }
    if isFollowing { change() } else { signal(change) }
    host.didStore()
  }

  /// Stores a value as ``set(_:in:signal:)`` does; calls the property's `willSet` before and its `didSet` afterwards.
  ///
  /// As in any class, setting a property inside its own `willSet` or `didSet` does not call `willSet` or `didSet`
  /// again.
  public func setObserved(
    _ newValue: Value, in host: _BackedPropertyHost, signal: (() -> Void) -> Void,
    willSet before: (Value) -> Void = { _ in }, didSet after: (Value) -> Void = { _ in }
  ) {
    if ObservedProperties.isRunning(name, of: self) { return set(newValue, in: host, signal: signal) }
    let oldValue = value(of: reference(in: host).reference.read(nil), in: host)
    ObservedProperties.run(name, of: self) { before(newValue) }
    set(newValue, in: host, signal: signal)
    ObservedProperties.run(name, of: self) { after(oldValue) }
  }

  /// Removes the stored value, so that the initial value in the property's declaration becomes visible.
  public func reset(in host: _BackedPropertyHost, signal: (() -> Void) -> Void) {
    let (reference, isFollowing) = reference(in: host)
    if let undecodable = undecodable(in: reference.read(nil), host) { reference.willReplace(undecodable) }
    if isFollowing { reference.reset() } else { signal { reference.reset() } }
    host.didStore()
  }

  /// Returns the error of the last attempt to load or store the value, or nil if that attempt succeeded.
  public func error(in host: _BackedPropertyHost) -> (any Error)? {
    let reference = reference(in: host).reference
    if let error = reference.error { return error }
    let shown = reference.read(nil)
    if shown.isDefault { return nil }
    let decoded = state.withLock { $0.decoded }
    if let decoded, decoded.number == shown.number, !decoded.isFallback { return nil }
    do {
      _ = try coding.decode(shown.value)
      return nil
    } catch { return decode(shown.value, in: host) == nil ? error : nil }
  }

  /// Returns the reference to the stored property list.
  ///
  /// If `isFollowing` is true, changes from outside the object also notify the object's observers.
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
    let decoded = state.withLock { $0.decoded }
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
    return host.location.store.own.keepsJSON ? ForeignForms.json(Value.self, propertyList) : nil
  }

  /// The stored property list, if the property cannot decode it.
  private func undecodable(in shown: Snapshot, _ host: _BackedPropertyHost) -> PropertyList? {
    let decoded = state.withLock { $0.decoded }
    if shown.isDefault || decoded.map({ $0.number == shown.number && !$0.isFallback }) == true { return nil }
    return decode(shown.value, in: host) == nil ? shown.value : nil
  }

  private func isChange(
    _ newValue: Value, _ stored: PropertyList, of shown: Snapshot, in host: _BackedPropertyHost
  ) -> Bool {
    if shown.error != nil { return true }
    if stored.isNull { return !shown.isDefault }
    // A stored value that cannot be decoded is replaced even if the new value equals the visible default value.
    if !shown.isDefault && decode(shown.value, in: host) == nil { return true }
    return shown.value != stored && !Self.areEqual(value(of: shown, in: host), newValue)
  }

  /// Compares two values; returns false if their type is not `Equatable`.
  private static func areEqual(_ one: Value, _ other: Value) -> Bool {
    func compare<Known: Equatable>(_ one: Known) -> Bool { one == other as? Known }
    return (one as? any Equatable).map { compare($0) } ?? false
  }

  /// Makes a value visible without storing it, and reports why the coding could not encode the value.
  private func keep(
    _ newValue: Value, in reference: SharedReference<PropertyList>, _ error: any Error, signal: (() -> Void) -> Void
  ) {
    signal {
      reference.fail(error)
      let number = reference.read(nil).number
      // The old value is released outside of the lock, since its deinitializer can run other code.
      let last = state.withLock { state in
        defer { state.decoded = (newValue, number, false) }
        return state.decoded
      }
      withExtendedLifetime(last) {}
    }
  }
}

/// The unchecked conformance to `Sendable` is sound, although the coding can use conformances that are isolated to an
/// actor.
///
/// Only generated code uses `_BackedProperty`, and only in a class that is isolated to the same actor as the
/// conformances.
extension _BackedProperty: @unchecked Sendable where Value: Sendable {}

extension SharedReference {
  /// Marks the stored value as one of which the next save keeps a copy.
  fileprivate func willReplace(_ undecodable: PropertyList) { state.withLock { $0.undecodable = undecodable } }

  /// Reads the store again, since some stores do not notify subscribers of all changes.
  ///
  /// If a value is being stored, or if the last attempt to load or store the value has failed, nothing is read.
  fileprivate func refresh() {
    let isSettled = state.withLock { $0.savingNumber <= $0.savedNumber && $0.visible.error == nil }
    if isSettled { reload() }
  }
}

extension DefaultsCoding<PropertyList> {
  fileprivate static let propertyListAsIs = Self("propertyListAsIs", encode: { $0 }, decode: { $0 })
}

/// The properties whose `willSet` or `didSet` the current task is running.
///
/// Setting a property inside its own `willSet` or `didSet` does not call `willSet` or `didSet` again.
enum ObservedProperties {
  @TaskLocal private static var current: [ObservedProperty] = []

  static func isRunning(_ name: String, of object: AnyObject) -> Bool {
    current.contains { $0.object == ObjectIdentifier(object) && $0.name == name && $0.isRunning.withLock { $0 } }
  }

  /// Runs the body of a property's `willSet` or `didSet`.
  static func run(_ name: String, of object: AnyObject, _ body: () -> Void) {
    let property = ObservedProperty(object: ObjectIdentifier(object), name: name)
    $current.withValue(current + [property], operation: body)
    property.isRunning.withLock { $0 = false }
  }
}

private final class ObservedProperty: Sendable {
  let object: ObjectIdentifier
  let name: String
  /// Whether the body of `willSet` or `didSet` is still running.
  ///
  /// If the body of `willSet` or `didSet` starts a task, the task keeps the `ObservedProperty` after the body has
  /// ended.
  let isRunning = Guarded(true)

  init(object: ObjectIdentifier, name: String) { (self.object, self.name) = (object, name) }
}

/// A namespace of functions for properties that are observed but not stored, for generated code.
public enum _ObservableOnlyValue {
  /// Returns false, since the type is neither `Equatable` nor a class.
  public static func isSame<Value>(_ one: Value, _ other: Value) -> Bool { false }

  /// Returns whether two values are equal.
  public static func isSame<Value: Equatable>(_ one: Value, _ other: Value) -> Bool { one == other }

  /// Returns whether two objects are identical.
  public static func isSame<Value: AnyObject>(_ one: Value, _ other: Value) -> Bool { one === other }

  /// Returns whether two objects are equal.
  public static func isSame<Value: Equatable & AnyObject>(_ one: Value, _ other: Value) -> Bool { one == other }

  /// Runs the body of a property's `willSet` or `didSet`, unless the current task is already running one of the two
  /// bodies.
  public static func observe(_ name: String, of object: AnyObject, _ body: () -> Void) {
    if !ObservedProperties.isRunning(name, of: object) { ObservedProperties.run(name, of: object, body) }
  }
}
#endif
