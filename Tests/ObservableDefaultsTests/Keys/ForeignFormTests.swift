import Foundation
import ObservableDefaults
import ObservableDefaultsFoundation
import Plist
import Testing

/// Values that other libraries have stored by their own rules.
struct ForeignFormTests {
  private func expect<Value: Equatable & Sendable>(
    _ key: DefaultKey<Value>, _ value: Value, from store: some DefaultsStore,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let reference = store.reference(for: key)
    #expect(reference.value == value, sourceLocation: sourceLocation)
    #expect(reference.error == nil, sourceLocation: sourceLocation)
    #expect(!reference.isDefault, sourceLocation: sourceLocation)
  }

  private func expect<Value: Equatable & Sendable>(
    _ key: DefaultKey<Value>, _ value: Value, stored: PropertyList,
    sourceLocation: SourceLocation = #_sourceLocation
  ) { expect(key, value, from: InMemoryStore([key.name: stored]), sourceLocation: sourceLocation) }

  private func json(_ value: some Encodable) throws -> PropertyList { .data(try JSONEncoder().encode(value)) }

  // MARK: ObservableDefaults 1.8

  @Test func valuesOfTheLibraryOfThisNameAreRead() throws {
    let suite = "swift-plist-tests-\(UUID())"
    let defaults = try #require(UserDefaults(suiteName: suite))
    defer { defaults.removePersistentDomain(forName: suite) }
    let library = WrapperOfThatLibrary(defaults: defaults)
    let store = try UserDefaultsStore(suiteName: suite)
    let date = Date(timeIntervalSinceReferenceDate: 1000)
    let id = UUID()
    let place = Place(name: "Rome", since: date, size: [1.5])

    library.set("bool", true)
    expect(DefaultKey("bool", default: false), true, from: store)
    library.set("int", -7)
    expect(DefaultKey("int", default: 0), -7, from: store)
    library.set("double", 0.5)
    expect(DefaultKey("double", default: 0.0), 0.5, from: store)
    library.set("float", Float(0.25))
    expect(DefaultKey("float", default: Float(0)), 0.25, from: store)
    library.set("string", "é")
    expect(DefaultKey("string", default: ""), "é", from: store)
    library.set("data", Data([1, 2]))
    expect(DefaultKey("data", default: Data()), Data([1, 2]), from: store)
    library.set("date", date)
    expect(DefaultKey("date", default: .distantPast), date, from: store)
    library.set("strings", ["a", "b"])
    expect(DefaultKey("strings", default: [String]()), ["a", "b"], from: store)
    library.set("ints", [1, 2])
    expect(DefaultKey("ints", default: [Int]()), [1, 2], from: store)
    library.set("dates", [date])
    expect(DefaultKey("dates", default: [Date]()), [date], from: store)
    library.set("counts", ["a": 1])
    expect(DefaultKey("counts", default: [String: Int]()), ["a": 1], from: store)
    library.set("optional", Int?.some(3))
    expect(DefaultKey<Int?>("optional"), 3, from: store)
    library.set("raw", Plain.two)
    expect(DefaultKey("raw", default: Plain.one), .two, from: store)
    library.set("number", Number.two)
    expect(DefaultKey("number", default: Number.one), .two, from: store)
    library.set("coded", Coded.two)
    expect(DefaultKey("coded", default: Coded.one), .two, from: store)
    library.set("maybe", Coded?.some(.two))
    expect(DefaultKey<Coded?>("maybe"), .two, from: store)
    library.set("place", place)
    expect(DefaultKey("place", default: Place()), place, from: store)
    library.set("maybePlace", Place?.some(place))
    expect(DefaultKey<Place?>("maybePlace"), place, from: store)
    library.set("places", [place])
    expect(DefaultKey("places", default: [Place]()), [place], from: store)
    library.set("map", ["a": place])
    expect(DefaultKey("map", default: [String: Place]()), ["a": place], from: store)
    library.set("codes", [Coded.two, .one])
    expect(DefaultKey("codes", default: [Coded]()), [.two, .one], from: store)
    library.set("codeMap", ["a": Coded.two])
    expect(DefaultKey("codeMap", default: [String: Coded]()), ["a": .two], from: store)
    library.set("id", id)
    expect(DefaultKey("id", default: UUID()), id, from: store)
    library.set("intSet", Set([1, 2]))
    expect(DefaultKey("intSet", default: Set<Int>()), [1, 2], from: store)
    library.set("stringSet", Set(["a", "b"]))
    expect(DefaultKey("stringSet", default: Set<String>()), ["a", "b"], from: store)
    library.set("ids", [id])
    expect(DefaultKey("ids", default: [UUID]()), [id], from: store)
    library.set("maybeID", UUID?.some(id))
    expect(DefaultKey<UUID?>("maybeID"), id, from: store)
    library.set("numbers", [Number.two])
    expect(DefaultKey("numbers", default: [Number]()), [.two], from: store)
    library.set("codeSet", Set([Coded.two]))
    expect(DefaultKey("codeSet", default: Set<Coded>()), [.two], from: store)
  }

  /// It does not read our trees and texts, and Migrating.md warns of that.
  @Test func thatLibraryReadsOurNativeValues() throws {
    let suite = "swift-plist-tests-\(UUID())"
    let defaults = try #require(UserDefaults(suiteName: suite))
    defer { defaults.removePersistentDomain(forName: suite) }
    let library = WrapperOfThatLibrary(defaults: defaults)
    let store = try UserDefaultsStore(suiteName: suite)
    func set<Value>(_ key: DefaultKey<Value>, _ value: Value) { store.reference(for: key).value = value }
    set(DefaultKey("bool", default: false), true)
    set(DefaultKey("int", default: 0), 3)
    set(DefaultKey("double", default: 0.0), 0.5)
    set(DefaultKey("string", default: ""), "a")
    set(DefaultKey("data", default: Data()), Data([1]))
    let date = Date(timeIntervalSinceReferenceDate: 0)
    set(DefaultKey("date", default: .distantPast), date)
    set(DefaultKey("strings", default: [String]()), ["a"])
    set(DefaultKey("raw", default: Plain.one), .two)
    set(DefaultKey("coded", default: Coded.one), .two)
    set(DefaultKey("place", default: Place(), coding: .jsonData), Place(name: "Rome"))
    set(DefaultKey("codes", default: [Coded](), coding: .jsonData), [.two])
    #expect(library.get("bool", false))
    #expect(library.get("int", 0) == 3)
    #expect(library.get("double", 0.0) == 0.5)
    #expect(library.get("string", "") == "a")
    #expect(library.get("data", Data()) == Data([1]))
    #expect(library.get("date", Date.distantPast) == date)
    #expect(library.get("strings", [String]()) == ["a"])
    #expect(library.get("raw", Plain.one) == .two)
    #expect(library.get("coded", Coded.one) == .two)
    #expect(library.get("place", Place()) == Place(name: "Rome"))
    #expect(library.get("codes", [Coded]()) == [.two])
  }

  // MARK: Other libraries

  @Test func valuesOfSwiftyUserDefaults() throws {
    let place = Place(name: "Rome")
    expect(DefaultKey("place", default: Place()), place, stored: try json(place))
    expect(DefaultKey("places", default: [Place]()), [place], stored: try json([place]))
    expect(DefaultKey("raws", default: [Plain]()), [.two], stored: ["two"])
    let urls = try [#require(URL(string: "https://a.example/b")), URL(filePath: "/tmp/c")]
    let archive = try NSKeyedArchiver.archivedData(
      withRootObject: urls.map { $0 as NSURL } as NSArray, requiringSecureCoding: false)
    expect(DefaultKey("urls", default: [URL]()), urls, stored: .data(archive))
  }

  @Test func valuesOfDefaults() throws {
    func text(_ value: some Encodable) throws -> PropertyList {
      .string(String(decoding: try JSONEncoder().encode(value), as: UTF8.self))
    }
    let place = Place(name: "Rome", since: Date(timeIntervalSinceReferenceDate: 1))
    let url = try #require(URL(string: "https://a.example/b"))
    expect(DefaultKey("place", default: Place()), place, stored: try text(place))
    expect(DefaultKey("places", default: [Place]()), [place, place], stored: try [text(place), text(place)])
    expect(DefaultKey("map", default: [String: Place]()), ["a": place], stored: try ["a": text(place)])
    expect(DefaultKey("numbered", default: [Int: Place]()), [1: place], stored: try ["1": text(place)])
    expect(DefaultKey("coded", default: Coded.one), .two, stored: try text(Coded.two))
    expect(DefaultKey("codedNumber", default: Number.one), .two, stored: try text(Number.two))
    expect(DefaultKey<Coded?>("maybe"), .two, stored: try text(Coded.two))
    expect(DefaultKey("codes", default: [Coded]()), [.two], stored: try [text(Coded.two)])
    expect(DefaultKey("codeMap", default: ["b": Coded.one]), ["a": .two], stored: try ["a": text(Coded.two)])
    expect(DefaultKey("codeSet", default: Set<Coded>()), [.two], stored: try [text(Coded.two)])
    expect(DefaultKey("url", default: URL(filePath: "/")), url, stored: try text(url))
    expect(DefaultKey<URL?>("maybeURL"), url, stored: try text(url))
    expect(DefaultKey("urls", default: [URL]()), [url], stored: try [text(url)])
    expect(DefaultKey("urlMap", default: [String: URL]()), ["a": url], stored: try ["a": text(url)])
    expect(DefaultKey("nested", default: [[Coded]]()), [[.two]], stored: try [[text(Coded.two)]])
    expect(DefaultKey("range", default: 0..<1), 2..<5, stored: [2, 5])
    let id = UUID()
    expect(DefaultKey("id", default: UUID()), id, stored: .string(id.uuidString))
  }

  @Test func valuesOfSwiftSharing() throws {
    let id = UUID()
    let date = Date(timeIntervalSinceReferenceDate: 0.5)
    expect(DefaultKey("id", default: UUID()), id, stored: try json(id))
    expect(DefaultKey<UUID?>("maybe"), id, stored: try json(id))
    expect(DefaultKey("ids", default: [UUID]()), [id], stored: try json([id]))
    expect(DefaultKey("ints", default: [Int]()), [1, 2], stored: try json([1, 2]))
    expect(DefaultKey("float", default: Float(0)), 0.5, stored: try json(Float(0.5)))
    expect(DefaultKey("small", default: Int8(0)), 5, stored: try json(Int8(5)))
    expect(DefaultKey("dates", default: [Date]()), [date], stored: try json([date]))
    expect(DefaultKey("data", default: [Data]()), [Data([1])], stored: try json([Data([1])]))
    expect(DefaultKey("map", default: [String: [Int]]()), ["a": [1]], stored: try json(["a": [1]]))
    expect(DefaultKey("codes", default: [Coded]()), [.two], stored: try json([Coded.two]))
    expect(DefaultKey("set", default: Set<String>()), ["a"], stored: try json(Set(["a"])))
  }

  @Test func dataWithAPropertyList() throws {
    expect(DefaultKey("ints", default: [Int]()), [1], stored: .data(try PropertyListEncoder().encode([1])))
    let places = try PropertyListEncoder().encode([Place(name: "Rome")])
    expect(DefaultKey("places", default: [Place]()), [Place(name: "Rome")], stored: .data(places))
  }

  // MARK: Text in place of other values

  @Test(arguments: ["YES", "yes", "true", "1", "on"]) func textIsABoolean(_ text: String) {
    expect(DefaultKey("flag", default: false), true, stored: .string(text))
    expect(DefaultKey<Bool?>("flag"), true, stored: .string(text))
    expect(DefaultKey("flags", default: [Bool]()), [true], stored: [.string(text)])
    expect(DefaultKey("flags", default: Flags(isOn: false)), Flags(isOn: true), stored: ["isOn": .string(text)])
  }

  @Test func textIsANumber() {
    expect(DefaultKey("int", default: 0), 7, stored: "7")
    expect(DefaultKey("int", default: UInt8(0)), 7, stored: "7")
    expect(DefaultKey("double", default: 0.0), -0.5, stored: "-0.5")
    expect(DefaultKey("number", default: Number.one), .two, stored: "2")
    expect(DefaultKey("numbers", default: [Number]()), [.two], stored: ["2"])
    expect(DefaultKey("map", default: [String: Int]()), ["a": 1], stored: ["a": "1"])
    expect(
      DefaultKey("date", default: .distantPast), Date(timeIntervalSinceReferenceDate: 0), stored: "2001-01-01T00:00:00Z"
    )
    // Text stays text if text is wanted.
    expect(DefaultKey("text", default: ""), "7", stored: "7")
  }

  @Test func textIsConvertedInEveryStoreAndCoding() throws {
    let seconds = DefaultsCoding<Duration>("seconds") {
      .real($0 / .seconds(1))
    } decode: { stored in
      guard let number = stored.double else { throw DefaultsError(.undecodableValue, "expected a number") }
      return .seconds(number)
    }
    let timeout = DefaultKey("timeout", default: Duration.seconds(30), coding: seconds)
    expect(timeout, .seconds(5), stored: "5")
    let folder = try TestFolder()
    try Data("{ timeout = 5; flag = YES; }".utf8).write(to: folder.file())
    let file = PropertyListFileStore(url: folder.file())
    expect(timeout, .seconds(5), from: file)
    expect(DefaultKey("flag", default: false), true, from: file)
  }

  @Test(arguments: ["maybe", "", " 7", "7 ", "0x7", "7abc"] as [PropertyList]) func otherTextIsAnError(
    _ text: PropertyList
  ) {
    let reference = InMemoryStore(["k": text]).reference(for: DefaultKey("k", default: 3))
    #expect(reference.value == 3)
    #expect((reference.error as? DefaultsError)?.code == .undecodableValue)
    #expect(InMemoryStore(["k": text]).reference(for: DefaultKey("k", default: false)).error != nil)
  }

  @Test func dataWithTextIsNoText() {
    #expect(
      InMemoryStore(["k": .data(Data("two".utf8))]).reference(for: DefaultKey("k", default: Coded.one)).error != nil)
  }

  @Test func textIsNoData() {
    #expect(InMemoryStore(["k": "abcd"]).reference(for: DefaultKey("k", default: Data())).error != nil)
  }
}

private enum Plain: String, Sendable { case one, two }
private enum Number: Int, Codable, Sendable { case one = 1, two }
private enum Coded: String, Codable, Sendable { case one, two }
private struct Flags: Codable, Equatable, Sendable { var isOn: Bool }
private struct Place: Codable, Equatable, Sendable {
  var name = ""
  var since: Date?
  var size: [Double] = []
}

/// The rules by which `UserDefaultsWrapper` of fatbobman's library, version 1.8, stores and reads values.
private struct WrapperOfThatLibrary {
  let defaults: UserDefaults

  func set<Value: NativeKind>(_ key: String, _ value: Value) { defaults.set(value, forKey: key) }
  func set<Value: RawRepresentable>(_ key: String, _ value: Value) where Value.RawValue: NativeKind {
    defaults.set(value.rawValue, forKey: key)
  }
  func set<Value: RawRepresentable>(_ key: String, _ value: Value?) where Value.RawValue: NativeKind {
    defaults.set(value?.rawValue, forKey: key)
  }
  @_disfavoredOverload func set<Value: Codable>(_ key: String, _ value: Value) {
    defaults.set(try? JSONEncoder().encode(value), forKey: key)
  }
  @_disfavoredOverload func set<Value: Codable>(_ key: String, _ value: Value?) {
    defaults.set(value.flatMap { try? JSONEncoder().encode($0) }, forKey: key)
  }

  func get<Value: NativeKind>(_ key: String, _ value: Value) -> Value {
    defaults.object(forKey: key) as? Value ?? value
  }
  func get<Value: RawRepresentable>(_ key: String, _ value: Value) -> Value where Value.RawValue: NativeKind {
    (defaults.object(forKey: key) as? Value.RawValue).flatMap(Value.init) ?? value
  }
  @_disfavoredOverload func get<Value: Codable>(_ key: String, _ value: Value) -> Value {
    defaults.data(forKey: key).flatMap { try? JSONDecoder().decode(Value.self, from: $0) } ?? value
  }
}

/// `UserDefaultsPropertyListValue` of that library.
private protocol NativeKind {}
extension Bool: NativeKind {}
extension Int: NativeKind {}
extension Double: NativeKind {}
extension Float: NativeKind {}
extension String: NativeKind {}
extension Data: NativeKind {}
extension Date: NativeKind {}
extension Array: NativeKind where Element: NativeKind {}
extension Dictionary: NativeKind where Key == String, Value: NativeKind {}
extension Optional: NativeKind where Wrapped: NativeKind {}
