public import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A store that looks up each key in several other stores, called domains, and returns the first value it finds.
///
/// ```swift
/// let store = SearchListStore(
///   arguments: ["tool", "-retries", "5"], application: PropertyListFileStore(url: url), registration: ["delay": 0.5])
/// let retries = store.reference(for: DefaultKey("retries", default: 3))  // its value is 5
/// let domain = try store.provenance(of: "delay")  // registration
/// ```
///
/// A key's value is cached until it changes in any of the domains.
public final class SearchListStore: OwnStore {
  /// The name of a domain in a search list.
  ///
  /// ```swift
  /// extension SearchListStore.DomainName {
  ///   static let workspace = SearchListStore.DomainName(rawValue: "workspace")
  /// }
  /// ```
  public struct DomainName: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The domain name as a string.
    public let rawValue: String

    /// Creates a domain name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The domain for command-line arguments.
    public static let arguments = DomainName(rawValue: "arguments")
    /// The domain for values that are set only for this process.
    public static let volatile = DomainName(rawValue: "volatile")
    /// The domain for the application's settings.
    public static let application = DomainName(rawValue: "application")
    /// The domain for settings that apply to all applications.
    public static let global = DomainName(rawValue: "global")
    /// The domain for fallback values that the application registers.
    public static let registration = DomainName(rawValue: "registration")

    /// The domain name as a string.
    public var description: String { rawValue }
  }

  /// A named store in a search list.
  ///
  /// ```swift
  /// let store = SearchListStore(
  ///   [SearchListStore.Domain(.workspace, workspace), SearchListStore.Domain(.application, application)],
  ///   writingTo: .workspace)
  /// try store.save("light", for: "theme")  // stored in the workspace; the application's theme stays
  /// ```
  public struct Domain: Sendable {
    /// The domain's name, which is unique within a search list.
    public let name: DomainName
    /// The store that contains the domain's values.
    public let store: any DefaultsStore

    /// Creates a domain of a search list.
    ///
    /// - Parameters:
    ///   - name: The domain's name.
    ///   - store: The store that contains the domain's values.
    public init(_ name: DomainName, _ store: any DefaultsStore) {
      self.name = name
      self.store = store
    }
  }

  private struct State {
    /// The cached result for each key, which is nil if no domain has a value.
    ///
    /// Canonically equal keys share an entry, which holds the result for one of them.
    var found: [String: (key: ExactKey, result: (value: PropertyList, domain: DomainName)?)] = [:]
    /// The number of changes so far.
    ///
    /// A result found while this number increases may be outdated, so it isn't cached.
    var changes = 0
    var subscriptions: [DefaultsSubscription] = []
  }

  /// The domains of the search list, in lookup order.
  public let domains: [Domain]
  let target: Domain?
  private let state = Guarded(State())
  private let subscribers = Subscribers<DefaultsChange>()

  /// Creates a search list from its domains.
  ///
  /// - Parameters:
  ///   - domains: The domains, in lookup order.
  ///   - target: The name of the domain to write to. If it is nil or not in the list, every write throws an error.
  public init(_ domains: [Domain], writingTo target: DomainName? = .application) {
    self.domains = domains
    self.target = domains.first { $0.name == target }
    let subscriptions = domains.map { domain in
      domain.store.subscribe { [weak self] change in self?.handle(change) }
    }
    state.withLock { $0.subscriptions = subscriptions }
  }

  /// Creates a search list of the usual domains: arguments, volatile, application, global and registration.
  ///
  /// Values are written to the application domain.
  ///
  /// - Parameters:
  ///   - arguments: The command-line arguments; see ``arguments(_:)``.
  ///   - volatile: The values set only for this process; the arguments take precedence over them.
  ///   - application: The application's settings.
  ///   - global: The settings that apply to all applications, or nil for none.
  ///   - registration: The fallback values for keys that have no value in any other domain.
  public convenience init(
    arguments: [String] = CommandLine.arguments, volatile: InMemoryStore = InMemoryStore(),
    application: any DefaultsStore, global: (any DefaultsStore)? = nil, registration: PropertyListDictionary = [:]
  ) {
    var domains = [
      Domain(.arguments, InMemoryStore(Self.arguments(arguments))), Domain(.volatile, volatile),
      Domain(.application, application),
    ]
    if let global { domains.append(Domain(.global, global)) }
    domains.append(Domain(.registration, InMemoryStore(registration)))
    self.init(domains)
  }

  /// The identity of the store.
  ///
  /// No two search lists have the same identity, even if they have the same domains.
  public var identity: DefaultsStoreIdentity { DefaultsStoreIdentity(self) }

  /// Returns a domain's store, or nil if the search list has no domain with that name.
  public func store(of name: DomainName) -> (any DefaultsStore)? { domains.first { $0.name == name }?.store }

  /// Returns the name of the domain that provides a key's value, or nil if no domain has a value.
  ///
  /// - Throws: Any error that a domain's store throws.
  public func provenance(of key: String) throws -> DomainName? { try find(key)?.domain }

  /// Returns a key's value from the first domain that has one, or nil if no domain has a value.
  ///
  /// - Throws: Any error that a domain's store throws. A domain that cannot be read is not skipped.
  public func load(_ key: String) throws -> PropertyList? { try find(key)?.value }

  /// Stores a value in the target domain; nil removes the key from it.
  ///
  /// A value in an earlier domain shadows the stored value. Removing the stored value reveals the value in a later
  /// domain, if there is one.
  ///
  /// - Throws: Any error that the target domain's store throws, or ``DefaultsError`` with the code
  ///   ``DefaultsError/Code/readOnly`` if there is no target domain.
  public func save(_ value: PropertyList?, for key: String) throws { try writable().save(value, for: key) }

  /// Changes several values in the target domain.
  ///
  /// The batch starts with the target domain's contents.
  ///
  /// - Throws: Any error that `body` or ``save(_:for:)`` throws.
  public func update(_ body: (inout DefaultsBatch) throws -> Void) throws { try writable().update(body) }

  /// Waits until all domains have written their saved values.
  ///
  /// - Throws: Any error that a domain's store throws.
  public func flush() throws {
    for domain in domains { try domain.store.flush() }
  }

  package var isLayered: Bool { true }

  package var mayChangeUnnoticed: Bool { domains.contains { $0.store.own.mayChangeUnnoticed } }

  package var keepsJSON: Bool { domains.contains { $0.store.own.keepsJSON } }

  package func failure(of key: String) -> (any Error)? { target?.store.own.failure(of: key) }

  package func subscribeToFailures(
    _ handler: @escaping @Sendable (Set<String>) -> Void
  ) -> DefaultsSubscription? { target?.store.own.subscribeToFailures(handler) }

  package func save(
    _ value: PropertyList?, for key: String, keeping undecodable: PropertyList?, didStore: () -> Void
  ) throws -> Bool {
    _ = try writable().own.save(value, for: key, keeping: undecodable, didStore: didStore)
    return false
  }

  package func load(_ key: String, afterSaving value: PropertyList?) throws -> PropertyList? {
    for domain in domains {
      if domain.name == target?.name {
        if let value { return value }
      } else if let found = try domain.store.load(key) {
        return found
      }
    }
    return nil
  }

  /// Calls a closure after each change in any domain of the search list.
  ///
  /// The closure is called even if another domain shadows the changed value.
  public func subscribe(_ handler: @escaping @Sendable (DefaultsChange) -> Void) -> DefaultsSubscription {
    subscribers.add(handler)
  }

  private func writable() throws -> any DefaultsStore {
    guard let target else {
      throw DefaultsError(.readOnly, "the search list is read-only, because it has no target domain")
    }
    return target.store
  }

  private func find(_ key: String) throws -> (value: PropertyList, domain: DomainName)? {
    let (cached, changes) = state.withLock { ($0.found[key], $0.changes) }
    if let cached, cached.key == ExactKey(key) { return cached.result }
    var found: (PropertyList, DomainName)?
    for domain in domains {
      guard let value = try domain.store.load(key) else { continue }
      found = (value, domain.name)
      break
    }
    state.withLock { state in
      if state.changes == changes { state.found[key] = (ExactKey(key), found) }
    }
    return found
  }

  private func handle(_ change: DefaultsChange) {
    state.withLock { state in
      state.changes += 1
      if let keys = change.keys {
        for key in keys { state.found.removeValue(forKey: key) }
      } else {
        state.found = [:]
      }
    }
    subscribers.send(change)
  }
}

extension SearchListStore {
  /// Returns the values that command-line arguments set, by key.
  ///
  /// Each word that begins with a single hyphen is a key, and the next word is its value. A key is ignored if the next
  /// word begins with a hyphen and isn't a number. The first word, which is the program's name, and all words after
  /// `--` are also ignored.
  ///
  /// A value that begins with `{`, `[`, `(`, `<` or `"` is parsed as a property list if it is one. Any other value is a
  /// string, which a ``SharedReference`` can also read as a number or a Boolean value.
  public static func arguments(_ words: [String]) -> PropertyListDictionary {
    var values: PropertyListDictionary = [:]
    var rest = words.dropFirst()
    while let word = rest.popFirst(), word != "--" {
      guard word.hasPrefix("-"), !word.hasPrefix("--"), word != "-", let value = rest.first else { continue }
      // A key followed directly by another key has no value.
      if value.hasPrefix("-"), Double(value) == nil { continue }
      values[String(word.dropFirst())] = argument(value)
      rest.removeFirst()
    }
    return values
  }

  private static func argument(_ text: String) -> PropertyList {
    guard let first = text.first, "{[(<\"".contains(first) else { return .string(text) }
    return (try? PropertyList(parsing: Data(text.utf8))) ?? .string(text)
  }
}
