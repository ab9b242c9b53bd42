import Foundation
import Plist
import PlistFuzzTargets
import Testing

/// Later encodings can use the keys that earlier ones have prepared.
struct KeptKeysTests {
  private struct Direct: PlistEncodable {
    let rows: [[Int]]
    let keys: PlistKeys

    func encode(to encoder: inout PlistValueEncoder) throws {
      try encoder.encodeArray { array in
        for row in rows {
          try array.encodeDictionary(keys) { pairs in
            for number in row { try pairs.encode("<\(number)>", forKey: number) }
          }
        }
      }
    }
  }

  private struct Codable: Encodable {
    let rows: [[Int]]
    let names: [String]

    func encode(to encoder: any Encoder) throws {
      var array = encoder.unkeyedContainer()
      for row in rows {
        var pairs = array.nestedContainer(keyedBy: AnyKey.self)
        for number in row { try pairs.encode("<\(number)>", forKey: AnyKey(stringValue: names[number])) }
      }
    }
  }

  private static let lists: [PlistKeys] = [
    ["oneKey", "twoKeys", "é", "a\rb"], ["twoKeys", "x", "oneKey"], PlistKeys((0..<80).map { "key\($0)" }),
    // More keys than are kept, so the next encoding starts with an empty table.
    PlistKeys((0..<300).map { "many\($0)" }),
  ]

  private enum Strategy: CaseIterable {
    case unchanged, snakeCase, custom

    var encoding: PlistEncoder.KeyEncodingStrategy {
      switch self {
      case .unchanged: .useDefaultKeys
      case .snakeCase: .convertToSnakeCase
      case .custom: .custom { AnyKey(stringValue: "x" + $0[$0.count - 1].stringValue) }
      }
    }

    func name(_ key: String) -> String {
      switch self {
      case .unchanged: key
      case .snakeCase: ["oneKey": "one_key", "twoKeys": "two_keys"][key] ?? key
      case .custom: "x" + key
      }
    }
  }

  @Test(arguments: 0..<8)
  func encodingsInRandomOrder(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for step in 0..<(isThorough ? 2000 : 120) {
      // A new list of the same keys has another identifier.
      let declared = Self.lists[Int.random(in: 0..<4, using: &random)]
      let keys = Bool.random(using: &random) ? declared : PlistKeys(declared.names)
      let rows = (0..<Int.random(in: 1...4, using: &random)).map { _ in
        keys.names.indices.filter { _ in Bool.random(using: &random) }
      }
      let format = [PlistFormat.xml, .xml, .binary, .json][Int.random(in: 0..<4, using: &random)]
      var encoder = PlistEncoder(outputFormat: format)
      encoder.writeOptions.sortedKeys = Int.random(in: 0..<4, using: &random) == 0
      if Int.random(in: 0..<4, using: &random) == 0 { encoder.writeOptions.xml.carriageReturns = .raw }
      if Int.random(in: 0..<6, using: &random) == 0 { encoder.writeOptions.xml.controlCharacters = .refuse }
      let isConverted = Int.random(in: 0..<3, using: &random) == 0
      let strategy = isConverted ? Strategy.allCases[Int.random(in: 1..<3, using: &random)] : .unchanged
      encoder.keyEncodingStrategy = strategy.encoding
      let isDirect = Bool.random(using: &random)
      let returnsList = Int.random(in: 0..<6, using: &random) == 0
      let direct = Direct(rows: rows, keys: keys)
      let codable = Codable(rows: rows, names: keys.names)
      let list: PropertyList
      if returnsList {
        list = try isDirect ? encoder.encodeToPropertyList(direct) : encoder.encodeToPropertyList(codable)
      } else {
        let document = try isDirect ? encoder.encode(direct) : encoder.encode(codable)
        list = try PropertyList(parsing: document)
        if format == .xml {
          let isRaw = encoder.writeOptions.xml.carriageReturns == .raw
          let hasReturn = rows.contains { $0.contains { keys.names[$0] == "a\rb" } }
          #expect(document.contains(0x0D) == (hasReturn && isRaw), "step \(step) of seed \(seed)")
        }
      }
      let expected = rows.map { row in
        PropertyList.dictionary(
          PropertyListDictionary(
            uniqueKeysWithValues: row.map { (strategy.name(keys.names[$0]), .string("<\($0)>")) }))
      }
      #expect(list == .array(expected), "step \(step) of seed \(seed)")
    }
  }
}
