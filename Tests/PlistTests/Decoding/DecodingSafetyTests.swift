import Foundation
import Plist
import PlistFuzzTargets
import Testing

struct DecodingSafetyTests {
  private static let formats: [PlistFormat] = [.xml, .binary, .openStep, .json]

  private struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init(_ name: String) { stringValue = name }
    init?(intValue: Int) { nil }
  }

  private struct Tree: Decodable {
    var count = 1
    init(from decoder: any Decoder) throws {
      var elements = try decoder.unkeyedContainer()
      while !elements.isAtEnd { count += try elements.decode(Tree.self).count }
    }
  }

  private struct Pairs: Decodable {
    var inner: [String: Pairs]
    init(from decoder: any Decoder) throws { inner = try decoder.singleValueContainer().decode([String: Pairs].self) }
  }

  /// On a stack of 512 KiB, decoding 500 nested containers gives a value or an error, and never overflows the stack.
  @Test(arguments: formats)
  func nesting(_ format: PlistFormat) throws {
    var arrays: PropertyList = []
    var dictionaries: PropertyList = [:]
    for _ in 0..<499 {
      arrays = [arrays]
      dictionaries = ["a": dictionaries]
    }
    let (one, other) = (try arrays.data(format: format), try dictionaries.data(format: format))
    let isSound = SmallStack.run {
      func isValueOrLimit(_ body: () throws -> Void) -> Bool {
        do { try body() } catch { return (error as? DecodingError)?.plistError?.code == .depthLimit }
        return true
      }
      return isValueOrLimit { _ = try PlistDecoder().decode(Tree.self, from: one) }
        && isValueOrLimit { _ = try PlistDecoder().decode(Pairs.self, from: other) }
    }
    #expect(isSound)
  }

  @Test func nestingOnAnotherThread() throws {
    struct Kept: Decodable {
      let decoder: any Decoder
      init(from decoder: any Decoder) throws { self.decoder = decoder }
    }
    /// `@unchecked Sendable` is sound: only one thread at a time uses a `Box`.
    final class Box: @unchecked Sendable {
      let kept: Kept
      init(_ kept: Kept) { self.kept = kept }
    }
    var arrays: PropertyList = []
    for _ in 0..<499 { arrays = [arrays] }
    let box = Box(try PlistDecoder().decode(Kept.self, from: arrays.data(format: .binary)))
    _ = try? Tree(from: box.kept.decoder)
    let isSound = SmallStack.run {
      do { return try Tree(from: box.kept.decoder).count == 500 } catch {
        return (error as? DecodingError)?.plistError?.code == .depthLimit
      }
    }
    #expect(isSound)
  }

  /// Releasing the frames of a deeply nested value takes no recursion.
  @Test func releasingDeepFrames() throws {
    struct Deep: Decodable {
      var decoders: [any Decoder] = []
      init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        decoders = container.isAtEnd ? [decoder] : try container.decode(Deep.self).decoders
      }
    }
    var arrays: PropertyList = []
    for _ in 0..<1_999 { arrays = [arrays] }
    var options = PlistReadOptions()
    options.limits.maximumDepth = PlistLimits.maximumSupportedDepth
    let (data, decoder) = (try arrays.data(format: .xml), PlistDecoder(options: options))
    /// `@unchecked Sendable` is sound: only one thread at a time uses a `Box`.
    final class Box: @unchecked Sendable { var decoders: [any Decoder] = [] }
    let box = Box()
    #expect(
      SmallStack.run(kibibytes: 32 * 1024) {
        box.decoders = (try? decoder.decode(Deep.self, from: data).decoders) ?? []
        return box.decoders.first?.codingPath.count == 1_999
      })
    #expect(
      SmallStack.run {
        box.decoders = []
        return true
      })
  }

  @Test(arguments: formats)
  func keptDecoders(_ format: PlistFormat) throws {
    struct Kept: Decodable {
      let decoder: any Decoder
      init(from decoder: any Decoder) throws { self.decoder = decoder }
    }
    let data = try (["a": ["x": "1"], "b": ["2", "3"], "c": "4"] as PropertyList).data(format: format)
    let values = try PlistDecoder().decode([String: Kept].self, from: data)
    let root = try PlistDecoder().decode(Kept.self, from: data)
    #expect(try root.decoder.container(keyedBy: Key.self).decode(String.self, forKey: Key("c")) == "4")
    #expect(try values["a"]?.decoder.container(keyedBy: Key.self).decode(String.self, forKey: Key("x")) == "1")
    #expect(try [String](from: #require(values["b"]).decoder) == ["2", "3"])
    #expect(try values["c"]?.decoder.singleValueContainer().decode(String.self) == "4")
    #expect(values["b"]?.decoder.codingPath.map(\.stringValue) == ["b"])
    #expect(throws: DecodingError.self) { try values["c"]?.decoder.container(keyedBy: Key.self) }
  }

  @Test(arguments: formats)
  func containersOnManyThreads(_ format: PlistFormat) throws {
    struct Kept: Decodable {
      let container: KeyedDecodingContainer<Key>
      init(from decoder: any Decoder) throws { container = try decoder.container(keyedBy: Key.self) }
    }
    /// Shared between threads, because this package's decoding containers must be thread-safe.
    ///
    /// It takes `@unchecked Sendable`, because `KeyedDecodingContainer` is not `Sendable`.
    final class Box: @unchecked Sendable {
      let kept: Kept
      init(_ kept: Kept) { self.kept = kept }
    }
    let keys = (0..<20).map { "key\($0)" }
    var pairs = PropertyListDictionary()
    for key in keys { pairs[key] = .array([.string(key), .string(String(repeating: key, count: 20))]) }
    let data = try PropertyList.dictionary(pairs).data(format: format)
    let decoder = PlistDecoder()
    let box = Box(try decoder.decode(Kept.self, from: data))
    let failures = Guarded(0)
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      var generator = SeededGenerator(seed: UInt64(thread))
      for _ in 0..<(isThorough ? 200 : 60) {
        let key = keys[Int.random(in: 0..<keys.count, using: &generator)]
        let expected = [key, String(repeating: key, count: 20)]
        let value = try? box.kept.container.decode([String].self, forKey: Key(key))
        let other = try? decoder.decode([String: [String]].self, from: data)[key]
        var nested = try? box.kept.container.nestedUnkeyedContainer(forKey: Key(key))
        let first = try? nested?.decode(String.self)
        let missing = try? box.kept.container.decode(String.self, forKey: Key("missing"))
        if value != expected || other != expected || first != key || missing != nil {
          failures.withLock { $0 += 1 }
        }
      }
    }
    #expect(failures.withLock { $0 } == 0)
  }

  @Test func layoutsAreSharedByFormats() throws {
    struct Model: Codable, Equatable {
      var a: Int
      var é: Int
      var aVeryLongKeyOfMoreThanSixteenBytes: Int
    }
    let model = Model(a: 1, é: 2, aVeryLongKeyOfMoreThanSixteenBytes: 3)
    let escaped = """
      <dict><key>&#97;</key><integer>1</integer><key>&#233;</key><integer>2</integer>\
      <key>aVeryLongKeyOfMoreThanSixteenBytes</key><integer>3</integer></dict>
      """
    let list = try PlistEncoder().encodeToPropertyList(model)
    for _ in 0..<3 {
      for format in [PlistFormat.xml, .binary, .json, .gnuStep] {
        #expect(try PlistDecoder().decode(Model.self, from: list.data(format: format)) == model)
      }
      #expect(try PlistDecoder().decode(Model.self, from: Data(escaped.utf8)) == model)
      #expect(try PlistDecoder().decode(Model.self, from: list) == model)
      #expect(throws: DecodingError.self) {
        try PlistDecoder().decode(
          Model.self, from: Data(escaped.replacing("OfMoreThan", with: "0fMoreThan").utf8))
      }
    }
  }
}
