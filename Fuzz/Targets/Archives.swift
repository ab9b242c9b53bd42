import Foundation
import Plist
import PlistArchives

extension FuzzTarget {
  static let archive = FuzzTarget(
    "archive", "an archive with any objects ends in an error or in a bounded value, which can be archived again"
  ) { try Archives.check($0) }
}

enum Archives {
  private static let visitLimit = 200

  static func check(_ document: Data) throws {
    let options = PlistReadOptions(limits: Reading.limits)
    guard let opened = try? PlistDocument(parsing: document, options: options) else { return }
    if let archive = try? KeyedArchive(opened) { return try check(archive) }
    guard let value = try? opened.root.propertyList() else { return }
    let objects = references(in: value).array ?? [references(in: value)]
    let list: PropertyList = [
      "$version": 100_000, "$archiver": "NSKeyedArchiver", "$top": ["root": .uid(1)],
      "$objects": .array(["$null"] + objects + classes),
    ]
    try check(KeyedArchive(parsing: list.data(format: .binary)))
  }

  private static let classes: [PropertyList] = [
    "NSArray", "NSDictionary", "NSString", "NSDate", "NSURL", "NSNull",
  ].map { ["$classname": .string($0), "$classes": [.string($0), "NSObject"]] }

  private static func references(in value: PropertyList) -> PropertyList {
    let names = [
      "c": "$class", "o": "NS.objects", "k": "NS.keys", "s": "NS.string", "t": "NS.time", "b": "NS.base",
      "r": "NS.relative",
    ]
    switch value {
    case .integer(let number): return UInt32(exactly: number).map { .uid(PropertyListUID($0)) } ?? value
    case .array(let elements): return .array(elements.map(references))
    case .dictionary(let pairs):
      return .dictionary(
        PropertyListDictionary(pairs.map { (names[$0.key] ?? $0.key, references(in: $0.value)) }) { first, _ in first })
    default: return value
    }
  }

  private static func check(_ archive: KeyedArchive) throws {
    try visit(archive)
    let limits = Reading.limits
    let value: PropertyList
    do throws(PlistError) { value = try archive.propertyList(limits: limits) } catch {
      try expect(!error.message.isEmpty && !error.message.contains("\n"), "the message is \"\(error.message)\"")
      return
    }
    let (count, depth) = measure(value)
    try expect(count <= limits.maximumValueCount, "the value has \(count) values")
    try expect(depth <= limits.maximumDepth, "the value nests \(depth) deep")
    guard !containsUID(value) else { throw FuzzFinding("the value has a UID") }
    let again = try KeyedArchive(parsing: KeyedArchive.data(of: value)).propertyList()
    try expect(again == value, "the value is archived as \(again), not \(value)")
  }

  private static func visit(_ archive: KeyedArchive) throws(FuzzFinding) {
    var pending = Array(archive.top.values) + [archive.root]
    var visited = 0
    while let object = pending.popLast(), visited < visitLimit {
      visited += 1
      let elements = object.elements ?? []
      let pairs = object.pairs ?? []
      let scalars = [
        // A whole number counts as both an integer and a real.
        object.string != nil, object.integer != nil || object.double != nil, object.bool != nil, object.data != nil,
        object.date != nil, object.url != nil, object.uuid != nil, object.isNull, object.elements != nil,
        object.pairs != nil,
      ]
      try expect(scalars.count { $0 } <= 1, "an object has several meanings: \(scalars)")
      try expect(object.className == nil || !object.classHierarchy.isEmpty, "a class has no hierarchy")
      if let first = elements.first {
        try expect(object[0]?.uid == first.uid, "the first element is another object")
        try expect(object[elements.count] == nil, "there is an element behind the last")
      }
      _ = object["a"]
      pending += elements.prefix(8) + pairs.prefix(8).map(\.value) + object.fields.prefix(8).map(\.value)
    }
  }

  private static func measure(_ value: PropertyList) -> (count: Int, depth: Int) {
    var children: [PropertyList] = []
    switch value {
    case .array(let elements): children = elements
    case .dictionary(let pairs): children = Array(pairs.values)
    default: return (1, 0)
    }
    var count = 1
    var depth = 0
    for child in children {
      let inner = measure(child)
      count += inner.count
      depth = max(depth, inner.depth)
    }
    return (count, depth + 1)
  }

  private static func containsUID(_ value: PropertyList) -> Bool {
    switch value {
    case .uid: true
    case .array(let elements): elements.contains(where: containsUID)
    case .dictionary(let pairs): pairs.values.contains(where: containsUID)
    default: false
    }
  }
}
