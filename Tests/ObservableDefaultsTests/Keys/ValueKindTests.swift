import Foundation
import ObservableDefaults
import Plist
import Testing

private enum Plain: String, Sendable { case one, two }
private enum Coded: String, Codable, Sendable { case one, two }
private enum Listed: Int, PropertyListValue, Sendable { case one = 1, two }
private enum CustomCoded: String, Codable, Sendable {
  case one, two
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode("custom")
  }
  init(from decoder: any Decoder) throws { self = .one }
}
private struct Size: RawRepresentable, Hashable, Sendable {
  var rawValue: [Int]
}
private struct Person: Codable, Equatable, Sendable {
  var name: String
  var born: Date
  var tags: [String: [Int]]
}

struct ValueKindTests {
  let store = InMemoryStore()

  private func expect<Value: Equatable>(
    _ key: DefaultKey<Value>, set value: Value, stores propertyList: PropertyList,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let reference = store.reference(for: key)
    reference.value = value
    #expect(reference.error == nil, sourceLocation: sourceLocation)
    #expect(store.contents[key.name] == propertyList, sourceLocation: sourceLocation)
    let copy = InMemoryStore(store.contents).reference(for: key)
    #expect(copy.value == value, sourceLocation: sourceLocation)
    #expect(copy.error == nil, sourceLocation: sourceLocation)
  }

  @Test func leaves() {
    expect(DefaultKey("k", default: false), set: true, stores: true)
    expect(DefaultKey("k", default: ""), set: "é", stores: "é")
    expect(DefaultKey("k", default: Int8(0)), set: -1, stores: -1)
    expect(DefaultKey("k", default: UInt64(0)), set: .max, stores: .integer(PropertyListInteger(UInt64.max)))
    expect(DefaultKey("k", default: Float(0)), set: 0.5, stores: 0.5)
    expect(DefaultKey("k", default: 0.0), set: 1, stores: 1.0)
    let date = Date(timeIntervalSinceReferenceDate: 0.25)
    expect(DefaultKey("k", default: Date.distantPast), set: date, stores: .date(date))
    expect(DefaultKey("k", default: Data()), set: Data([1, 2]), stores: .data(Data([1, 2])))
    let uuid = UUID()
    expect(DefaultKey("k", default: UUID()), set: uuid, stores: .string(uuid.uuidString))
    let url = URL(filePath: "/a")
    let home = URL(filePath: "/")
    expect(DefaultKey("k", default: url), set: home, stores: "file:///")
    expect(DefaultKey("k", default: PropertyList("a")), set: [1, "b"], stores: [1, "b"])
  }

  @Test func containers() {
    expect(DefaultKey("k", default: [Int]()), set: [1, 2], stores: [1, 2])
    expect(DefaultKey("k", default: Set<String>()), set: ["a"], stores: ["a"])
    expect(DefaultKey("k", default: [String: [Double]]()), set: ["a": [1]], stores: ["a": [1.0]])
    expect(DefaultKey<Int?>("k", default: nil), set: 3, stores: 3)
    expect(DefaultKey<[Date]?>("k"), set: [], stores: [])
  }

  @Test func rawValues() {
    expect(DefaultKey("k", default: Plain.one), set: .two, stores: "two")
    expect(DefaultKey("k", default: Coded.one), set: .two, stores: "two")
    expect(DefaultKey("k", default: Listed.one), set: .two, stores: 2)
    expect(DefaultKey("k", default: CustomCoded.one), set: .two, stores: "two")
    expect(DefaultKey("k", default: Size(rawValue: [])), set: Size(rawValue: [1]), stores: [1])
    expect(DefaultKey<Plain?>("k"), set: .two, stores: "two")
    expect(DefaultKey<Coded?>("k"), set: .two, stores: "two")
    expect(DefaultKey("k", default: [Coded.one]), set: [.two], stores: ["two"])
  }

  @Test func codableValues() {
    let person = Person(name: "Ada", born: Date(timeIntervalSinceReferenceDate: 1), tags: ["a": [1]])
    let form: PropertyList = ["name": "Ada", "born": .date(person.born), "tags": ["a": [1]]]
    let empty = Person(name: "", born: .distantPast, tags: [:])
    expect(DefaultKey("k", default: empty), set: person, stores: form)
    expect(DefaultKey<Person?>("k"), set: person, stores: form)
    expect(DefaultKey("k", default: [empty]), set: [person], stores: [form])
  }

  @Test func codableValuesAsDataOfOtherLibraries() throws {
    let ada = Person(name: "Ada", born: Date(timeIntervalSinceReferenceDate: 1), tags: [:])
    let empty = Person(name: "", born: .distantPast, tags: [:])
    let json = try JSONEncoder().encode(ada)
    let xml = try PropertyListEncoder().encode(ada)
    let store = InMemoryStore(["json": .data(json), "xml": .data(xml)])
    let asJSON = store.reference(for: DefaultKey("json", default: empty, coding: .jsonData))
    let asPropertyList = store.reference(for: DefaultKey("xml", default: empty, coding: .propertyListData))
    #expect(asJSON.value == ada)
    #expect(asPropertyList.value == ada)
    asJSON.value.name = "Bob"
    asPropertyList.value.name = "Bob"
    #expect(
      try JSONDecoder().decode(Person.self, from: #require(store.contents["json"]?.data)).name == "Bob")
    #expect(
      try PropertyListDecoder().decode(Person.self, from: #require(store.contents["xml"]?.data)).name == "Bob")
  }

  @Test func numbersAreConvertedNotCast() {
    let store = InMemoryStore(["real": 3.0, "integer": 3, "bool": 1, "half": 0.5, "large": 300])
    func value<Value>(_ key: DefaultKey<Value>) -> Value { store.reference(for: key).value }
    #expect(value(DefaultKey<Int>("real", default: 0)) == 3)
    #expect(value(DefaultKey<UInt8>("real", default: 0)) == 3)
    #expect(value(DefaultKey<Double>("integer", default: 0)) == 3)
    #expect(value(DefaultKey<Float>("integer", default: 0)) == 3)
    #expect(value(DefaultKey<Bool>("bool", default: false)))
    for name in ["half", "large"] {
      let reference = store.reference(for: DefaultKey<UInt8>(name, default: 9))
      #expect(reference.value == 9)
      #expect(reference.error != nil)
    }
  }

  /// Foundation stores file URLs as paths, so a stored string that begins with `/` or `~` is read as one.
  @Test(arguments: ["/api/v1", "~x"])
  func relativeURLsThatLookLikePathsAreRefused(_ text: String) throws {
    let store = InMemoryStore()
    let reference = store.reference(for: DefaultKey<URL?>("url"))
    reference.value = URL(string: text)
    #expect((reference.error as? DefaultsError)?.code == .unstorableValue)
    #expect(try store.load("url") == nil)
    reference.value = URL(string: "api/v1")
    #expect(reference.error == nil)
    #expect(try store.load("url") == "api/v1")
  }

  @Test func urlsAsFoundationStoresThem() throws {
    let url = try #require(URL(string: "https://example.org/a"))
    let archive = try NSKeyedArchiver.archivedData(withRootObject: url as NSURL, requiringSecureCoding: true)
    let store = InMemoryStore(["archive": .data(archive), "path": "/tmp/a b", "home": "~/x"])
    let home = URL(filePath: "/")
    #expect(store.reference(for: DefaultKey("archive", default: home)).value == url)
    #expect(store.reference(for: DefaultKey<URL?>("archive")).value == url)
    #expect(store.reference(for: DefaultKey("path", default: home)).value == URL(filePath: "/tmp/a b"))
    #expect(store.reference(for: DefaultKey("home", default: home)).value.path.hasSuffix("/x"))
    #expect(!store.reference(for: DefaultKey("home", default: home)).value.path.contains("~"))
  }

  @Test func whatCannotBeStoredIsAnError() throws {
    let folder = try TestFolder()
    let file = PropertyListFileStore(url: folder.file(), format: .xml)
    let reference = file.reference(for: DefaultKey("k", default: [Int?]()))
    reference.value = [1, nil]
    #expect(reference.error != nil)
    reference.value = [1]
    #expect(reference.error == nil)
    #expect(try folder.contents() == ["k": [1]])
  }
}
