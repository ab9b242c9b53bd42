import Foundation
import Plist
import PlistFuzzTargets
import Testing

struct ThreeWayMergeTests {
  typealias Rules = PropertyListMerge.Rules

  @Test(arguments: UInt64(0)..<30)
  func laws(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<(isThorough ? 100 : 1) {
      let base = PropertyList.random(using: &generator, depth: 3)
      let ours = base.mutated(using: &generator).mutated(using: &generator)
      let theirs = base.mutated(using: &generator).mutated(using: &generator)
      try check(base, ours, theirs)
      try check(.array([base, ours]), .array([ours, base, theirs]), .array([base, theirs]))
      try check(base, theirs, PropertyList.random(using: &generator, depth: 2))
    }
  }

  /// Arrays of a few different strings, in which moves and repetitions are common.
  @Test(arguments: UInt64(0)..<60)
  func arraysOfStrings(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    func list() -> PropertyList {
      .array(
        (0..<Int.random(in: 0..<8, using: &generator)).map { _ in
          .string(["a", "b", "c", "d"][Int.random(in: 0..<4, using: &generator)])
        })
    }
    for _ in 0..<(isThorough ? 2_000 : 100) {
      let (base, ours, theirs) = (list(), list(), list())
      try check(base, ours, theirs)
      let merge = PropertyListMerge(base: base, ours: ours, theirs: theirs)
      #expect(merge.conflicts.isEmpty)
      for element in ["a", "b", "c", "d"] as [PropertyList] {
        func count(_ list: PropertyList) -> Int { list.array?.count { $0 == element } ?? 0 }
        let expected =
          count(ours) == count(base)
          ? count(theirs) : count(theirs) == count(base) ? count(ours) : max(count(ours), count(theirs))
        #expect(count(merge.value) == expected, "\(base), \(ours), \(theirs)")
      }
    }
  }

  private func check(_ base: PropertyList, _ ours: PropertyList, _ theirs: PropertyList) throws {
    func merge(_ base: PropertyList, _ ours: PropertyList, _ theirs: PropertyList) -> PropertyListMerge {
      PropertyListMerge(base: base, ours: ours, theirs: theirs)
    }
    func expect(_ merge: PropertyListMerge, _ value: PropertyList) {
      #expect(merge.value == value && merge.conflicts.isEmpty, "\(base), \(ours), \(theirs)")
    }
    expect(merge(base, base, theirs), theirs)
    expect(merge(base, ours, base), ours)
    expect(merge(base, ours, ours), ours)
    let (one, other) = (merge(base, ours, theirs), merge(base, theirs, ours))
    func sides(_ conflict: PropertyListMerge.Conflict) -> [PropertyList?] {
      [conflict.base, conflict.ours, conflict.theirs].map { $0?.sortedArrays }
    }
    let swapped = other.conflicts.map { [$0.base, $0.theirs, $0.ours].map { $0?.sortedArrays } }
    #expect(Set(one.conflicts.map(sides)) == Set(swapped), "\(base), \(ours), \(theirs)")
    if one.conflicts.isEmpty {
      #expect(one.value.sortedArrays == other.value.sortedArrays, "\(base), \(ours), \(theirs)")
    }
    // The value of a conflict is where its path says, and nothing else depends on the side.
    for conflict in one.conflicts where conflict.ours != nil { #expect(one.value[conflict.path] == conflict.ours) }
    for side in PropertyListMerge.Side.allCases {
      let resolved = PropertyListMerge(base: base, ours: ours, theirs: theirs, resolving: side)
      #expect(resolved.conflicts.count == one.conflicts.count)
    }
  }

  @Test func examples() {
    let (base, ours, theirs): (PropertyList, PropertyList, PropertyList) = (["a": 1], ["a": 2], ["a": 3])
    let merge = PropertyListMerge(base: base, ours: ours, theirs: theirs)
    for conflict in merge.conflicts { print("\(conflict.path): \(conflict.kind)") }
    #expect(merge.conflicts.map(\.path) == ["a"])
    var rules = PropertyListMerge.Rules.standard
    rules.add(.higherVersion, for: "CFBundleShortVersionString")
    #expect(rules != .standard && rules.hashValue == rules.hashValue)
  }

  @Test func dictionaries() {
    let base: PropertyList = ["a": 1, "b": 2, "c": ["x": 1, "y": 2], "d": 4]
    let ours: PropertyList = ["new": 0, "a": 10, "b": 2, "c": ["x": 5, "y": 2], "d": 4]
    let theirs: PropertyList = ["a": 1, "c": ["x": 1, "y": 7, "z": 8], "e": 9, "d": 4]
    let merge = PropertyListMerge(base: base, ours: ours, theirs: theirs)
    #expect(
      merge.value.description
        == (["new": 0, "a": 10, "c": ["x": 5, "y": 7, "z": 8], "e": 9, "d": 4] as PropertyList).description)
    #expect(merge.conflicts.isEmpty)
  }

  @Test func conflicts() {
    let base: PropertyList = ["a": 1, "b": ["x": 1], "c": 3, "same": 1, "gone": 1]
    let ours: PropertyList = ["a": 2, "b": ["x": 2], "d": ["x": 1, "y": 1], "c": 3, "same": 2]
    let theirs: PropertyList = ["a": 3, "d": ["x": 1, "y": 2], "c": 3, "same": 2]
    let merge = PropertyListMerge(base: base, ours: ours, theirs: theirs)
    #expect(
      merge.conflicts.map(\.description) == [
        "\"a\": both changed: 1 → 2 or 3", "\"b\": changed and removed: [\"x\": 1] → [\"x\": 2] or removed",
        "\"d.y\": both added: 1 or 2",
      ])
    #expect(merge.value == ["a": 2, "b": ["x": 2], "c": 3, "d": ["x": 1, "y": 1], "same": 2])
    let other = PropertyListMerge(base: base, ours: ours, theirs: theirs, resolving: .theirs)
    #expect(other.value == ["a": 3, "c": 3, "d": ["x": 1, "y": 2], "same": 2])
    let old = PropertyListMerge(base: base, ours: ours, theirs: theirs, resolving: .base)
    #expect(old.value == ["a": 1, "b": ["x": 1], "c": 3, "d": ["x": 1], "same": 2])
  }

  @Test func withoutBase() {
    #expect(PropertyListMerge(base: nil, ours: ["a": 1], theirs: ["b": 2]).value == ["a": 1, "b": 2])
    #expect(PropertyListMerge(base: nil, ours: ["a"], theirs: ["b", "a"]).value == ["a", "b"])
    #expect(PropertyListMerge(base: nil, ours: [1, 2], theirs: [1, 3]).conflicts.map(\.kind) == [.bothAdded])
    #expect(PropertyListMerge(base: nil, ours: "a", theirs: 1).conflicts.map(\.path) == [""])
  }

  @Test func elementsWithIdentifiers() {
    func type(_ name: String, _ role: String) -> PropertyList {
      ["CFBundleTypeName": .string(name), "Role": .string(role)]
    }
    let base: PropertyList = ["types": [type("a", "1"), type("b", "1"), type("c", "1")]]
    let ours: PropertyList = ["types": [type("c", "1"), type("a", "2"), type("b", "3"), type("o", "1")]]
    let theirs: PropertyList = ["types": [type("a", "1"), type("b", "4"), type("c", "5"), type("t", "1")]]
    let merge = PropertyListMerge(base: base, ours: ours, theirs: theirs)
    #expect(merge.value == ["types": [type("c", "5"), type("a", "2"), type("b", "3"), type("o", "1"), type("t", "1")]])
    #expect(merge.conflicts.map(\.path) == ["types.2.Role"])
    let removed: PropertyList = ["types": [type("a", "1"), type("c", "1")]]
    let gone = PropertyListMerge(base: base, ours: removed, theirs: theirs)
    #expect(gone.conflicts.map(\.path) == ["types.1"] && gone.conflicts.map(\.kind) == [.changedAndRemoved])
  }

  @Test func listsWithoutIdentifiers() {
    let base: PropertyList = [[1, 1], [2, 2], [3, 3]]
    #expect(
      PropertyListMerge(base: base, ours: [[1, 9], [2, 2], [3, 3]], theirs: [[8, 1], [2, 2], [3, 3]]).value == [
        [8, 9], [2, 2], [3, 3],
      ])
    #expect(
      PropertyListMerge(base: base, ours: [[0, 0], [1, 1], [2, 2], [3, 3]], theirs: [[1, 1], [3, 3], [4, 4]]).value == [
        [0, 0], [1, 1], [3, 3], [4, 4],
      ])
    let conflict = PropertyListMerge(
      base: base, ours: [[5, 5], [6, 6], [2, 2], [3, 3]], theirs: [[7, 7], [2, 2], [3, 3]])
    #expect(conflict.conflicts.map(\.path) == [""])
    #expect(PropertyListMerge(base: [0, 0], ours: [0, 1], theirs: [0, 2]).conflicts.map(\.path) == ["1"])
  }

  @Test func rules() {
    let (base, ours, theirs): (PropertyList, PropertyList, PropertyList) = (
      ["v": "1.9", "list": ["a", "b"], "set": [1, 2]], ["v": "1.10", "list": ["a", "c"], "set": [1, 3]],
      ["v": "1.9.5", "list": ["a", "d"], "set": [1, 4]]
    )
    let plain = PropertyListMerge(base: base, ours: ours, theirs: theirs)
    #expect(plain.value == ["v": "1.10", "list": ["a", "c", "d"], "set": [1, 3]])
    #expect(plain.conflicts.map(\.path) == ["v", "set.1"])
    var rules = Rules.standard
    rules.add(.higherVersion, for: "v")
    rules.add(.list, for: "**.list")
    rules.add(.set, for: "set")
    let merge = PropertyListMerge(base: base, ours: ours, theirs: theirs, rules: rules)
    #expect(merge.value == ["v": "1.10", "list": ["a", "c"], "set": [1, 3, 4]])
    #expect(merge.conflicts.map(\.path) == ["list.1"])
    let swapped = PropertyListMerge(base: base, ours: theirs, theirs: ours, rules: rules)
    #expect(swapped.value["v"] == "1.10")
    rules.add(.identity("n"), for: "people")
    func people(_ values: Int...) -> PropertyList {
      ["people": .array(values.enumerated().map { ["n": .string("\($0)"), "v": .integer(.init($1))] })]
    }
    #expect(
      PropertyListMerge(base: people(1, 2), ours: people(3, 2, 5), theirs: people(1, 4), rules: rules).value
        == people(3, 4, 5))
  }

  /// In a project file, replacing the same configuration on both sides is a conflict; replacing the same file is not.
  @Test func projectLists() {
    func project(_ value: String) -> PropertyList {
      ["objects": ["A": ["buildConfigurations": ["x", .string(value)], "files": ["x", .string(value)]]]]
    }
    let merge = PropertyListMerge(base: project("b"), ours: project("o"), theirs: project("t"))
    #expect(merge.conflicts.map(\.path) == ["objects.A.buildConfigurations.1"])
    #expect(merge.value["objects.A.files" as PropertyListPath] == ["x", "o", "t"])
  }

  /// Values at the deepest accepted level are merged without recursion.
  @Test func deepValues() {
    func nested(_ value: PropertyList) -> PropertyList {
      (0..<PlistLimits.maximumSupportedDepth - 1).reduce(value) { inner, level in
        level % 2 == 0 ? ["a": inner] : [inner, 1]
      }
    }
    let merge = PropertyListMerge(base: nested(1), ours: nested(2), theirs: nested(3))
    #expect(merge.conflicts.count == 1 && merge.value == nested(2))
  }

  /// A large array that both sides change at both ends is aligned, although the product of its lengths is huge.
  @Test func largeArrays() {
    func list(_ numbers: [Int]) -> PropertyList { .array(numbers.map { .integer(.init($0)) }) }
    let base = Array(0..<100_000)
    let merge = PropertyListMerge(
      base: list(base), ours: list([-1] + base.dropLast() + [-2]),
      theirs: list(Array(base[1...49_999]) + [-3] + base[50_000...]))
    #expect(merge.conflicts.isEmpty)
    #expect(merge.value == list([-1] + Array(base[1...49_999]) + [-3] + Array(base[50_000...].dropLast()) + [-2]))
  }
}

extension PropertyList {
  /// The value with each array in an order that depends only on its elements.
  fileprivate var sortedArrays: PropertyList {
    switch self {
    case .array(let elements):
      .array(elements.map(\.sortedArrays).sorted { $0.sortedDescription < $1.sortedDescription })
    case .dictionary(let dictionary): .dictionary(dictionary.mapValues(\.sortedArrays).sorted())
    default: self
    }
  }

  private var sortedDescription: String { debugDescription }
}
