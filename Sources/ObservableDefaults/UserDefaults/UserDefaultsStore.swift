#if USER_DEFAULTS
public import Foundation
#if !canImport(Darwin)
public import ObservableDefaults
#endif
public import Plist
import PlistFoundation

/// A store that keeps its values in Foundation's user defaults.
///
/// ```swift
/// let store = try UserDefaultsStore(suiteName: suite)
/// let fontSize = store.reference(for: DefaultKey("fontSize", default: 12))
/// fontSize.value = 14
/// let size = UserDefaults(suiteName: suite)?.integer(forKey: "fontSize")  // 14
/// ```
///
/// Use it for values that other code also accesses through `UserDefaults`, since it also reports changes made by that
/// code. On Apple platforms, it observes each key that has been loaded or saved through it.
///
/// On Linux, Foundation doesn't report changes and writes the file only when `synchronize()` is called. The store
/// therefore observes the file, and calls `synchronize()` after each change and when the process exits. A value set by
/// other code in the process can be read immediately, but subscribers and references are notified only after that code
/// has called `synchronize()`.
///
/// If no other code in a Linux program uses `UserDefaults`, prefer a ``PropertyListFileStore`` for the same domain.
/// Foundation on Linux writes the file in place, so concurrent writers or a killed process can damage it.
public final class UserDefaultsStore: OwnStore {
  /// The store for the process's standard user defaults.
  public static let standard = UserDefaultsStore(defaults: UserDefaults.standard, domain: DefaultsFolder.processDomain)

  let defaults: UserDefaultsBox
  private let domain: String?
  private let subscribers = Subscribers<DefaultsChange>()
  private let monitor: UserDefaultsMonitor
  /// Held while starting the monitor for the first subscriber or stopping it after the last one has gone.
  private let observing = Lock()

  /// Creates a store for a suite's user defaults.
  ///
  /// - Parameter suiteName: The name of the suite.
  /// - Throws: ``DefaultsError`` with the code ``DefaultsError/Code/invalidName`` if the name is invalid. (On Linux,
  ///   Foundation would treat a suite name with slashes as the path of a file in another folder.)
  public convenience init(suiteName: String) throws(DefaultsError) {
    try DefaultsFolder.check(suiteName)
    guard let defaults = UserDefaults(suiteName: suiteName) else {
      throw DefaultsError(.invalidName, "user defaults cannot be named \"\(suiteName)\"")
    }
    self.init(defaults: defaults, domain: suiteName)
  }

  /// Creates a store for the given user defaults.
  ///
  /// You can also pass the user defaults directly as the `store:` argument of a property wrapper such as
  /// ``UserDefault``.
  ///
  /// - Parameter defaults: The user defaults. For a suite, prefer ``init(suiteName:)``: stores created with the same
  ///   suite name share an identity and, on Linux, only they are notified of changes made by other code.
  public convenience init(_ defaults: UserDefaults) {
    self.init(
      defaults: defaults, domain: defaults === UserDefaults.standard ? DefaultsFolder.processDomain : nil)
  }

  private init(defaults: UserDefaults, domain: String?) {
    self.defaults = UserDefaultsBox(defaults)
    self.domain = domain
    monitor = UserDefaultsMonitor(self.defaults, domain: domain)
  }

  /// The identity of the store.
  ///
  /// All stores created with the same suite name have the same identity.
  public var identity: DefaultsStoreIdentity {
    domain.map { DefaultsStoreIdentity(kind: "user defaults", name: $0) }
      ?? defaults.withLock { DefaultsStoreIdentity($0) }
  }

  /// Returns the value for a key, or nil if there is none.
  ///
  /// - Throws: An error if the stored object is not a property list.
  public func load(_ key: String) throws -> PropertyList? {
    monitor.willUse(key)
    return try defaults.value(of: key)
  }

  /// Stores a value for a key; nil removes the key.
  ///
  /// - Throws: ``DefaultsError`` if user defaults cannot store the value.
  public func save(_ value: PropertyList?, for key: String) throws {
    _ = try save(value, for: key, keeping: nil, didStore: {})
  }

  package func save(
    _ value: PropertyList?, for key: String, keeping undecodable: PropertyList?, didStore: () -> Void
  ) throws -> Bool {
    if undecodable != nil {
      try update { $0.set(value, for: key, keeping: undecodable) }
      return false
    }
    monitor.willUse(key)
    let object = try object(value, for: key)
    if isStored(value, for: key) { return false }
    monitor.change([key]) { $0.set(object, forKey: key) }
    didStore()
    subscribers.send(.local, [key])
    return false
  }

  package var isLayered: Bool { true }

  package var mayChangeUnnoticed: Bool {
    #if canImport(Darwin)
    false
    #else
    true
    #endif
  }

  package func load(_ key: String, afterSaving value: PropertyList?) throws -> PropertyList? {
    if let value { return value }
    let registered = defaults.withLock { $0.volatileDomain(forName: UserDefaults.registrationDomain)[key] }
    return try registered.map { try PropertyList(foundation: $0) }
  }

  /// Changes several values one after another.
  ///
  /// The update isn't atomic: other processes and other code can change values in the meantime.
  ///
  /// - Throws: Any error that `body` throws, or ``DefaultsError`` if user defaults cannot store a value. In either
  ///   case, no value changes.
  public func update(_ body: (inout DefaultsBatch) throws -> Void) throws {
    let (contents, changed) = try DefaultsBatch.apply(body, to: defaults.contents, unless: isStored)
    let objects = try changed.map { ($0, try object(contents[$0], for: $0)) }
    for key in changed { monitor.willUse(key) }
    monitor.change(Set(changed)) { defaults in
      for (key, object) in objects { defaults.set(object, forKey: key) }
    }
    subscribers.send(.local, Set(changed))
  }

  /// Returns whether a value is already stored, so that saving it would change nothing.
  ///
  /// Only the store's own domain is checked, since values in other domains can change. If the domain's name is unknown,
  /// the result is true only for removing a key that has no value.
  private func isStored(_ value: PropertyList?, for key: String) -> Bool {
    guard let value else { return defaults.withLock { $0.object(forKey: key) } == nil }
    guard let domain, (try? defaults.value(of: key)) == value else { return false }
    let object = defaults.withLock { $0.persistentDomain(forName: domain)?[key] }
    return object.flatMap { try? PropertyList(foundation: $0) } == value
  }

  private func object(_ value: PropertyList?, for key: String) throws -> Any? {
    try value?.checkDepth(of: key)
    return try value.map(FoundationValue.object)
  }

  /// Calls a closure after each change to a value in the user defaults.
  ///
  /// On Apple platforms, the store reports changes only to keys that have been loaded or saved through it.
  public func subscribe(_ handler: @escaping @Sendable (DefaultsChange) -> Void) -> DefaultsSubscription {
    observing.withLock {
      monitor.start { [weak self] keys in self?.subscribers.send(.external, keys) }
      // The subscription retains the store, so changes arrive even if nothing else retains it.
      return subscribers.add(handler) { self.stopIfUnobserved() }
    }
  }

  private func stopIfUnobserved() {
    observing.withLock {
      if subscribers.isEmpty { monitor.stop() }
    }
  }

  /// Waits until the store has handed all new values to the system.
  public func flush() { monitor.flush() }
}

/// User defaults that any thread can use.
///
/// `@unchecked Sendable` is sound because `UserDefaults` is thread-safe on Apple platforms and is used only under the
/// lock on Linux. (On Apple platforms, setting a value calls observers, so no lock may be held.)
final class UserDefaultsBox: @unchecked Sendable {
  #if !canImport(Darwin)
  private let lock = Lock(isRecursive: true)
  #endif
  private let defaults: UserDefaults

  init(_ defaults: UserDefaults) { self.defaults = defaults }

  func withLock<Result>(_ body: (UserDefaults) throws -> Result) rethrows -> Result {
    #if canImport(Darwin)
    try body(defaults)
    #else
    try lock.withLock { try body(defaults) }
    #endif
  }

  func value(of key: String) throws -> PropertyList? {
    guard let object = withLock({ $0.object(forKey: key) }) else { return nil }
    return try PropertyList(foundation: object)
  }

  /// All values that are property lists, including those in the global and registration domains.
  var contents: PropertyListDictionary {
    FoundationValue.dictionary(withLock { $0.dictionaryRepresentation() })
  }
}

extension UserDefaults: DefaultsStoreSource {
  /// A store that keeps its values in this `UserDefaults` object.
  public var defaultsStore: any DefaultsStore {
    self === UserDefaults.standard ? UserDefaultsStore.standard : UserDefaultsStore(self)
  }
}

package enum FoundationValue {
  /// Converts Foundation objects to property lists, omitting objects that have no property-list form.
  package static func dictionary(_ objects: [String: Any]) -> PropertyListDictionary {
    var contents: PropertyListDictionary = [:]
    for (key, object) in objects { contents[key] = try? PropertyList(foundation: object) }
    return contents
  }

  /// Converts a property list to an object that `UserDefaults` can store.
  ///
  /// Null and keyed-archiver UIDs are rejected because they would crash the process. Dates that XML cannot represent
  /// are rejected because Foundation on Linux would lose all values in the file.
  package static func object(_ propertyList: PropertyList) throws -> Any {
    guard isStorable(propertyList) else {
      throw DefaultsError(
        .unstorableValue,
        "user defaults cannot store null, keyed-archiver UIDs, or dates that are NaN or too far from 2001")
    }
    return propertyList.foundationValue
  }

  private static func isStorable(_ propertyList: PropertyList) -> Bool {
    var left = [propertyList]
    while let next = left.popLast() {
      switch next {
      case .null, .uid: return false
      case .date(let date):
        if GregorianDate(secondsSinceReference: date.timeIntervalSinceReferenceDate) == nil { return false }
      case .array(let elements): left += elements
      case .dictionary(let pairs):
        // Foundation would keep only one of two keys that compare equal as Swift strings.
        if Set(pairs.keys).count != pairs.count { return false }
        left += pairs.values
      default: break
      }
    }
    return true
  }
}
#endif
