import Foundation
import PlistFuzzTargets
import Testing

@testable import Plist

@Suite struct NestingTests {
  static let depth = 2_000

  enum Nesting: CaseIterable { case arrays, dictionaries, alternating }

  static func nested(_ nesting: Nesting, depth: Int, leaf: PropertyList = "leaf") -> PropertyList {
    var value = leaf
    for level in 0..<depth {
      switch nesting {
      case .arrays: value = [value]
      case .dictionaries: value = ["k": value]
      case .alternating: value = level.isMultiple(of: 2) ? [value] : ["k": value]
      }
    }
    return value
  }

  @Test(arguments: Nesting.allCases)
  func deallocation(nesting: Nesting) {
    let isDone = SmallStack.run {
      let value = Self.nested(nesting, depth: Self.depth)
      return value.kind != .string
    }
    #expect(isDone)
  }

  @Test(arguments: Nesting.allCases)
  func equality(nesting: Nesting) {
    let results = SmallStack.run {
      let value = Self.nested(nesting, depth: Self.depth)
      return [
        value == Self.nested(nesting, depth: Self.depth),
        value != Self.nested(nesting, depth: Self.depth, leaf: "other"),
        value != Self.nested(nesting, depth: Self.depth - 1),
      ]
    }
    #expect(results == [true, true, true])
  }

  @Test(arguments: Nesting.allCases)
  func hashing(nesting: Nesting) {
    let results = SmallStack.run {
      let value = Self.nested(nesting, depth: Self.depth)
      return [
        value.hashValue == Self.nested(nesting, depth: Self.depth).hashValue,
        value.hashValue != Self.nested(nesting, depth: Self.depth, leaf: "other").hashValue,
      ]
    }
    #expect(results == [true, true])
  }

  @Test func description() {
    let text = SmallStack.run { Self.nested(.alternating, depth: Self.depth).description }
    #expect(text.hasPrefix(#"["k": [["k": [["#))
    #expect(text.count { $0 == "[" } == Self.depth)
    #expect(text.count { $0 == "]" } == Self.depth)
    #expect(text.contains(#""leaf""#))
  }

  @Test func path() {
    let result = SmallStack.run {
      var value = Self.nested(.alternating, depth: Self.depth)
      let path = PropertyListPath(components: (0..<Self.depth).map { $0.isMultiple(of: 2) ? "k" : "0" })
      value[path] = "changed"
      return value == Self.nested(.alternating, depth: Self.depth, leaf: "changed") ? value[path] : nil
    }
    #expect(result == "changed")
  }

  @Test func farBeyondTheCap() {
    let results = SmallStack.run {
      var left = Self.nested(.alternating, depth: 100_000)
      var right = Self.nested(.alternating, depth: 100_000)
      let results = [left == right, left.hashValue == right.hashValue, left.description == right.description]
      Self.dismantle(&left)
      Self.dismantle(&right)
      return results
    }
    #expect(results == [true, true, true])
  }

  private static func dismantle(_ value: inout PropertyList) {
    while let child = value[0] ?? value["k"] { value = child }
  }
}
