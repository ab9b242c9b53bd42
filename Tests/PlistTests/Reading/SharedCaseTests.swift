import Foundation
import Plist
import Testing

struct SharedCaseTests {
  @Test(arguments: try SharedCase.all(.xml, .binary, .openstep))
  func endsAsExpected(_ shared: SharedCase) throws {
    let outcome = Reading.value(shared.data)
    switch shared.expectation {
    case .accept:
      #expect(outcome.isAccepted, "\(outcome)")
      let value = shared.value?.replacing(#"\\"#, with: #"\u{5c}"#).replacing(#"\""#, with: #"\u{22}"#)
      if let value { #expect(outcome.description == "accept \(value)") }
    case .reject: #expect(!outcome.isAccepted, "\(outcome)")
    case .either, .bounded: break
    }
    let error = Reading.eventsError(shared.data)
    #expect((error == nil) == outcome.isAccepted, "events: \(String(describing: error)), value: \(outcome)")
  }

  @Test(arguments: try SharedCase.all(.xml, .binary, .openstep))
  func errorsSayWhatAndWhere(_ shared: SharedCase) throws {
    do {
      _ = try PropertyList(parsing: shared.data)
    } catch {
      #expect(Reading.flaws(of: error, in: shared.data) == [], "\(error)")
    }
  }
}
