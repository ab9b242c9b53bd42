import Testing

@testable import Plist

@Suite struct PropertyListSubscriptTests {
  let list: PropertyList = ["servers": [["port": 80], ["port": 81]], "0": ["x": 1], "": "empty", "a.b": true]

  @Test(
    arguments: [
      ("servers.0.port", 80), ("servers.1.port", 81), ("0.x", 1), (#"\"#, "empty"), (#"a\.b"#, true),
      ("servers.2.port", nil), ("servers.-1", nil), ("servers.00.port", nil), ("servers.x", nil), ("a.b", nil),
      ("0.x.y", nil), ("servers.99999999999999999999", nil), (".", nil), ("servers.", nil),
    ] as [(String, PropertyList?)])
  func readsPaths(path: String, value: PropertyList?) {
    #expect(list[PropertyListPath(path)] == value)
  }

  @Test func rootPath() {
    var copy = list
    #expect(copy[PropertyListPath()] == list)
    copy[PropertyListPath()] = [1]
    #expect(copy == [1])
    copy[PropertyListPath()] = nil
    #expect(copy.isNull)
  }

  @Test func writesKeysAndElements() {
    var copy = list
    copy["new"] = "n"
    copy["servers"]?[0]?["port"] = 8080
    copy["servers"]?[2] = "appended"
    copy["servers"]?[1] = nil
    copy["0"] = nil
    #expect(copy == ["servers": [["port": 8080], "appended"], "": "empty", "a.b": true, "new": "n"])
    #expect(copy.dictionary?.keys.map(\.self) == ["servers", "", "a.b", "new"])
    #expect(list["servers"]?[0]?["port"] == 80, "a copy is independent")
  }

  @Test func nilInNothingIsNoChange() {
    var copy = list
    copy["missing"] = nil
    copy["missing"]?["deeper"] = 1
    copy["servers"]?[7] = nil
    copy["servers"]?[-1] = nil
    copy["a.b"]?["key"] = nil
    copy["a.b"]?[0] = nil
    copy["a.b"]?["key"]?["deeper"] = 1
    copy["x.y.z" as PropertyListPath] = nil
    copy["servers.9.z" as PropertyListPath] = nil
    copy[#"a\.b.z"# as PropertyListPath] = nil
    #expect(copy == list)
    #expect(copy.dictionary?.keys == list.dictionary?.keys)
  }

  @Test func writesPaths() {
    var copy: PropertyList = [:]
    copy["a.b.0" as PropertyListPath] = 1
    #expect(copy == ["a": ["b": ["0": 1]]])
    copy["a.list" as PropertyListPath] = []
    copy["a.list.0" as PropertyListPath] = "first"
    copy["a.list.1.key.deep" as PropertyListPath] = "made"
    #expect(copy["a"]?["list"] == ["first", ["key": ["deep": "made"]]])
    copy["a.list.0" as PropertyListPath] = nil
    copy["a.b" as PropertyListPath] = nil
    #expect(copy == ["a": ["list": [["key": ["deep": "made"]]]]])
  }

  @Test func throwingWhileChangingLosesNothing() {
    struct Stop: Error {}
    func change(_ value: inout PropertyList?) throws {
      value = "changed"
      throw Stop()
    }
    var copy = list
    #expect(throws: Stop.self) { try change(&copy["servers.0.port" as PropertyListPath]) }
    #expect(throws: Stop.self) { try change(&copy["servers"]![1]!["port"]) }
    #expect(copy["servers"] == [["port": "changed"], ["port": "changed"]])
    #expect(copy["0"] == list["0"])
  }

  @Test func changesInPlace() throws {
    let count = 1_000
    var list: PropertyList = ["outer": ["list": [:], "small": 1]]
    list["outer"]?["list"]?["big"] = .array(Array(repeating: 0, count: count))
    func address() -> Int? {
      unsafe list["outer"]?["list"]?["big"]?.array?.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) }
    }
    let before = try #require(address())
    for index in 0..<count {
      list["outer"]?["list"]?["big"]?[index] = 1
      #expect(address() == before)
      list[PropertyListPath("outer.list.big.\(index)")] = 2
      #expect(address() == before)
      list["outer"]?["small"] = .integer(PropertyListInteger(index))
      list["outer.new" as PropertyListPath] = "n"
      #expect(address() == before)
    }
    #expect(list["outer"]?["list"]?["big"]?.array == Array(repeating: 2, count: count))
  }

  @Test func outerContainersStayInPlace() throws {
    var list: PropertyList = [:]
    for index in 0..<100 { list["key\(index)"] = [[0]] }
    func address() -> Int? {
      unsafe list.dictionary?.valueStorage.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) }
    }
    let before = try #require(address())
    for index in 0..<100 {
      list["key\(index)"]?[0]?[0] = 1
      #expect(address() == before)
      list[PropertyListPath("key\(index).0.1")] = 2
      #expect(address() == before)
    }
  }
}
