#if Macros
// Code for fatbobman's library relies on it to import Foundation and Observation, so this file imports neither.
public import ObservableDefaults
public import ObservableDefaultsCloud
import ObservableDefaultsCompatibility
import Plist
import Testing

struct People: CodableUserDefaultsPropertyListValue, Equatable {
  var name: String
  var age: Int
}

struct Account: Codable, CodableUserDefaultsPropertyListValue, CodableCloudPropertyListValue {
  var user: String
}

struct Token: RawRepresentable, Codable {
  var value: String
  var rawValue: String { value }

  init?(rawValue: String) { value = rawValue }
  init(value: String) { self.value = value }
}

extension Token: UserDefaultsPropertyListValue {}
extension Token: CloudPropertyListValue {}

@ObservableDefaults(prefix: "marked_")
class MarkedTypes {
  var token = Token(value: "t")
  var optionalToken: Token?
  var account: Nullable<Account> = nil
}

@ObservableCloud(prefix: "marked_")
class MarkedCloudTypes {
  var token = Token(value: "t")
  var tokens: [String: [Token]] = [:]
}

func passed<Value: UserDefaultsPropertyListValue & CloudPropertyListValue>(_ value: Value) -> Value { value }

struct FontStyle: CodableCloudPropertyListValue, Hashable {
  let size: Double
  let id: Int

  static let style1 = FontStyle(size: 20, id: 1)
  static let style2 = FontStyle(size: 30, id: 2)
}

/// A class with settings, written as for the library ObservableDefaults by fatbobman.
@ObservableDefaults(
  autoInit: true, ignoreExternalChanges: false, suiteName: "group.org.example.swift-plist", prefix: "app_",
  observeFirst: false, limitToInstance: false, defaultIsolationIsMainActor: false)
public class AllOfLocalSettings {
  /// A property, written as for the library ObservableDefaults by fatbobman.
  @DefaultsKey(userDefaultsKey: "firstName")
  public var name: String = "fat"
  /// A property, written as for the library ObservableDefaults by fatbobman.
  public var age = 109
  /// A property, written as for the library ObservableDefaults by fatbobman.
  @ObservableOnly
  public var height = 190
  /// A property, written as for the library ObservableDefaults by fatbobman.
  @Ignore
  public var weight = 10
  var people: People = .init(name: "fat", age: 10)
  var nickname: String? = nil
  var currentUser: Nullable<People> = Nullable.none
  var hello: String { name.uppercased() }
}

/// A class with settings, written as for the library ObservableDefaults by fatbobman.
@ObservableCloud(
  autoInit: true, prefix: "app_", observeFirst: false, syncImmediately: true, developmentMode: false,
  defaultIsolationIsMainActor: false)
public class AllOfCloudSettings {
  /// A property, written as for the library ObservableDefaults by fatbobman.
  @CloudKey(keyValueStoreKey: "user_theme")
  public var theme: String = "light"
  var style: FontStyle = .style1
  var optionalAge: Int? = 30
  var optionalWithoutInitializer: Double?
}

@ObservableDefaults(autoInit: false, ignoreExternalChanges: true, prefix: "myApp_")
class CustomInitializer {
  @DefaultsKey(userDefaultsKey: "fullName")
  var name: String = "x"

  init() { observerStarter() }
}

@ObservableCloud(autoInit: false)
class CustomCloudInitializer {
  var theme: String = "light"

  init() {
    if !_developmentMode_ {
      _cloudObserver = CloudObservation(host: self, prefix: _prefix)
    }
  }
}

class PlainBase {
  var plain = 1
}

@ObservableDefaults(autoInit: false)
class Derived: PlainBase {
  var name = "x"

  override init() {
    super.init()
    observerStarter(observableKeysBlacklist: [])
  }
}

@ObservableDefaults
open class Generic<Element: Codable & Equatable>: CustomStringConvertible {
  var element: Element?
  var elements: [Element] = []

  /// A property, written as for the library ObservableDefaults by fatbobman.
  public var description: String { "\(elements)" }
}

enum Namespace {
  @ObservableDefaults
  final class Nested: Sendable {
    var count: Int = 0
  }
}

struct CompatibilityTests {
  @Test func localSettings() {
    withDefaultsStore(InMemoryStore()) {
      let settings = AllOfLocalSettings()
      let signals = Signals { settings.people.age }
      settings.people.age += 1
      settings.nickname = "n"
      settings.currentUser = .from(value: People(name: "a", age: 1))
      #expect(AllOfLocalSettings().currentUser.value?.name == "a")
      settings.currentUser = nil
      #expect(!AllOfLocalSettings().currentUser.hasValue)
      #expect(settings.currentUser.valueOrDefault(People(name: "b", age: 2)).name == "b")
      #expect(AllOfLocalSettings().people.age == 11)
      #expect(AllOfLocalSettings(userDefaults: nil, ignoreExternalChanges: false, prefix: "other_").people.age == 10)
      #expect(signals.count == 1)
      #expect(settings.hello == "FAT")
    }
  }

  @Test func cloudSettings() {
    withDefaultsStore(InMemoryStore()) {
      let settings = AllOfCloudSettings(prefix: "p_", syncImmediately: true, developmentMode: false)
      settings.style = .style2
      settings.optionalAge = nil
      settings.optionalWithoutInitializer = 1
      #expect(AllOfCloudSettings(prefix: "p_").style == .style2)
      #expect(AllOfCloudSettings(prefix: "p_").optionalAge == 30)
      #expect(AllOfCloudSettings().optionalWithoutInitializer == nil)
      let byHand = CustomCloudInitializer()
      let signals = Signals { byHand.theme }
      CustomCloudInitializer().theme = "dark"
      #expect(byHand.theme == "dark")
      #expect(signals.count == 1)
    }
  }

  @Test func typesThatAreMarked() {
    let store = InMemoryStore()
    withDefaultsStore(store) {
      let settings = MarkedTypes()
      settings.token = passed(Token(value: "new"))
      settings.optionalToken = Token(value: "some")
      settings.account = .some(Account(user: "ada"))
      #expect(store.contents["marked_token"] == "new")
      #expect(store.contents["marked_optionalToken"] == "some")
      #expect(MarkedTypes().account.value?.user == passed(["ada"])[0])
      settings.optionalToken = nil
      #expect(store.contents["marked_optionalToken"] == nil)
      let cloud = MarkedCloudTypes(developmentMode: true)
      cloud.token = Token(value: "c")
      cloud.tokens["k"] = [Token(value: "d")]
      #expect(cloud.token.value == "c" && cloud.tokens["k"]?.first?.value == "d")
    }
  }

  @Test func customInitializers() {
    let store = InMemoryStore()
    withDefaultsStore(store) {
      let settings = CustomInitializer()
      let signals = Signals { settings.name }
      CustomInitializer().name = "other's"
      #expect(settings.name == "other's")
      #expect(signals.count == 0)
      #expect(store.contents == ["myApp_fullName": "other's"])
      Derived().name = "derived"
      #expect(store.contents["name"] == "derived")
    }
  }

  @Test func kindsOfClasses() {
    let store = InMemoryStore()
    let generic = Generic<Int>(store: store)
    let signals = Signals { generic.elements }
    generic.element = 1
    generic.elements.append(2)
    #expect(signals.values == [[]])
    #expect(generic.description == "[2]")
    Namespace.Nested(store: store).count = 3
    #expect(store.contents == ["element": 1, "elements": [2], "count": 3])
  }
}
#endif
