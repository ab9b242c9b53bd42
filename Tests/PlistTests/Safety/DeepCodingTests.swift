import PlistFuzzTargets
import Testing

/// On stacks of 512 KiB, the size of secondary threads in apps on Apple's systems.
struct DeepCodingTests {
  @Test func valuesOrErrors() {
    let outcomes = DeepCoding.outcomes()
    #expect(outcomes.count == 60)
    for outcome in outcomes { #expect(outcome.isSound, "\(outcome)") }
    let large = DeepCoding.outcomes(levels: isThorough ? 500 : 200, kibibytes: 64 * 1024)
    for outcome in large where !outcome.name.hasSuffix("DeepTable, encoded") {
      #expect(outcome.isSound && !outcome.result.hasPrefix("the error"), "\(outcome)")
    }
  }
}
