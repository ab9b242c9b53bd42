import Foundation
import ObservableDefaults
import Plist
import Testing

/// References to elements of collections.
struct ElementTests {
  private struct Team: Codable, Equatable, Sendable {
    var name = ""
    var members: [String] = []
  }

  @Test func anElementThatTheDefaultDoesNotHave() throws {
    let store = InMemoryStore(["items": ["a", "b"]])
    @UserDefault("items", store: store) var items = ["x"]
    let second = try #require($items[1])
    #expect(second.value == "b")
    second.value = "c"
    #expect(items == ["a", "c"])
    #expect(store.contents == ["items": ["a", "c"]])
    #expect($items[2] == nil)
    #expect($items[-1] == nil)
  }

  @Test func anElementThatDisappears() throws {
    let store = InMemoryStore(["items": ["a", "b"]])
    let items = store.reference(for: DefaultKey("items", default: [String]()))
    let second = try #require(items[1])
    let changes = Recorder<String>()
    let token = second.observe { changes.record($1) }
    store.simulateExternalChange(["a"], for: "items")
    #expect(second.value == "b")
    #expect((second.error as? DefaultsError)?.code == .missingElement)
    second.value = "c"
    #expect((second.error as? DefaultsError)?.code == .missingElement)
    #expect(store.contents == ["items": ["a"]])
    second.reset()
    #expect(store.contents == ["items": ["a"]])
    store.simulateExternalChange(["a", "d"], for: "items")
    #expect(second.value == "d")
    #expect(second.error == nil)
    #expect(changes.events.last == "d")
    withExtendedLifetime(token) {}
  }

  @Test func elementsOfParts() throws {
    let store = InMemoryStore()
    @Shared(.appStorage("team", store: store)) var team = Team(name: "x", members: ["a"])
    let member = try #require($team.members[0])
    member.wrappedValue = "b"
    #expect(team.members == ["b"])
    #expect($team.members[1] == nil)
    team.members = []
    #expect(member.error != nil)
    #expect(member.wrappedValue == "b")
  }

  @Test func keysOfDictionariesAreOptional() {
    let store = InMemoryStore(["ages": ["a": 1]])
    @UserDefault("ages", store: store) var ages: [String: Int] = [:]
    #expect($ages["a"].value == 1)
    #expect($ages["b"].value == nil)
    $ages["b"].value = 2
    #expect(ages == ["a": 1, "b": 2])
  }

  @Test func theExampleOfTheDocumentation() {
    withDefaultsStore(InMemoryStore()) {
      @UserDefault("servers") var servers = ["a.example"]
      $servers[0]?.value = "b.example"
      #expect(servers == ["b.example"])
    }
  }

  private struct Item: Codable, Equatable, Identifiable, Sendable {
    var id: Int
    var name: String
  }

  @Test func anElementWithAnIdentityMoves() throws {
    let store = InMemoryStore()
    @Shared(.appStorage("items", store: store)) var items = [Item(id: 1, name: "a"), Item(id: 2, name: "b")]
    let second = try #require($items[id: 2])
    items.insert(Item(id: 3, name: "c"), at: 0)
    second.wrappedValue.name = "d"
    #expect(items.map(\.name) == ["c", "a", "d"])
    #expect($items[id: 4] == nil)
    items.removeAll { $0.id == 2 }
    #expect(second.wrappedValue.name == "d")
    #expect((second.error as? DefaultsError)?.code == .missingElement)
    second.wrappedValue.name = "e"
    #expect(items.map(\.name) == ["c", "a"])
  }

  @Test func theWrappedValueOfAnOptional() throws {
    let store = InMemoryStore()
    @UserDefault("team", store: store) var team: Team?
    #expect($team.unwrapped() == nil)
    team = Team(name: "x")
    let present = try #require($team.unwrapped())
    present.name.value = "y"
    #expect(team?.name == "y")
    team = nil
    #expect(present.value.name == "y")
    #expect(present.error != nil)
    present.value = Team(name: "z")
    #expect(team == nil)
    #expect(store.contents == [:])
    #expect(Shared($team).unwrapped() == nil)
  }
}
