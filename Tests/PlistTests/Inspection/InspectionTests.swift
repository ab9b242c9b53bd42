import Foundation
import Plist
import PlistFuzzTargets
import Testing

struct InspectionTests {
  static let fixtures = (try? FixtureFolder.allPropertyLists()) ?? []

  @Test func fixturesAreThere() { #expect(Self.fixtures.count > 400) }

  @Test(arguments: fixtures)
  func agreesWithReading(_ fixture: Fixture) throws { try check(fixture.data()) }

  @Test(arguments: try SharedCase.all(.xml, .binary, .openstep))
  func agreesWithReadingSharedCases(_ shared: SharedCase) throws {
    if shared.expectation != .bounded { try check(shared.data) }
  }

  @Test(arguments: UInt64(900)..<(isThorough ? 930 : 910), [PlistFormat.xml, .binary, .openStep, .json])
  func mutations(seed: UInt64, format: PlistFormat) throws {
    var generator = SeededGenerator(seed: seed)
    let value = PropertyList.array([.random(using: &generator, depth: 4), ["k": [1, 2.5, true, "text"]]])
    let options = PlistWriteOptions(unrepresentable: .convert)
    guard let document = try? value.data(format: format, options: options) else { return }
    for _ in 0..<20 {
      var mutated = document
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        let offset = Int.random(in: 0..<mutated.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: mutated[offset] = UInt8.random(in: 0...255, using: &generator)
        case 1: mutated.remove(at: offset)
        default: mutated.insert(contentsOf: Array("<x/>&\"}9".utf8).shuffled(using: &generator).prefix(2), at: offset)
        }
      }
      try check(mutated)
    }
  }

  private func check(_ document: Data) throws {
    for isStrict in [false, true] {
      let inspection = PlistInspection(document, isStrict: isStrict)
      let errors = inspection.findings.filter(\.isError)
      do {
        _ = try PropertyList(parsing: document)
        #expect(errors.isEmpty, "\(errors.map(\.error))")
      } catch {
        let first = try #require(errors.first?.error, "not found: \(error)")
        #expect(first.code == error.code)
        #expect(first.offset == error.offset)
        #expect(first.path == error.path)
        #expect(first.message == error.message)
      }
      let places = inspection.findings.map { $0.error.description }
      #expect(Set(places).count == places.count, "reported twice: \(places)")
    }
  }

  @Test(arguments: UInt64(930)..<960, [PlistFormat.xml, .binary, .openStep, .json])
  func duplicateKeys(seed: UInt64, format: PlistFormat) throws {
    var generator = SeededGenerator(seed: seed)
    let names = (0..<Int.random(in: 1...40, using: &generator)).map { _ in
      "key & \(Int.random(in: 0..<60, using: &generator)) é"
    }
    var events: [PlistEvent] = [.beginDictionary]
    for name in names { events += [.key(PlistText(name)), .beginArray, .beginDictionary, .endDictionary, .endArray] }
    events.append(.endDictionary)
    let document = try Self.document(events, format)
    let inspection = PlistInspection(document)
    #expect(!inspection.hasErrors)
    #expect(inspection.findings.count == names.count - Set(names).count)
    let refusing = PlistReadOptions(duplicateKeys: .refuse)
    let isRefused = (try? PropertyList(parsing: document, options: refusing)) == nil
    #expect(isRefused == (Set(names).count < names.count))
    if isRefused {
      let error = #expect(throws: PlistError.self) { try PropertyList(parsing: document, options: refusing) }
      #expect(error?.offset == inspection.findings.first?.error.offset)
    }
  }

  @Test("The value after an element that cannot be a key has an empty key in the paths of later findings")
  func pathsAfterUnknownElements() {
    let document = Data("<plist><dict><name>a</name><array><integer>x</integer></array></dict></plist>".utf8)
    let errors = PlistInspection(document).findings.map(\.error)
    #expect(errors.map(\.code) == [.unknownElement, .invalidInteger])
    #expect(errors.last?.path == PropertyListPath(components: ["", "0"]))
  }

  @Test("In a binary dictionary, an invalid key after an invalid value is found too")
  func invalidKeyAfterInvalidValue() {
    let document = BinaryDocument([[0xD2, 1, 2, 3, 4], [0x51, 0x61], [0x10, 5], [0xF0], [0x09]])
    let codes = PlistInspection(document.data).findings.map(\.error.code)
    #expect(codes == [.invalidObject, .invalidKey])
  }

  @Test(
    "A strict inspection names the character that XML does not allow",
    arguments: [("\0", "a NUL"), ("\u{1}", "U+0001")])
  func forbiddenCharacters(_ character: String, _ name: String) throws {
    let document = try PropertyList.array([.string("a" + character)]).data(format: .binary)
    let messages = PlistInspection(document, isStrict: true).findings.map(\.error.message)
    #expect(messages.count == 1 && messages.allSatisfy { $0.contains(name) })
  }

  private static func document(_ events: [PlistEvent], _ format: PlistFormat) throws -> Data {
    var writer = PlistEventWriter(to: Data(), format: format)
    for event in events { try writer.write(event) }
    return try writer.finish()
  }
}
