import Foundation
import Plist
import Testing

/// Writers pass bytes to the sink before the document is complete.
struct StreamingWriterTests {
  private final class Runs: PlistSink {
    var data = Data()
    var count = 0
    var longest = 0

    func write(_ bytes: RawSpan) {
      data.write(bytes)
      count += 1
      longest = max(longest, bytes.byteCount)
    }
  }

  @Test func bytesComeAsTheyAreWritten() throws {
    let (xmlRuns, binaryRuns) = (Runs(), Runs())
    var xml = PlistEventWriter(to: xmlRuns, format: .xml)
    var binary = PlistEventWriter(to: binaryRuns, format: .binary)
    try xml.write(.beginArray)
    try binary.write(.beginArray)
    for number in 0..<30_000 {
      let event = PlistEvent.string(PlistText("the string number \(number)"))
      try xml.write(event)
      try binary.write(event)
    }
    #expect(xmlRuns.data.count > 1 << 20)
    #expect(binaryRuns.data.count > 1 << 19)
    try xml.write(.endArray)
    try binary.write(.endArray)
    _ = try xml.finish()
    _ = try binary.finish()
    #expect(xmlRuns.longest < 1 << 17)
    #expect(binaryRuns.longest < 1 << 17)
    #expect(try PropertyList(parsing: xmlRuns.data) == PropertyList(parsing: binaryRuns.data))
  }

  @Test func manyObjects() throws {
    let blob = Data(repeating: 1, count: 300_000)
    var list: [PropertyList] = [.data(blob)]
    for number in 0..<30_000 {
      list.append(["number": .integer(.init(number)), "list": [.string("s\(number)"), []]])
    }
    list += (0..<300_000).map { .real(Double($0) + 0.5) }
    list += [.data(blob), "s1", "number"]
    let value = PropertyList.dictionary(["list": .array(list), "after": ["number": true]])
    let runs = Runs()
    var writer = PlistEventWriter(to: runs, format: .binary)
    try writer.write(value)
    _ = try writer.finish()
    #expect(try PropertyList(parsing: runs.data) == value)
    #expect(runs.longest <= 400_000)
    let whole = try value.data(format: .binary)
    #expect(try PropertyList(parsing: whole) == value)
    // Each reference of the stream takes one more byte, since the number of objects is unknown when it is written.
    let longer = runs.data.count - whole.count - (list.count + 30_000 * 6)
    #expect(longer >= 300_000 && longer < 400_000)
  }

  @Test func copiesWithFiles() throws {
    var first = PlistEventWriter(to: Data(), format: .binary)
    try first.write(.beginArray)
    for _ in 0..<300_000 { try first.write(.boolean(true)) }
    var second = first
    for _ in 0..<300_000 { try second.write(.boolean(false)) }
    for _ in 0..<300_000 { try first.write(.null) }
    try first.write(.endArray)
    try second.write(.endArray)
    let half = [PropertyList](repeating: true, count: 300_000)
    #expect(try PropertyList(parsing: second.finish()) == .array(half + .init(repeating: false, count: 300_000)))
    #expect(try PropertyList(parsing: first.finish()) == .array(half + .init(repeating: .null, count: 300_000)))
  }

  @Test func dataThatIsAlmostTheSame() throws {
    let blobs = (0..<40).map { index in
      var data = Data(repeating: 9, count: 20_000)
      data[5_003 + index] = 8
      return PropertyList.data(data)
    }
    let value = PropertyList.array(blobs + blobs.reversed())
    let data = try value.data(format: .binary)
    #expect(try PropertyList(parsing: data) == value)
    #expect(data.count < 40 * 20_000 + 1_000)
  }
}
