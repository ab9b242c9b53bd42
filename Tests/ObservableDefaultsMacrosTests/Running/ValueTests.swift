#if Macros
import Foundation
import ObservableDefaults
import ObservableDefaultsFoundation
import Plist
import Testing

private enum Theme: String { case light, dark }
private enum Coded: String, Codable { case one, two }
private enum Rank: Int, PropertyListValue { case low = 1, high }
private enum Figure: Codable, Equatable {
  case circle(radius: Double)
  case point
}
private struct Person: Codable, Equatable {
  var name = "nobody"
  var born = Date(timeIntervalSinceReferenceDate: 0)
  var home: URL?
}
/// Neither `Equatable` nor `Sendable`.
private final class Box: Codable {
  var number: Int
  init(_ number: Int) { self.number = number }
}

@ObservableDefaults
private final class Values: LocatedSettings {
  var integer = 1
  var small: Int8 = 1
  var large: UInt64 = 1
  var real = 1.5
  var single: Float = 1.5
  var flag = false
  var text = ""
  var date = Date(timeIntervalSinceReferenceDate: 0)
  var data = Data()
  var id: UUID?
  var list: PropertyList = [1]
  var nothing: Int?
  var something: Int? = 25
  var long: Optional<Double>
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  var unwrapped: String!
  var theme = Theme.light
  var coded: Coded = .one
  var rank = Rank.low
  var figure = Figure.point
  var person = Person()
  var url = URL(filePath: "/")
  var maybeTheme: Theme?
  var maybeCoded: Coded?
  var maybeRank: Rank? = .low
  var maybePerson: Person?
  var maybeURL: URL?
  var integers: [Int] = []
  var nested: [String: [[String: Double]]] = [:]
  var words: Set<String> = []
  var themes: [Theme] = [.light]
  var themesByName: [String: Theme] = [:]
  var maybeThemes: [Theme]?
  var maybeThemesByName: [String: Theme]?
  var codeds: [Coded] = []
  var ranks: [Rank] = []
  var ranksByName: [String: Rank] = [:]
  var figures: [Figure] = []
  var persons: [Person] = []
  var personsByName: [String: Person] = [:]
  var maybePersons: [Person]?
  var urls: [URL] = []
  var urlsByName: [String: URL] = [:]
  var dates: [Date?]?
  var box = Box(1)
}

struct ValueTests {
  private let location: TestLocation
  private let settings: Values

  init() throws {
    location = try TestLocation(.memory)
    settings = location.make(Values.self)
  }

  private func expect<Value: Equatable>(
    _ path: ReferenceWritableKeyPath<Values, Value>, _ key: String, set value: Value, stores list: PropertyList,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    for kind in LocationKind.allCases {
      let location = try TestLocation(kind)
      func make() -> Values { location.make(Values.self) }
      let settings = make()
      let initial = settings[keyPath: path]
      #expect(try location.stored(key) == nil, "\(kind)", sourceLocation: sourceLocation)
      settings[keyPath: path] = value
      #expect(settings[keyPath: path] == value, "\(kind)", sourceLocation: sourceLocation)
      #expect(try location.stored(key) == list, "\(kind)", sourceLocation: sourceLocation)
      #expect(make()[keyPath: path] == value, "\(kind)", sourceLocation: sourceLocation)
      try location.change(nil, for: key)
      #expect(
        await eventually { settings[keyPath: path] == initial }, "\(kind)", sourceLocation: sourceLocation)
      try location.change(list, for: key)
      #expect(await eventually { settings[keyPath: path] == value }, "\(kind)", sourceLocation: sourceLocation)
    }
  }

  @Test func leaves() async throws {
    try await expect(\.integer, "integer", set: 2, stores: 2)
    try await expect(\.small, "small", set: -1, stores: -1)
    try await expect(\.large, "large", set: 1 << 40, stores: .integer(PropertyListInteger(UInt64(1) << 40)))
    try await expect(\.real, "real", set: 2, stores: 2.0)
    try await expect(\.single, "single", set: 0.5, stores: 0.5)
    try await expect(\.flag, "flag", set: true, stores: true)
    try await expect(\.text, "text", set: "é", stores: "é")
    let date = Date(timeIntervalSinceReferenceDate: 86_400)
    try await expect(\.date, "date", set: date, stores: .date(date))
    try await expect(\.data, "data", set: Data([1]), stores: .data(Data([1])))
    let id = UUID()
    try await expect(\.id, "id", set: id, stores: .string(id.uuidString))
    try await expect(\.list, "list", set: ["a": [true]], stores: ["a": [true]])
    try await expect(\.url, "url", set: URL(filePath: "/a b"), stores: "file:///a%20b")
  }

  @Test func optionals() async throws {
    try await expect(\.nothing, "nothing", set: 1, stores: 1)
    try await expect(\.something, "something", set: 1, stores: 1)
    try await expect(\.long, "long", set: 1, stores: 1.0)
    try await expect(\.unwrapped, "unwrapped", set: "a", stores: "a")
    try await expect(\.maybeTheme, "maybeTheme", set: .dark, stores: "dark")
    try await expect(\.maybeCoded, "maybeCoded", set: .two, stores: "two")
    try await expect(\.maybeRank, "maybeRank", set: .high, stores: 2)
    try await expect(\.maybePerson, "maybePerson", set: Person(), stores: Self.person)
    try await expect(\.maybeURL, "maybeURL", set: URL(filePath: "/"), stores: "file:///")
    settings.something = 1
    settings.nothing = 1
    settings.something = nil
    settings.nothing = nil
    #expect(settings.something == 25)
    #expect(settings.nothing == nil)
    #expect(try location.stored("something") == nil)
    #expect(try location.stored("nothing") == nil)
  }

  @Test func enumerationsAndModels() async throws {
    try await expect(\.theme, "theme", set: .dark, stores: "dark")
    try await expect(\.coded, "coded", set: .two, stores: "two")
    try await expect(\.rank, "rank", set: .high, stores: 2)
    try await expect(\.figure, "figure", set: .circle(radius: 2), stores: ["circle": ["radius": 2.0]])
    try await expect(
      \.person, "person", set: Person(name: "A", home: URL(filePath: "/")),
      stores: ["name": "A", "born": .date(Date(timeIntervalSinceReferenceDate: 0)), "home": ["relative": "file:///"]])
  }

  @Test func collections() async throws {
    try await expect(\.integers, "integers", set: [1, 2], stores: [1, 2])
    try await expect(\.nested, "nested", set: ["a": [["b": 1]]], stores: ["a": [["b": 1.0]]])
    try await expect(\.words, "words", set: ["a"], stores: ["a"])
    try await expect(\.themes, "themes", set: [.dark], stores: ["dark"])
    try await expect(\.themesByName, "themesByName", set: ["a": .dark], stores: ["a": "dark"])
    try await expect(\.maybeThemes, "maybeThemes", set: [.dark], stores: ["dark"])
    try await expect(\.maybeThemesByName, "maybeThemesByName", set: ["a": .dark], stores: ["a": "dark"])
    try await expect(\.codeds, "codeds", set: [.two], stores: ["two"])
    try await expect(\.ranks, "ranks", set: [.high], stores: [2])
    try await expect(\.ranksByName, "ranksByName", set: ["a": .high], stores: ["a": 2])
    try await expect(\.figures, "figures", set: [.point], stores: [["point": [:]]])
    try await expect(\.persons, "persons", set: [Person()], stores: [Self.person])
    try await expect(\.personsByName, "personsByName", set: ["a": Person()], stores: ["a": Self.person])
    try await expect(\.maybePersons, "maybePersons", set: [], stores: [])
    try await expect(\.urls, "urls", set: [URL(filePath: "/")], stores: ["file:///"])
    try await expect(\.urlsByName, "urlsByName", set: ["a": URL(filePath: "/")], stores: ["a": "file:///"])
  }

  private static let person: PropertyList = ["name": "nobody", "born": .date(Date(timeIntervalSinceReferenceDate: 0))]

  @Test func valuesThatCannotBeComparedAreByTheirForm() throws {
    let signals = Signals { self.settings.box.number }
    settings.box = Box(1)
    #expect(signals.count == 0)
    settings.box = Box(2)
    #expect(signals.values == [1])
    #expect(settings.box.number == 2)
    #expect(try location.stored("box") == ["number": 2])
  }

  @Test func numbersAreConverted() throws {
    try location.change(3, for: "real")
    try location.change(4.0, for: "integer")
    try location.change(1, for: "small")
    #expect(settings.real == 3)
    #expect(settings.integer == 4)
  }

  @Test func readsWhatAnotherLibraryStored() throws {
    let person = Person(name: "old")
    try location.change(.data(try JSONEncoder().encode(person)), for: "person")
    try location.change(.data(try JSONEncoder().encode(person)), for: "maybePerson")
    try location.change(.data(try JSONEncoder().encode(URL(filePath: "/a"))), for: "url")
    try location.change(.data(try JSONEncoder().encode([person])), for: "persons")
    #expect(settings.person == person)
    #expect(settings.maybePerson == person)
    #expect(settings.url == URL(filePath: "/a"))
    #expect(settings.persons == [person])
    settings.person.name = "new"
    #expect(try location.stored("person")?["name"] == "new")
  }
}
#endif
