import Foundation
import Plist
import PlistFuzzTargets
import Testing

struct LimitTests {
  static let nestings = [
    NestedDocument.xmlArrays, .xmlDictionaries, .binaryArrays, .binaryDictionaries, .openStepArrays,
    .openStepDictionaries, .jsonArrays, .jsonDictionaries,
  ]

  @Test(arguments: nestings)
  func depthIs512ByDefault(_ nested: NestedDocument) {
    expectAccepted(nested.document(depth: 512))
    expectRefused(nested.document(depth: 513), .depthLimit)
  }

  @Test(arguments: nestings, [0, 1, 2, 600, 2_000])
  func depthCanBeChosen(_ nested: NestedDocument, depth: Int) {
    let options = PlistReadOptions(limits: PlistLimits(maximumDepth: depth))
    if depth > 0 { expectAccepted(nested.document(depth: depth), options) }
    expectRefused(nested.document(depth: depth + 1), .depthLimit, options)
  }

  @Test(arguments: nestings, [2_001, 100_000, Int.max])
  func depthIsCapped(_ nested: NestedDocument, depth: Int) {
    let options = PlistReadOptions(limits: PlistLimits(maximumDepth: depth))
    expectAccepted(nested.document(depth: PlistLimits.maximumSupportedDepth), options)
    expectRefused(nested.document(depth: PlistLimits.maximumSupportedDepth + 1), .depthLimit, options)
  }

  @Test("Nested plist elements side by side are not deeper than one of them")
  func nestedPropertyLists() {
    let nested = String(repeating: "<plist><true/></plist>", count: 10)
    let options = PlistReadOptions(limits: PlistLimits(maximumDepth: 3))
    expectAccepted(Data("<plist><array>\(nested)</array></plist>".utf8), options)
  }

  @Test(arguments: [0, -1, Int.min])
  func depthOfNothingAllowsScalars(depth: Int) {
    let options = PlistReadOptions(limits: PlistLimits(maximumDepth: depth))
    expectAccepted(Data("<true/>".utf8), options)
    expectRefused(Data("<array/>".utf8), .depthLimit, options)
  }

  @Test(arguments: nestings)
  func deepestOnASmallStack(_ nested: NestedDocument) {
    let document = nested.document(depth: PlistLimits.maximumSupportedDepth)
    let options = PlistReadOptions(limits: PlistLimits(maximumDepth: PlistLimits.maximumSupportedDepth))
    let isRead = SmallStack.run {
      guard let first = try? PropertyList(parsing: document, options: options),
        let second = try? PropertyList(parsing: document, options: options)
      else { return false }
      return first == second && first.hashValue == second.hashValue && !first.description.isEmpty
        && Reading.eventsError(document, options: options) == nil
    }
    #expect(isRead)
  }

  @Test func emptyContainersCountForDepth() {
    let options = PlistReadOptions(limits: PlistLimits(maximumDepth: 1))
    expectAccepted(Data("<array/>".utf8), options)
    expectRefused(Data("<array><dict/></array>".utf8), .depthLimit, options)
    expectRefused(Data("<array><array></array></array>".utf8), .depthLimit, options)
  }

  @Test(arguments: ["app-info.xml", "app-info.binary"])
  func documentSize(_ name: String) throws {
    let document = try Data(contentsOf: FixtureFolder.valid.url.appending(path: name + ".plist"))
    expectAccepted(document, PlistReadOptions(limits: PlistLimits(maximumByteCount: document.count)))
    expectRefused(
      document, .documentSizeLimit, PlistReadOptions(limits: PlistLimits(maximumByteCount: document.count - 1)))
  }

  /// An array of 9 elements counts as 10 values, since it is one itself.
  @Test(arguments: [
    Data("<array>\(String(repeating: "<true/>", count: 9))</array>".utf8),
    Data("(\(String(repeating: "a,", count: 9)))".utf8),
    Data("a=b;b=c;c=d;d=e;e;f;g;h;i;".utf8),
    Data("[null\(String(repeating: ",1", count: 8))]".utf8),
    BinaryDocument([[0xA9] + (1...9).map { UInt8($0) }] + Array(repeating: [0x09], count: 9)).data,
    BinaryDocument([[0xA9] + Array(repeating: 1, count: 9), [0x09]]).data,
  ])
  func expandedObjects(_ document: Data) {
    expectAccepted(document, PlistReadOptions(limits: PlistLimits(maximumValueCount: 10)))
    expectRefused(document, .expandedObjectsLimit, PlistReadOptions(limits: PlistLimits(maximumValueCount: 9)))
    expectRefused(document, .expandedObjectsLimit, PlistReadOptions(limits: PlistLimits(maximumValueCount: 0)))
  }

  @Test func sharedExpansion() {
    let document = BinaryDocument.laughs(width: 14, levels: 2, leaf: [0x09]).data
    let values = 1 + 14 + 14 * 14
    let enough = values - document.count
    expectAccepted(document, PlistReadOptions(limits: PlistLimits(maximumExpansion: enough)))
    expectRefused(document, .expandedObjectsLimit, PlistReadOptions(limits: PlistLimits(maximumExpansion: enough - 1)))
    expectRefused(document, .expandedObjectsLimit, PlistReadOptions(limits: PlistLimits(maximumExpansion: Int.min)))
  }

  @Test(arguments: [
    BinaryDocument.laughs(width: 14, levels: 10, leaf: [0x51, 0x61]),
    .laughs(width: 14, levels: 10, leaf: [0xA0]),
    .laughs(width: 14, levels: 10, leaf: [0x41, 0x00]),
    .laughs(width: 2, levels: 500, leaf: [0x09]),
    .laughs(width: 2, levels: 500, leaf: [0xD0]),
    .dictionaryLaughs(levels: 100),
  ])
  func bombsEnd(_ bomb: BinaryDocument) {
    #expect(throws: PlistError.self) { try PropertyList(parsing: bomb.data) }
    let options = PlistReadOptions(limits: PlistLimits(maximumExpansion: 1 << 16))
    expectRefused(bomb.data, .expandedObjectsLimit, options)
  }

  @Test func bombsEndByDefault() {
    expectRefused(BinaryDocument.laughs(width: 14, levels: 10, leaf: [0x51, 0x61]).data, .expandedObjectsLimit)
  }

  @Test func sharingIsNoBomb() {
    expectAccepted(BinaryDocument.laughs(width: 14, levels: 4, leaf: [0x09]).data)
    expectAccepted(BinaryDocument.laughs(width: 1, levels: 500, leaf: [0x09]).data)
    expectRefused(BinaryDocument.laughs(width: 1, levels: 513, leaf: [0x09]).data, .depthLimit)
    expectRefused(BinaryDocument.laughs(width: 2, levels: 513, leaf: [0x09]).data, .depthLimit)
  }

  private func expectAccepted(
    _ document: Data, _ options: PlistReadOptions = PlistReadOptions(), at location: SourceLocation = #_sourceLocation
  ) {
    #expect(throws: Never.self, sourceLocation: location) { try PropertyList(parsing: document, options: options) }
    #expect(Reading.eventsError(document, options: options) == nil, sourceLocation: location)
  }

  private func expectRefused(
    _ document: Data, _ code: PlistError.Code, _ options: PlistReadOptions = PlistReadOptions(),
    at location: SourceLocation = #_sourceLocation
  ) {
    let error = #expect(throws: PlistError.self, sourceLocation: location) {
      _ = try PropertyList(parsing: document, options: options)
    }
    #expect(error?.code == code, sourceLocation: location)
    #expect(Reading.eventsError(document, options: options)?.code == code, sourceLocation: location)
  }
}
