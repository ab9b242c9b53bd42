import Foundation
import Plist

extension FuzzTarget {
  static let direct = FuzzTarget(
    "direct", "types are coded directly to the same values, documents and errors as through Codable",
    controlCount: nil
  ) { input in
    var generator = DirectGenerator(choices: Choices(input))
    let decoder = generator.decoder()
    let schema = generator.schema(depth: 3)
    var list = generator.value(of: schema)
    // Make at most one mistake per document, since direct decoding and `Decodable` may report different ones first.
    let isDamaged = generator.choices.flag()
    if isDamaged { list = generator.damaged(list) }
    for data in try generator.documents(of: list, repeatsKey: !isDamaged) {
      var decoder = decoder
      // With strict text decoding, nearly every value of OpenStep text or JSON is an error, and the two ways of
      // decoding may report different errors first.
      if let format = PlistFormat(detecting: data), format != .xml, format != .binary {
        decoder.textDecodingStrategy = .lenient
      }
      try DirectComparison(schema: schema, decoder: decoder).check(data)
    }
    var encoding = DirectTreeGenerator(choices: generator.choices)
    let tree = encoding.tree(depth: 3)
    try DirectEncodingComparison(tree: tree, encoder: encoding.encoder()).check()
  }
}

/// The description of a type, which direct decoding and `Decodable` must decode to the same value.
final class DirectSchema: Sendable {
  enum Kind: Sendable {
    case string, int, int8, uint64, double, float, bool, date, data, strings, integers, reals, level, url, anything
    case optional(DirectSchema)
    case array(DirectSchema)
    case dictionary(DirectSchema)
    /// A type with keys, which catches its properties' errors if `catches` is true.
    case object([(name: String, schema: DirectSchema)], catches: Bool)
  }

  let kind: Kind
  let keys: PlistKeys

  init(_ kind: Kind) {
    self.kind = kind
    if case .object(let members, _) = kind { keys = PlistKeys(members.map(\.name)) } else { keys = [] }
  }

  /// The schema of the value to decode next, which is task-local because `init(from:)` has no parameter for it.
  @TaskLocal static var current = DirectSchema(.anything)
}

enum DirectMode: String, Codable, CaseIterable, PlistCodable {
  case low, high
}

/// Describes a value as text, by decoding it through `Decodable`.
private struct PlainProbe: Decodable {
  let text: String

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    func scalar<Value: Decodable>(_ type: Value.Type) throws -> String {
      DirectComparison.text(try decoder.singleValueContainer().decode(type))
    }
    func nested<Value: Decodable>(_ schema: DirectSchema, _ type: Value.Type) throws -> Value {
      try DirectSchema.$current.withValue(schema) { try decoder.singleValueContainer().decode(type) }
    }
    switch DirectSchema.current.kind {
    case .string: text = try scalar(String.self)
    case .int: text = try scalar(Int.self)
    case .int8: text = try scalar(Int8.self)
    case .uint64: text = try scalar(UInt64.self)
    case .double: text = try scalar(Double.self)
    case .float: text = try scalar(Float.self)
    case .bool: text = try scalar(Bool.self)
    case .date: text = try scalar(Date.self)
    case .data: text = try scalar(Data.self)
    case .strings: text = try scalar([String].self)
    case .integers: text = try scalar([Int].self)
    case .reals: text = try scalar([Double].self)
    case .level: text = try scalar(DirectModeOnly.self)
    case .url: text = try scalar(URL.self)
    case .anything: text = try scalar(PropertyList.self)
    case .optional(let schema): text = try nested(schema, PlainProbe?.self)?.text ?? "nil"
    case .array(let schema): text = "\(try nested(schema, [PlainProbe].self).map(\.text))"
    case .dictionary(let schema):
      text = DirectComparison.text(of: try nested(schema, [String: PlainProbe].self).mapValues(\.text))
    case .object(let members, let catches):
      let container = try decoder.container(keyedBy: Key.self)
      var parts: [String] = []
      for (name, schema) in members {
        let key = Key(stringValue: name)
        do {
          if case .optional(let schema) = schema.kind {
            let value = try DirectSchema.$current.withValue(schema) {
              try container.decodeIfPresent(PlainProbe.self, forKey: key)
            }
            parts.append(value?.text ?? "nil")
          } else {
            parts.append(
              try DirectSchema.$current.withValue(schema) { try container.decode(PlainProbe.self, forKey: key) }.text)
          }
        } catch {
          guard catches else { throw error }
          parts.append("caught \(DirectComparison.text(of: error))")
        }
      }
      text = "\(parts)"
    }
  }
}

/// The cases of ``DirectMode`` in a type that is only `Decodable`.
private enum DirectModeOnly: String, Decodable, CaseIterable {
  case low, high
}

/// Describes a value as text, by decoding it directly.
private struct DirectProbe: PlistDecodable {
  let text: String

  init(from decoder: inout PlistValueDecoder) throws {
    switch DirectSchema.current.kind {
    case .string: text = DirectComparison.text(try decoder.decode(String.self))
    case .int: text = DirectComparison.text(try decoder.decode(Int.self))
    case .int8: text = DirectComparison.text(try decoder.decode(Int8.self))
    case .uint64: text = DirectComparison.text(try decoder.decode(UInt64.self))
    case .double: text = DirectComparison.text(try decoder.decode(Double.self))
    case .float: text = DirectComparison.text(try decoder.decode(Float.self))
    case .bool: text = DirectComparison.text(try decoder.decode(Bool.self))
    case .date: text = DirectComparison.text(try decoder.decode(Date.self))
    case .data: text = DirectComparison.text(try decoder.decode(Data.self))
    case .strings: text = DirectComparison.text(try decoder.decode([String].self))
    case .integers: text = DirectComparison.text(try decoder.decode([Int].self))
    case .reals: text = DirectComparison.text(try decoder.decode([Double].self))
    case .level: text = DirectComparison.text(try decoder.decode(DirectMode.self))
    case .url: text = DirectComparison.text(try decoder.decode(codable: URL.self))
    case .anything: text = DirectComparison.text(try decoder.decode(PropertyList.self))
    case .optional(let schema):
      text = try DirectSchema.$current.withValue(schema) { try decoder.decode(DirectProbe?.self)?.text ?? "nil" }
    case .array(let schema):
      text = "\(try DirectSchema.$current.withValue(schema) { try decoder.decode([DirectProbe].self) }.map(\.text))"
    case .dictionary(let schema):
      let pairs = try DirectSchema.$current.withValue(schema) { try decoder.decode([String: DirectProbe].self) }
      text = DirectComparison.text(of: pairs.mapValues(\.text))
    case .object(let members, let catches):
      let keys = DirectSchema.current.keys
      var parts: [String?] = members.map { _ in nil }
      try decoder.decodeDictionary(keys) { key, value in
        do {
          if case .optional(let schema) = members[key].schema.kind {
            parts[key] = try DirectSchema.$current.withValue(schema) {
              try value.decode(DirectProbe?.self)?.text ?? "nil"
            }
          } else {
            parts[key] = try DirectSchema.$current.withValue(members[key].schema) {
              try value.decode(DirectProbe.self).text
            }
          }
        } catch {
          guard catches else { throw error }
          parts[key] = "caught \(DirectComparison.text(of: error))"
        }
      }
      for (key, member) in members.enumerated() where parts[key] == nil {
        if case .optional = member.schema.kind {
          parts[key] = "nil"
          continue
        }
        do { _ = try decoder.require(parts[key], key, of: keys) } catch {
          guard catches else { throw error }
          parts[key] = "caught \(DirectComparison.text(of: error))"
        }
      }
      text = "\(parts.map { $0 ?? "" })"
    }
  }
}

private struct DirectComparison {
  let schema: DirectSchema
  let decoder: PlistDecoder

  func check(_ data: Data) throws {
    let plain = outcome { try decoder.decode(PlainProbe.self, from: data).text }
    // The second time, the shared cache already has the key layouts from the first time.
    for _ in 0..<2 {
      let direct = outcome { try decoder.decode(DirectProbe.self, from: data).text }
      try expect(plain == direct, "\(data.shown): Decodable gives \(plain), direct decoding \(direct)")
    }
    guard let list = try? PropertyList(parsing: data, options: decoder.readOptions) else { return }
    let tree = outcome { try decoder.decode(PlainProbe.self, from: list).text }
    let directTree = outcome { try decoder.decode(DirectProbe.self, from: list).text }
    try expect(tree == directTree, "\(data.shown), parsed: Decodable gives \(tree), direct decoding \(directTree)")
  }

  private func outcome(_ body: () throws -> String) -> String {
    DirectSchema.$current.withValue(schema) {
      do { return try body() } catch { return Self.text(of: error) }
    }
  }

  static func text(of error: any Error) -> String {
    let path: [any CodingKey]
    let kind: String
    switch error as? DecodingError {
    case .typeMismatch(let type, let context): (kind, path) = ("type \(type)", context.codingPath)
    case .valueNotFound(let type, let context): (kind, path) = ("value \(type)", context.codingPath)
    case .keyNotFound(let key, let context): (kind, path) = ("key \(key.stringValue)", context.codingPath)
    case .dataCorrupted(let context): (kind, path) = ("data", context.codingPath)
    default: return "\(error)"
    }
    let message = (error as? DecodingError)?.plistError?.description ?? "no position"
    return "\(kind) at \(path.map { $0.stringValue + ($0.intValue.map { "#\($0)" } ?? "") }): \(message)"
      .replacing("DirectModeOnly", with: "DirectMode").replacing("PlainProbe", with: "Probe")
      .replacing("DirectProbe", with: "Probe")
  }

  static func text(of pairs: [String: String]) -> String {
    "\(pairs.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) })"
  }

  static func text(_ value: Any) -> String {
    switch value {
    case let value as Double: "double \(value.isNaN ? "nan" : String(value.bitPattern))"
    case let value as Float: "float \(value.isNaN ? "nan" : String(value.bitPattern))"
    case let value as Date: "date \(value.timeIntervalSinceReferenceDate.bitPattern)"
    case let value as PropertyList: value.debugDescription
    case let values as [Double]: "\(values.map { $0.isNaN ? 0 : $0.bitPattern })"
    default: "\(value)"
    }
  }
}

/// Generates types, property lists that match them, and decoder options from a fuzz input.
private struct DirectGenerator {
  var choices: Choices
  private var convertsKeys = false
  private var sentinel = "$null"
  /// Whether generated types may catch errors.
  ///
  /// They may not if the decoder rejects unread keys, because after a caught error, the two ways of decoding leave
  /// different keys unread.
  private var catchesErrors = true

  init(choices: Choices) { self.choices = choices }

  private static let names = [
    "host", "port", "a", "b", "é", "snakeCase", "identifierOfTheRecord", "eightlet", "sixteenletters16", "日本",
    "seventeenletters7", "URL",
  ]

  mutating func schema(depth: Int) -> DirectSchema {
    switch choices.below(depth == 0 ? 15 : 24) {
    case 0: return DirectSchema(.string)
    case 1: return DirectSchema(.int)
    case 2: return DirectSchema(.int8)
    case 3: return DirectSchema(.uint64)
    case 4: return DirectSchema(.double)
    case 5: return DirectSchema(.float)
    case 6: return DirectSchema(.bool)
    case 7: return DirectSchema(.date)
    case 8: return DirectSchema(.data)
    case 9: return DirectSchema(.strings)
    case 10: return DirectSchema(.integers)
    case 11: return DirectSchema(.reals)
    case 12: return DirectSchema(.level)
    case 13: return DirectSchema(.url)
    case 14: return DirectSchema(.anything)
    case 15: return DirectSchema(.optional(schema(depth: depth - 1)))
    case 16, 17: return DirectSchema(.array(schema(depth: depth - 1)))
    case 18: return DirectSchema(.dictionary(schema(depth: depth - 1)))
    default:
      var members: [(name: String, schema: DirectSchema)] = []
      for _ in 0..<choices.below(7) {
        let name = choices.element(of: Self.names)
        if !members.contains(where: { $0.name == name }) { members.append((name, schema(depth: depth - 1))) }
      }
      return DirectSchema(.object(members, catches: choices.flag() && catchesErrors))
    }
  }

  mutating func value(of schema: DirectSchema) -> PropertyList {
    switch schema.kind {
    case .string: return .string(choices.element(of: ["", "text", "é", "longer than fifteen bytes", "日本語", "12"]))
    case .int: return .integer(PropertyListInteger(Int64(choices.below(256)) - 128))
    case .int8: return .integer(PropertyListInteger(Int64(choices.below(130)) - 10))
    case .uint64: return .integer(PropertyListInteger(choices.bits()))
    case .double, .float: return .real(Double(choices.below(256)) / 8)
    case .bool: return .boolean(choices.flag())
    case .date: return .date(Date(timeIntervalSinceReferenceDate: Double(choices.below(256) * 100_000)))
    case .data: return .data(Data((0..<choices.below(40)).map { UInt8($0) }))
    case .strings: return .array((0..<choices.below(4)).map { .string("string \($0)") })
    case .integers: return .array((0..<choices.below(4)).map { .integer(PropertyListInteger($0)) })
    case .reals: return .array((0..<choices.below(4)).map { .real(Double($0)) })
    case .level: return .string(choices.element(of: ["low", "high"]))
    case .url: return ["relative": "https://example.org/"]
    case .anything: return choices.flag() ? ["a": [1, "two"]] : .string("any")
    case .optional(let schema): return choices.flag() ? .string(sentinel) : value(of: schema)
    case .array(let schema): return .array((0..<choices.below(4)).map { _ in value(of: schema) })
    case .dictionary(let schema):
      var dictionary = PropertyListDictionary()
      for _ in 0..<choices.below(4) { dictionary[choices.element(of: Self.names)] = value(of: schema) }
      return .dictionary(dictionary)
    case .object(let members, _):
      var dictionary = PropertyListDictionary()
      var order = members
      if choices.flag() { order.reverse() }
      for (name, schema) in order {
        if case .optional = schema.kind, choices.flag() { continue }
        dictionary[name == "snakeCase" && convertsKeys ? "snake_case" : name] = value(of: schema)
      }
      if choices.flag() { dictionary["unknown"] = 1 }
      return .dictionary(dictionary)
    }
  }

  /// Returns the property list with one value or key changed.
  mutating func damaged(_ list: PropertyList) -> PropertyList {
    switch list {
    case .array(var elements) where !elements.isEmpty && !choices.flag():
      let index = choices.below(elements.count)
      elements[index] = damaged(elements[index])
      return .array(elements)
    case .dictionary(var dictionary) where !dictionary.isEmpty && !choices.flag():
      let key = Array(dictionary.keys)[choices.below(dictionary.count)]
      let old = dictionary[key] ?? .null
      if choices.flag() {
        dictionary[key] = nil
        if choices.flag() { dictionary[key + "s"] = old }
      } else {
        dictionary[key] = damaged(old)
      }
      return .dictionary(dictionary)
    default:
      return choices.element(of: [
        .string("damaged"), .integer(1000), .integer(-1), .real(1.5), .boolean(true), .string("$null"), .string("none"),
        .array([]),
        .dictionary([:]), .array(["x", 1]), .dictionary(["none": 1]), .data(Data([1])), .string("12"),
      ])
    }
  }

  mutating func decoder() -> PlistDecoder {
    var decoder = PlistDecoder()
    convertsKeys = choices.flag()
    if convertsKeys { decoder.keyDecodingStrategy = .convertFromSnakeCase }
    if choices.flag() {
      decoder.unreadKeyStrategy = .refuse
      catchesErrors = false
    }
    if choices.flag() { decoder.textDecodingStrategy = .lenient }
    if choices.flag() { decoder.readOptions.duplicateKeys = .refuse }
    if choices.flag() {
      sentinel = "none"
      decoder.nilDecodingStrategy = .string(sentinel)
    }
    return decoder
  }

  /// Returns the property list in several formats; if `repeatsKey` is true, another XML document repeats a key.
  mutating func documents(of list: PropertyList, repeatsKey: Bool) throws -> [Data] {
    let xml = try list.data(format: .xml)
    let repeated = choices.element(of: Self.names)
    let value = choices.element(of: ["<string>twice</string>", "<integer>2</integer>", "<dict/>"])
    let text = String(decoding: xml, as: UTF8.self)
    let twice = text.replacing("<dict>\n", with: "<dict>\n<key>\(repeated)</key>\(value)\n", maxReplacements: 1)
    return try [xml, list.data(format: .binary)] + (repeatsKey ? [Data(twice.utf8)] : [])
      + [PlistFormat.json, .openStep].compactMap {
        try? list.data(format: $0, options: PlistWriteOptions(unrepresentable: .convert))
      }
  }
}
