import Foundation
import Plist
import Testing

@Suite struct PropertyListTests {
  static let samples: [(PropertyList, PropertyList.Kind)] = [
    ("text", .string), (1, .integer), (1.5, .real), (true, .boolean),
    (.date(Date(timeIntervalSinceReferenceDate: 0)), .date),
    (.data(Data("abc".utf8)), .data), (.uid(5), .uid), (.null, .null), ([1], .array), (["a": 1], .dictionary),
  ]

  @Test(arguments: samples)
  func accessorsGiveNilForOtherKinds(value: PropertyList, kind: PropertyList.Kind) {
    #expect(value.kind == kind)
    #expect((value.string != nil) == (kind == .string))
    #expect((value.int != nil) == (kind == .integer))
    #expect((value.integer != nil) == (kind == .integer))
    #expect((value.double != nil) == (kind == .real || kind == .integer))
    #expect((value.bool != nil) == (kind == .boolean))
    #expect((value.date != nil) == (kind == .date))
    #expect((value.data != nil) == (kind == .data))
    #expect((value.uid != nil) == (kind == .uid))
    #expect((value.array != nil) == (kind == .array))
    #expect((value.dictionary != nil) == (kind == .dictionary))
    #expect(value.isNull == (kind == .null))
    #expect((value["a"] != nil) == (kind == .dictionary))
    #expect((value[0] != nil) == (kind == .array))
    #expect(value["0.a"] == nil)
  }

  @Test func literals() {
    let name = "Ada"
    let list: PropertyList = [
      "name": "\(name)!", "born": 1815, "max": 18_446_744_073_709_551_615, "min": -9_223_372_036_854_775_808,
      "score": 9.5, "dead": true, "tags": ["math", .null], "none": .null, "empty": [:],
    ]
    #expect(list["name"]?.string == "Ada!")
    #expect(list["born"]?.int == 1815)
    #expect(list["max"]?.integer == PropertyListInteger(UInt64.max))
    #expect(list["max"]?.int == nil)
    #expect(list["min"]?.int == Int.min)
    #expect(list["score"]?.double == 9.5)
    #expect(list["dead"]?.bool == true)
    #expect(list["tags"]?[1]?.isNull == true)
    #expect(list["none"]?.isNull == true)
    #expect(list["empty"]?.dictionary?.isEmpty == true)
    #expect(list["missing"] == nil)
  }

  @Test func lastDuplicateOfALiteralWinsAtTheFirstPosition() {
    let list: PropertyList = ["a": 1, "b": 2, "a": 3]
    #expect(list.dictionary?.keys.map(\.self) == ["a", "b"])
    #expect(list["a"]?.int == 3)
  }

  @Test func everySampleEqualsOnlyItself() {
    for (i, left) in Self.samples.enumerated() {
      for (j, right) in Self.samples.enumerated() { #expect((left.0 == right.0) == (i == j)) }
    }
  }

  struct Pair: Sendable {
    let left: PropertyList
    let right: PropertyList

    init(_ left: PropertyList, _ right: PropertyList) {
      self.left = left
      self.right = right
    }
  }

  static let equalPairs: [Pair] = [
    Pair(.real(.nan), .real(.nan)),
    Pair(.date(Date(timeIntervalSinceReferenceDate: .nan)), .date(Date(timeIntervalSinceReferenceDate: .nan))),
    Pair(["a": 1, "b": [2, ["c": 3, "d": 4]]], ["b": [2, ["d": 4, "c": 3]], "a": 1]),
  ]

  static let unequalPairs: [Pair] = [
    Pair(.real(0.0), .real(-0.0)),
    Pair(.integer(1), .real(1)),
    Pair(.integer(1), .boolean(true)),
    Pair(.integer(-1), .integer(18_446_744_073_709_551_615)),
    Pair(.string("caf\u{E9}"), .string("cafe\u{301}")),
    Pair(.date(Date(timeIntervalSinceReferenceDate: 0.0)), .date(Date(timeIntervalSinceReferenceDate: -0.0))),
    Pair(.data(Data()), .string("")),
    Pair(["a": 1, "b": 2], ["a": 2, "b": 1]),
    Pair(["a": 1, "b": 2], ["a": 1, "c": 2]),
    Pair(["a": 1], ["a": 1, "b": 2]),
    Pair(["a": .null], [:]),
    Pair([[1], [2]], [[1], [3]]),
    Pair([[], []], [[]]),
    Pair([], [:]),
    Pair(["\u{E9}": 1], ["e\u{301}": 1]),
  ]

  @Test(arguments: equalPairs)
  func equal(pair: Pair) {
    #expect(pair.left == pair.right)
    #expect(pair.right == pair.left)
    #expect(pair.left.hashValue == pair.right.hashValue)
  }

  @Test(arguments: unequalPairs)
  func unequal(pair: Pair) {
    #expect(pair.left != pair.right)
    #expect(pair.right != pair.left)
    #expect(pair.left.hashValue != pair.right.hashValue)
  }

  @Test func hashingTellsNestingApart() {
    let lists: Set<PropertyList> = [
      [1, 2], [[1], 2], [[1, 2]], [1, [2]], [[1], [2]], [], [[]], [[], []], [:], [[:]],
    ]
    #expect(lists.count == 10)
    #expect(Set(lists.map(\.hashValue)).count == 10)
  }
}
