import Foundation
import Plist
import Testing

/// This package and Foundation agree on every fixture not listed in `Fixtures/Divergences/divergences.tsv`.
@Suite struct DifferentialTests {
  private static let table = Result { try Divergence.table() }

  @Test(arguments: try FixtureFolder.allPropertyLists())
  func sameAsFoundation(_ fixture: Fixture) throws {
    let row = try Self.table.get()[fixture.path]
    guard row?.foundationSurvives ?? true else { return }
    let document = try fixture.data()
    let outcome = Reading.value(document)
    let here = outcome.isAccepted ? outcome.description : "reject"
    let foundation = FoundationReading(document).verdict
    guard let row else {
      #expect(here == foundation, "differs and is not listed")
      return
    }
    switch row.foundation {
    case "varies": #expect(foundation.hasPrefix("accept"))
    case "accept": #expect(foundation.hasPrefix("accept") && foundation != here, "no longer differs as listed")
    default:
      #expect(foundation == row.foundation)
      #expect(foundation != here, "listed, but no longer differs")
    }
  }

  @Test func everyListedFileExists() throws {
    let files = Set(try FixtureFolder.allPropertyLists().map(\.path))
    #expect(Set(try Self.table.get().keys).subtracting(files) == [])
  }
}
