import Foundation
import ObservableDefaults
import Plist
import Testing

/// Saves to files that people write and edit.
struct TextFileTests {
  let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func text() throws -> String { try String(contentsOf: folder.file(), encoding: .utf8) }

  private func write(_ text: String, _ encoding: String.Encoding = .utf8) throws {
    try #require(text.data(using: encoding)).write(to: folder.file())
  }

  private let xml = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0">
    <!-- ask Ada before you change this -->
    <dict>
      <key>limit</key>  <!-- of each client -->
      <dict>
        <key>message</key> <string>too many</string>
        <!-- per minute -->
        <key>requests</key><integer>60</integer>
      </dict>
      <key>hosts</key>
      <array>
        <string>a.example</string> <!-- old -->
        <string>b.example</string>
      </array>
      <key>debug</key><false/>
    </dict>
    </plist>

    """

  @Test func commentsAndLayoutOfXMLStay() throws {
    try write(xml)
    let store = PropertyListFileStore(url: folder.file())
    try store.save(true, for: "debug")
    #expect(try text() == xml.replacing("<false/>", with: "<true/>"))
    let limit = store.reference(for: DefaultKey("limit", default: Limit()))
    limit.value.requests = 100
    #expect(limit.error == nil)
    let hosts = store.reference(for: DefaultKey("hosts", default: [String]()))
    hosts.value[1] = "c.example"
    #expect(
      try text()
        == xml.replacing("<false/>", with: "<true/>").replacing(">60<", with: ">100<").replacing("b.ex", with: "c.ex"))
    try store.save(nil, for: "debug")
    #expect(try !text().contains("debug"))
    #expect(try text().contains("<!-- per minute -->"))
    try store.save("new", for: "added")
    #expect(try text().contains("ask Ada"))
    #expect(
      try folder.contents()
        == [
          "limit": ["message": "too many", "requests": 100], "hosts": ["a.example", "c.example"], "added": "new",
        ])
    #expect(try store.contents == folder.contents())
  }

  private struct Limit: Codable, Equatable, Sendable {
    var message = ""
    var requests = 0
  }

  @Test func batchesAndDelayedSavesKeepTheTextToo() throws {
    try write(xml)
    try PropertyListFileStore(url: folder.file()).update { batch in
      batch["debug"] = true
      batch["limit"] = ["message": "too many", "requests": 61]
    }
    let expected = xml.replacing("<false/>", with: "<true/>").replacing(">60<", with: ">61<")
    #expect(try text() == expected)
    let store = PropertyListFileStore(url: folder.file(), saving: .debounced(.seconds(60)))
    try store.save(false, for: "debug")
    try store.save(["message": "too many", "requests": 60], for: "limit")
    try store.flush()
    #expect(try text() == xml)
  }

  @Test func manySavesKeepTheText() throws {
    try write(xml)
    let store = PropertyListFileStore(url: folder.file())
    for number in 61...200 { try store.save(["message": "too many", "requests": PropertyList(number)], for: "limit") }
    #expect(try text() == xml.replacing(">60<", with: ">200<"))
  }

  @Test func changesByOthersBetweenSavesStay() throws {
    try write(xml)
    let store = PropertyListFileStore(url: folder.file())
    try store.save(true, for: "debug")
    try write(text().replacing("ask Ada", with: "ask Grace"))
    try store.save(false, for: "debug")
    #expect(try text() == xml.replacing("ask Ada", with: "ask Grace"))
  }

  @Test func encodingAndFormatStay() throws {
    try write(xml.replacing("UTF-8", with: "UTF-16"), .utf16)
    try PropertyListFileStore(url: folder.file(), format: .binary).save("é", for: "name")
    #expect(try Data(contentsOf: folder.file()).starts(with: [0xFF, 0xFE]))
    #expect(try folder.contents()["name"] == "é")

    let json = "{\n  \"name\" : \"Ada\",\n  \"sizes\": [1, 2]\n}\n"
    try write(json)
    let store = PropertyListFileStore(url: folder.file(), format: .binary)
    try store.save("Bob", for: "name")
    #expect(try text() == json.replacing("Ada", with: "Bob"))

    try write("/* of the team */ { name = Ada; }\n")
    try PropertyListFileStore(url: folder.file(), format: .xml).save("Bob", for: "name")
    #expect(try text() == "/* of the team */ { name = Bob; }\n")

    try PropertyList(["name": "Ada"]).write(to: folder.file(), format: .binary)
    try PropertyListFileStore(url: folder.file(), format: .xml).save("Bob", for: "name")
    #expect(try Data(contentsOf: folder.file()).starts(with: Data("bplist00".utf8)))
  }

  @Test func aNewFileIsXMLUnlessAskedOtherwise() throws {
    try PropertyListFileStore(url: folder.file("a")).save(1, for: "k")
    #expect(try Data(contentsOf: folder.file("a")).starts(with: Data("<?xml".utf8)))
    @Shared(.fileStorage(folder.file("b"), saving: .immediately)) var document = [1]
    document.append(2)
    #expect(try Data(contentsOf: folder.file("b")).starts(with: Data("<?xml".utf8)))
    try PropertyListFileStore(url: folder.file("c"), format: .json).save(1, for: "k")
    #expect(try String(contentsOf: folder.file("c"), encoding: .utf8).hasPrefix("{"))
    try PropertyListFileStore(url: folder.file("d"), format: .binary).save(1, for: "k")
    #expect(try Data(contentsOf: folder.file("d")).starts(with: Data("bplist00".utf8)))
    // An emptied file counts as new.
    try Data().write(to: folder.file("d"))
    try PropertyListFileStore(url: folder.file("d")).save(2, for: "k")
    #expect(try Data(contentsOf: folder.file("d")).starts(with: Data("<?xml".utf8)))
  }

  @Test(arguments: [PropertyListFileStore.Saving.immediately, .debounced(.seconds(60))])
  func whatAFormatCannotHoldIsAnError(_ saving: PropertyListFileStore.Saving) throws {
    try write("{\"name\": \"Ada\"}")
    let store = PropertyListFileStore(url: folder.file(), saving: saving)
    let date = store.reference(for: DefaultKey("date", default: Date.distantPast))
    date.value = .now
    #expect((date.error as? PlistError)?.code == .unrepresentableValue)
    #expect(throws: PlistError.self) { try store.save(.data(Data([1])), for: "data") }
    #expect(throws: PlistError.self) { try store.update { $0["date"] = .date(.now) } }
    try store.flush()
    #expect(try text() == "{\"name\": \"Ada\"}")
    let old = Data("{ name = Ada; }".utf8)
    try old.write(to: folder.file("old.plist"))
    let other = PropertyListFileStore(url: folder.file("old.plist"), saving: saving)
    #expect(throws: PlistError.self) { try other.save(1, for: "count") }
    #expect(try Data(contentsOf: folder.file("old.plist")) == old)
  }

  @Test(arguments: [PropertyListFileStore.Saving.immediately, .debounced(.seconds(60))])
  func aSavedValueIsPublishedAsTheFileGivesItBack(_ saving: PropertyListFileStore.Saving) throws {
    let store = PropertyListFileStore(url: folder.file(), saving: saving)
    let date = store.reference(for: DefaultKey("date", default: Date.distantPast))
    date.value = Date(timeIntervalSinceReferenceDate: 0.75)
    #expect(date.value == Date(timeIntervalSinceReferenceDate: 0))
    #expect(try store.load("date") == .date(date.value))
    try store.flush()
    #expect(try folder.contents() == ["date": .date(date.value)])
    try store.update { $0["other"] = .date(Date(timeIntervalSinceReferenceDate: 1.5)) }
    #expect(try store.load("other") == .date(Date(timeIntervalSinceReferenceDate: 1)))
    let binary = PropertyListFileStore(url: folder.file("binary"), format: .binary, saving: saving)
    let exact = binary.reference(for: DefaultKey("date", default: Date.distantPast))
    exact.value = Date(timeIntervalSinceReferenceDate: 0.75)
    #expect(exact.value == Date(timeIntervalSinceReferenceDate: 0.75))
  }

  // MARK: Files with one value

  private struct Note: Codable, Equatable, Sendable {
    var text = ""
    var date = Date.distantPast
    var data = Data()
  }

  /// A file as `FileStorageKey` of swift-sharing writes it.
  @Test func aDocumentOfSwiftSharing() throws {
    let notes = [Note(text: "a", date: Date(timeIntervalSinceReferenceDate: 0.5), data: Data([1, 2]))]
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    let before = try encoder.encode(notes)
    try before.write(to: folder.file())
    do {
      @Shared(.fileStorage(folder.file(), saving: .immediately)) var shown: [Note] = []
      #expect(shown == notes)
      #expect($shown.error == nil)
      // JSON has no dates, and is not to convert one unless asked to.
      shown.append(Note(text: "b"))
      #expect(($shown.error as? PlistError)?.code == .unrepresentableValue)
      #expect(try Data(contentsOf: folder.file()) == before)
    }
    @Shared(.fileStorage(folder.file(), saving: .immediately, coding: .json)) var shown: [Note] = []
    #expect(shown == notes)
    shown.append(Note(text: "b", date: Date(timeIntervalSinceReferenceDate: 1.5)))
    #expect($shown.error == nil)
    #expect(try JSONDecoder().decode([Note].self, from: Data(contentsOf: folder.file())) == shown)
    #expect(try text().contains("\"text\" : \"a\""))
    let copy = try folder.names().filter { $0 != "settings.plist" }
    #expect(copy == [])
  }

  @Test func singleValuesOfSwiftSharing() throws {
    func check<Value: Codable & Equatable & Sendable>(_ value: Value, default defaultValue: Value) throws {
      let url = folder.file("\(Value.self).json")
      try JSONEncoder().encode(value).write(to: url)
      @Shared(.fileStorage(url, coding: .json)) var shown = defaultValue
      #expect(shown == value)
    }
    try check("a\"b\u{e9}/", default: "")
    try check(42, default: 0)
    try check(true, default: false)
    try check(Date(timeIntervalSinceReferenceDate: 0.5), default: .distantPast)
    try check(["a": 1], default: [:])
    try check(URL(filePath: "/a b"), default: URL(filePath: "/"))
    let url = folder.file("date.json")
    try JSONEncoder().encode(Date(timeIntervalSinceReferenceDate: 0.5)).write(to: url)
    @Shared(.fileStorage(url)) var date = Date.distantPast
    #expect(date == Date(timeIntervalSinceReferenceDate: 0.5))
  }

  /// Only in JSON does a number stand for a date: other code stores seconds since 1970 as well as since 2001.
  @Test func aNumberIsNoDateElsewhere() {
    let store = InMemoryStore(["date": 5.0])
    #expect(store.reference(for: DefaultKey("date", default: Date.distantPast)).error != nil)
  }

  @Test func commentsAroundOneValueStay() throws {
    try write("<!-- top --><plist><array><integer>1</integer><!-- one --></array></plist>")
    @Shared(.fileStorage(folder.file(), saving: .immediately)) var numbers: [Int] = []
    numbers.append(2)
    #expect($numbers.error == nil)
    #expect(try text().contains("<!-- top -->"))
    #expect(try text().contains("<!-- one -->"))
    #expect(try PropertyList(contentsOf: folder.file()) == [1, 2])
  }

  // MARK: Permissions

  @Test func aFileWithoutWritePermissionIsNotReplaced() throws {
    try write(xml)
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: folder.file().path)
    let store = PropertyListFileStore(url: folder.file())
    let error = #expect(throws: DefaultsError.self) { try store.save(true, for: "debug") }
    #expect(error?.code == .unwritableFile)
    #expect(throws: DefaultsError.self) { try store.update { $0["debug"] = true } }
    #expect(try text() == xml)
  }
}
