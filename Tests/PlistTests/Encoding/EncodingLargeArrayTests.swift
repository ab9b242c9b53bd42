import Foundation
import Plist
import Testing

/// The encoder writes elements of a large root array before it encodes later ones.
///
/// Results are compared with those for ``Whole``, which is only written once all values are encoded.
struct EncodingLargeArrayTests {
  /// Encodes only `value`, so that the encoder does not take it for the root array.
  private struct Whole<Value: Encodable>: Encodable {
    let value: Value

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(value)
    }
  }

  /// An element whose `number` decides what it encodes.
  private struct Mixed: Encodable {
    let number: Int

    func encode(to encoder: any Encoder) throws {
      switch number % 12 {
      case 0: try Box(value: "text \(number)").encode(to: encoder)
      case 1: try number.encode(to: encoder)
      case 2: try ["a \(number)", "b"].encode(to: encoder)
      case 3: try ["key \(number)": Box(value: [number])].encode(to: encoder)
      case 4: try Optionals(second: "\(number % 5)", third: Date(timeIntervalSince1970: 7)).encode(to: encoder)
      case 5: Silent().encode(to: encoder)
      case 6: try WithSuperEncoder().encode(to: encoder)
      case 7: try PropertyList.dictionary(["z": ["y": .integer(1)], "a": .data(Data([1, 2, 3]))]).encode(to: encoder)
      case 8: try EveryNumber().encode(to: encoder)
      case 9: try WithSameEncoder().encode(to: encoder)
      case 10:
        var container = encoder.unkeyedContainer()
        try container.encodeNil()
        try container.encode(Data(repeating: 1, count: number % 40))
        _ = container.nestedUnkeyedContainer()
        var nested = container.nestedContainer(keyedBy: AnyKey.self)
        try nested.encode(number, forKey: "oneTwo")
        try nested.encode("the last value is used", forKey: "oneTwo")
      default:
        var container = encoder.container(keyedBy: AnyKey.self)
        try container.encode(number, forKey: AnyKey(stringValue: "own \(number)"))
        try container.encodeNil(forKey: "nilValue")
        try container.encode(["x": ["y", "z"]], forKey: "more")
      }
    }
  }

  private static let mixed = (0..<800).map { Mixed(number: $0) }

  private func data(_ value: some Encodable, _ encoder: PlistEncoder, _ form: EncodingForm) throws -> Data {
    // A `PropertyList` is compared as a document, because `==` ignores the order of keys.
    if form.format != nil { return try encoder.encode(value) }
    return try encoder.encodeToPropertyList(value).data(format: .binary)
  }

  private func expectSame(_ value: some Encodable, _ encoder: PlistEncoder, _ form: EncodingForm) throws {
    let wanted = try data(Whole(value: value), encoder, form)
    let found = try data(value, encoder, form)
    #expect(found == wanted, "\(found.count) and \(wanted.count) bytes")
  }

  @Test(arguments: EncodingForm.few)
  func documentsAreTheSame(_ form: EncodingForm) throws {
    let encoder = form.encoder { $0.nilEncodingStrategy = form.isUsed ? .omit : .foundation }
    try expectSame(Self.mixed, encoder, form)
    try expectSame(Self.mixed.map { Optional($0) } + [nil], encoder, form)
    try expectSame([Self.mixed, [], Self.mixed], encoder, form)
    try expectSame((0..<2500).map { Int8(truncatingIfNeeded: $0) }, encoder, form)
    try expectSame((0..<2500).map { $0 % 3 == 0 ? nil : Date(timeIntervalSince1970: Double($0)) }, encoder, form)
    try expectSame((0..<2500).map { ["key \($0)": "value \($0 % 100)"] }, encoder, form)
    try expectSame((0..<2500).map { PropertyList.string("text \($0 % 1000)") }, encoder, form)
    try expectSame([Silent](repeating: Silent(), count: 3000), encoder, form)
    try expectSame([Mixed](), encoder, form)
  }

  @Test(arguments: EncodingForm.few)
  func keysAreConverted(_ form: EncodingForm) throws {
    try expectSame(Self.mixed, form.encoder { $0.keyEncodingStrategy = .convertToSnakeCase }, form)
    let byPath = form.encoder {
      $0.keyEncodingStrategy = .custom { path in
        AnyKey(stringValue: path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: "/"))
      }
    }
    try expectSame(Self.mixed, byPath, form)
  }

  @Test func writingOptionsApply() throws {
    let form = EncodingForm(format: .xml, sortsKeys: false, isUsed: false)
    try expectSame(Self.mixed, form.encoder { $0.writeOptions.xml.controlCharacters = .omit }, form)
    try expectSame(Self.mixed, form.encoder { $0.writeOptions.realStyle = .foundation }, form)
  }

  @Test(arguments: [PlistFormat.xml, .binary, .json])
  func streamsHaveTheSameElements(_ format: PlistFormat) throws {
    let form = EncodingForm(format: format, sortsKeys: true, isUsed: false)
    let encoder = form.encoder()
    var stream = try PlistStreamEncoder(to: Data(), encoder: encoder)
    for element in Self.mixed { try stream.encode(element) }
    let streamed = try PropertyList(parsing: stream.finish())
    #expect(try PropertyList(parsing: encoder.encode(Self.mixed)) == streamed)
  }

  // MARK: Errors

  private struct Failure: Equatable, CustomStringConvertible {
    var description: String

    /// If a type throws its own error, the `EncodingError` contains the root value, which is not compared.
    init(_ body: () throws -> some Any) {
      do {
        _ = try body()
        description = "no error"
      } catch EncodingError.invalidValue(let value, let context) {
        let path = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
        // Foundation traps when it describes an invalid date.
        let isShown = !path.isEmpty && !(context.underlyingError is OwnError) && !(value is Date)
        let shown = isShown ? "\(value)" : ""
        description = "\(path) \(context.debugDescription) \(shown)"
      } catch { description = "\(error)" }
    }
  }

  /// An element whose `style` makes it throw, encode what cannot be represented, or misuse its containers.
  private struct Failing: Encodable {
    enum Style: CaseIterable, Sendable { case none, throwing, text, date, number, misuse, second, caught }
    var style = Style.none

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: AnyKey.self)
      try container.encode("text", forKey: "text")
      switch style {
      case .none: try container.encode([1, 2], forKey: "numbers")
      case .throwing: try container.encode([Throwing()], forKey: "value")
      case .text: try container.encode(["x", "\0"], forKey: "value")
      case .date: try container.encode(Box(value: Date(timeIntervalSinceReferenceDate: .nan)), forKey: "value")
      case .number: try container.encode(Int128.max, forKey: "value")
      case .misuse:
        _ = container.nestedUnkeyedContainer(forKey: "text")
      case .second:
        var single = encoder.singleValueContainer()
        try single.encode(1)
      case .caught: try? container.encode([Box(value: Throwing())], forKey: "value")
      }
    }
  }

  @Test(arguments: EncodingForm.few)
  func errorsAreTheSame(_ form: EncodingForm) throws {
    let encoder = form.encoder { $0.writeOptions.unrepresentable = .refuse }
    for first in Failing.Style.allCases {
      for second in isThorough ? [Failing.Style.none, .throwing, .text, .misuse] : [.none, .text] {
        var elements = [Failing](repeating: Failing(), count: 900)
        // Element 20 is encoded before the first elements are written, and element 800 after.
        elements[20].style = second
        elements[800].style = first
        let found = Failure { try data(elements, encoder, form) }
        let wanted = Failure { try data(Whole(value: elements), encoder, form) }
        try #require(found == wanted)
      }
    }
  }

  // MARK: Kept containers

  private final class Kept {
    var encoder: (any Encoder)?
    var keyed: KeyedEncodingContainer<AnyKey>?
    var unkeyed: (any UnkeyedEncodingContainer)?
    var superEncoder: (any Encoder)?
    var found: [String] = []

    func note(_ path: [any CodingKey]) {
      found.append(path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: "."))
    }

    func use() {
      if let encoder {
        note(encoder.codingPath)
        var single = encoder.singleValueContainer()
        found.append("\(Failure { try single.encode("late") })")
      }
      if var keyed {
        note(keyed.codingPath)
        found.append("\(Failure { try keyed.encode("late", forKey: "late") })")
        found.append("\(Failure { try keyed.encode([Box(value: 1)], forKey: "late") })")
      }
      if var unkeyed {
        note(unkeyed.codingPath)
        found.append("\(unkeyed.count) \(Failure { try unkeyed.encode(7) })")
      }
      if let superEncoder {
        note(superEncoder.codingPath)
        var single = superEncoder.singleValueContainer()
        found.append("\(Failure { try single.encode(Box(value: 1)) })")
      }
    }
  }

  private struct Keeping: Encodable {
    let number: Int
    let kept: Kept

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: AnyKey.self)
      try container.encode("\(number)", forKey: "text")
      var array = container.nestedUnkeyedContainer(forKey: "array")
      try array.encode(number)
      try array.encode(Box(value: number))
      let parent = container.superEncoder()
      if number % 700 == 10 {
        switch number / 700 {
        case 0: kept.encoder = encoder
        case 1: kept.unkeyed = array
        case 2: kept.keyed = container
        default: kept.superEncoder = parent
        }
      }
      if number % 50 == 0 { kept.use() }
      if number % 900 == 0 { (kept.encoder, kept.unkeyed, kept.keyed, kept.superEncoder) = (nil, nil, nil, nil) }
    }
  }

  @Test(arguments: EncodingForm.few)
  func keptContainersAreClosed(_ form: EncodingForm) throws {
    let encoder = form.encoder()
    func document(_ value: ([Keeping]) -> some Encodable) throws -> (data: Data, late: [String]) {
      let kept = Kept()
      let elements = (0..<2600).map { Keeping(number: $0, kept: kept) }
      let data = try data(value(elements), encoder, form)
      kept.use()
      return (data, kept.found)
    }
    let wanted = try document { Whole(value: $0) }
    let found = try document { $0 }
    #expect(found.data == wanted.data)
    #expect(found.late == wanted.late)
    #expect(found.late.contains { $0.hasPrefix("710.array") || $0.hasPrefix("[\"710\", \"array\"") })
  }

  /// The encoder refers to the data of an element only until that is written.
  @Test(arguments: EncodingForm.few.filter { $0.format != nil }, [false, true])
  func writtenElementsAreReleased(_ form: EncodingForm, keepsEncoder: Bool) throws {
    let released = Released()
    nonisolated(unsafe) var kept: (any Encoder)?
    nonisolated(unsafe) var counts: [Int] = []
    let elements = (0..<6000).map { number in
      ByHand { encoder in
        if number == 0, keepsEncoder { unsafe kept = encoder }
        if number % 1000 == 999 { unsafe counts.append(released.count) }
        if number == 3000 { unsafe kept = nil }
        var container = encoder.singleValueContainer()
        try container.encode(released.data())
      }
    }
    _ = try data(elements, form.encoder(), form)
    let (found, isReleased) = unsafe (counts, kept == nil)
    #expect(found.count == 6 && isReleased)
    #expect(keepsEncoder ? found[2] == 0 : found[2] > 0)
    #expect(found[5] > 3000)
  }

  private final class Released: Sendable {
    private let number = Guarded(0)

    var count: Int { number.withLock { $0 } }

    func data() -> Data {
      let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 1)
      unsafe bytes.initializeMemory(as: UInt8.self, repeating: 7)
      guard let base = bytes.baseAddress else { return Data() }
      return unsafe Data(
        bytesNoCopy: base, count: 64,
        deallocator: .custom { bytes, _ in
          unsafe bytes.deallocate()
          self.number.withLock { $0 += 1 }
        })
    }
  }

  @Test(arguments: EncodingForm.few)
  func encodersWithinElements(_ form: EncodingForm) throws {
    let encoder = form.encoder()
    let inner = Self.mixed
    let wanted = try data(Whole(value: inner), encoder, form)
    let elements = (0..<300).map { number in
      ByHand(keyed: { container in
        if number % 100 == 0 { #expect(try data(inner, encoder, form) == wanted) }
        for key in 0..<10 { try container.encode(number, forKey: AnyKey(stringValue: "key \(key)")) }
      })
    }
    try expectSame(elements, encoder, form)
  }
}
