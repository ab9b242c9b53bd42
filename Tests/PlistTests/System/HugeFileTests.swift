import Foundation
import Plist
import Testing

/// Files larger than any memory, or that claim to be.
struct HugeFileTests {
  private final class Folder {
    let url = FileManager.default.temporaryDirectory.appending(path: "plist-huge-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Makes a sparse file with these pieces.
    func file(_ name: String, size: UInt64, _ pieces: [(offset: UInt64, bytes: Data)] = []) throws -> URL {
      let url = url.appending(path: name)
      try Data().write(to: url)
      let file = try FileHandle(forUpdating: url)
      try file.truncate(atOffset: size)
      for (offset, bytes) in pieces {
        try file.seek(toOffset: offset)
        try file.write(contentsOf: bytes)
      }
      try file.close()
      return url
    }

    /// Makes a binary document whose root claims `count` pairs; all keys are the root itself.
    func document(pairs count: UInt64) throws -> URL {
      func number(_ value: UInt64) -> Data { Data((0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) }) }
      let start = Data("bplist00".utf8) + Data([0xDF, 0x13]) + number(count)
      let table = UInt64(start.count) + 2 * count
      let end = number(8) + Data([0, 0, 0, 0, 0, 0, 8, 1]) + number(1) + number(0) + number(table)
      return try file("pairs.plist", size: table + UInt64(end.count), [(0, start), (table, end)])
    }

    /// Makes a valid binary document of 40 GB: `{"key": "value", "blob": data}`, with only zeros in the blob.
    func document(blob marker: UInt8 = 0x4F) throws -> URL {
      let count: UInt64 = 40_000_000_000
      func number(_ value: UInt64) -> Data { Data((0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) }) }
      var start = Data("bplist00".utf8)
      var offsets: [Int] = []
      for object in [[0xD2, 1, 3, 2, 4], Array("\u{53}key".utf8), Array("\u{55}value".utf8), Array("\u{54}blob".utf8)] {
        offsets.append(start.count)
        start += Data(object)
      }
      offsets.append(start.count)
      start += Data([marker, 0x13]) + number(count)
      let table = UInt64(start.count) + count
      var end = Data()
      for offset in offsets { end += number(UInt64(offset)) }
      end += Data([0, 0, 0, 0, 0, 0, 8, 1]) + number(5) + number(0) + number(table)
      return try file("document.plist", size: table + UInt64(end.count), [(0, start), (table, end)])
    }
  }

  private struct Model: Codable, Equatable { var key: String }
  private struct Blob: Codable { var blob: Data }

  @Test func aFileBeyondTheLimitIsRefusedUnread() throws {
    let folder = try Folder()
    let url = try folder.file("zeros.plist", size: 1 << 40)
    let readers: [(URL) throws -> Void] = [
      { _ = try PropertyList(contentsOf: $0) },
      { _ = try PlistDocument(contentsOf: $0) },
      { _ = try PlistEventReader(contentsOf: $0) },
      { _ = try PlistEditor(contentsOf: $0) },
      { _ = try RepairedPropertyList(contentsOf: $0) },
    ]
    for read in readers {
      let error = #expect(throws: PlistError.self) { try read(url) }
      #expect(error?.code == .documentSizeLimit)
      #expect(error?.message == "\(url.path) has more bytes than the limit of 1073741824")
    }
    #expect(throws: (any Error).self) { try PlistDecoder().decode(Model.self, contentsOf: url) }
    let binary = try folder.document()
    #expect(throws: (any Error).self) { try PlistDecoder().elements(of: Model.self, contentsOf: binary) }
    let error = #expect(throws: PlistError.self) { try PropertyList(contentsOf: binary) }
    #expect(error?.code == .documentSizeLimit)
  }

  #if os(Linux)
  @Test func anEndlessFileIsReadToTheLimit() throws {
    let options = PlistReadOptions(limits: PlistLimits(maximumByteCount: 3_000_000))
    let error = #expect(throws: PlistError.self) {
      try PropertyList(contentsOf: URL(filePath: "/dev/zero"), options: options)
    }
    #expect(error?.message == "/dev/zero has more bytes than the limit of 3000000")
  }
  #endif

  @Test func oneValueOfAFileLargerThanTheMemory() throws {
    let folder = try Folder()
    let url = try folder.document(blob: 0x4F)
    let options = PlistReadOptions(fileAccess: .mapped)
    let document = try PlistDocument(contentsOf: url, options: options)
    #expect(document.root["key"]?.string == "value")
    let blob = try #require(document.root["blob"])
    #expect(blob.kind == .data)
    #expect(blob.data == nil && blob.string == nil)
    let error = #expect(throws: PlistError.self) { try blob.propertyList() }
    #expect(error?.code == .documentSizeLimit)
    #expect(error?.message.contains("40000000000") == true)

    let decoder = PlistDecoder(options: options)
    #expect(try decoder.decode(Model.self, contentsOf: url) == Model(key: "value"))
    #expect(throws: DecodingError.self) { try decoder.decode(Blob.self, contentsOf: url) }

    let whole = #expect(throws: PlistError.self) { try document.root.propertyList() }
    #expect(whole?.code == .documentSizeLimit && whole?.message.contains("40000000000") == true)
    let value = #expect(throws: PlistError.self) { try PropertyList(contentsOf: url, options: options) }
    #expect(value?.code == .documentSizeLimit)
    var reader = try PlistEventReader(contentsOf: url, options: options)
    var events: [PlistEvent] = []
    let ending = #expect(throws: PlistError.self) { while let event = try reader.next() { events.append(event) } }
    #expect(events.count <= 4 && ending?.code == .documentSizeLimit)
    #expect(try reader.next() == nil)
  }

  @Test func oneStringOfAFileLargerThanTheMemory() throws {
    let folder = try Folder()
    let url = try folder.document(blob: 0x5F)
    let options = PlistReadOptions(fileAccess: .mapped)
    let document = try PlistDocument(contentsOf: url, options: options)
    // (`kind` would have to read all of the string to know whether it is well formed.)
    let blob = try #require(document.root["blob"])
    #expect(blob.string == nil)
    let error = #expect(throws: PlistError.self) { try blob.propertyList() }
    #expect(error?.code == .documentSizeLimit)
    // A message shows the start of a string, and reads no more.
    let mismatch = #expect(throws: DecodingError.self) { try PlistDecoder().decode(Blob.self, from: document, at: "") }
    let zeros = String(repeating: "\\u{0}", count: 40)
    #expect(mismatch?.plistError?.message == "expected data, found the string \"\(zeros)…\"")
  }

  /// A dictionary that claims more pairs than a look-up table or the memory could hold is searched without a table.
  @Test(arguments: [UInt64(3_000_000_000), 1_900_000_000])
  func lookUpsInDictionariesLargerThanTheMemory(pairs: UInt64) throws {
    let folder = try Folder()
    let url = try folder.document(pairs: pairs)
    let root = try PlistDocument(contentsOf: url, options: PlistReadOptions(fileAccess: .mapped)).root
    #expect(root.count == Int(pairs))
    for _ in 0..<3 { #expect(root["key"] == nil) }
  }

  @Test func theLimitIsForWhatIsReadIntoMemory() throws {
    #expect(PlistLimits().maximumByteCount == nil && PlistLimits().readByteCount == 1 << 30)
    var limits = PlistLimits(maximumByteCount: 40)
    let text = Data("<array><true/><true/><true/><true/></array>".utf8)
    let error = #expect(throws: PlistError.self) {
      try PropertyList(parsing: text, options: PlistReadOptions(limits: limits))
    }
    #expect(error?.code == .documentSizeLimit)
    limits.maximumByteCount = text.count
    #expect(try PropertyList(parsing: text, options: PlistReadOptions(limits: limits)).array?.count == 4)

    // A mapped file that has to be converted is read into memory after all.
    let folder = try Folder()
    let url = folder.url.appending(path: "utf16.plist")
    let content = String(repeating: "x", count: 3_000_000)
    try #require("<?xml version=\"1.0\"?><string>\(content)</string>".data(using: .utf16)).write(to: url)
    var options = PlistReadOptions(limits: PlistLimits(maximumByteCount: 5_000_000), fileAccess: .mapped)
    let conversion = #expect(throws: PlistError.self) { try PropertyList(contentsOf: url, options: options) }
    #expect(conversion?.code == .documentSizeLimit)
    options.limits.maximumByteCount = 10_000_000
    #expect(try PropertyList(contentsOf: url, options: options).string?.utf8.count == 3_000_000)
  }
}
