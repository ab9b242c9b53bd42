import Plist
import Testing

@Suite struct OptionalTests {
  let list: PropertyList = ["a": 1, "null": .null]

  @Test func nilIsNoValue() {
    func pick(_ flag: Bool) -> PropertyList? { flag ? list : nil }
    #expect(pick(false)?.kind == .none)
    #expect([1, 2].compactMap { $0 == 1 ? list : nil }.count == 1)
    var copy = list
    copy["a"] = Bool.random() ? nil : nil
    #expect(copy == ["null": .null])
  }

  @Test func nullIsAValue() {
    #expect(list["missing"] == nil)
    #expect(list["null"] != nil)
    #expect(list["null"] == .null)
  }
}
