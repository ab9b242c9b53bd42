public import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A store that looks up a key in several others, called domains, and returns the first value found.
///
/// ```swift
/// let store = SearchListStore(
///   arguments: ["tool", "-retries", "5"], application: PropertyListFileStore(url: url), registration: ["delay": 0.5])
/// let retries = store.reference(for: DefaultKey("retries", default: 3))  // its value is 5
/// let domain = try store.provenance(of: "delay")  // registration
/// ```
///
/// The value of a key is cached until it changes in any of the domains.
public final class SearchListStore: OwnStore {
  /// A name of a domain in a search list.
  ///
  /// ```swift
  /// extension SearchListStore.DomainName {
  ///   static let workspace = SearchListStore.DomainName(rawValue: "workspace")
  /// }
  /// ```
  public struct DomainName: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The text of the domain name.
    public let rawValue: String

    /// Creates a domain name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The domain of the command-line arguments.
    public static let arguments = DomainName(rawValue: "arguments")
    /// The domain of values that are set for this process only.
    public static let volatile = DomainName(rawValue: "volatile")
    /// The domain of the application's settings.
    public static let application = DomainName(rawValue: "application")
    /// The domain of the settings for all applications.
    public static let global = DomainName(rawValue: "global")
    /// The domain of fallback values that the application registers.
    public static let registration = DomainName(rawValue: "registration")

    /// The text of the domain name.
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
    /// The domain's name, which is unique in a search list.
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
    /// What has been found for a key; nil means that no domain has a value.
    ///
    /// Canonically equal keys share an entry, which has the result of one of them.
    var found: [String: (key: ExactKey, result: (value: PropertyList, domain: DomainName)?)] = [:]
    /// The number of changes so far.
    ///
    /// A result that is found while it increases may be outdated, and is not cached.
    var changes = 0
    var subscriptions: [DefaultsSubscription] = []
  }

  /// The domains of the search list, in the order of lookup.
  public let domains: [Domain]
  let target: Domain?
  private let state = Guarded(State())
  private let subscribers = Subscribers<DefaultsChange>()

  /// Creates a search list from its domains.
  ///
  /// - Parameters:
  ///   - domains: The domains, in the order of lookup.
  ///   - target: The name of the domain to which values are written. If it is nil or not in the list, every write throws
  ///     an error.
  public init(_ domains: [Domain], writingTo target: DomainName? = .application) {
    self.domains = domains
    self.target = domains.first { $0.name == target }
    let subscriptions = domains.map { domain in
      domain.store.subscribe { [weak self] change in self?.handle(change) }
    }
    state.withLock { $0.subscriptions = subscriptions }
  }

  /// Creates a search list of the usual domains: arguments, volatile, application, global, registration.
  ///
  /// It writes to the application's domain.
  ///
  /// - Parameters:
  ///   - arguments: The command-line arguments; see ``arguments(_:)``.
  ///   - volatile: The values for this process only; arguments take precedence over them.
  ///   - application: The settings of the application.
  ///   - global: The settings for all applications, or nil.
  ///   - registration: The fallback values for keys that have no value in the other domains.
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
  /// Two different search lists never share values.
  public var identity: DefaultsStoreIdentity { DefaultsStoreIdentity(self) }

  /// Returns the store of a domain, or nil if the search list has no domain with that name.
  public func store(of name: DomainName) -> (any DefaultsStore)? { domains.first { $0.name == name }?.store }

  /// Returns the name of the domain that provides the value of a key, or nil if no domain has a value.
  ///
  /// - Throws: An error that the store of one of the domains throws.
  public func provenance(of key: String) throws -> DomainName? { try find(key)?.domain }

  /// Returns the value of a key from the first domain that has a value, or nil if no domain has a value.
  ///
  /// - Throws: An error that a domain's store throws; the lookup does not skip a domain that cannot be read.
  public func load(_ key: String) throws -> PropertyList? { try find(key)?.value }

  /// Stores a value in the target domain; nil removes the key from the target domain.
  ///
  /// A value in an earlier domain shadows the stored one. When the stored one is removed, the value of a later domain
  /// becomes visible.
  ///
  /// - Throws: The error of the target domain, or ``DefaultsError`` with the code ``DefaultsError/Code/readOnly`` if there
  ///   is none.
  public func save(_ value: PropertyList?, for key: String) throws { try writable().save(value, for: key) }

  /// Changes several values of the target domain.
  ///
  /// The batch contains the contents of the target domain.
  ///
  /// - Throws: An error that `body` throws, or an error that ``save(_:for:)`` throws.
  public func update(_ body: (inout DefaultsBatch) throws -> Void) throws { try writable().update(body) }

  /// Waits until all domains have written their saved values.
  ///
  /// - Throws: An error that the store of one of the domains throws.
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
  /// The store calls the closure even if another domain shadows the changed value.
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
  /// Each word that begins with one hyphen is a key, and the next word its value. A key is ignored if the next word
  /// begins with a hyphen and is not a number, and so are the program's name in the first word and all words after `--`.
  ///
  /// A value that begins with `{`, `[`, `(`, `<` or `"` is parsed as a property list if it is one. Every other value is a
  /// string, which a ``SharedReference`` can also read as a number or a Boolean value.
  public static func arguments(_ words: [String]) -> PropertyListDictionary {
    var values: PropertyListDictionary = [:]
    var rest = words.dropFirst()
    while let word = rest.popFirst(), word != "--" {
      guard word.hasPrefix("-"), !word.hasPrefix("--"), word != "-", let value = rest.first else { continue }
      // A key that is followed directly by another key has no value.
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
