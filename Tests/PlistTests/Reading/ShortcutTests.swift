import Foundation
import Plist
import PlistFuzzTargets
import Testing

@Suite struct ShortcutTests {
  private static func records() -> PropertyList {
    var random = SeededGenerator(seed: "records with shortcuts")
    let records = (0..<40).map { number in
      var record: PropertyListDictionary = [
        "identifier": .integer(PropertyListInteger(number)), "name": .string("Number \(number)"),
        "enabled": .boolean(number % 3 == 0), "score": .real(Double(number) / 7),
        "created": .date(Date(timeIntervalSinceReferenceDate: Double(number) * 86_400)),
        "tags": .array((0..<number % 4).map { .string("tag \($0)") }),
        "owner": ["id": .integer(PropertyListInteger(number * 1_000_003)), "e-mail": "user@example.com"],
        "note": .string(number % 5 == 0 ? "é & ü" : "plain text that takes more than eight bytes"),
        "token": .data(Data(repeating: UInt8(number), count: number)), "uid": .uid(PropertyListUID(7)),
      ]
      if Bool.random(using: &random) { record["name"] = nil }
      if number % 11 == 0 { record["ünï"] = "key beyond ASCII" }
      return PropertyList.dictionary(record)
    }
    return ["records": .array(records), "numbers": .array((0..<100).map { .integer(PropertyListInteger($0)) })]
  }

  private static let rounds = isThorough ? 400 : 150

  @Test func theLongWayFindsTheSameInXML() throws {
    let original = try Self.records().data(format: .xml)
    var random = SeededGenerator(seed: "mutated records")
    for round in 0..<Self.rounds {
      var document = original
      if round > 0 { document = Mutation.apply(to: document, using: &random) }
      let whole = EventOutcome.ofWhole(document, options: PlistReadOptions())
      let (chunks, _) = EventOutcome.ofChunks(document.chunks(of: 512), options: PlistReadOptions())
      #expect(chunks.agrees(with: whole), "round \(round): \(chunks.error ?? "") instead of \(whole.error ?? "")")
      try Self.expectSameValue(of: document, "round \(round)")
    }
  }

  @Test func theLongWayFindsTheSameInBinary() throws {
    let original = try Self.records().data(format: .binary)
    var random = SeededGenerator(seed: "mutated records")
    for round in 0..<Self.rounds {
      var document = original
      if round > 0 { document = Mutation.apply(to: document, using: &random) }
      try Self.expectSameValue(of: document, "round \(round)")
    }
  }

  private static func expectSameValue(of document: Data, _ round: String) throws {
    let limits = PlistLimits(maximumValueCount: 20_000)
    func value(_ options: PlistReadOptions) -> Result<PropertyList, PlistError> {
      do { return .success(try PropertyList(parsing: document, options: options)) } catch { return .failure(error) }
    }
    let direct = value(PlistReadOptions(limits: limits))
    let token = value(PlistReadOptions(limits: limits, duplicateKeys: .refuse))
    let node = Result { () throws(PlistError) in
      try PlistDocument(parsing: document, options: PlistReadOptions(limits: limits)).root.propertyList()
    }
    switch direct {
    case .success(let value):
      if case .failure(let error) = token { #expect(error.code == .duplicateKey, "\(round)") }
      if case .success(let other) = token { #expect(value == other, "\(round)") }
      #expect((try? node.get()) == value, "\(round)")
    case .failure(let error):
      if case .failure(let other) = token, other.code != .duplicateKey {
        #expect("\(other)" == "\(error)", "\(round)")
      } else if case .success = token {
        Issue.record("\(round): read where it is not in order: \(error)")
      }
      if case .success = node { Issue.record("\(round): read as a node where it is not in order: \(error)") }
    }
  }
}
