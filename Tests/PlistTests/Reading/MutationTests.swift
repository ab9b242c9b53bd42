import Foundation
import Plist
import Testing

/// Fixtures with bytes changed, removed, repeated and moved: whatever comes of them, nothing traps, and events and
/// values agree on the verdict.
///
/// The mutations are the same in every run.
@Suite(.timeLimit(.minutes(2))) struct MutationTests {
  /// How many mutations of each fixture are read; `PLIST_MUTATIONS` in the environment asks for another number.
  static let rounds = ProcessInfo.processInfo.environment["PLIST_MUTATIONS"].flatMap { Int($0) } ?? 12

  /// Small documents, which leave more of the mutations meaningful.
  static let fixtures: [Fixture] = {
    let all = (try? FixtureFolder.allPropertyLists()) ?? []
    return all.filter { ((try? $0.data().count) ?? .max) < 3_000 }
  }()

  @Test(arguments: fixtures)
  func eventsAndValuesAgree(_ fixture: Fixture) throws {
    let original = try fixture.data()
    // Seeded by the name, so that adding a fixture changes no other one's mutations.
    var random = SeededGenerator(seed: fixture.path)
    // A low limit: mutations of bombs are bombs, and events cost time.
    let options = PlistReadOptions(limits: PlistLimits(expandedObjects: 20_000))
    for round in 0..<Self.rounds {
      let mutation = Mutation.apply(to: original, using: &random)
      let value = Result { try PropertyList(parsing: mutation, options: options) }
      let error = Reading.eventsError(mutation, options: options)
      switch value {
      case .success:
        #expect(error == nil, "round \(round): \(mutation.base64EncodedString())")
      case .failure(let refusal):
        let refusal = try #require(refusal as? PlistError)
        #expect(error?.code == refusal.code, "round \(round), \(refusal): \(mutation.base64EncodedString())")
        #expect(Reading.flaws(of: refusal, in: mutation) == [], "round \(round): \(mutation.base64EncodedString())")
      }
    }
  }
}

/// Ways to damage a document.
enum Mutation {
  /// The document with one to three small changes.
  static func apply(to document: Data, using random: inout SeededGenerator) -> Data {
    var bytes = Array(document)
    for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      let end = min(bytes.count, place + Int.random(in: 1...8, using: &random))
      switch Int.random(in: 0..<7, using: &random) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 2: bytes.removeSubrange(place..<end)
      case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
      case 4: bytes[place] = Self.interesting.randomElement(using: &random) ?? 0
      case 5: bytes.swapAt(place, Int.random(in: 0..<bytes.count, using: &random))
      // The ends of binary documents are where they are most sensitive.
      default: bytes[max(0, bytes.count - 1 - place % 48)] = Self.interesting.randomElement(using: &random) ?? 0
      }
    }
    return Data(bytes)
  }

  /// Bytes that mean something in one format or the other.
  private static let interesting: [UInt8] =
    Array("<>&;/!?-[]\"'= \n\t0x1".utf8) + [
      0x00, 0x01, 0x08, 0x0F, 0x13, 0x14, 0x7F, 0x80, 0xA1, 0xBF, 0xD1, 0xDF, 0xFF,
    ]
}
