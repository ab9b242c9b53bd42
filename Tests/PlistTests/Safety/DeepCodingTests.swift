import PlistFuzzTargets
import Testing

/// Values of 500 levels on the stack of 512 KiB that an app's secondary threads have.
struct DeepCodingTests {
  @Test func valuesOrErrors() {
    let outcomes = DeepCoding.outcomes()
    #expect(outcomes.count == 60)
    for outcome in outcomes { #expect(outcome.isSound, "\(outcome)") }
    // On a large stack, all outcomes are values. The exception is a type whose encoding uses two calls for each level,
    // since the encoder's limit counts calls.
    let large = DeepCoding.outcomes(levels: isThorough ? 500 : 200, kibibytes: 64 * 1024)
    for outcome in large where !outcome.name.hasSuffix("DeepTable, encoded") {
      #expect(outcome.isSound && !outcome.result.hasPrefix("the error"), "\(outcome)")
    }
  }
}
