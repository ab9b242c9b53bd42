import Foundation
import Plist
import PlistFuzzTargets
import Testing

/// Applying the difference of two values to the first gives the second.
struct PropertyListDifferenceTests {
  @Test(arguments: UInt64(700)..<760)
  func randomPairs(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let base = PropertyList.random(using: &generator, depth: 4)
    let other = PropertyList.random(using: &generator, depth: 4)
    try check(base, other)
    try check(base, base.mutated(using: &generator))
    try check(.array([base, other, base]), .array([other, base.mutated(using: &generator), other, base]))
  }

  private func check(_ base: PropertyList, _ other: PropertyList) throws {
    let difference = other.difference(from: base)
    #expect(try base.applying(difference) == other, "\(difference)")
    #expect(try other.applying(difference.inverse) == base, "\(difference)")
    #expect(difference.isEmpty == (base == other))
    #expect(difference.description.split(separator: "\n").count == difference.count)
  }

  @Test func text() throws {
    let base: PropertyList = [
      "a": 1, "b": ["x", "y", "z"], "c": ["d": ["e": true]], "f.g": "h", "servers": [["port": 80], ["port": 81]],
    ]
    let other: PropertyList = [
      "a": 2, "b": ["x", "z", "w"], "c": ["d": ["e": true, "n": .null]], "servers": [["port": 8080], ["port": 81]],
    ]
    let difference = other.difference(from: base)
    #expect(
      difference.description == #"""
        ~ a: 1 → 2
        - b.1: "y"
        + b.2: "w"
        + c.d.n: null
        - f\.g: "h"
        ~ servers.0.port: 80 → 8080
        """#)
    #expect(try base.applying(difference) == other)
    #expect(PropertyList(1).difference(from: "a").description == #"~ (root): "a" → 1"#)
    #expect(base.difference(from: base).isEmpty)
  }

  @Test func removalsAreOneAfterAnother() throws {
    let base: PropertyList = ["a", "b", "c", "d"]
    let difference = (["a", "d"] as PropertyList).difference(from: base)
    #expect(difference.map(\.path) == ["1", "1"])
    #expect(try base.applying(difference) == ["a", "d"])
  }

  @Test func longArraysAreComparedByIndex() throws {
    let base = PropertyList.array((0..<5_000).map { .integer(PropertyListInteger($0)) })
    let other = PropertyList.array((0..<5_010).map { .integer(PropertyListInteger($0 * 2 + 1)) })
    #expect(try base.applying(other.difference(from: base)) == other)
  }

  @Test func conflictsHaveTheirPath() throws {
    let difference = (["a": ["b": 2, "c": 3]] as PropertyList).difference(from: ["a": ["b": 1]])
    let base: PropertyList = ["a": ["b": 5]]
    let error = #expect(throws: PlistError.self) { try base.applying(difference) }
    #expect(error?.code == .conflict && error?.path == "a.b")
    let other: PropertyList = ["a": ["b": 1, "c": 4]]
    #expect(throws: PlistError.self) { try other.applying(difference) }
    #expect(throws: PlistError.self) { try (["a": "b"] as PropertyList).applying(difference) }
    #expect(throws: PlistError.self) { try ([] as PropertyList).applying(difference) }
  }

  /// Changes in any order, even of values that earlier ones have added, do together what they do one by one.
  @Test(arguments: UInt64(0)..<40)
  func changesInAnyOrder(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<(isThorough ? 200 : 5) {
      let base = PropertyList.random(using: &generator, depth: 4)
      let steps = [base.mutated(using: &generator), PropertyList.random(using: &generator, depth: 3), base]
      var changes: [PropertyListDifference.Change] = []
      var last = base
      for step in steps {
        changes += step.difference(from: last).changes
        last = step
      }
      #expect(try base.applying(PropertyListDifference(changes: changes)) == base)
      // Changes out of order are applied, or refused with the same error.
      changes.swapAt(
        Int.random(in: 0..<max(1, changes.count), using: &generator),
        Int.random(in: 0..<max(1, changes.count), using: &generator))
      let expected = Result { try changes.reduce(base) { try $0.applyingAlone($1) } }
      let found = Result { try base.applying(PropertyListDifference(changes: changes)) }
      switch (expected, found) {
      case (.success(let expected), .success(let found)):
        #expect(expected == found && expected.description == found.description)
      case (.failure(let expected), .failure(let found)): #expect("\(expected)" == "\(found)")
      default: Issue.record("\(expected), but \(found)")
      }
    }
  }

  @Test func insertionsAndRemovalsInBothDirections() throws {
    let count = 3_000
    func list(_ range: some Sequence<Int>) -> PropertyList {
      ["list": .array(range.map { .integer(PropertyListInteger($0)) })]
    }
    let (all, even) = (list(0..<count), list(stride(from: 0, to: count, by: 2)))
    let insertions = PropertyListDifference(
      changes: stride(from: 1, to: count, by: 2).map {
        .init(path: PropertyListPath(components: ["list", "\($0)"]), oldValue: nil, newValue: .integer(.init($0)))
      })
    #expect(try even.applying(insertions) == all)
    #expect(try all.applying(insertions.inverse) == even)
    #expect(try list([]).applying(all.difference(from: list([]))) == all)
    #expect(try all.applying(list([]).difference(from: all)) == list([]))
  }

  @Test func pairsOfADictionaryKeepTheirOrder() throws {
    let base: PropertyList = ["a": 1, "b": 2, "c": 3]
    let changes: [PropertyListDifference.Change] = [
      .init(path: "b", oldValue: 2, newValue: nil), .init(path: "d", oldValue: nil, newValue: 4),
      .init(path: "b", oldValue: nil, newValue: 5), .init(path: "d", oldValue: 4, newValue: nil),
      .init(path: "a", oldValue: 1, newValue: 0), .init(path: "d", oldValue: nil, newValue: 6),
    ]
    let result = try base.applying(PropertyListDifference(changes: changes))
    #expect(result.description == #"["a": 0, "c": 3, "b": 5, "d": 6]"#)
  }

  @Test func deepest() throws {
    @Sendable func nested(_ leaf: PropertyList) -> PropertyList {
      (0..<1_000).reduce(leaf) { value, level in level % 2 == 0 ? [value] : ["k": value] }
    }
    let holds = SmallStack.run {
      let difference = nested(2).difference(from: nested(1))
      return difference.count == 1 && (try? nested(1).applying(difference)) == nested(2)
        && (try? nested(["a": 1]).merging(nested(["a": 2]))) != nil && nested(1).matches(of: "**.k").count == 500
    }
    #expect(holds)
  }
}

struct PropertyListMergeTests {
  static let own: PropertyList = ["a": 1, "b": ["x": 1, "y": ["z": 2]], "c": [1], "d": "same"]
  static let other: PropertyList = ["b": ["y": ["z": 3, "w": 4], "v": 5], "c": [2], "d": "same", "e": true]

  @Test func policies() throws {
    #expect(
      try Self.own.merging(Self.other)
        == ["a": 1, "b": ["x": 1, "y": ["z": 3, "w": 4], "v": 5], "c": [2], "d": "same", "e": true])
    #expect(
      try Self.own.merging(Self.other, policy: .preferSelf)
        == ["a": 1, "b": ["x": 1, "y": ["z": 2, "w": 4], "v": 5], "c": [1], "d": "same", "e": true])
    #expect(try Self.own.merging(Self.other, policy: .preferSelf.appendingArrays)["c"] == [1, 2])
    let sums = PropertyListMergePolicy { path, own, other in
      #expect(path == "b.y.z")
      return .integer(PropertyListInteger((own.int ?? 0) + (other.int ?? 0)))
    }
    #expect(try Self.own.merging(Self.other, policy: sums.appendingArrays)["b.y.z" as PropertyListPath] == 5)
  }

  @Test func conflictsCanBeRefused() throws {
    var list = Self.own
    let error = #expect(throws: PlistError.self) { try list.merge(Self.other, policy: .refuse) }
    #expect(error?.code == .conflict && error?.path == "b.y.z")
    #expect(list == Self.own)
    try list.merge(["n": ["m": 1]], policy: .refuse)
    #expect(list["n"] == ["m": 1])
    try list.merge("text")
    #expect(list == "text")
  }

  @Test func orderIsKept() throws {
    let merged = try Self.own.merging(Self.other)
    #expect(merged.dictionary.map { Array($0.keys) } == ["a", "b", "c", "d", "e"])
  }
}

struct PropertyListQueryTests {
  static let list: PropertyList = [
    "servers": [["port": 80, "host": "a"], ["port": 81], ["host": "c"]],
    "images": ["icon.png": 1, "icon@2x.png": 2, "a.b": 3, "*": 4],
    "deep": ["url": "u", "list": [["url": "v"], ["x": ["url": ["url": "w"]]]]],
  ]

  @Test(arguments: [
    ("servers.*.port", ["servers.0.port", "servers.1.port"]), ("servers.1.port", ["servers.1.port"]), ("none.*", []),
    ("*.*.port", ["servers.0.port", "servers.1.port"]),
    ("images.*", [#"images.icon\.png"#, #"images.icon@2x\.png"#, #"images.a\.b"#, "images.*"]),
    (#"images.icon*\.png"#, [#"images.icon\.png"#, #"images.icon@2x\.png"#]), (#"images.\*"#, ["images.*"]),
    (#"images.*n*2*g"#, [#"images.icon@2x\.png"#]), (#"images.a\.b"#, [#"images.a\.b"#]),
    ("**.url", ["deep.url", "deep.list.0.url", "deep.list.1.x.url", "deep.list.1.x.url.url"]),
    ("deep.**.url.url", ["deep.list.1.x.url.url"]), ("", [""]),
    ("servers.0.**", ["servers.0", "servers.0.port", "servers.0.host"]),
    ("**.**.host", ["servers.0.host", "servers.2.host"]), ("servers.01", []), ("s*s", ["servers"]),
    ("images.i**g", [#"images.icon\.png"#, #"images.icon@2x\.png"#]),
  ])
  func patterns(_ pattern: String, paths: [String]) {
    let matches = Self.list.matches(of: PropertyListQuery(pattern))
    #expect(matches.map(\.path) == paths.map { PropertyListPath($0) })
    for match in matches { #expect(Self.list[match.path] == match.value) }
  }

  @Test func queriesAreEqualIfTheirBytesAreEqual() {
    for (first, second) in [("\u{E9}", "e\u{301}"), ("\u{E9}*", "e\u{301}*")] {
      #expect(PropertyListQuery(first) != PropertyListQuery(second))
      #expect(PropertyListQuery(first) == PropertyListQuery(first))
      #expect(Set([PropertyListQuery(first), PropertyListQuery(second), PropertyListQuery(first)]).count == 2)
    }
  }
}

extension PropertyList {
  func mutated(using generator: inout SeededGenerator) -> PropertyList {
    switch self {
    case .array(var elements):
      for index in elements.indices where Int.random(in: 0..<3, using: &generator) == 0 {
        elements[index] = elements[index].mutated(using: &generator)
      }
      if !elements.isEmpty, Bool.random(using: &generator) {
        elements.remove(at: Int.random(in: elements.indices, using: &generator))
      }
      if Bool.random(using: &generator) {
        elements.insert("new", at: Int.random(in: 0...elements.count, using: &generator))
      }
      return .array(elements)
    case .dictionary(var dictionary):
      for key in Array(dictionary.keys) {
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: dictionary[key] = dictionary[key]?.mutated(using: &generator)
        case 1: dictionary[key] = nil
        default: break
        }
      }
      dictionary["new key"] = .integer(PropertyListInteger(Int.random(in: 0..<3, using: &generator)))
      return .dictionary(dictionary)
    default: return "changed"
    }
  }
}

extension PropertyList {
  /// Applies one change as ``applying(_:)`` documents it, with a copy of each changed container.
  fileprivate func applyingAlone(_ change: PropertyListDifference.Change) throws -> PropertyList {
    var result = self
    let found = self[change.path]
    func check(_ isMet: Bool) throws {
      guard isMet else {
        // The message is that of a difference with only this change.
        _ = try applying(PropertyListDifference(changes: [change]))
        throw PlistError(code: .conflict, message: "applied, but should not be")
      }
    }
    if change.path.isRoot { try check(change.newValue != nil && change.oldValue == self) }
    switch (change.oldValue, change.newValue) {
    case (let old?, let new):
      try check(found == old)
      result[change.path] = new
    case (nil, let new?):
      let parent = try #require(change.path.parent)
      if var elements = self[parent]?.array {
        let index = Int(change.path.components.last ?? "")
        try check(index.map { $0 <= elements.count } ?? false)
        elements.insert(new, at: index ?? 0)
        result[parent] = .array(elements)
      } else {
        try check(found == nil && self[parent]?.kind == .dictionary)
        result[change.path] = new
      }
    case (nil, nil): break
    }
    return result
  }
}
