import Foundation
import Plist
import PlistFuzzTargets
import Testing

struct PlistStreamEncoderTests {
  private struct Record: Codable, Equatable {
    var name: String
    var zone = "Zürich"
    var count: Int
    var ratio: Double
    var opened: Date
    var icon: Data
    var tags: [String]
    var nested: [[Int]]
    var missing: Int?

    init(_ number: Int) {
      name = "record \(number) & <more>"
      count = number * 37
      ratio = Double(number) / 3
      opened = Date(timeIntervalSinceReferenceDate: Double(number))
      icon = Data(repeating: UInt8(truncatingIfNeeded: number), count: number % 200)
      tags = ["a", "b \(number % 10)"]
      nested = [[number], []]
    }
  }

  private static let records = (0..<1_000).map(Record.init)

  private static func stream(
    _ elements: some Sequence<some Encodable>, _ encoder: PlistEncoder
  ) throws -> Data {
    var stream = try PlistStreamEncoder(to: Data(), encoder: encoder)
    for element in elements { try stream.encode(element) }
    return try stream.finish()
  }

  private static let encoders: [PlistEncoder] = [
    PlistEncoder(outputFormat: .xml), PlistEncoder(outputFormat: .xml, options: PlistWriteOptions(sortedKeys: true)),
    PlistEncoder(outputFormat: .xml, options: PlistWriteOptions(xml: .init(controlCharacters: .omit))),
    PlistEncoder(outputFormat: .json, options: PlistWriteOptions(unrepresentable: .convert)),
    PlistEncoder(outputFormat: .json, options: PlistWriteOptions(unrepresentable: .convert, layout: .compact)),
    PlistEncoder(outputFormat: .openStep, options: PlistWriteOptions(unrepresentable: .convert)),
    PlistEncoder(outputFormat: .gnuStep),
  ]

  @Test(arguments: encoders.indices)
  func bytesOfText(_ index: Int) throws {
    var encoder = Self.encoders[index]
    #expect(try Self.stream(Self.records, encoder) == encoder.encode(Self.records))
    #expect(try Self.stream([Record](), encoder) == encoder.encode([Record]()))
    encoder.keyEncodingStrategy = .convertToSnakeCase
    #expect(try Self.stream(Self.records.prefix(3), encoder) == encoder.encode(Array(Self.records.prefix(3))))
  }

  @Test(arguments: [PlistFormat.xml, .json, .openStep, .gnuStep, .binary])
  func progress(_ format: PlistFormat) throws {
    for encoding in [PlistWriteOptions.OpenStepOptions.Encoding.utf8, .utf16] {
      var options = PlistWriteOptions(unrepresentable: .convert)
      options.openStep.encoding = encoding
      final class Received { var count = 0 }
      let received = Received()
      let sink = PlistClosureSink { received.count += $0.count }
      var stream = try PlistStreamEncoder(to: sink, encoder: PlistEncoder(outputFormat: format, options: options))
      var last = stream.byteCount
      for record in Self.records {
        try stream.encode(record)
        // Every record has its own name, so it adds bytes.
        #expect(stream.byteCount > last && stream.byteCount >= received.count)
        last = stream.byteCount
      }
      #expect(received.count > 0)
      _ = try stream.finish()
      #expect(stream.byteCount > last && stream.byteCount == received.count)
    }
  }

  @Test(arguments: [PlistFormat.xml, .json, .binary])
  func dictionaries(_ format: PlistFormat) throws {
    let encoder = PlistEncoder(outputFormat: format, options: PlistWriteOptions(unrepresentable: .convert))
    var stream = try PlistStreamEncoder(to: Data(), of: .dictionary, encoder: encoder)
    var list: PropertyListDictionary = [:]
    for record in Self.records.prefix(300) {
      try stream.encode(record, forKey: record.name)
      list[record.name] = try encoder.encodeToPropertyList(record)
    }
    let data = try stream.finish()
    let whole = try PropertyList.dictionary(list).data(format: format, options: encoder.writeOptions)
    if format == .binary {
      #expect(try PropertyList(parsing: data) == .dictionary(list))
    } else {
      #expect(data == whole)
    }
    let empty = try PlistStreamEncoder(to: Data(), of: .dictionary, encoder: encoder)
    var copy = empty
    #expect(try PropertyList(parsing: copy.finish()) == [:])
  }

  @Test(arguments: [PlistFormat.xml, .binary])
  func otherElements(_ format: PlistFormat) throws {
    let encoder = PlistEncoder(outputFormat: format)
    var stream = try PlistStreamEncoder(to: Data(), encoder: encoder)
    try stream.encode(1)
    try stream.encode("a")
    try stream.encode(Int?.none)
    try stream.encode([1.5])
    try stream.encode(Silent())
    try stream.encode(["a": [true]] as PropertyList)
    #expect(try PropertyList(parsing: stream.finish()) == [1, "a", "$null", [1.5], [:], ["a": [true]]])
  }

  @Test func binary() throws {
    let sizes = [10, 70_000, 3, 40_000, 0]
    let elements = sizes.map { size in (0..<size).map { "\(size) \($0)" } }
    let chunks = Chunks()
    var stream = try PlistStreamEncoder(to: chunks)
    for element in elements { try stream.encode([element, element]) }
    for record in Self.records { try stream.encode(record) }
    _ = try stream.finish()
    #expect(chunks.count > 20)
    let expected = elements.map { [$0, $0] }
    let list = try PropertyList(parsing: chunks.data)
    #expect(list.count == expected.count + Self.records.count)
    for (index, element) in expected.enumerated() {
      #expect(list[index]?.value(as: [[String]].self) == element)
    }
    let decoded = try PlistDecoder().decode([Record].self, from: .array(Array(list.array?.dropFirst(5) ?? [])))
    #expect(decoded == Self.records)
  }

  private final class Chunks: PlistSink {
    var data = Data()
    var count = 0
    var limit = Int.max

    func write(_ bytes: RawSpan) throws {
      if count == limit { throw OwnError() }
      data.write(bytes)
      count += 1
    }
  }

  @Test(arguments: [PlistFormat.xml, .binary])
  func elementsThatThrow(_ format: PlistFormat) throws {
    var stream = try PlistStreamEncoder(to: Data(), of: .dictionary, encoder: PlistEncoder(outputFormat: format))
    try stream.encode(1, forKey: "a")
    let error = #expect(throws: EncodingError.self) { try stream.encode(["x": [Throwing()]], forKey: "b") }
    guard case .invalidValue(_, let context)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(context.codingPath.map(\.stringValue) == ["x", "Index 0"])
    try stream.encode(3, forKey: "c")
    #expect(try PropertyList(parsing: stream.finish()) == ["a": 1, "c": 3])
  }

  private struct DirectChain: PlistEncodable {
    let levels: Int
    func encode(to encoder: inout PlistValueEncoder) throws {
      try encoder.encodeArray { if levels > 1 { try $0.encode(DirectChain(levels: levels - 1)) } }
    }
  }

  private static func nested(_ levels: Int) -> PropertyList { (1..<levels).reduce([]) { list, _ in [list] } }

  @Test(arguments: [PlistFormat.xml, .binary])
  func depth(_ format: PlistFormat) throws {
    let nested = Self.nested
    let isLimited = SmallStack.run(kibibytes: 64 * 1024) {
      do {
        var stream = try PlistStreamEncoder(to: Data(), encoder: PlistEncoder(outputFormat: format))
        try stream.encode(Chain(levels: 511))
        try stream.encode(nested(511))
        try stream.encode(["v": nested(510)] as PropertyList)
        try stream.encode(["v": nested(510)] as [String: PropertyList])
        try stream.encode(DirectChain(levels: 511))
        for value in [nested(512), ["v": nested(511)]] {
          do {
            try stream.encode(value)
            return false
          } catch is EncodingError {}
        }
        do { try stream.encode(DirectChain(levels: 512)) } catch is EncodingError {
          do { try stream.encode(Chain(levels: 512)) } catch is EncodingError {
            return try PropertyList(parsing: stream.finish()).count == 5
          }
        }
      } catch { Issue.record(error) }
      return false
    }
    #expect(isLimited)
  }

  @Test func keysThatBecomeEqual() throws {
    var encoder = PlistEncoder(outputFormat: .xml)
    encoder.writeOptions.xml.controlCharacters = .omit
    var stream = try PlistStreamEncoder(to: Data(), of: .dictionary, encoder: encoder)
    try stream.encode(1, forKey: "a\u{1}")
    #expect(throws: PlistError.self) { try stream.encode(2, forKey: "a") }
  }

  @Test func unrepresentableValues() throws {
    var stream = try PlistStreamEncoder(to: Data(), encoder: PlistEncoder(outputFormat: .xml))
    let error = #expect(throws: EncodingError.self) { try stream.encode(["x": ["a", "b\0"]]) }
    guard case .invalidValue(let value, let context)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(value as? String == "b\0")
    #expect(context.codingPath.map(\.stringValue) == ["x", "Index 1"])
    #expect(context.debugDescription == "the text contains a NUL, which XML does not allow")
    #expect(throws: PlistError.self) { try stream.encode(1) }
    #expect(throws: PlistError.self) { try stream.finish() }
  }

  @Test func wrongOrders() throws {
    var array = try PlistStreamEncoder(to: Data())
    #expect(throws: PlistError.self) { try array.encode(1, forKey: "a") }
    var dictionary = try PlistStreamEncoder(to: Data(), of: .dictionary)
    let error = #expect(throws: PlistError.self) { try dictionary.encode(1) }
    #expect(error?.code == .invalidEventOrder)
    var finished = try PlistStreamEncoder(to: Data())
    _ = try finished.finish()
    #expect(throws: PlistError.self) { try finished.encode(1) }
    #expect(throws: PlistError.self) { try finished.finish() }
    var table = PlistWriteOptions()
    table.openStep.isStringsTable = true
    let encoder = PlistEncoder(outputFormat: .openStep, options: table)
    #expect(throws: PlistError.self) { try PlistStreamEncoder(to: Data(), encoder: encoder) }
  }

  @Test(arguments: [PlistFormat.xml, .binary], [0, 1, 4])
  func sinksThatFail(_ format: PlistFormat, _ limit: Int) throws {
    let chunks = Chunks()
    chunks.limit = limit
    var stream = try PlistStreamEncoder(to: chunks, encoder: PlistEncoder(outputFormat: format))
    // With more than 65,536 objects in binary, arrays go to the sink before the document is complete.
    // is complete.
    let element = (0..<(format == .binary ? 70_000 : 15_000)).map { "\($0)" }
    #expect(throws: OwnError.self) {
      for _ in 0..<4 { try stream.encode([element, element]) }
      _ = try stream.finish()
    }
    #expect(throws: PlistError.self) { try stream.finish() }
  }

  @Test(arguments: [PlistFormat.xml, .binary])
  func copies(_ format: PlistFormat) throws {
    var first = try PlistStreamEncoder(to: Data(), encoder: PlistEncoder(outputFormat: format))
    try first.encode("a")
    var second = first
    try second.encode("b")
    try first.encode("c")
    #expect(try PropertyList(parsing: first.finish()) == ["a", "c"])
    #expect(try PropertyList(parsing: second.finish()) == ["a", "b"])
  }

  @Test func writersOfValues() throws {
    let list = PropertyList.array([["b": .null, "a": [1, 2.5]], "text"])
    for (sortedKeys, keys) in [(false, ["b", "a"]), (true, ["a", "b"])] {
      let options = PlistWriteOptions(sortedKeys: sortedKeys)
      var writer = PlistEventWriter(to: Data(), format: .binary, options: options)
      try writer.write(.beginArray)
      try writer.write(.null)
      try writer.write(.boolean(true))
      try writer.write(.string("text"))
      try writer.write(list)
      try writer.write(.endArray)
      let written = try PropertyList(parsing: writer.finish())
      #expect(written == [.null, true, "text", list])
      #expect(written[3]?[0]?.dictionary?.keys.map { $0 } == keys)
    }
  }

  #if os(Linux)
  @Test func theMemoryIsBounded() async {
    await #expect(processExitsWith: .success) {
      for (format, bound) in [(PlistFormat.xml, 2 << 20), (.binary, 31 << 20)] {
        for count in [100, isThorough ? 250_000 : 11_000] {
          let file = FileManager.default.temporaryDirectory.appending(path: "stream-\(UUID()).plist")
          defer { try? FileManager.default.removeItem(at: file) }
          try resetPeakMemory()
          let before = try peakMemory()
          var stream = try PlistStreamEncoder(
            to: PlistFileReplacement(of: file), encoder: PlistEncoder(outputFormat: format))
          for number in 0..<count {
            try stream.encode(["id": "\(number)", "text": String(repeating: "text \(number) ", count: 400)])
          }
          try stream.finish().commit()
          let added = try peakMemory() - before
          let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int ?? 0
          precondition(count == 100 || added < bound && size > 40_000_000, "\(format): \(added) of \(size) bytes")
        }
      }
    }
  }

  /// A stream encoder keeps the most values in memory if they are short and different.
  @Test func theMemoryForManyValuesIsBounded() async {
    await #expect(processExitsWith: .success) {
      try resetPeakMemory()
      let before = try peakMemory()
      var size = 0
      var stream = try PlistStreamEncoder(to: PlistClosureSink { size += $0.count }, encoder: PlistEncoder())
      for number in 0..<(isThorough ? 20_000 : 6_000) {
        try stream.encode((0..<100).map { Double(100 * number + $0) / 7 })
      }
      _ = try stream.finish()
      let added = try peakMemory() - before
      precondition(added < 31 << 20 && size > 8_000_000, "\(added) for \(size) bytes")
    }
  }
  #endif
}

private struct Chain: Encodable {
  let levels: Int

  func encode(to encoder: any Encoder) throws {
    var array = encoder.unkeyedContainer()
    if levels > 1 { try array.encode(Chain(levels: levels - 1)) }
  }
}
