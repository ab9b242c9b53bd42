import Foundation
import Plist
import Testing

struct KeptContainerTests {
  private static let forms: [(PlistFormat, isSorted: Bool)] = [
    (.xml, false), (.xml, true), (.binary, false), (.binary, true),
  ]

  private static func encoder(_ format: PlistFormat, isSorted: Bool) -> PlistEncoder {
    var encoder = PlistEncoder()
    encoder.outputFormat = format
    encoder.writeOptions = PlistWriteOptions(sortedKeys: isSorted)
    return encoder
  }

  @Test(arguments: forms.indices)
  func containersOfAnotherEncoding(_ form: Int) throws {
    let (format, isSorted) = Self.forms[form]
    let types = GenericKeys.types
    #expect(types.count == 40)
    let document = Document { container in
      try container.encode("text", forKey: "key")
      try container.encode([1, 2], forKey: "numbers")
    }
    let wanted = try Self.encoder(format, isSorted: isSorted).encode(document)
    let shared = Self.encoder(format, isSorted: isSorted)
    for first in types {
      for (number, second) in types.enumerated() {
        let kept = Kept()
        let encoder = number % 2 == 0 ? shared : Self.encoder(format, isSorted: isSorted)
        _ = try (number % 4 < 2 ? encoder : Self.encoder(format, isSorted: isSorted)).encode(
          ByCall { encoder in
            kept.writers.append(try first.container(of: encoder))
            _ = try second.container(of: encoder)
          })
        let found = try encoder.encode(
          ByCall { encoder in
            for writer in kept.writers { try? writer.write("stale", 1) }
            try document.encode(to: encoder)
            for writer in kept.writers { try? writer.write("stale later", 2) }
          })
        for writer in kept.writers { try? writer.write("stale at last", 3) }
        try #require(found == wanted, "\(first) and \(second): \(String(decoding: found, as: UTF8.self))")
      }
    }
  }

  class Base: CodingKey, @unchecked Sendable {
    let stringValue: String
    var intValue: Int? { nil }
    required init?(stringValue: String) { self.stringValue = stringValue }
    required init?(intValue: Int) { nil }
  }
  final class Derived: Base, @unchecked Sendable {
    var others = (0, 0, 0, 0, 0, 0, 0, 0)
  }

  /// A keyed container must use the key type requested statically, even if a subclass of it was used before.
  @Test(arguments: forms.indices)
  func subclassesOfKeys(_ form: Int) throws {
    let (format, isSorted) = Self.forms[form]
    let value = ByCall { encoder in
      _ = encoder.container(keyedBy: Derived.self)
      let type: Base.Type = Derived.self
      var container = encoder.container(keyedBy: type)
      let key = try #require(Base(stringValue: "a"))
      let elements = container.nestedUnkeyedContainer(forKey: key)
      #expect(elements.codingPath.count == 1 && !(elements.codingPath[0] is Derived))
    }
    #expect(try PropertyList(parsing: Self.encoder(format, isSorted: isSorted).encode(value)) == ["a": []])
  }

  @Test(arguments: forms.indices)
  func containersOfSeveralEncodings(_ form: Int) throws {
    let (format, isSorted) = Self.forms[form]
    let kept = Kept()
    let encoder = Self.encoder(format, isSorted: isSorted)
    let document = Document { try $0.encode([["a": 1], ["b": 2]], forKey: "key") }
    let wanted = try encoder.encode(document)
    for type in GenericKeys.types {
      _ = try encoder.encode(
        ByCall { encoder in
          kept.writers.append(try type.container(of: encoder))
          for writer in kept.writers.dropLast() { try? writer.write("earlier", 1) }
        })
      try #require(try encoder.encode(document) == wanted)
    }
  }

  @Test(arguments: forms.indices)
  func encodersThatAreUsedLate(_ form: Int) throws {
    let (format, isSorted) = Self.forms[form]
    let encoder = Self.encoder(format, isSorted: isSorted)
    let document = Document { try $0.encode("text", forKey: "key") }
    let wanted = try encoder.encode(document)
    for type in GenericKeys.types {
      let kept = Kept()
      _ = try Self.encoder(format, isSorted: isSorted).encode(
        ByCall { encoder in
          kept.encoders.append(encoder)
          try type.container(of: encoder).write("a", 1)
        })
      for late in kept.encoders {
        try? type.container(of: late).write("late", 2)
        var array = late.unkeyedContainer()
        try? array.encode("late")
        var single = late.singleValueContainer()
        try? single.encode(document)
        #expect(late.codingPath.isEmpty)
      }
      try #require(try encoder.encode(document) == wanted)
      let found = try encoder.encode(
        ByCall { encoder in
          for late in kept.encoders {
            try? type.container(of: late).write("during another", 3)
            kept.writers.append(try type.container(of: late))
          }
          kept.encoders = []
          for writer in kept.writers { try? writer.write("without its encoder", 4) }
          try document.encode(to: encoder)
        })
      for writer in kept.writers { try? writer.write("at last", 5) }
      try #require(found == wanted, "\(String(decoding: found, as: UTF8.self))")
    }
  }

  @Test(arguments: forms.indices)
  func encodersThatAreUsedByAnotherThread(_ form: Int) throws {
    let (format, isSorted) = Self.forms[form]
    let encoder = Self.encoder(format, isSorted: isSorted)
    let document = Document { try $0.encode("text", forKey: "key") }
    let wanted = try encoder.encode(document)
    let kept = Kept()
    _ = try encoder.encode(
      ByCall { encoder in
        kept.encoders.append(encoder)
        kept.writers.append(try GenericKeys.types[0].container(of: encoder))
      })
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      for late in kept.encoders { try? GenericKeys.types[1].container(of: late).write("late", 1) }
      for writer in kept.writers { try? writer.write("late", 2) }
      done.signal()
    }
    done.wait()
    #expect(try encoder.encode(document) == wanted)
  }
}

/// `@unchecked Sendable` is sound: only one thread at a time uses a `Kept`.
private final class Kept: @unchecked Sendable {
  var encoders: [any Encoder] = []
  var writers: [any PairWriter] = []
}

private struct ByCall: Encodable {
  let body: (any Encoder) throws -> Void
  func encode(to encoder: any Encoder) throws { try body(encoder) }
}

private struct Document: Encodable {
  let body: (inout KeyedEncodingContainer<NamedKey>) throws -> Void

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: NamedKey.self)
    try body(&container)
  }
}

private struct NamedKey: CodingKey, ExpressibleByStringLiteral {
  let stringValue: String
  var intValue: Int? { nil }
  init(stringValue: String) { self.stringValue = stringValue }
  init(stringLiteral: String) { stringValue = stringLiteral }
  init?(intValue: Int) { nil }
}

private protocol PairWriter {
  func write(_ key: String, _ value: Int) throws
}

private struct PairWriterOf<Key: CodingKey>: PairWriter {
  let container: KeyedEncodingContainer<Key>

  func write(_ key: String, _ value: Int) throws {
    guard let key = Key(stringValue: key) else { return }
    var container = container
    try container.encode(value, forKey: key)
    try container.encode(["\(value)"], forKey: key)
    guard let other = Key(stringValue: key.stringValue + " nested") else { return }
    var nested = container.nestedContainer(keyedBy: Key.self, forKey: other)
    try nested.encode(value, forKey: key)
  }
}

private protocol GenericKey: CodingKey, SendableMetatype {}

extension GenericKey {
  static func container(of encoder: any Encoder) throws -> any PairWriter {
    PairWriterOf<Self>(container: encoder.container(keyedBy: Self.self))
  }
}

private enum GenericKeys {
  static let types: [any GenericKey.Type] = (0..<8).flatMap { first in
    [
      type(first, Int.self), type(first, Bool.self), type(first, String.self), type(first, Data.self),
      type(first, Date.self),
    ]
  }

  private static func type<Value: Sendable>(_ number: Int, _ value: Value.Type) -> any GenericKey.Type {
    switch number {
    case 0: Key<Value>.self
    case 1: Key<Value?>.self
    case 2: Key<[Value]>.self
    case 3: Key<[String: Value]>.self
    case 4: Key<Result<[Value], Never>>.self
    case 5: Key<Result<Value, Never>>.self
    case 6: Key<[Value?]>.self
    default: Key<[[Value]]>.self
    }
  }

  private struct Key<Value: Sendable>: GenericKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
