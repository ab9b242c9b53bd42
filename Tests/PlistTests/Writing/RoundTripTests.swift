import Foundation
import Plist
import PlistFuzzTargets
import Testing

struct RoundTripTests {
  @Test(arguments: try FixtureFolder.valid.files(endingIn: ".xml.plist"))
  func fixtures(_ fixture: Fixture) throws {
    try check(PropertyList(parsing: fixture.data()))
  }

  @Test(arguments: UInt64(100)..<160)
  func randomValues(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    try check(PropertyList.random(using: &generator, depth: 5))
  }

  private func check(_ first: PropertyList) throws {
    let xml = try first.data(format: .xml)
    #expect(try PropertyList(parsing: xml) == first)
    let binary = try PropertyList(parsing: xml).data(format: .binary)
    let second = try PropertyList(parsing: binary)
    #expect(second == first)
    #expect(try second.data(format: .xml) == xml)
    #expect(try second.data(format: .binary) == binary)
  }

  func orderOfKeysIsKept(_ fixture: Fixture) throws {
    let value = try PropertyList(parsing: fixture.data())
    let again = try PropertyList(parsing: value.data(format: .binary))
    #expect(try again.data(format: .xml) == value.data(format: .xml))
  }

  @Test(arguments: try FixtureFolder.valid.files(endingIn: ".xml.plist"))
  func eventsWriteWhatValuesWrite(_ fixture: Fixture) throws {
    let data = try fixture.data()
    let value = try PropertyList(parsing: data)
    var xml = PlistEventWriter(to: Data(), format: .xml)
    var binary = PlistEventWriter(to: Data(), format: .binary)
    var reader = try PlistEventReader(parsing: data)
    while let event = try reader.next() {
      try xml.write(event)
      try binary.write(event)
    }
    #expect(try xml.finish() == value.data(format: .xml))
    #expect(try binary.finish() == value.data(format: .binary))
  }
}
