#if Macros
@_exported public import Observation
import Plist

/// The storage that `@ObservableDefaults` and `@ObservableCloud` generate for a stored property.
///
/// All properties with the same key share a reference to the stored property list, which each property decodes for
/// itself. `Value` therefore doesn't need to be `Sendable`, and its conformances can be isolated to an actor.
public final class _BackedProperty<Value> {
  private struct State {
    /// The reference to the stored property list, and the host's generation when the reference was created.
    var bound: (reference: SharedReference<PropertyList>, generation: Int)?
    var decoded: Decoded?
    var isIgnored = false
  }

  /// A value decoded from the stored property list.
  private final class Decoded {
    let value: Value
    /// Whether `value` is the declared value because the property list could not be decoded.
    let isFallback: Bool
    /// The number of the change that stored the property list.
    let number: Int

    init(_ value: Value, isFallback: Bool = false, number: Int) {
      (self.value, self.isFallback, self.number) = (value, isFallback, number)
    }
  }

  /// A consistent snapshot of the property.
  private struct Reading {
    let reference: SharedReference<PropertyList>
    /// Whether changes made outside the object also notify the object's observers.
    let isFollowing: Bool
    let stored: SharedReference<PropertyList>.Snapshot
    let decoded: Decoded

    /// The stored property list, if the property cannot decode it.
    var undecodable: PropertyList? { decoded.isFallback ? stored.value : nil }
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

  /// Sets whether to hide changes made outside the object from the object's observers.
  public func ignoreExternalChanges(_ isIgnored: Bool) {
    state.withLock { $0.isIgnored = isIgnored }
  }

  /// Returns the stored value, or the declared value if nothing is stored or the stored value cannot be decoded.
  public func value(in host: _BackedPropertyHost) -> Value { read(in: host, observing: true).decoded.value }

  /// Stores a value if it differs from the current one, or removes the stored value if the new one encodes as null.
  ///
  /// If the property ignores changes made outside the object, the change is made inside `signal`, which notifies the
  /// object's observers.
  public func set(_ newValue: Value, in host: _BackedPropertyHost, signal: (() -> Void) -> Void) {
    let current = read(in: host)
    let form: PropertyList
    do { form = try coding.encode(newValue) } catch {
      if current.stored.error == nil, Self.areEqual(current.decoded.value, newValue) { return }
      return signal { show(newValue, in: current.reference, error) }
    }
    if isStored(newValue, form, current) { return }
    store(form.isNull ? nil : form, instead: current, in: host, signal)
  }

  /// Stores a value like ``set(_:in:signal:)``, calling the property's `willSet` before and its `didSet` after.
  ///
  /// As in any class, setting the property inside its own `willSet` or `didSet` calls neither again.
  public func setObserved(
    _ newValue: Value, in host: _BackedPropertyHost, signal: (() -> Void) -> Void,
    willSet before: (Value) -> Void = { _ in }, didSet after: (Value) -> Void = { _ in }
  ) {
    if ObservedProperties.isRunning(name, of: self) { return set(newValue, in: host, signal: signal) }
    let oldValue = read(in: host).decoded.value
    ObservedProperties.run(name, of: self) { before(newValue) }
    set(newValue, in: host, signal: signal)
    ObservedProperties.run(name, of: self) { after(oldValue) }
  }

  /// Removes the stored value, so that the property returns to its default.
  public func reset(in host: _BackedPropertyHost, signal: (() -> Void) -> Void) {
    store(nil, instead: read(in: host), in: host, signal)
  }

  /// Returns the error from the last attempt to load or store the value, or nil if that attempt succeeded.
  public func error(in host: _BackedPropertyHost) -> (any Error)? {
    let current = read(in: host)
    if let error = current.reference.error { return error }
    guard let undecodable = current.undecodable else { return nil }
    do { _ = try coding.decode(undecodable) } catch { return error }
    return nil
  }

  private func read(in host: _BackedPropertyHost, observing: Bool = false) -> Reading {
    let situation = host.situation
    var known = state.withLock { $0 }
    if known.bound?.generation != situation.generation { known = bind(to: host) }
    guard let reference = known.bound?.reference else { preconditionFailure("the property has no reference") }
    if situation.mayChangeUnnoticed { reference.refresh() }
    let isFollowing = situation.isFollowing && !known.isIgnored
    let stored = reference.read(observing && isFollowing ? situation.observed : nil)
    if let decoded = known.decoded, decoded.number == stored.number {
      return Reading(reference: reference, isFollowing: isFollowing, stored: stored, decoded: decoded)
    }
    let value = stored.isDefault ? nil : decode(stored.value, in: host)
    let decoded = Decoded(
      value ?? defaultValue, isFallback: value == nil && !stored.isDefault, number: stored.number)
    keep(decoded, of: reference)
    return Reading(reference: reference, isFollowing: isFollowing, stored: stored, decoded: decoded)
  }

  /// Gets the property's reference from the host's current store.
  private func bind(to host: _BackedPropertyHost) -> State {
    let location = host.location
    let defaultForm = (try? coding.encode(defaultValue)) ?? .null
    let reference = location.store.reference(
      for: DefaultKey(location.prefix + name, default: defaultForm, coding: .propertyListAsIs))
    let (old, new) = state.withLock { state in
      let old = state
      (state.bound, state.decoded) = ((reference, location.generation), nil)
      return (old, state)
    }
    // Release the old reference outside the lock, since its deinitializer can run arbitrary code.
    withExtendedLifetime(old) {}
    return new
  }

  private func keep(_ decoded: Decoded, of reference: SharedReference<PropertyList>) {
    let old = state.withLock { state in
      let old = state
      if state.bound?.reference === reference { state.decoded = decoded }
      return old
    }
    // Release the old value outside the lock, since its deinitializer can run arbitrary code.
    withExtendedLifetime(old) {}
  }

  private func decode(_ propertyList: PropertyList, in host: _BackedPropertyHost) -> Value? {
    if let value = try? coding.decode(propertyList) { return value }
    return host.location.store.own.keepsJSON ? ForeignForms.json(Value.self, propertyList) : nil
  }

  private func isStored(_ newValue: Value, _ form: PropertyList, _ current: Reading) -> Bool {
    // After an error, even an equal value is stored again. Setting the declared value also replaces an undecodable one.
    if current.stored.error != nil { return false }
    if form.isNull { return current.stored.isDefault }
    if current.decoded.isFallback { return false }
    return current.stored.value == form || Self.areEqual(current.decoded.value, newValue)
  }

  private func store(
    _ form: PropertyList?, instead current: Reading, in host: _BackedPropertyHost, _ signal: (() -> Void) -> Void
  ) {
    let change = {
      if let undecodable = current.undecodable { current.reference.willReplace(undecodable) }
      if let form { current.reference.value = form } else { current.reference.reset() }
    }
    if current.isFollowing { change() } else { signal(change) }
    host.didStore()
  }

  /// Returns whether two values are equal, or false if their type is not `Equatable`.
  private static func areEqual(_ one: Value, _ other: Value) -> Bool {
    func compare<Known: Equatable>(_ one: Known) -> Bool { one == other as? Known }
    return (one as? any Equatable).map { compare($0) } ?? false
  }

  /// Makes a value visible without storing it, because it could not be encoded, and reports the error.
  private func show(_ value: Value, in reference: SharedReference<PropertyList>, _ error: any Error) {
    reference.fail(error)
    keep(Decoded(value, number: reference.read(nil).number), of: reference)
  }
}

/// `@unchecked Sendable` is sound even though the coding can use conformances that are isolated to an actor: only
/// generated code creates such properties, and only in classes isolated to the same actor.
extension _BackedProperty: @unchecked Sendable where Value: Sendable {}

extension SharedReference {
  /// Makes the next save keep a copy of a stored value that could not be decoded.
  fileprivate func willReplace(_ undecodable: PropertyList) { state.withLock { $0.undecodable = undecodable } }

  /// Rereads the value from the store, which can change without a notification.
  ///
  /// Does nothing while a value is being stored or the reference reports an error.
  fileprivate func refresh() {
    let isSettled = state.withLock { $0.savingNumber <= $0.savedNumber && $0.visible.error == nil }
    if isSettled { reload() }
  }
}

extension DefaultsCoding<PropertyList> {
  fileprivate static let propertyListAsIs = Self("propertyListAsIs", encode: { $0 }, decode: { $0 })
}

/// Tracks which properties are running their `willSet` or `didSet`, so that setting one on the same thread calls
/// neither again.
enum ObservedProperties {
  private struct Running: Hashable {
    let object: ObjectIdentifier
    let name: String
    let thread = CurrentThread.identifier
  }

  private static let running = Guarded<Set<Running>>([])

  static func isRunning(_ name: String, of object: AnyObject) -> Bool {
    running.withLock { $0.contains(Running(object: ObjectIdentifier(object), name: name)) }
  }

  /// Runs the body of a property's `willSet` or `didSet`.
  static func run(_ name: String, of object: AnyObject, _ body: () -> Void) {
    let property = Running(object: ObjectIdentifier(object), name: name)
    running.withLock { _ = $0.insert(property) }
    defer { running.withLock { _ = $0.remove(property) } }
    body()
  }
}

/// Functions that generated code calls for properties that are observed but not stored.
public enum _ObservableOnlyValue {
  /// Returns false, since the type is neither `Equatable` nor a class.
  public static func isSame<Value>(_ one: Value, _ other: Value) -> Bool { false }

  /// Returns whether two values are equal.
  public static func isSame<Value: Equatable>(_ one: Value, _ other: Value) -> Bool { one == other }

  /// Returns whether two objects are identical.
  public static func isSame<Value: AnyObject>(_ one: Value, _ other: Value) -> Bool { one === other }

  /// Returns whether two objects are equal.
  public static func isSame<Value: Equatable & AnyObject>(_ one: Value, _ other: Value) -> Bool { one == other }

  /// Runs the body of a property's `willSet` or `didSet`, unless this thread is already running either of them.
  public static func observe(_ name: String, of object: AnyObject, _ body: () -> Void) {
    if !ObservedProperties.isRunning(name, of: object) { ObservedProperties.run(name, of: object, body) }
  }
}
#endif
