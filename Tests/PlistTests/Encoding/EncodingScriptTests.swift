import Foundation
import Plist
import PlistFuzzTargets
import Testing

struct EncodingScriptTests {
  private struct Script: Encodable {
    let seed: UInt64
    let depth: Int
    let isArray: Bool

    private enum Open {
      case keyed(KeyedEncodingContainer<AnyKey>)
      case unkeyed(any UnkeyedEncodingContainer)
    }

    func encode(to encoder: any Encoder) throws {
      var random = SeededGenerator(seed: seed)
      if depth > 0, Int.random(in: 0..<4, using: &random) == 0 {
        var single = encoder.singleValueContainer()
        if Bool.random(using: &random) {
          try single.encode(Script(seed: seed &+ 1, depth: depth - 1, isArray: isArray))
        } else if isArray {
          try single.encode([1, 2])
        } else {
          try single.encode(["v0": 1, "v9": 2])
        }
      }
      var open: [Open] = [
        isArray ? .unkeyed(encoder.unkeyedContainer()) : .keyed(encoder.container(keyedBy: AnyKey.self))
      ]
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let index = Int.random(in: 0..<open.count, using: &random)
        let operation = Int.random(in: 0..<10, using: &random)
        switch open[index] {
        case .keyed(var container):
          if let new = try run(operation, on: &container, &random) { open.append(new) }
          open[index] = .keyed(container)
        case .unkeyed(var container):
          if let new = try run(operation, on: &container, &random) { open.append(new) }
          open[index] = .unkeyed(container)
        }
        if Int.random(in: 0..<12, using: &random) == 0 {
          open.append(
            isArray ? .unkeyed(encoder.unkeyedContainer()) : .keyed(encoder.container(keyedBy: AnyKey.self)))
        }
      }
    }

    private func value(_ random: inout SeededGenerator, isArray: Bool) -> Script {
      Script(seed: random.next(), depth: depth - 1, isArray: isArray)
    }

    private func run(
      _ operation: Int, on container: inout KeyedEncodingContainer<AnyKey>, _ random: inout SeededGenerator
    ) throws -> Open? {
      let letter = ["d", "a", "v"][operation % 3]
      let key = AnyKey(stringValue: "\(letter)\(Int.random(in: 0..<3, using: &random))")
      switch (letter, Int.random(in: 0..<5, using: &random)) {
      case ("d", 0) where depth > 0: try container.encode(value(&random, isArray: false), forKey: key)
      case ("d", 1): try container.encode(["v0": seed % 100, "v5": 1], forKey: key)
      case ("d", 2) where depth > 0: try value(&random, isArray: false).encode(to: container.superEncoder(forKey: key))
      case ("d", _): return .keyed(container.nestedContainer(keyedBy: AnyKey.self, forKey: key))
      case ("a", 0) where depth > 0: try container.encode(value(&random, isArray: true), forKey: key)
      case ("a", 1): try container.encode([Int(seed % 100)], forKey: key)
      case ("a", 2): try container.encode(["text", "\(seed % 10)"], forKey: key)
      case ("a", _): return .unkeyed(container.nestedUnkeyedContainer(forKey: key))
      case (_, 0): try container.encode(Int.random(in: -5...5, using: &random), forKey: key)
      case (_, 1): try? container.encode([AnyEncodable(1), AnyEncodable(Throwing())], forKey: key)
      case (_, 2) where depth > 0: try value(&random, isArray: false).encode(to: container.superEncoder())
      case (_, 3) where depth > 0: try container.encode(value(&random, isArray: seed.isMultiple(of: 2)), forKey: key)
      default: try container.encode("text \(seed % 10)", forKey: key)
      }
      return nil
    }

    private func run(
      _ operation: Int, on container: inout any UnkeyedEncodingContainer, _ random: inout SeededGenerator
    ) throws -> Open? {
      switch operation {
      case 0: return .keyed(container.nestedContainer(keyedBy: AnyKey.self))
      case 1: return .unkeyed(container.nestedUnkeyedContainer())
      case 2 where depth > 0: try value(&random, isArray: false).encode(to: container.superEncoder())
      case 3 where depth > 0: try container.encode(value(&random, isArray: true))
      case 4: try container.encode(container.count)
      case 5: try? container.encode(["a": AnyEncodable(1), "b": AnyEncodable(Throwing())])
      case 6: try container.encode(["x", "y"])
      default: try container.encode("text \(operation)")
      }
      return nil
    }
  }

  @Test(arguments: 0..<20)
  func randomOperations(_ batch: UInt64) throws {
    let foundation = PropertyListEncoder()
    foundation.outputFormat = .xml
    let forms = EncodingForm.all.map { ($0, $0.encoder()) }
    for seed in 0..<(isThorough ? 25 : 4) {
      let script = Script(seed: batch &* 1000 &+ UInt64(seed), depth: 3, isArray: seed.isMultiple(of: 5))
      let expected = try PropertyList(parsing: foundation.encode(script))
      for (form, encoder) in forms {
        #expect(try form.encode(script, encoder) == form.reading(expected), "seed \(script.seed), \(form)")
      }
    }
  }
}
