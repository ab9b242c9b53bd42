import Foundation
import Plist
import Testing

struct EncodingErrorTests {
  private func encoder(_ format: PlistFormat) -> PlistEncoder {
    var encoder = PlistEncoder()
    encoder.outputFormat = format
    return encoder
  }

  private func path(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch EncodingError.invalidValue(_, let context) {
      return context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    } catch {
      return "\(error)"
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: [false, true])
  func errorsHaveTheWholePath(sortsKeys: Bool) {
    var xml = encoder(.xml)
    xml.writeOptions.sortedKeys = sortsKeys
    func path(_ value: some Encodable) -> String? { self.path { _ = try xml.encode(value) } }
    #expect(path(["a": [Box(value: "x"), Box(value: "\0")]]) == "a.1.value")
    #expect(path(["a": Box(value: ["x", "\0"])]) == "a.value.1")
    #expect(path(["a": Box(value: Date(timeIntervalSinceReferenceDate: .nan))]) == "a.value")
    #expect(path(["a": Box(value: Int128.max)]) == "a.value")
    #expect(path([Box(value: UInt128(1) << 64)]) == "0.value")
    #expect(path(Box(value: [Throwing()])) == "value.0")
    #expect(path(["a": ["b": "\0"]]) == "a.b")
    #expect(path(["k": PropertyList.array(["x", ["y": "\0"]])]) == "k.1.y")
    #expect(
      path(
        ByHand(keyed: { container in
          var nested = container.nestedContainer(keyedBy: AnyKey.self, forKey: "n")
          var array = nested.nestedUnkeyedContainer(forKey: "m")
          try array.encode(1)
          try array.encode("\0")
        })) == "n.m.1")
    #expect(path(ByHand(keyed: { try Box(value: "\0").encode(to: $0.superEncoder()) })) == "super.value")
    #expect(
      path(
        ByHand(keyed: { container in
          var nested = container.nestedContainer(keyedBy: AnyKey.self, forKey: "n")
          try nested.encode(Throwing(), forKey: "m")
        })) == "n.m")
  }

  @Test func anErrorAfterACaughtErrorHasItsOwnPath() {
    func path(_ encode: @escaping (inout KeyedEncodingContainer<AnyKey>) throws -> Void) -> String? {
      self.path { _ = try encoder(.xml).encode(["a": ByHand(keyed: encode)]) }
    }
    let scalar = path { container in
      try? container.encode(Throwing(), forKey: "bad")
      try container.encode(1, forKey: "good")
      throw CancellationError()
    }
    #expect(scalar == "a")
    let replacement = path { container in
      try container.encode(1, forKey: "good")
      try? container.encode(Throwing(), forKey: "bad")
      try container.encode(2, forKey: "good")
      throw CancellationError()
    }
    #expect(replacement == "a")
    let amendment = path { container in
      let parent = container.superEncoder()
      try? container.encode([Throwing()], forKey: "bad")
      try 1.encode(to: parent)
      throw CancellationError()
    }
    #expect(amendment == "a")
    let single = self.path {
      _ = try encoder(.xml).encode([
        "a": ByHand { encoder in
          var container = encoder.singleValueContainer()
          try? container.encode([Throwing()])
          try container.encode("text")
          throw CancellationError()
        }
      ])
    }
    #expect(single == "a")
    let value = path { container in
      try? container.encode([Throwing()], forKey: "bad")
      try container.encode(Box(value: 1), forKey: "good")
      try container.encode(Box(value: Throwing()), forKey: "last")
    }
    #expect(value == "a.last.value")
    let replaced = path { container in
      do { try container.encode([Throwing()], forKey: "bad") } catch { throw CancellationError() }
    }
    #expect(replaced == "a.bad.0")
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: [PlistFormat.xml, .binary])
  func errorsOfEncodingHaveNoOffset(_ format: PlistFormat) throws {
    let error = #expect(throws: EncodingError.self) { try encoder(format).encode(["a": Box(value: UInt128.max)]) }
    guard case .invalidValue(_, let context)? = error else { return }
    let message = "integers must be from -9223372036854775808 to 18446744073709551615"
    #expect("\(try #require(context.underlyingError))" == "\(message) (key path: a.value)")
  }

  @Test func ownErrorsAreUnderlying() {
    #expect { try encoder(.binary).encode([Throwing()]) } throws: { error in
      guard case EncodingError.invalidValue(_, let context) = error else { return false }
      return context.underlyingError is OwnError
    }
  }

  @Test func whatEncodesItselfSeesItsPath() throws {
    nonisolated(unsafe) var paths: [String] = []
    func note(_ keys: [any CodingKey]) {
      unsafe paths.append(keys.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: "."))
    }
    let value = ByHand { encoder in
      note(encoder.codingPath)
      var container = encoder.container(keyedBy: AnyKey.self)
      note(container.codingPath)
      var array = container.nestedUnkeyedContainer(forKey: "n")
      try array.encode(1)
      note(array.nestedContainer(keyedBy: AnyKey.self).codingPath)
      let parent = container.superEncoder()
      note(parent.codingPath)
      note(parent.container(keyedBy: AnyKey.self).codingPath)
      note(array.superEncoder().codingPath)
      note(encoder.singleValueContainer().codingPath)
    }
    _ = try encoder(.binary).encode([Box(value: value)])
    #expect(
      unsafe paths == ["0.value", "0.value", "0.value.n.1", "0.value.super", "0.value.super", "0.value.n.2", "0.value"])
  }

  // MARK: Containers that are used wrongly

  @Test func secondValuesAreErrors() {
    let values: [ByHand] = [
      ByHand { encoder in
        var container = encoder.singleValueContainer()
        try container.encode(1)
        try container.encode(2)
      },
      ByHand { encoder in
        var container = encoder.singleValueContainer()
        try container.encode([1])
        _ = encoder.container(keyedBy: AnyKey.self)
      },
      ByHand { encoder in
        _ = encoder.unkeyedContainer()
        var container = encoder.container(keyedBy: AnyKey.self)
        try container.encode(1, forKey: "a")
      },
      ByHand(keyed: { container in
        _ = container.nestedUnkeyedContainer(forKey: "a")
        _ = container.nestedContainer(keyedBy: AnyKey.self, forKey: "a")
      }),
    ]
    for value in values {
      for format in EncodingTests.formats {
        #expect(throws: EncodingError.self) { try encoder(format).encode([value]) }
      }
      #expect(throws: EncodingError.self) { try PlistEncoder().encodeToPropertyList(value) }
    }
  }

  @Test func containersEndWithTheirValue() {
    nonisolated(unsafe) var escaped: (any UnkeyedEncodingContainer)?
    nonisolated(unsafe) var nested: (any UnkeyedEncodingContainer)?
    let value = [
      ByHand { encoder in
        unsafe escaped = encoder.unkeyedContainer()
        unsafe nested = escaped?.nestedUnkeyedContainer()
      },
      ByHand { encoder in
        var container = encoder.unkeyedContainer()
        try container.encode(1)
        #expect(throws: EncodingError.self) { try unsafe escaped?.encode("late") }
        #expect(throws: EncodingError.self) { try unsafe nested?.encode(Box(value: "late")) }
        #expect(unsafe escaped?.nestedUnkeyedContainer().count == 0)
      },
    ]
    #expect(throws: EncodingError.self) { try encoder(.binary).encode(value) }
    #expect(throws: EncodingError.self) { try unsafe escaped?.encode("too late") }
  }
}
