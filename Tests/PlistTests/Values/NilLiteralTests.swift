import Plist
import Testing

/// What `nil` means where both no value and a null would do.
@Suite struct NilLiteralTests {
  let list: PropertyList = ["a": 1, "null": nil]

  @Test func nilIsNoValueWhereAnOptionalIsExpected() {
    func pick(_ flag: Bool) -> PropertyList? { if flag { list } else { nil } }
    func pickNone(_ flag: Bool) -> PropertyList? { flag ? list : .none }
    #expect(pick(false)?.kind == .none)
    #expect(pickNone(false)?.kind == .none)
  }

  @Test func nilBesideAPropertyListIsNull() {
    func pick(_ flag: Bool) -> PropertyList? { flag ? list : nil }
    #expect(pick(false)?.kind == .null)
  }

  @Test func comparisons() {
    #expect(list["missing"] == nil)
    #expect(list["null"] != nil)
    #expect(list["null"]?.isNull == true)
    #expect(list["null"] == .some(.null))
  }

  @Test func assigning() {
    var copy = list
    copy["a"] = nil
    copy["null"] = nil
    copy["new"] = .null
    #expect(copy == ["new": nil])
  }
}
