import Foundation
import Plist

/// A value that is encoded twice: directly, and through `Encodable`.
indirect enum DirectTree: Sendable {
  case string(String), int(Int), int8(Int8), uint64(UInt64), wide(Int, isTooWide: Bool), double(Double), float(Float),
    bool(Bool)
  case date(Date), data(Data), uid(PropertyListUID), list(PropertyList), strings([String]), integers([Int])
  case reals([Double]), mode(DirectMode), optional(DirectTree?), array([DirectTree]), dictionary([String: DirectTree])
  /// A value whose type is only `Encodable`.
  case codable(DirectTree)
  /// A value whose `encode(to:)` does nothing but encode the wrapped value.
  case wrapped(DirectTree)
  /// A dictionary with declared keys, plus the pairs of other dictionaries.
  case object(DirectObject)
  case nothing
  case failure
}

struct DirectObject: Sendable {
  let keys: PlistKeys
  /// The index in `keys` and the value, which can be nil for an optional property.
  let pairs: [(key: Int, value: DirectTree?)]
  let merged: [DirectTree]
}

private struct Thrown: Error {}

/// A ``DirectTree`` that encodes through `Encodable`.
private struct PlainNode: Encodable {
  let tree: DirectTree

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  func encode(to encoder: any Encoder) throws {
    func scalar(_ value: some Encodable) throws {
      var container = encoder.singleValueContainer()
      try container.encode(value)
    }
    switch tree {
    case .string(let value): try scalar(value)
    case .int(let value): try scalar(value)
    case .int8(let value): try scalar(value)
    case .uint64(let value): try scalar(value)
    case .wide(let value, let isTooWide):
      if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
        try scalar(isTooWide ? Int128.max : Int128(value))
      } else {
        try scalar(value)
      }
    case .double(let value): try scalar(value)
    case .float(let value): try scalar(value)
    case .bool(let value): try scalar(value)
    case .date(let value): try scalar(value)
    case .data(let value): try scalar(value)
    case .uid(let value): try scalar(value)
    case .list(let value): try scalar(value)
    case .strings(let value): try scalar(value)
    case .integers(let value): try scalar(value)
    case .reals(let value): try scalar(value)
    case .mode(let value): try scalar(value)
    case .optional(let value): try scalar(value.map(PlainNode.init))
    case .array(let elements): try scalar(elements.map(PlainNode.init))
    case .dictionary(let pairs): try scalar(pairs.mapValues(PlainNode.init))
    case .codable(let tree), .wrapped(let tree): try scalar(PlainNode(tree: tree))
    case .object(let object):
      var container = encoder.container(keyedBy: Key.self)
      for (key, value) in object.pairs {
        try container.encodeIfPresent(
          value.map(PlainNode.init), forKey: Key(stringValue: object.keys.names[key]))
      }
      for tree in object.merged { try PlainNode(tree: tree).encode(to: encoder) }
    case .nothing: break
    case .failure: throw Thrown()
    }
  }
}

/// A ``DirectTree`` that encodes directly.
private struct DirectNode: PlistEncodable {
  let tree: DirectTree

  func encode(to encoder: inout PlistValueEncoder) throws {
    switch tree {
    case .string(let value): try encoder.encode(value)
    case .int(let value): try encoder.encode(value)
    case .int8(let value): try encoder.encode(value)
    case .uint64(let value): try encoder.encode(value)
    case .wide(let value, let isTooWide):
      if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
        try encoder.encode(isTooWide ? Int128.max : Int128(value))
      } else {
        try encoder.encode(value)
      }
    case .double(let value): try encoder.encode(value)
    case .float(let value): try encoder.encode(value)
    case .bool(let value): try encoder.encode(value)
    case .date(let value): try encoder.encode(value)
    case .data(let value): try encoder.encode(value)
    case .uid(let value): try encoder.encode(value)
    case .list(let value): try encoder.encode(value)
    case .strings(let value): try encoder.encode(value)
    case .integers(let value): try encoder.encode(value)
    case .reals(let value): try encoder.encode(value)
    case .mode(let value): try encoder.encode(value)
    case .optional(let value): try encoder.encode(value.map(DirectNode.init))
    case .array(let elements): try encoder.encode(elements.map(DirectNode.init))
    case .dictionary(let pairs): try encoder.encode(pairs.mapValues(DirectNode.init))
    case .codable(let tree): try encoder.encode(codable: PlainNode(tree: tree))
    case .wrapped(let tree): try encoder.encode(DirectNode(tree: tree))
    case .object(let object):
      try encoder.encodeDictionary(object.keys) { dictionary in
        for (key, value) in object.pairs {
          if case .codable(let tree)? = value {
            try dictionary.encode(codable: PlainNode(tree: tree), forKey: key)
          } else {
            try dictionary.encode(value.map(DirectNode.init), forKey: key)
          }
        }
        for tree in object.merged { try dictionary.encode(contentsOf: DirectNode(tree: tree)) }
      }
    case .nothing: break
    case .failure: throw Thrown()
    }
  }
}

/// Compares direct encoding with `Encodable`, for a random value and random options.
struct DirectEncodingComparison {
  let tree: DirectTree
  let encoder: PlistEncoder

  func check() throws {
    let (plain, direct) = (PlainNode(tree: tree), DirectNode(tree: tree))
    try compare("a document", { try encoder.encode(plain) }, { try encoder.encode(direct) })
    // A second document reuses the writers of the first.
    try compare("a second document", { try encoder.encode([plain]) }, { try encoder.encode([direct]) })
    try compare(
      "a property list", { Data(try encoder.encodeToPropertyList(plain).debugDescription.utf8) },
      { Data(try encoder.encodeToPropertyList(direct).debugDescription.utf8) })
    try compare(
      "a stream",
      {
        var stream = try PlistStreamEncoder(to: Data(), encoder: encoder)
        for _ in 0..<2 { try stream.encode(plain) }
        return try stream.finish()
      },
      {
        var stream = try PlistStreamEncoder(to: Data(), encoder: encoder)
        for _ in 0..<2 { try stream.encode(direct) }
        return try stream.finish()
      })
  }

  private func compare(_ name: String, _ plain: () throws -> Data, _ direct: () throws -> Data) throws {
    let (expected, found) = (outcome(plain), outcome(direct))
    try expect(
      expected == found,
      "\(name) in \(encoder.outputFormat), \(tree): Encodable gives \(expected), direct encoding \(found)")
  }

  private func outcome(_ body: () throws -> Data) -> String {
    do { return try body().shown } catch {
      guard case .invalidValue(let value, let context)? = error as? EncodingError else { return "\(error)" }
      let path = context.codingPath.map { $0.stringValue + ($0.intValue.map { "#\($0)" } ?? "") }
      // If the value is not a scalar, the error has its type instead.
      let shown = value is any Any.Type ? "node" : "\(value)"
      return "\(shown) at \(path): \(context.debugDescription)"
        .replacing("PlainNode", with: "Node").replacing("DirectNode", with: "Node")
    }
  }
}

/// Generates values and encoder options from a fuzz input.
struct DirectTreeGenerator {
  private enum Fault {
    case none, thrown, unrepresentable
  }

  var choices: Choices
  /// The kind of error in the value, if any.
  ///
  /// There is only one kind, because direct encoding and `Encodable` may find errors of several kinds in different
  /// orders.
  private var fault: Fault

  init(choices: Choices) {
    self.choices = choices
    fault = [.none, .none, .thrown, .unrepresentable][self.choices.below(4)]
  }

  private static let names = [
    "host", "port", "a", "b", "é", "snakeCase", "identifierOfTheRecord", "eightlet", "sixteenletters16", "日本",
    "seventeenletters7", "URL", "<&>", "",
  ]

  mutating func tree(depth: Int) -> DirectTree {
    switch choices.below(depth == 0 ? 19 : 28) {
    case 0, 1:
      let bad = fault == .unrepresentable ? "a\0b" : "b"
      return .string(
        choices.element(of: ["", "text", "é & <", "longer than fifteen bytes", "日本語", "12", "$null", bad]))
    case 2: return .int(Int(choices.below(256)) - 128)
    case 3: return .int8(Int8(truncatingIfNeeded: choices.below(256)))
    case 4: return .uint64(choices.bits())
    case 5: return .wide(choices.below(256), isTooWide: fault == .thrown && choices.flag())
    case 6: return .double(choices.element(of: [0, 1.5, -0.0, .infinity, .nan, 1e300]))
    case 7: return .float(Float(choices.below(256)) / 8)
    case 8: return .bool(choices.flag())
    case 9:
      let far = fault == .unrepresentable && choices.flag()
      return .date(Date(timeIntervalSinceReferenceDate: far ? 1e20 : Double(choices.below(256) * 100_000)))
    case 10: return .data(Data((0..<choices.below(40)).map { UInt8($0) }))
    case 11: return .uid(PropertyListUID(UInt32(choices.below(256))))
    case 12: return .list(choices.flag() ? ["a": [1, "two"], "b": .null] : .string("any"))
    case 13: return .strings((0..<choices.below(4)).map { "string \($0)" })
    case 14: return .integers((0..<choices.below(4)).map { $0 })
    case 15: return .reals((0..<choices.below(4)).map(Double.init))
    case 16: return .mode(choices.flag() ? .low : .high)
    case 17: return .nothing
    case 18: return fault == .thrown ? .failure : .optional(nil)
    case 19: return .optional(choices.flag() ? nil : tree(depth: depth - 1))
    case 20: return .array((0..<choices.below(4)).map { _ in tree(depth: depth - 1) })
    case 21:
      // Direct encoding sorts the pairs first and `Encodable` sorts them last, so only one of them may throw.
      let outerFault = fault
      defer { fault = outerFault }
      var pairs: [String: DirectTree] = [:]
      for name in names(upTo: 4) {
        pairs[name] = tree(depth: depth - 1)
        if fault == .thrown { fault = .none }
      }
      return .dictionary(pairs)
    case 22: return .codable(tree(depth: depth - 1))
    case 23: return .wrapped(tree(depth: depth - 1))
    default: return .object(object(depth: depth, merges: true, from: names(upTo: 7)))
    }
  }

  private mutating func names(upTo count: Int) -> [String] {
    var names: [String] = []
    for _ in 0..<choices.below(count) {
      let name = choices.element(of: Self.names)
      if !names.contains(name) { names.append(name) }
    }
    return names
  }

  private mutating func object(depth: Int, merges: Bool, from names: [String]) -> DirectObject {
    let own = merges && choices.flag() ? Array(names.prefix(names.count / 2)) : names
    var pairs: [(key: Int, value: DirectTree?)] = []
    for key in own.indices { pairs.append((key, choices.below(5) == 0 ? nil : tree(depth: depth - 1))) }
    if choices.flag() { pairs.reverse() }
    var merged: [DirectTree] = []
    let others = Array(names.dropFirst(own.count))
    if !others.isEmpty {
      merged.append(.object(object(depth: depth, merges: false, from: others)))
    }
    return DirectObject(keys: PlistKeys(own), pairs: pairs, merged: merged)
  }

  mutating func encoder() -> PlistEncoder {
    var encoder = PlistEncoder(
      outputFormat: choices.element(of: [.xml, .xml, .binary, .binary, .openStep, .gnuStep, .json]))
    encoder.writeOptions.sortedKeys = choices.below(4) == 0
    if choices.flag() { encoder.writeOptions.unrepresentable = .convert }
    if choices.below(4) == 0 { encoder.writeOptions.xml.controlCharacters = .refuse }
    encoder.keyEncodingStrategy =
      switch choices.below(4) {
      case 0: .convertToSnakeCase
      case 1: .custom { path in DirectKey(stringValue: "\(path.count)\(path.last?.stringValue ?? "")") }
      default: .useDefaultKeys
      }
    encoder.nilEncodingStrategy =
      switch choices.below(4) {
      case 0: .omit
      // XML has no null, so `nullObject` would be a second kind of error in a value that throws.
      case 1: fault == .thrown ? .omit : .nullObject
      case 2: .string("none")
      default: .foundation
      }
    return encoder
  }
}

private struct DirectKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
