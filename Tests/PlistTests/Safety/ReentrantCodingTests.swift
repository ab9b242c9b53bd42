import Foundation
import Plist
import PlistFuzzTargets
import Testing

/// Every module can name `Never`, so a table of key types must not use its metadata for empty slots.
extension Never: @retroactive CodingKey {
  /// Nil, since `Never` has no value.
  public init?(stringValue: String) { nil }
  /// Nil, since `Never` has no value.
  public init?(intValue: Int) { nil }
  /// Never called, since `Never` has no value.
  public var stringValue: String { fatalError("there is no value") }
  /// Never called, since `Never` has no value.
  public var intValue: Int? { nil }
}

struct ReentrantCodingTests {
  private static let formats: [PlistFormat] = [.xml, .binary]

  private struct Nested: Codable {
    var levels: Int

    init(levels: Int) { self.levels = levels }

    init(from decoder: any Decoder) throws {
      let data = try decoder.singleValueContainer().decode(Data.self)
      levels = data.isEmpty ? 0 : try PlistDecoder().decode(Nested.self, from: data).levels + 1
    }

    func encode(to encoder: any Encoder) throws {
      var options = PlistEncoder()
      options.outputFormat = .binary
      var container = encoder.singleValueContainer()
      try container.encode(levels == 0 ? Data() : options.encode([Nested(levels: levels - 1)]))
    }
  }

  @Test func documentsWithinDocuments() throws {
    var data = try PropertyList.data(Data()).data(format: .binary)
    for _ in 0..<5_000 { data = try PropertyList.data(data).data(format: .binary) }
    let document = data
    #expect(
      SmallStack.run {
        do { return try PlistDecoder().decode(Nested.self, from: document).levels == 5_000 } catch {
          return (error as? DecodingError)?.plistError?.code == .depthLimit
        }
      })
    #expect(
      SmallStack.run {
        do { return try !PlistEncoder().encode([Nested(levels: 100_000)]).isEmpty } catch {
          return error is EncodingError
        }
      })
  }

  private struct Keyless: Codable, Equatable {
    init() {}
    init(from decoder: any Decoder) throws { _ = try decoder.container(keyedBy: Never.self) }
    func encode(to encoder: any Encoder) throws { _ = encoder.container(keyedBy: Never.self) }
  }

  @Test(arguments: formats)
  func keysOfTypeNever(_ format: PlistFormat) throws {
    var encoder = PlistEncoder()
    encoder.outputFormat = format
    let data = try encoder.encode([Keyless()])
    #expect(try PropertyList(parsing: data) == [[:]])
    #expect(try PlistDecoder().decode([Keyless].self, from: data) == [Keyless()])
  }

  private struct Endless: Codable {
    init() {}
    init(from decoder: any Decoder) throws { self = try decoder.singleValueContainer().decode(Endless.self) }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(self)
    }
  }

  @Test(arguments: formats)
  func endlessTypes(_ format: PlistFormat) throws {
    let data = try PropertyList.string("text").data(format: format)
    #expect(SmallStack.run { (try? PlistDecoder().decode(Endless.self, from: data)) == nil })
    #expect(SmallStack.run { (try? PlistEncoder().encode([Endless()])) == nil })
  }

  private struct Key: CodingKey {
    /// `@unchecked Sendable` is sound: only one thread at a time uses a `Hook`.
    final class Hook: @unchecked Sendable {
      let name: String
      let body: () -> Void
      init(_ name: String, _ body: @escaping () -> Void) { (self.name, self.body) = (name, body) }
      deinit { body() }
    }
    let hook: Hook
    var stringValue: String {
      hook.body()
      return hook.name
    }
    var intValue: Int? { nil }
    init(_ name: String, _ body: @escaping () -> Void = {}) { hook = Hook(name, body) }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
  }

  private struct ByCall: Encodable {
    let body: (any Encoder) throws -> Void
    func encode(to encoder: any Encoder) throws { try body(encoder) }
  }

  @Test(arguments: formats)
  func keysThatEncode(_ format: PlistFormat) throws {
    var encoder = PlistEncoder()
    encoder.outputFormat = format
    for isSnake in [false, true] {
      encoder.keyEncodingStrategy = isSnake ? .convertToSnakeCase : .useDefaultKeys
      let options = encoder
      let data = try encoder.encode(
        ByCall { encoder in
          let outer = encoder.container(keyedBy: Key.self)
          var depth = 0
          func disturb() {
            guard depth < 2 else { return }
            depth += 1
            defer { depth -= 1 }
            for number in 0..<6 {
              var container = outer
              try? container.encode("text", forKey: Key("name\(number)", disturb))
              var nested = container.nestedContainer(keyedBy: Key.self, forKey: Key("nested"))
              try? nested.encode([1, 2, 3], forKey: Key("array"))
              _ = nested.codingPath.map(\.stringValue)
              _ = try? options.encode(["other": number])
            }
          }
          var container = outer
          try container.encode(1, forKey: Key("aNumber", disturb))
          try container.encode(
            ByCall { inner in
              disturb()
              var values = inner.unkeyedContainer()
              try values.encode("first")
              disturb()
              try values.encode(ByCall { try [4].encode(to: $0) })
            }, forKey: Key("aValue", disturb))
        })
      let list = try PropertyList(parsing: data)
      #expect(list[isSnake ? "a_number" : "aNumber"] == 1)
      #expect(list[isSnake ? "a_value" : "aValue"] == ["first", [4]])
      #expect(list["name5"] == "text" && list["nested"] == ["array": [1, 2, 3]])
    }
  }

  /// A key that uses an encoder when it is released.
  private struct ReleasedKey: CodingKey {
    /// `@unchecked Sendable` is sound: only one thread at a time uses a `Hook`.
    final class Hook: @unchecked Sendable {
      let body: () -> Void
      init(_ body: @escaping () -> Void) { self.body = body }
      deinit { body() }
    }
    let stringValue: String
    let hook: Hook?
    var intValue: Int? { nil }
    init(_ name: String, _ body: @escaping () -> Void) { (stringValue, hook) = (name, Hook(body)) }
    init?(stringValue: String) { (self.stringValue, hook) = (stringValue, nil) }
    init?(intValue: Int) { nil }
  }

  @Test(arguments: formats)
  func keysThatEncodeWhenTheyAreReleased(_ format: PlistFormat) throws {
    var encoder = PlistEncoder()
    encoder.outputFormat = format
    var releases = 0
    let data = try encoder.encode(
      ByCall { encoder in
        var container = encoder.container(keyedBy: ReleasedKey.self)
        let outer = encoder.container(keyedBy: Key.self)
        func use() {
          releases += 1
          var outer = outer
          var nested = outer.nestedContainer(keyedBy: Key.self, forKey: Key("nested"))
          #expect(nested.codingPath.count == 1)
          try? nested.encode(true, forKey: Key("flag"))
        }
        for _ in 0..<3 { _ = container.superEncoder(forKey: ReleasedKey("same", use)) }
      })
    #expect(try PropertyList(parsing: data) == ["same": [:], "nested": ["flag": true]])
    #expect(releases >= 2)
  }

  /// The encoder keeps the keys in a caught error's coding path until another error occurs or the encoding ends.
  @Test(arguments: formats)
  func keysOfErrorsThatEncodeWhenTheyAreReleased(_ format: PlistFormat) throws {
    var encoder = PlistEncoder()
    encoder.outputFormat = format
    var releases = 0
    let data = try encoder.encode(
      ByCall { encoder in
        var container = encoder.container(keyedBy: ReleasedKey.self)
        let outer = encoder.container(keyedBy: AnyKey.self)
        func use() {
          releases += 1
          var outer = outer
          #expect(throws: (any Error).self) { try outer.encode([Throwing()], forKey: "thrown") }
          try? outer.encode(releases, forKey: "releases")
        }
        for number in 0..<3 {
          try? container.encode(Throwing(), forKey: ReleasedKey("key \(number)", use))
          try container.encode(number, forKey: #require(ReleasedKey(stringValue: "number")))
        }
      })
    #expect(try PropertyList(parsing: data) == ["number": 2, "releases": 2])
    #expect(releases == 3)
  }

  @Test(arguments: formats)
  func keysThatDecode(_ format: PlistFormat) throws {
    struct Reading: Decodable {
      var value = ""
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        var depth = 0
        func disturb() {
          guard depth < 2 else { return }
          depth += 1
          defer { depth -= 1 }
          for number in 0..<6 {
            _ = try? container.decode(String.self, forKey: Key("name\(number)", disturb))
            _ = try? container.decode(Int.self, forKey: Key("missing\(number)", disturb))
            _ = try? container.nestedContainer(keyedBy: Key.self, forKey: Key("name\(number)", disturb))
            _ = try? decoder.unkeyedContainer()
          }
        }
        value = try container.decode(String.self, forKey: Key("name3", disturb))
        value += container.allKeys.count == 6 ? " of 6" : " of some"
      }
    }
    var pairs = PropertyListDictionary()
    for number in 0..<6 { pairs["name\(number)"] = .string("text \(number)") }
    let data = try PropertyList.dictionary(pairs).data(format: format)
    #expect(try PlistDecoder().decode(Reading.self, from: data).value == "text 3 of 6")
  }
}
