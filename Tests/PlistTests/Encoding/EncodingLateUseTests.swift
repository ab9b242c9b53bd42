import Foundation
import Plist
import PlistFuzzTargets
import Testing

struct EncodingLateUseTests {
  /// The metadata of forty specializations has different addresses, some of which collide in any small hash table.
  private struct Key<A, B>: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  private struct KeyType: Sendable {
    let encode: @Sendable (any Encoder, String) throws -> (String) throws -> Void

    init<A, B>(_ key: Key<A, B>.Type) {
      encode = { encoder, text in
        var container = encoder.container(keyedBy: Key<A, B>.self)
        try container.encode(text, forKey: Key(stringValue: "text"))
        let kept = container
        return { late in
          var container = kept
          try container.encode(late, forKey: Key(stringValue: "late"))
        }
      }
    }
  }

  private static func types<A>(_ type: A.Type) -> [KeyType] {
    [
      KeyType(Key<A, Int>.self), KeyType(Key<A, Int8>.self), KeyType(Key<A, Int16>.self), KeyType(Key<A, Int32>.self),
      KeyType(Key<A, Int64>.self), KeyType(Key<A, UInt>.self), KeyType(Key<A, UInt8>.self),
      KeyType(Key<A, UInt16>.self), KeyType(Key<A, String>.self), KeyType(Key<A, Bool>.self),
    ]
  }

  private static let types = types(Int.self) + types(String.self) + types(Bool.self) + types(Double.self)

  @Test(arguments: isThorough ? [PlistFormat.xml, .binary, .json] : [.xml])
  func keptContainersOfAllPairsOfTypes(_ format: PlistFormat) throws {
    var encoder = PlistEncoder()
    encoder.outputFormat = format
    for first in Self.types {
      for second in Self.types {
        nonisolated(unsafe) var late: [(String) throws -> Void] = []
        let kept = ByHand { unsafe late.append(try first.encode($0, "first")) }
        let other = ByHand { _ = try second.encode($0, "other") }
        #expect(try PropertyList(parsing: encoder.encode([kept, other])) == [["text": "first"], ["text": "other"]])
        let third = ByHand { encoder in
          _ = try second.encode(encoder, "third")
          for use in unsafe late { #expect(throws: EncodingError.self) { try use("stale") } }
          _ = try first.encode(encoder, "fourth")
        }
        #expect(try PropertyList(parsing: encoder.encode([third, other])) == [["text": "fourth"], ["text": "other"]])
        for use in unsafe late { #expect(throws: EncodingError.self) { try use("stale") } }
      }
    }
  }

  @Test(arguments: EncodingForm.all)
  func keptEncoders(_ form: EncodingForm) throws {
    nonisolated(unsafe) var kept: [any Encoder] = []
    let encoder = form.encoder()
    func useAll() {
      for encoder in unsafe kept {
        var keyed = encoder.container(keyedBy: AnyKey.self)
        #expect(throws: EncodingError.self) { try keyed.encode("late", forKey: "late") }
        var nested = keyed.nestedContainer(keyedBy: AnyKey.self, forKey: "n")
        #expect(throws: EncodingError.self) { try nested.encode(1, forKey: "n") }
        var array = encoder.unkeyedContainer()
        #expect(throws: EncodingError.self) { try array.encode(Box(value: 1)) }
        var single = encoder.singleValueContainer()
        #expect(throws: EncodingError.self) { try single.encode(["late"]) }
        #expect(throws: EncodingError.self) { try Box(value: 1).encode(to: keyed.superEncoder()) }
        #expect(encoder.codingPath.count < 3 && keyed.codingPath.isEmpty && array.count == 0)
      }
    }
    for number in 0..<4 {
      let value = ByHand(keyed: { container in
        useAll()
        try container.encode("\(number)", forKey: "a")
        try container.encode(
          ByHand { encoder in
            unsafe kept.append(encoder)
            try "x".encode(to: encoder)
          }, forKey: "b")
        unsafe kept.append(container.superEncoder())
      })
      #expect(try form.encode(value, encoder) == form.reading(["a": .string("\(number)"), "b": "x", "super": [:]]))
      useAll()
    }
  }

  @Test func keptContainersOnOtherThreads() throws {
    nonisolated(unsafe) var kept: KeyedEncodingContainer<AnyKey>?
    let encoder = PlistEncoder()
    _ = try encoder.encode(ByHand { unsafe kept = $0.container(keyedBy: AnyKey.self) })
    nonisolated(unsafe) let container = try #require(unsafe kept)
    DispatchQueue.concurrentPerform(iterations: 8) { task in
      for _ in 0..<50 {
        var container = unsafe container
        #expect(throws: EncodingError.self) { try container.encode("late", forKey: "late") }
        _ = container.nestedUnkeyedContainer(forKey: "n")
        let list = try? encoder.encodeToPropertyList(["task": task])
        #expect(list == ["task": .integer(PropertyListInteger(task))])
      }
    }
  }

  @Test(arguments: EncodingForm.all)
  func encodersWithinEncoders(_ form: EncodingForm) throws {
    func value(_ depth: Int) -> ByHand {
      ByHand(keyed: { container in
        try container.encode("\(depth)", forKey: "depth")
        guard depth > 0 else { return }
        let inner = try form.encode(value(depth - 1))
        try container.encode(inner["depth"], forKey: "inner")
        try container.encode(value(depth - 1), forKey: "below")
      })
    }
    let list = try form.encode(value(4))
    #expect(list["inner"] == "3" && list["below"]?["inner"] == "2" && list["below"]?["below"]?["depth"] == "2")
  }

  @Test(arguments: EncodingForm.all)
  func deepValuesOnSmallStacks(_ form: EncodingForm) {
    final class Level: Encodable, Sendable {
      let below: Level?
      init(_ below: Level?) { self.below = below }
    }
    let hasEnded = SmallStack.run {
      var level = Level(nil)
      for _ in 1..<500 { level = Level(level) }
      do { return try form.encode(level).kind == .dictionary } catch EncodingError.invalidValue(_, let context) {
        return (context.underlyingError as? PlistError)?.code == .depthLimit
      } catch { return false }
    }
    #expect(hasEnded)
  }
}
