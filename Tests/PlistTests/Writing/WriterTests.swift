import Foundation
import Plist
import Testing

struct WriterTests {
  static let misplaced: [[PlistEvent]] = [
    [.endArray], [.endDictionary], [.key("a")], [.integer(1), .integer(2)], [.beginArray, .endArray, .null],
    [.beginArray, .key("a")], [.beginArray, .endDictionary], [.beginDictionary, .endArray],
    [.beginDictionary, .string("a")], [.beginDictionary, .key("a"), .key("b")],
    [.beginDictionary, .key("a"), .endDictionary], [.beginDictionary, .beginArray],
  ]

  @Test(arguments: misplaced, PlistFormat.allCases)
  func refusesMisplacedEvents(_ events: [PlistEvent], in format: PlistFormat) throws {
    var writer = PlistEventWriter(
      to: Data(), format: format, options: PlistWriteOptions(unrepresentable: .convert))
    for event in events.dropLast() { try writer.write(event) }
    let last = try #require(events.last)
    #expect(code { try writer.write(last) } == .invalidEventOrder)
    #expect(code { try writer.write(.null) } == .invalidEventOrder)
    #expect(code { _ = try writer.finish() } == .invalidEventOrder)
  }

  @Test func refusesToFinishEarly() throws {
    var xml = PlistEventWriter(to: Data(), format: .xml)
    #expect(code { _ = try xml.finish() } == .invalidEventOrder)
    var binary = PlistEventWriter(to: Data(), format: .binary)
    try binary.write(.beginArray)
    #expect(code { _ = try binary.finish() } == .invalidEventOrder)
  }

  @Test(arguments: [
    PropertyList.null, "a\0b", .date(Date(timeIntervalSinceReferenceDate: .nan)),
    .date(Date(timeIntervalSinceReferenceDate: .infinity)), .date(Date(timeIntervalSinceReferenceDate: 1e17)),
  ])
  func xmlNamesThePathOfWhatItCannotHold(_ value: PropertyList) throws {
    let list: PropertyList = ["servers": [["port": 80], ["port": value]]]
    let error = #expect(throws: PlistError.self) { try list.data(format: .xml) }
    #expect(error?.code == .unrepresentableValue)
    #expect(error?.path == "servers.1.port")
    #expect(try PropertyList(parsing: list.data(format: .binary)) == list)
  }

  @Test func xmlNamesThePathOfAKeyItCannotHold() throws {
    let list: PropertyList = ["a": ["b\0": 1]]
    let error = #expect(throws: PlistError.self) { try list.data(format: .xml) }
    #expect(error?.code == .unrepresentableValue)
    #expect(error?.path == "a")
  }

  @Test func closureSinkGetsTheSameBytes() throws {
    let list = PropertyList.array((0..<20_000).map { .string("element \($0)") })
    var collected = Data()
    var writer = PlistEventWriter(to: PlistClosureSink { collected += $0 }, format: .xml)
    try writer.write(list)
    _ = try writer.finish()
    #expect(try collected == list.data(format: .xml))
  }

  @Test func sinkErrorsComeThrough() throws {
    struct Full: Error {}
    var writer = PlistEventWriter(to: PlistClosureSink { _ in throw Full() }, format: .binary)
    try writer.write(.boolean(true))
    #expect(throws: Full.self) { _ = try writer.finish() }
  }

  @Test(arguments: PlistFormat.allCases)
  func nothingFollowsAnErrorOfTheSink(format: PlistFormat) throws {
    struct Full: Error {}
    var calls = 0
    let sink = PlistClosureSink { _ in
      calls += 1
      throw Full()
    }
    var writer = PlistEventWriter(to: sink, format: format)
    try writer.write(.beginDictionary)
    try writer.write(.endDictionary)
    #expect(throws: Full.self) { _ = try writer.finish() }
    let second = #expect(throws: PlistError.self) { _ = try writer.finish() }
    #expect(second?.code == .invalidEventOrder)
    #expect(throws: PlistError.self) { try writer.write(.beginArray) }
    #expect(calls == 1)
  }

  @Test func descriptors() {
    #expect(PlistFileDescriptor.standardInput.rawValue == 0)
    #expect(PlistFileDescriptor.standardOutput.rawValue == 1)
    #expect(PlistFileDescriptor.standardError == PlistFileDescriptor(rawValue: 2))
    #if canImport(Darwin)
    let handle = FileHandle.standardOutput
    #expect(PlistFileDescriptor(handle).rawValue == handle.fileDescriptor)
    #endif
  }

  @Test func fileSinkWritesToAnOpenFile() throws {
    let pipe = Pipe()
    let descriptor = PlistFileDescriptor(rawValue: pipe.fileHandleForWriting.fileDescriptor)
    var writer = PlistEventWriter(to: PlistFileSink(fileDescriptor: descriptor), format: .xml)
    try writer.write(.string("through a pipe"))
    _ = try writer.finish()
    try pipe.fileHandleForWriting.close()
    let data = try #require(try pipe.fileHandleForReading.readToEnd())
    #expect(try PropertyList(parsing: data) == "through a pipe")
  }

  @Test func copiesOfAWriterGoTheirOwnWay() throws {
    var first = PlistEventWriter(to: Data(), format: .xml)
    try first.write(.beginArray)
    try first.write(.integer(1))
    var second = first
    try second.write(.integer(2))
    try first.write(.endArray)
    try second.write(.endArray)
    #expect(try PropertyList(parsing: first.finish()) == [1])
    #expect(try PropertyList(parsing: second.finish()) == [1, 2])
  }

  private func code(_ body: () throws -> Void) -> PlistError.Code? {
    do { try body() } catch { return (error as? PlistError)?.code }
    return nil
  }
}

@Suite struct PreparedKeyTests {
  @Test(arguments: [PlistFormat.xml, .binary, .gnuStep, .json])
  func dictionariesWithTheSameKeysAreWrittenAsAlone(format: PlistFormat) throws {
    let keys = ["a", "b & <c>", "schlüssel", String(repeating: "long ", count: 40), "", "tail"]
    let nested: PropertyList = ["a": ["x": 1], "b & <c>": [["x": 2], ["x": 3]], "tail": ["x": 4]]
    var values: [PropertyList] = (0..<6).map { number in
      let number = PropertyList.integer(PropertyListInteger(number))
      return .dictionary(PropertyListDictionary(uniqueKeysWithValues: keys.map { ($0, number) }))
    }
    values.insert(nested, at: 2)
    values.append(contentsOf: [nested, values[0], .dictionary([:]), values[1], nested])
    let together = try PropertyList.array(values).data(format: format)
    #expect(try PropertyList(parsing: together, options: PlistReadOptions(format: format)) == readBack(values, format))
    let shared = try PropertyList(parsing: PropertyList.array(values).data(format: .binary))
    #expect(try shared.data(format: format) == together)
  }

  private func readBack(_ values: [PropertyList], _ format: PlistFormat) throws -> PropertyList {
    .array(
      try values.map { value in
        let alone = try PropertyList.array([value]).data(format: format)
        return try PropertyList(parsing: alone, options: PlistReadOptions(format: format))[0] ?? .null
      })
  }

  @Test func keysBeyondTheCapacityAreWritten() throws {
    let values: [PropertyList] = (0..<60).map { shape in
      let key = String(repeating: "k", count: 1500) + "\(shape / 3)"
      return .dictionary(["first": true, key: .integer(PropertyListInteger(shape))])
    }
    let list = PropertyList.array(values)
    let shared = try PropertyList(parsing: list.data(format: .xml))
    #expect(try shared.data(format: .xml) == list.data(format: .xml))
    #expect(shared == list)
  }
}
