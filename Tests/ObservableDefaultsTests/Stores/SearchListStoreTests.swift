import Foundation
import ObservableDefaults
import Plist
import Testing

struct SearchListStoreTests {
  let application = InMemoryStore()
  let global = InMemoryStore(["all": "global", "global": "global", "gone": "global"])
  let volatile = InMemoryStore()

  private func list(_ arguments: String...) -> SearchListStore {
    SearchListStore(
      arguments: ["tool"] + arguments, volatile: volatile, application: application, global: global,
      registration: ["all": "registration", "registered": "registration"])
  }

  @Test(arguments: [PlistFormat.xml, .binary])
  func aSavedValueIsShownAsTheFileGivesItBack(_ format: PlistFormat) throws {
    let folder = try TestFolder()
    for saving in [PropertyListFileStore.Saving.immediately, .debounced(.seconds(60))] {
      let file = PropertyListFileStore(url: folder.file("\(format) \(saving)"), format: format, saving: saving)
      let store = SearchListStore(arguments: ["tool"], application: file)
      let date = store.reference(for: DefaultKey("date", default: Date(timeIntervalSinceReferenceDate: 0)))
      date.value = Date(timeIntervalSinceReferenceDate: 1.5)
      #expect(date.value.timeIntervalSinceReferenceDate == (format == .xml ? 1 : 1.5))
    }
  }

  @Test func theFirstHitWins() throws {
    let store = list("-all", "arguments")
    func check(_ key: String, _ value: PropertyList?, _ domain: SearchListStore.DomainName?) throws {
      #expect(try store.load(key) == value)
      #expect(try store.provenance(of: key) == domain)
    }
    try check("all", "arguments", .arguments)
    try check("global", "global", .global)
    try check("registered", "registration", .registration)
    try check("none", nil, nil)

    try store.save("application", for: "global")
    try check("global", "application", .application)
    #expect(application.contents == ["global": "application"])
    volatile.simulateExternalChange("volatile", for: "global")
    try check("global", "volatile", .volatile)
    volatile.simulateExternalChange(nil, for: "global")
    try store.save(nil, for: "global")
    try check("global", "global", .global)
    try store.save("application", for: "all")
    try check("all", "arguments", .arguments)
    #expect(application.contents == ["all": "application"])
    #expect(try SearchListStore(arguments: [], application: application).load("registered") == nil)
  }

  @Test func changesOfAnyDomainAreSignalled() {
    let store = list()
    let reference = store.reference(for: DefaultKey("global", default: "default"))
    let changes = Recorder<String>()
    let token = reference.observe { changes.record("\($0) \($1)") }
    application.simulateExternalChange("application", for: "global")
    global.simulateExternalChange("hidden", for: "global")
    application.simulateExternalChange(nil, for: "global")
    global.simulateExternalChange(nil, for: "global")
    #expect(changes.events == ["global application", "application hidden", "hidden default"])
    withExtendedLifetime(token) {}
  }

  @Test func argumentsAreParsed() {
    let arguments = SearchListStore.arguments([
      "/bin/tool", "-count", "5", "-offset", "-3", "-flag", "-xml",
      "<plist><array><integer>1</integer></array></plist>", "word", "--long", "x", "-broken", "{ a", "--", "-after",
      "1",
    ])
    #expect(arguments == ["count": "5", "offset": "-3", "xml": [1], "broken": "{ a"])
  }

  @Test func argumentsAreReadAsWhatTheKeyIs() {
    let store = list("-count", "5", "-ratio", "0.5", "-isOn", "YES", "-name", "5", "-bad", "x")
    #expect(store.reference(for: DefaultKey<Int>("count", default: 0)).value == 5)
    #expect(store.reference(for: DefaultKey<Double>("ratio", default: 0.0)).value == 0.5)
    #expect(store.reference(for: DefaultKey<Bool>("isOn", default: false)).value)
    #expect(store.reference(for: DefaultKey<String>("name", default: "")).value == "5")
    #expect(store.reference(for: DefaultKey<Int>("bad", default: 0)).error != nil)
    // `UserDefaults.integer` also converts a string of another domain, as `defaults write app text 5` stores one.
    application.simulateExternalChange("5", for: "text")
    #expect(store.reference(for: DefaultKey<Int>("text", default: 0)).value == 5)
  }

  @Test func collectionsOfArgumentsAreReadAsWhatTheKeyIs() {
    let store = list("-arr", "(1,2)", "-map", "{a = 0.5; b = 2;}", "-names", "(1,2)")
    #expect(store.reference(for: DefaultKey<[Int]>("arr", default: [])).value == [1, 2])
    #expect(store.reference(for: DefaultKey<[String: Double]>("map", default: [:])).value == ["a": 0.5, "b": 2])
    #expect(store.reference(for: DefaultKey<[String]>("names", default: [])).value == ["1", "2"])
  }

  @Test func argumentsKeepKeysThatAreEqualAsSwiftStrings() {
    let store = list("-map", "{\"\u{e9}\" = 1; \"e\u{301}\" = 2;}")
    let reference = store.reference(for: DefaultKey<PropertyList>("map", default: .null))
    #expect(reference.value.dictionary?.count == 2)
    #expect(store.reference(for: DefaultKey("map", default: 3)).value == 3)
  }

  @Test func removalShowsTheFallback() throws {
    let store = list()
    let reference = store.reference(for: DefaultKey<String?>("registered", default: "default"))
    let changes = Recorder<String>()
    let token = reference.observe { changes.record("\($0 ?? "") \($1 ?? "")") }
    #expect(reference.value == "registration")
    reference.value = "own"
    reference.reset()
    #expect(reference.value == "registration")
    #expect(!reference.isDefault)
    reference.value = "own"
    reference.value = nil
    #expect(reference.value == "registration")
    #expect(
      changes.events == ["registration own", "own registration", "registration own", "own registration"])
    reference.withLock { $0 = "own" }
    reference.withLock { $0 = nil }
    #expect(reference.value == "registration")
    #expect(application.contents == [:])
    withExtendedLifetime(token) {}
  }

  @Test func aShadowedValueIsStoredAndDoesNotShow() throws {
    let store = list("-all", "arguments")
    let reference = store.reference(for: DefaultKey("all", default: ""))
    let changes = Recorder<String>()
    let token = reference.observe { changes.record($1) }
    reference.value = "own"
    #expect(reference.value == "arguments")
    #expect(application.contents == ["all": "own"])
    #expect(changes.events == [])
    reference.withLock { $0 = "other" }
    #expect(reference.value == "arguments")
    withExtendedLifetime(token) {}
  }

  @Test func whatCannotBeReadIsNotSkipped() {
    struct Failure: Error {}
    application.simulateFailure(Failure())
    #expect(throws: Failure.self) { try list().load("global") }
  }

  @Test func aListThatIsNotWrittenTo() {
    let store = SearchListStore([.init(.global, global)], writingTo: nil)
    let error = #expect(throws: DefaultsError.self) { try store.save(1, for: "a") }
    #expect(error?.code == .readOnly)
  }
}
