import Foundation
import Plist
import Testing

struct EncodingCase: CustomTestStringConvertible, Sendable {
  let name: String
  let make: @Sendable () -> any Encodable

  init(_ name: String, _ make: @escaping @Sendable () -> any Encodable) {
    self.name = name
    self.make = make
  }

  var testDescription: String { name }

  static let encodable: [EncodingCase] = scalars + containers + byHand + interleaved

  private static let scalars: [EncodingCase] = [
    EncodingCase("every number") { EveryNumber() },
    EncodingCase("integers") { [0, 1, -1, 127, 128, 255, 256, 65535, 65536, 1 << 31, 1 << 32, Int.min, Int.max] },
    EncodingCase("unsigned") { [UInt.min, 1, 1 << 63, .max] },
    EncodingCase("bytes") { [UInt8](0...255) },
    EncodingCase("small integers") { [Int16](arrayLiteral: 3, -3, .min, .max) },
    EncodingCase("doubles") {
      [0.5, -0.0, 0.1, 1, 1e16, 1e15, 1.5e-7, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity, -.infinity]
    },
    EncodingCase("floats") { [Float(0.1), 1, 1e20, .infinity, -.infinity, 123456.789, .leastNonzeroMagnitude] },
    EncodingCase("booleans") { [true, false] },
    EncodingCase("strings") {
      ["", "a", "é", "<&>\"'", "\r\n\t", "😀", "\u{1}", "$null", "$null and more"]
    },
    EncodingCase("long string") { [String(repeating: "abc & ", count: 1000)] },
    EncodingCase("dates") {
      [Date(timeIntervalSinceReferenceDate: 0.5), Date(timeIntervalSinceReferenceDate: 86_400)]
    },
    EncodingCase("data") { Data([1, 2, 3]) },
    EncodingCase("some data") { [Data(), Data([0]), Data(repeating: 7, count: 100)] },
    EncodingCase("URL") {
      [URL(string: "https://example.com/a?b=c"), URL(string: "b", relativeTo: URL(string: "https://a"))]
    },
    EncodingCase("top-level URL") { URL(string: "https://example.com") },
    EncodingCase("decimal") { [Decimal(string: "-12345678901234567890.123"), 0] },
    EncodingCase("UUID") { [UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")] },
    EncodingCase("nil") { [1, nil, 3] as [Int?] },
    EncodingCase("nil for a key") { Box<Int?>(value: nil) },
    EncodingCase("nil properties") { Optionals() },
    EncodingCase("some properties") {
      [Optionals(second: "2"), Optionals(first: 1), Optionals(third: .init(timeIntervalSinceReferenceDate: 3))]
    },
    EncodingCase("nested optionals") { [[nil], [.some(.some(1))]] as [[Int??]] },
    EncodingCase("raw values") { [RawLevel.low, .high] },
    EncodingCase("ranges") { [1..<5, 2..<3] },
  ]

  private static let containers: [EncodingCase] = [
    EncodingCase("empty array") { [Int]() },
    EncodingCase("empty dictionary") { [String: Int]() },
    EncodingCase("nested arrays") { [[[1], []], [], [[2, 3]]] },
    EncodingCase("dictionary") { ["b": 1, "a": 2, "B": 3, "10": 4, "9": 5, "é": 6, "z z": 7] },
    EncodingCase("dictionary of strings") { ["b": "1", "a": "<2>"] },
    EncodingCase("dictionary of dictionaries") { ["a": ["x": [1.5]], "b": [:]] },
    EncodingCase("large dictionary") {
      Dictionary(uniqueKeysWithValues: (0..<1000).map { ("key \($0)", Box(value: $0)) })
    },
    EncodingCase("integer keys") { [1: "a", 2: "b", -3: "c"] },
    EncodingCase("other keys") { [Location.here: 1, .there: 2] },
    EncodingCase("keys that are no names") { [Int8(3): "x"] },
    EncodingCase("set") { Set(["only"]) },
    EncodingCase("payloads") { [Payload.none, .unlabelled(1, "x"), .labelled(x: 1, list: [2], next: [.none])] },
    EncodingCase("one payload") { Payload.labelled(x: 0.5, list: [], next: [.unlabelled(2, ""), .none]) },
    EncodingCase("records") { (0..<50).map { Box(value: Box(value: ["n": $0])) } },
    EncodingCase("super encoder") { [WithSuperEncoder(), WithSuperEncoder()] },
    EncodingCase("same encoder") { [WithSameEncoder(), WithSameEncoder()] as [BaseClass] },
    EncodingCase("values that encode nothing") { [Silent(), Silent()] },
    EncodingCase("property that encodes nothing") { Box(value: Silent()) },
    EncodingCase("deep") {
      Box(
        value: Box(
          value: Box(value: Box(value: Box(value: Box(value: Box(value: Box(value: Box(value: Data(count: 60))))))))))
    },
    EncodingCase("many keys") {
      ByHand(keyed: { for number in 0..<400 { try $0.encode(number, forKey: AnyKey(stringValue: "key\(number)")) } })
    },
  ]
}
