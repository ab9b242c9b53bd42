import Foundation
import Plist
import PlistFuzzTargets
import Testing

struct FoundationComparisonTests {
  static let foundation = PlistWriteOptions(
    sortedKeys: true, realStyle: .foundation, xml: .init(carriageReturns: .raw))

  @Test(arguments: UInt64(0)..<60)
  func randomValues(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    try check(PropertyList.random(using: &generator, depth: 5))
  }

  @Test(arguments: try FixtureFolder.valid.files(endingIn: ".xml.plist"))
  func fixtures(_ fixture: Fixture) throws {
    let value = try PropertyList(parsing: fixture.data())
    guard try !fixture.isDivergence else { return }
    try check(value)
  }

  @Test(arguments: CorpusTests.files)
  func corpus(_ path: String) throws {
    guard CorpusTests.differences[path] == nil, let folder = SharedCase.folder else { return }
    let document = try Data(contentsOf: folder.appending(path: "corpus/\(path)"))
    try checkIfReadable(document)
  }

  @Test(arguments: try SharedCase.all(.xml, .binary))
  func sharedCases(_ shared: SharedCase) throws {
    guard shared.expectation == .accept, shared.foundation == "accept" else { return }
    try checkIfReadable(shared.data)
  }

  private func checkIfReadable(_ document: Data) throws {
    guard let value = try? PropertyList(parsing: document), (try? value.data(format: .xml)) != nil else { return }
    guard FoundationReading(document).verdict != "reject" else { return }
    try check(value)
  }

  private func check(_ value: PropertyList) throws {
    let binary = try value.data(format: .binary)
    var format = PropertyListSerialization.PropertyListFormat.xml
    let foundation = try unsafe PropertyListSerialization.propertyList(from: binary, options: [], format: &format)
    #expect(format == .binary)
    #expect(try PropertyList(parsing: binary) == value)

    let xml = try value.data(format: .xml, options: Self.foundation)
    let foundationXML = try PropertyListSerialization.data(fromPropertyList: foundation, format: .xml, options: 0)
    #expect(String(decoding: xml, as: UTF8.self) == String(decoding: foundationXML, as: UTF8.self))
    #expect(xml == foundationXML)

    let foundationBinary = try PropertyListSerialization.data(
      fromPropertyList: foundation, format: .binary, options: 0)
    #expect(binary.count <= foundationBinary.count)
  }
}

extension Fixture {
  fileprivate var isDivergence: Bool {
    get throws { try Divergence.table()[path] != nil }
  }
}
