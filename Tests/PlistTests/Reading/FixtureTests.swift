import Foundation
import Plist
import Testing

@Suite struct FixtureTests {
  @Test(arguments: try FixtureFolder.valid.files(endingIn: ".xml.plist"))
  func validXML(_ fixture: Fixture) throws {
    try expectEvents(of: fixture)
  }

  @Test(arguments: try FixtureFolder.valid.files(endingIn: ".binary.plist"))
  func validBinary(_ fixture: Fixture) throws {
    try expectEvents(of: fixture)
  }

  @Test(arguments: try FixtureFolder.encodings.files(endingIn: ".plist"))
  func encodings(_ fixture: Fixture) throws {
    try expectEvents(of: fixture)
  }

  @Test(arguments: try FixtureFolder.texts)
  func validText(_ fixture: Fixture) throws {
    try expectEvents(of: fixture)
  }

  private func expectEvents(of fixture: Fixture) throws {
    let expected = try #require(try fixture.sibling(".events").text(), "no transcript beside \(fixture)")
    let document = try fixture.data()
    #expect(try EventTranscript.text(of: document) == expected)
    #expect(throws: Never.self) { try PropertyList(parsing: document) }
  }

  @Test(arguments: try FixtureFolder.valid.files(endingIn: ".xml.plist"))
  func bothFormsAreTheSameValue(_ fixture: Fixture) throws {
    let binary = fixture.sibling(".binary.plist")
    guard FileManager.default.fileExists(atPath: binary.url.path) else { return }
    let (left, right) = (try PropertyList(parsing: fixture.data()), try PropertyList(parsing: binary.data()))
    #expect(left == right)
    #expect(ValueNotation.text(left) == ValueNotation.text(right))
  }

  @Test(arguments: try FixtureFolder.invalid.files(endingIn: ".plist"))
  func invalid(_ fixture: Fixture) throws {
    let document = try fixture.data()
    let error = try #require(throws: PlistError.self) { try PropertyList(parsing: document) }
    #expect(Reading.flaws(of: error, in: document) == [])
    let summary = Reading.summary(of: error) + "\n"
    let golden = fixture.sibling(".error")
    if let expected = try golden.text() {
      #expect(summary == expected)
    } else if ProcessInfo.processInfo.environment["PLIST_RECORD"] != nil {
      try summary.write(to: golden.url, atomically: true, encoding: .utf8)
    } else {
      Issue.record("no \(golden); run with PLIST_RECORD=1 and review it")
    }
    let options = PlistReadOptions(limits: PlistLimits(maximumExpansion: 1 << 16))
    let events = try #require(
      Reading.eventsError(document, options: options), "the events are read without an error")
    #expect(events.code == error.code)
    if error.category != .limit { #expect(Reading.summary(of: events) + "\n" == summary) }
  }

  @Test func everyRecordedErrorHasItsDocument() throws {
    let documents = Set(try FixtureFolder.invalid.files(endingIn: ".plist").map(\.name))
    let errors = Set(try FixtureFolder.invalid.files(endingIn: ".error").map(\.name))
    #expect(errors.subtracting(documents) == [])
  }

  @Test(arguments: try Divergence.table().values.sorted { $0.file < $1.file })
  func divergences(_ row: Divergence) throws {
    let document = try Data(contentsOf: FixtureFolder.root.appending(path: row.file))
    let outcome = Reading.value(document)
    #expect(outcome.isAccepted ? outcome.description == row.here : row.here == "reject", "\(row.file): \(outcome)")
    let options = PlistReadOptions(limits: PlistLimits(maximumExpansion: 1 << 16))
    #expect((Reading.eventsError(document, options: options) == nil) == outcome.isAccepted)
  }
}
