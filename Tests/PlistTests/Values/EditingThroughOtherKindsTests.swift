import Foundation
import Plist
import Testing

/// Setters on a value of unknown shape: nothing may trap.
struct EditingThroughOtherKindsTests {
  static let values: [PropertyList] = [
    [1, 2], ["a": "text", "list": [1]], "text", 5, true, .null, .data(Data([1])),
    .date(Date(timeIntervalSinceReferenceDate: 0)),
  ]

  @Test(arguments: values)
  func nothingIsSet(_ value: PropertyList) {
    var copy = value
    if copy.dictionary == nil {
      copy["lastOpened"] = 1
      copy["a"]?["b"] = 1
      copy["a", default: [:]]["b"] = 1
      #expect(copy == value)
    } else {
      copy["a"]?["b"] = 1
      copy["a"]?[0] = 1
      copy["list"]?["b"] = 1
      #expect(copy == value)
    }
    if copy.array == nil { copy[0] = 1 }
    copy[7] = 1
    copy[-1] = 1
    copy[PropertyListPath("list.5")] = 1
    copy[PropertyListPath("a.b.c")] = 1
    #expect(copy == value || value.isNull && copy == ["list": ["5": 1], "a": ["b": ["c": 1]]])
  }

  @Test func settingThrows() {
    var value: PropertyList = ["a": "text"]
    for path: PropertyListPath in ["a.b", "a.0"] {
      let error = #expect(throws: PlistError.self) { try value.set(1, at: path) }
      #expect(error?.code == .unreachablePath)
    }
    #expect(value == ["a": "text"])
  }

  @Test func defaults() {
    var list: PropertyList = ["count": 1]
    list["launches", default: 0] = PropertyList((list["launches"]?.int ?? 0) + 1)
    list["names", default: []][0] = "first"
    list["names", default: []][1] = "second"
    list["inner", default: [:]]["key"] = true
    #expect(list == ["count": 1, "launches": 1, "names": ["first", "second"], "inner": ["key": true]])
    #expect(list["missing", default: "none"] == "none")
    #expect((5 as PropertyList)["missing", default: "none"] == "none")
  }

  @Test func wholeNumbersAreDoubles() throws {
    #expect((1 as PropertyList).double == 1 && (-3 as PropertyList).double == -3 && (1.5 as PropertyList).double == 1.5)
    #expect((9_007_199_254_740_993 as PropertyList).double == nil)
    #expect(("1" as PropertyList).double == nil && (true as PropertyList).double == nil)
    for format in [PlistFormat.xml, .binary, .json] {
      let list: PropertyList = [1, -3, 1.5, 9_007_199_254_740_993]
      let root = try PlistDocument(parsing: list.data(format: format)).root
      #expect(root.array?.map(\.double) == [1, -3, 1.5, nil])
    }
  }
}
