import Foundation
import Plist
import PlistFuzzTargets
import Testing

struct MutationTests {
  /// How often each fixture is mutated; `PLIST_MUTATIONS` overrides it.
  static let rounds = ProcessInfo.processInfo.environment["PLIST_MUTATIONS"].flatMap { Int($0) } ?? 12

  static let fixtures: [Fixture] = {
    let all = (try? FixtureFolder.allPropertyLists()) ?? []
    return all.filter { ((try? $0.data().count) ?? .max) < 3_000 }
  }()

  @Test(arguments: fixtures)
  func eventsAndValuesAgree(_ fixture: Fixture) throws {
    let original = try fixture.data()
    var random = SeededGenerator(seed: fixture.path)
    let options = PlistReadOptions(limits: PlistLimits(maximumValueCount: 20_000))
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
