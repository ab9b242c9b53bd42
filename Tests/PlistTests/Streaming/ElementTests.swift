import Foundation
import Plist
import PlistFuzzTargets
import Testing

struct ElementTests {
  struct Item: Codable, Equatable {
    var id: Int
    var name: String
    var parts: [Double]
    var extra: [String: [String]]?
  }

  static let items = (0..<500).map {
    Item(id: $0, name: "item & \($0)", parts: [Double($0), 0.5], extra: $0 % 3 == 0 ? ["k": ["a", "b"]] : nil)
  }

  private static func document(_ format: PropertyListSerialization.PropertyListFormat) throws -> Data {
    struct Library: Encodable {
      var tracks: [[Item]]
      var before: [[Int]]
    }
    struct Root: Encodable {
      var alpha: [String: [Int]]
      var library: Library
      var zeta: [Int]
    }
    let encoder = PropertyListEncoder()
    encoder.outputFormat = format
    return try encoder.encode(
      Root(alpha: ["tracks": [1]], library: Library(tracks: [[], items], before: [[1], [2]]), zeta: [3]))
  }

  private func withFile<Result>(_ data: Data, _ body: (URL) throws -> Result) throws -> Result {
    let file = FileManager.default.temporaryDirectory.appending(path: "elements-\(UUID().uuidString).plist")
    try data.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return try body(file)
  }

  private static func elements<Value: Decodable>(
    of type: Value.Type, in file: URL, at path: PropertyListPath = PropertyListPath()
  ) throws -> [Value] {
    var elements = try PlistDecoder().elements(of: type, contentsOf: file, at: path)
    var values: [Value] = []
    while let value = try elements.next() { values.append(value) }
    return values
  }

  @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
  func ofFiles(_ format: PropertyListSerialization.PropertyListFormat) throws {
    try withFile(Self.document(format)) { file in
      var elements = try PlistDecoder().elements(of: Item.self, contentsOf: file, at: "library.tracks.1")
      var items: [Item] = []
      while let item = try elements.next() { items.append(item) }
      #expect(items == Self.items)
      #expect(try elements.next() == nil)
      #expect(try Self.elements(of: Int.self, in: file, at: "library.before.1") == [2])
      #expect(try Self.elements(of: Int.self, in: file, at: "library.tracks.0") == [])
      #expect(throws: DecodingError.self) { try Self.elements(of: Int.self, in: file, at: "library.nothing") }
      #expect(throws: DecodingError.self) { try Self.elements(of: Int.self, in: file, at: "library") }
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: [1, 7, 1000, 1 << 20])
  func ofChunks(_ size: Int) async throws {
    for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
      let data = try Self.document(format)
      let chunks = AsyncStream<Data> { continuation in
        for start in stride(from: 0, to: data.count, by: size) {
          continuation.yield(data[start..<min(start + size, data.count)])
        }
        continuation.finish()
      }
      var items: [Item] = []
      for try await item in PlistDecoder().elements(of: Item.self, from: chunks, at: "library.tracks.1") {
        items.append(item)
      }
      #expect(items == Self.items)
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
  func ofBytes(_ format: PropertyListSerialization.PropertyListFormat) async throws {
    let data = try Self.document(format)
    let bytes = AsyncStream<UInt8> { continuation in
      for byte in data { continuation.yield(byte) }
      continuation.finish()
    }
    var items: [Item] = []
    for try await item in PlistDecoder().elements(of: Item.self, from: bytes, at: "library.tracks.1") {
      items.append(item)
    }
    #expect(items == Self.items)
  }

  @Test func ofSlowBytes() async throws {
    let (bytes, continuation) = AsyncStream<UInt8>.makeStream()
    var elements = PlistDecoder().elements(of: Int.self, from: bytes).makeAsyncIterator()
    for byte in "<array>".utf8 { continuation.yield(byte) }
    for number in 0..<3 {
      for byte in "<integer>\(number)</integer>".utf8 { continuation.yield(byte) }
      #expect(try await elements.next() == number)
    }
    for byte in "</array>".utf8 { continuation.yield(byte) }
    #expect(try await elements.next() == nil)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: ["<array><integer>1</integer>", "(1,", "["])
  func aCancelledTask(_ text: String) async throws {
    let (chunks, continuation) = AsyncStream<Data>.makeStream()
    let (read, reading) = AsyncStream<Void>.makeStream()
    let task = Task {
      for try await _ in PlistDecoder().elements(
        of: Int.self,
        from: chunks.map {
          reading.yield(); return $0
        })
      {}
    }
    continuation.yield(Data(text.utf8))
    for await _ in read { break }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func errorsSayWhere() throws {
    let text = "<array>\n<integer>1</integer>\n<integer>2</integer>\n  <array><string>x</string></array></array>"
    try withFile(Data(text.utf8)) { file in
      var elements = try PlistDecoder().elements(of: Int.self, contentsOf: file)
      #expect(try elements.next() == 1)
      #expect(try elements.next() == 2)
      do {
        _ = try elements.next()
        Issue.record("decoded")
      } catch DecodingError.typeMismatch(_, let context) {
        #expect(context.codingPath.map(\.intValue) == [2])
        #expect(context.debugDescription == "expected an integer")
        let place = "\(file.path): line 4, column 3: expected an integer, found an array (key path: 2)"
        #expect(context.underlyingError.map { "\($0)" } == place)
      }
      #expect(try elements.next() == nil)
      var strings = try PlistDecoder().elements(of: [Int].self, contentsOf: file)
      #expect(throws: DecodingError.self) { try strings.next() }
    }
    let nested = "<array>\n<array>\n<string>x</string>\n<true/></array></array>"
    try withFile(Data(nested.utf8)) { file in
      var elements = try PlistDecoder().elements(of: [String].self, contentsOf: file)
      do {
        _ = try elements.next()
        Issue.record("decoded")
      } catch DecodingError.typeMismatch(_, let context) {
        let place = "\(file.path): line 4, column 1: expected a string, found the boolean true (key path: 0.1)"
        #expect(context.underlyingError.map { "\($0)" } == place)
      }
    }
  }

  @Test(arguments: [("a", "line 3, column 1"), ("b.1", "line 5, column 1")])
  func errorsAboutValuesThatAreNoArrays(_ path: String, _ place: String) throws {
    let text = "<dict>\n<key>a</key>\n<dict/>\n<key>b</key><array><true/>\n<integer>1</integer></array></dict>"
    try withFile(Data(text.utf8)) { file in
      let path = PropertyListPath(path)
      var elements = try PlistDecoder().elements(of: Int.self, contentsOf: file, at: path)
      let error = #expect(throws: DecodingError.self) { try elements.next() }
      #expect(error?.plistError?.description.contains("\(place): expected an array, found") == true)
    }
  }

  private static func manyLines(_ position: Int, _ element: String) -> String {
    var lines = (0..<5000).map { "<string>element \($0) of many</string>" }
    lines[2000] = "<string>\(String(repeating: "long ", count: 40_000))</string>"
    lines[position] = element
    return "<array>\n\(lines.joined(separator: "\n"))\n</array>"
  }

  @Test(arguments: [0, 1, 700, 1999, 2001, 4321, 4999])
  func errorsAmongManyElements(_ position: Int) throws {
    let elements = [
      "<integer>1</integer>": "expected a string, found the integer 1",
      "<string>x</strin>": "expected </string> for the <string> that begins on line",
      "<array><true></array>": "<true>",
    ]
    for (element, message) in elements {
      try withFile(Data(Self.manyLines(position, element).utf8)) { file in
        var elements = try PlistDecoder().elements(of: String.self, contentsOf: file)
        var texts: [String] = []
        for _ in 0..<position { texts += try [elements.next() ?? "none"] }
        let isAsExpected = texts.indices.allSatisfy {
          $0 == 2000 ? texts[$0].utf8.count == 200_000 : texts[$0] == "element \($0) of many"
        }
        #expect(isAsExpected)
        do {
          _ = try elements.next()
          Issue.record("decoded")
        } catch let error as DecodingError {
          let error = try #require(error.plistError)
          #expect(error.line == position + 2 && "\(error)".contains(message), "\(error)")
        }
        #expect(try elements.next() == nil)
      }
    }
  }

  /// A copy of `PlistElements` shares its stream.
  ///
  /// Once that has failed, a copy must neither wait nor return elements for ever.
  @Test func copiesEndAfterAnError() throws {
    try withFile(Data("<plist><array><integer>1</integer><integer>x</integer></array></plist>".utf8)) { url in
      var elements = try PlistDecoder().elements(of: Int.self, contentsOf: url)
      var copy = elements
      #expect(try elements.next() == 1)
      #expect(throws: DecodingError.self) { try elements.next() }
      #expect(try elements.next() == nil)
      #expect(throws: DecodingError.self) { try copy.next() }
      #expect(try copy.next() == nil)
    }
  }

  @Test(arguments: [
    ("<plist><dict><key>a</key><integer>1</integer></dict></plist>", ""), (#"{"a": 1}"#, ""),
    ("<plist><dict><key>a</key><dict/><key>b</key><array><integer>7</integer></array></dict></plist>", "a.b"),
  ])
  func copiesThrowTheErrorOfTheOriginal(_ text: String, _ path: String) throws {
    try withFile(Data(text.utf8)) { url in
      var elements = try PlistDecoder().elements(of: Int.self, contentsOf: url, at: PropertyListPath(path))
      var copy = elements
      let error = #expect(throws: DecodingError.self) { try elements.next() }
      let other = #expect(throws: DecodingError.self) { try copy.next() }
      #expect(error?.plistError?.description == other?.plistError?.description)
      #expect(try copy.next() == nil)
    }
  }

  private struct Holder: Decodable {
    var p: PropertyList
  }

  /// Decodes the elements from a file, and from chunks of different sizes.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private func forEachSource(
    of text: String, _ decoder: PlistDecoder,
    _ body: (_ decode: (any Decodable.Type) async throws -> Void) async -> Void
  ) async throws {
    func open<Value: Decodable>(_ elements: Value.Type, _ file: URL) throws {
      var elements = try decoder.elements(of: Value.self, contentsOf: file)
      while try elements.next() != nil {}
    }
    func open<Value: Decodable>(_ elements: Value.Type, _ chunks: AsyncStream<Data>) async throws {
      for try await _ in decoder.elements(of: Value.self, from: chunks) {}
    }
    let data = Data(text.utf8)
    let file = FileManager.default.temporaryDirectory.appending(path: "elements-\(UUID().uuidString).plist")
    try data.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    await body { try open($0, file) }
    for size in [1, 50, data.count] {
      await body {
        let chunks = AsyncStream<Data> { continuation in
          for start in stride(from: 0, to: data.count, by: size) {
            continuation.yield(data[start..<min(start + size, data.count)])
          }
          continuation.finish()
        }
        try await open($0, chunks)
      }
    }
  }

  @Test(arguments: [
    "<array>\n<dict><key>p</key>\n<dict><key>a</key><array/><key>b</key><true/><key>a</key><true/></dict></dict></array>",
    "<array><dict><key>p</key>\n<array><dict><key>a</key>\n<true/><key>a</key><dict/></dict></array></dict></array>",
    #"[{"p": {"a": 1, "a": 2}}]"#, "({p = {\na = 1; a = 2;};})",
  ])
  func duplicateKeysOfPropertyListsAreRefused(_ text: String) async throws {
    let decoder = PlistDecoder(options: PlistReadOptions(duplicateKeys: .refuse))
    let whole = #expect(throws: DecodingError.self) { try decoder.decode([Holder].self, from: Data(text.utf8)) }
    let expected = try #require(whole?.plistError)
    #expect(expected.code == .duplicateKey)
    for type: any Decodable.Type in [Holder.self, PropertyList.self, [String: PropertyList].self] {
      try await forEachSource(of: text, decoder) { decode in
        let error = await #expect(throws: DecodingError.self) { try await decode(type) }?.plistError
        #expect(error?.code == .duplicateKey, "\(type)")
        #expect(error?.line == expected.line && error?.column == expected.column, "\(type)")
      }
      try await forEachSource(of: text, PlistDecoder()) { decode in
        await #expect(throws: Never.self) { try await decode(type) }
      }
    }
  }

  @Test(arguments: [
    ("[1,\n \"x\"]", "line 2, column 2: expected an integer, found the string"),
    ("(<*I1>,\n ())", "line 2, column 2: expected an integer, found an array"),
    ("\n  {\"a\": 1}", "line 2, column 3: expected an array, found a dictionary"),
    ("[1, 2, 3", "line 1, column 9"),
  ])
  func errorsInTextHavePositions(_ text: String, _ message: String) async throws {
    try await forEachSource(of: text, PlistDecoder()) { decode in
      let error = await #expect(throws: DecodingError.self) { try await decode(Int.self) }?.plistError
      let description = error.map { "\($0)" } ?? "no error"
      #expect(description.contains(message) && (error?.offset ?? 0) > 0, "\(description)")
    }
  }

  @Test func valuesOfEveryKind() throws {
    var generator = SeededGenerator(seed: 11)
    let list = PropertyList.array((0..<60).map { _ in PropertyList.random(using: &generator, depth: 4) })
    for format in [PlistFormat.xml, .binary, .gnuStep] {
      try withFile(list.data(format: format, options: PlistWriteOptions(unrepresentable: .convert))) { file in
        let values = try Self.elements(of: PropertyList.self, in: file)
        #expect(try .array(values) == PropertyList(contentsOf: file))
      }
    }
  }

  #if os(Linux)
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func theMemoryForBinaryFilesIsBounded() async {
    await #expect(processExitsWith: .success) {
      let file = FileManager.default.temporaryDirectory.appending(path: "elements-\(UUID().uuidString).plist")
      defer { try? FileManager.default.removeItem(at: file) }
      let count = 12_000
      let texts = (0..<count).lazy.map { String(repeating: "text \($0) ", count: 400) }
      var stream = try PlistStreamEncoder(to: PlistFileReplacement(of: file), encoder: PlistEncoder())
      for text in texts { try stream.encode(text) }
      try stream.finish().commit()

      for access in [PlistReadOptions.FileAccess.mapped, .read] {
        try resetPeakMemory()
        let before = try peakMemory()
        let options = PlistReadOptions(fileAccess: access)
        var elements = try PlistDecoder(options: options).elements(of: String.self, contentsOf: file)
        for text in texts {
          let element = try elements.next()
          precondition(element == text)
        }
        let added = try peakMemory() - before
        precondition(added < 16 << 20, "\(added) bytes")
      }

      try resetPeakMemory()
      let before = try peakMemory()
      var position = 0
      let chunks = FileChunks(file: try FileHandle(forReadingFrom: file))
      for try await text in PlistDecoder().elements(of: String.self, from: chunks) {
        precondition(text == texts[position])
        position += 1
      }
      let added = try peakMemory() - before
      precondition(position == count && added < 16 << 20, "\(added) bytes")
    }
  }
  #endif

  #if os(Linux)
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func aTemporaryFileThatCannotBeWritten() async {
    await #expect(processExitsWith: .success) {
      unsafe setenv("TMPDIR", "/no/such/folder", 1)
      let document = Data("[\(String(repeating: "1, ", count: 400_000))1]".utf8)
      let chunks = AsyncStream<Data> { continuation in
        continuation.yield(document)
        continuation.finish()
      }
      do {
        for try await _ in PlistDecoder().elements(of: Int.self, from: chunks) {}
        preconditionFailure("no error")
      } catch let error as CocoaError {
        precondition(error.code == .fileWriteUnknown)
        precondition((error.underlying as? PlistError)?.code == .unwritableFile)
      }
    }
  }
  #endif

  @Test func missingFiles() throws {
    // A folder can be opened but not read, so the error comes from `next()`.
    let folder = FileManager.default.temporaryDirectory
    var elements = try PlistDecoder().elements(of: Int.self, contentsOf: folder)
    let unreadable = #expect(throws: CocoaError.self) { try elements.next() }
    #expect(unreadable?.filePath == folder.path)
    let error = #expect(throws: CocoaError.self) {
      try PlistDecoder().elements(of: Int.self, contentsOf: URL(filePath: "/no/such/file"))
    }
    #expect(error?.code == .fileReadNoSuchFile && error?.filePath == "/no/such/file")
  }
}
