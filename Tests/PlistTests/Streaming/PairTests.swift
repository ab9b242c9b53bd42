import Foundation
import Plist
import PlistFuzzTargets
import Testing

struct PairTests {
  struct Track: Codable, Equatable {
    var name: String
    var year: Int
    var ratings: [Double]
    var more: [String: [String]]?

    init(_ number: Int) {
      name = "track & \(number)"
      year = 1900 + number % 120
      ratings = [Double(number), 0.5]
      more = number % 3 == 0 ? ["k": ["a", "b"]] : nil
    }
  }

  private static let formats: [PlistFormat] = [.xml, .binary, .gnuStep, .json]

  /// The keys are in no order; some need escapes or are not ASCII.
  private static let keys = (0..<1_000).map { number in
    number % 5 == 0 ? "é & \(number)" : "\(number * 7919 % 2_003)"
  }

  /// More tracks than a window of the stream holds.
  private static func library(_ format: PlistFormat) throws -> Data {
    let tracks = PropertyListDictionary(
      uniqueKeysWithValues: try keys.enumerated().map {
        ($1, try PlistEncoder().encodeToPropertyList(Track($0)))
      })
    let list: PropertyList = [
      "Alpha": ["Tracks": ["x": 1]], "Tracks": .dictionary(tracks), "Lists": [["empty": [:]], ["one": ["a": 7]]],
    ]
    return try list.data(format: format)
  }

  /// From a file, from chunks, and byte by byte.
  private enum Way: Hashable, CustomStringConvertible {
    case file, chunks(Int), bytes

    static let all = [file, chunks(7), chunks(1_000), chunks(1 << 20), bytes]

    var description: String {
      switch self {
      case .file: "file"
      case .chunks(let size): "chunks of \(size)"
      case .bytes: "bytes"
      }
    }
  }

  /// Reads pairs until the end or an error.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private static func read<Value: Decodable>(
    _ type: Value.Type, from data: Data, _ way: Way, at path: PropertyListPath = PropertyListPath(),
    _ decoder: PlistDecoder = PlistDecoder(), _ take: (String, Value) -> Void
  ) async throws {
    switch way {
    case .file:
      let file = FileManager.default.temporaryDirectory.appending(path: "pairs-\(UUID().uuidString).plist")
      try data.write(to: file)
      defer { try? FileManager.default.removeItem(at: file) }
      var pairs = try decoder.pairs(of: type, contentsOf: file, at: path)
      do { while let (key, value) = try pairs.next() { take(key, value) } } catch {
        #expect(try pairs.next() == nil)
        throw error
      }
      #expect(try pairs.next() == nil)
    case .chunks(let size):
      let chunks = AsyncStream<Data> { continuation in
        for start in stride(from: 0, to: data.count, by: size) {
          continuation.yield(data[start..<min(start + size, data.count)])
        }
        continuation.finish()
      }
      for try await (key, value) in decoder.pairs(of: type, from: chunks, at: path) { take(key, value) }
    case .bytes:
      let bytes = AsyncStream<UInt8> { continuation in
        for byte in data { continuation.yield(byte) }
        continuation.finish()
      }
      for try await (key, value) in decoder.pairs(of: type, from: bytes, at: path) { take(key, value) }
    }
  }

  private static func pairs<Value: Decodable>(
    _ type: Value.Type, from data: Data, _ way: Way, at path: PropertyListPath = PropertyListPath(),
    _ decoder: PlistDecoder = PlistDecoder()
  ) async throws -> (keys: [String], values: [Value]) {
    var (keys, values): ([String], [Value]) = ([], [])
    try await read(type, from: data, way, at: path, decoder) {
      keys.append($0)
      values.append($1)
    }
    return (keys, values)
  }

  /// Returns the error of reading, and how many pairs came before it.
  private static func failure<Value: Decodable>(
    _ type: Value.Type, from data: Data, _ way: Way, at path: PropertyListPath = PropertyListPath(),
    _ decoder: PlistDecoder = PlistDecoder()
  ) async -> (error: DecodingError?, count: Int) {
    var count = 0
    do { try await read(type, from: data, way, at: path, decoder) { _, _ in count += 1 } } catch {
      return (error as? DecodingError, count)
    }
    return (nil, count)
  }

  @Test(arguments: formats)
  func everyWay(_ format: PlistFormat) async throws {
    let data = try Self.library(format)
    let tracks = Self.keys.indices.map(Track.init)
    for way in Way.all {
      let (keys, values) = try await Self.pairs(Track.self, from: data, way, at: "Tracks")
      #expect(keys == Self.keys && values == tracks, "\(way)")
      #expect(try await Self.pairs([String: Int].self, from: data, way, at: "Lists.0.empty").keys == [])
      let inner = try await Self.pairs([String: Int].self, from: data, way, at: "Lists.1")
      #expect(inner.keys == ["one"] && inner.values == [["a": 7]], "\(way)")
      let outer = try await Self.pairs(PropertyList.self, from: data, way)
      #expect(outer.keys == ["Alpha", "Tracks", "Lists"], "\(way)")
      #expect(try PropertyList(parsing: data)["Lists"] == outer.values[2], "\(way)")
    }
  }

  @Test func valuesOfEveryKind() async throws {
    var generator = SeededGenerator(seed: 12)
    let pairs = (0..<80).map { ("key \($0)", PropertyList.random(using: &generator, depth: 4)) }
    let list = PropertyList.dictionary(PropertyListDictionary(uniqueKeysWithValues: pairs))
    for format in [PlistFormat.xml, .binary, .gnuStep, .openStep, .json] {
      let data = try list.data(format: format, options: PlistWriteOptions(unrepresentable: .convert))
      let whole = try PropertyList(parsing: data)
      for way in [Way.file, .chunks(1_000)] {
        let (keys, values) = try await Self.pairs(PropertyList.self, from: data, way)
        #expect(keys == pairs.map(\.0))
        #expect(keys.indices.allSatisfy { whole[keys[$0]] == values[$0] }, "\(format), \(way)")
      }
    }
  }

  private static let repeated: [(PlistFormat, Data)] = {
    func data(_ text: String) -> Data { Data(text.utf8) }
    let strings: [[UInt8]] = [[0x51, 0x61], [0x51, 0x62]]
    return [
      (
        .xml,
        data(
          "<dict><key>a</key><integer>1</integer>\n<key>b</key><integer>2</integer>\n<key>a</key><integer>3</integer></dict>"
        )
      ),
      (.json, data("{\"a\": 1,\n\"b\": 2,\n\"a\": 3}")), (.gnuStep, data("{a = <*I1>;\nb = <*I2>;\na = <*I3>;}")),
      (.binary, BinaryDocument([[0xD3, 1, 2, 1, 3, 4, 5]] + strings + [[0x10, 1], [0x10, 2], [0x10, 3]]).data),
    ]
  }()

  @Test(arguments: repeated.indices)
  func keysThatOccurTwice(_ index: Int) async throws {
    let (format, data) = Self.repeated[index]
    for way in Way.all {
      let (keys, values) = try await Self.pairs(Int.self, from: data, way)
      #expect(keys == ["a", "b", "a"] && values == [1, 2, 3], "\(way)")
      let decoder = PlistDecoder(options: PlistReadOptions(duplicateKeys: .refuse))
      let (error, count) = await Self.failure(Int.self, from: data, way, at: "", decoder)
      #expect(error?.plistError?.code == .duplicateKey && count == 2, "\(way)")
      #expect(error?.plistError?.line == (format == .binary ? nil : 3), "\(way)")
    }
  }

  @Test(arguments: formats)
  func keysThatOccurTwiceInValues(_ format: PlistFormat) async throws {
    let decoder = PlistDecoder(options: PlistReadOptions(duplicateKeys: .refuse))
    let data = try Self.library(format)
    for way in [Way.file, .chunks(1_000)] {
      #expect(try await Self.pairs(Track.self, from: data, way, at: "Tracks", decoder).keys == Self.keys)
    }
    let text = "<dict><key>x</key><dict><key>a</key><true/><key>a</key><true/></dict></dict>"
    for way in Way.all {
      let (error, _) = await Self.failure([String: Bool].self, from: Data(text.utf8), way, at: "", decoder)
      #expect(error?.plistError?.code == .duplicateKey && error?.plistError?.path == "x", "\(way)")
    }
  }

  /// Keys far apart are compared too, and canonically equal keys are two keys.
  @Test func refusedKeysFarApart() async throws {
    let decoder = PlistDecoder(options: PlistReadOptions(duplicateKeys: .refuse))
    func document(_ last: String) -> Data {
      let pairs = (0..<3_000).map { "<key>\($0)</key><integer>\($0)</integer>\n" } + ["<key>\u{E9}</key><true/>\n"]
      return Data("<dict>\(pairs.joined())<key>\(last)</key><integer>0</integer></dict>".utf8)
    }
    for way in Way.all {
      let (error, count) = await Self.failure(
        PropertyList.self, from: document("7"), way, at: "", decoder)
      #expect(error?.plistError?.code == .duplicateKey && error?.plistError?.line == 3_002, "\(way)")
      #expect(count == 3_001, "\(way)")
      #expect(
        try await Self.pairs(PropertyList.self, from: document("e\u{301}"), way, at: "", decoder).keys.count == 3_002)
    }
  }

  private static func manyTracks(_ damaged: String, at position: Int) -> String {
    var pairs = (0..<3_000).map { "<key>\($0)</key><dict><key>track_name</key><string>track \($0)</string></dict>" }
    pairs[position] = "<key>\(position)</key><dict><key>track_name</key>\(damaged)</dict>"
    return "<plist><dict><key>Tracks</key><dict>\n\(pairs.joined(separator: "\n"))\n</dict></dict></plist>"
  }

  private struct Name: Decodable { var trackName: String }

  @Test(arguments: [0, 1, 700, 2_999])
  func errorsSayWhere(_ position: Int) async throws {
    var decoder = PlistDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let data = Data(Self.manyTracks("<integer>7</integer>", at: position).utf8)
    for way in Way.all {
      let (error, count) = await Self.failure(Name.self, from: data, way, at: "Tracks", decoder)
      #expect(count == position, "\(way)")
      guard case .typeMismatch(_, let context) = error else {
        Issue.record("\(way): \(String(describing: error))")
        continue
      }
      #expect(context.codingPath.map(\.stringValue) == ["\(position)", "trackName"])
      let place = """
        line \(position + 2), column \(39 + String(position).count): expected a string, found the integer 7 \
        (key path: Tracks.\(position).track_name)
        """
      #expect(error?.plistError.map { "\($0)" }?.hasSuffix(place) == true, "\(way): \(error?.plistError as Any)")
    }
  }

  @Test(arguments: formats)
  func errorsInEveryFormat(_ format: PlistFormat) async throws {
    let list: PropertyList = ["Tracks": ["first_key": ["track_name": "x"], "1234": ["track_name": 7]]]
    var decoder = PlistDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let data = try list.data(format: format)
    for way in Way.all {
      let (error, count) = await Self.failure(Name.self, from: data, way, at: "Tracks", decoder)
      #expect(count == 1)
      #expect(error?.plistError?.path == "Tracks.1234.track_name", "\(way)")
      #expect(
        try await Self.pairs(PropertyList.self, from: data, way, at: "Tracks", decoder).keys == ["first_key", "1234"])
    }
  }

  @Test(arguments: formats)
  func valuesThatAreNoDictionaries(_ format: PlistFormat) async throws {
    let list: PropertyList = ["a": [1, 2], "b": 3]
    let data = try list.data(format: format)
    for way in Way.all {
      for (path, message) in [("a", "found an array"), ("b", "found the integer 3"), ("a.0", "found the integer 1")] {
        let (error, _) = await Self.failure(Int.self, from: data, way, at: PropertyListPath(path))
        guard case .typeMismatch(let type, _) = error else {
          Issue.record("\(way): \(String(describing: error))")
          continue
        }
        #expect(type is [String: Any].Type)
        #expect(error?.plistError?.message == "expected a dictionary, \(message)")
        #expect(error?.plistError?.path == PropertyListPath(path))
      }
      for path in ["c", "b.c", "a.7"] {
        let (error, _) = await Self.failure(Int.self, from: data, way, at: PropertyListPath(path))
        guard case .valueNotFound(let type, _) = error else {
          Issue.record("\(way): \(String(describing: error))")
          continue
        }
        #expect(type is [String: Any].Type)
      }
    }
  }

  /// An XML dictionary whose only key is `CF$UID` is a UID, so it has no pairs.
  @Test func uniqueIdentifiers() async throws {
    let data = Data("<dict><key>a</key><dict><key>CF$UID</key><integer>4</integer></dict></dict>".utf8)
    for way in Way.all {
      #expect(try await Self.pairs(PropertyListUID.self, from: data, way).values == [PropertyListUID(4)])
      let (error, _) = await Self.failure(Int.self, from: data, way, at: "a")
      #expect(error?.plistError?.message == "expected a dictionary, found a UID")
    }
  }

  @Test func valuesThatAreNil() async throws {
    let json = Data(#"{"a": null, "b": 1}"#.utf8)
    let xml = Data("<dict><key>a</key><string>$null</string><key>b</key><integer>1</integer></dict>".utf8)
    for (data, way) in [(json, Way.file), (json, .chunks(3)), (xml, .file), (xml, .chunks(3))] {
      let (keys, values) = try await Self.pairs(Int?.self, from: data, way)
      #expect(keys == ["a", "b"] && values == [nil, 1])
    }
  }

  private struct Anything: Decodable { init(from decoder: any Decoder) throws {} }

  /// In a stream of XML, even skipped values must be well formed, as in a stream of events; objects of a binary
  /// document that nobody reads may be damaged.
  @Test func malformedValuesThatNobodyReads() async throws {
    for damaged in ["<integer>x</integer>", "<date>yesterday</date>"] {
      let data = Data(Self.manyTracks(damaged, at: 1_500).utf8)
      for way in Way.all {
        let (error, count) = await Self.failure(Anything.self, from: data, way, at: "Tracks")
        #expect(error?.plistError?.line == 1_502 && count == 1_500, "\(way)")
      }
    }
    let strings: [[UInt8]] = [[0x51, 0x61], [0x51, 0x62]]
    let binary = BinaryDocument([[0xD2, 1, 2, 3, 4]] + strings + [[0x10, 1], [0x7F]]).data
    let key = BinaryDocument([[0xD2, 1, 2, 3, 3], strings[0], [0x10, 7], [0x10, 1]]).data
    let reference = BinaryDocument([[0xD2, 1, 2, 3, 99]] + strings + [[0x10, 1]]).data
    for way in Way.all {
      #expect(try await Self.pairs(Anything.self, from: binary, way).keys == ["a", "b"])
      for (data, path) in [(binary, "b"), (key, ""), (reference, "b")] {
        let (error, count) = await Self.failure(Int.self, from: data, way)
        #expect(error?.plistError?.path ?? PropertyListPath() == PropertyListPath(path) && count == 1, "\(way)")
        guard case .dataCorrupted = error else {
          Issue.record("\(way): \(String(describing: error))")
          continue
        }
      }
    }
  }

  @Test func incompleteDocuments() async throws {
    for end in ["", "<key>b</key>", "<key>b</key><integer>", "<key>b</key></dict>", "<integer>1</integer></dict>"] {
      let data = Data("<dict><key>a</key><integer>1</integer>\(end)".utf8)
      for way in Way.all {
        let (error, count) = await Self.failure(Int.self, from: data, way)
        #expect(error?.plistError != nil && count == 1, "\(end), \(way)")
      }
    }
    // What follows the dictionary is not read.
    let data = Data("<plist><dict><key>t</key><dict><key>a</key><integer>1</integer></dict></array>".utf8)
    #expect(try await Self.pairs(Int.self, from: data, .file, at: "t").keys == ["a"])
  }

  /// Long keys of a binary document can overlap, so they count as in a dictionary decoded as a whole.
  @Test func longKeys() async throws {
    let (count, length) = (200, 50_000)
    let key: [UInt8] =
      [0x5F, 0x11] + BinaryDocument.bigEndian(length, width: 2) + [UInt8](repeating: 0x61, count: length)
    let references = [UInt8](repeating: 1, count: count) + [UInt8](repeating: 2, count: count)
    let data = BinaryDocument([[0xDF, 0x11] + BinaryDocument.bigEndian(count, width: 2) + references, key, [0x09]]).data
    let decoder = PlistDecoder(options: PlistReadOptions(limits: PlistLimits(maximumExpansion: 10)))
    let whole = #expect(throws: DecodingError.self) { try decoder.decode([String: Bool].self, from: data) }
    #expect(whole?.plistError?.code == .expandedObjectsLimit)
    for way in [Way.file, .chunks(1_000)] {
      let (error, read) = await Self.failure(Bool.self, from: data, way, at: "", decoder)
      #expect(error?.plistError?.code == .expandedObjectsLimit && read < count)
      #expect(error?.plistError?.message == whole?.plistError?.message)
    }
  }

  @Test(arguments: formats)
  func depth(_ format: PlistFormat) async throws {
    let data = try (["a": ["b": [["c": 1]]]] as PropertyList).data(format: format)
    for way in Way.all {
      let decoder = PlistDecoder(options: PlistReadOptions(limits: PlistLimits(maximumDepth: 3)))
      let (error, _) = await Self.failure([String: [[String: Int]]].self, from: data, way, at: "", decoder)
      #expect(error?.plistError?.code == .depthLimit, "\(way)")
    }
  }

  @Test(arguments: formats)
  func keysThatNobodyReads(_ format: PlistFormat) async throws {
    var decoder = PlistDecoder()
    decoder.unreadKeyStrategy = .refuse
    struct Part: Decodable { var a: Int }
    let pairs = (0..<2_000).map { ("k\($0)", ["a": 1] as PropertyList) } + [("last", ["a": 1, "b": 2])]
    let list: PropertyList = ["t": .dictionary(PropertyListDictionary(uniqueKeysWithValues: pairs))]
    for way in [Way.file, .chunks(1_000)] {
      let (error, count) = await Self.failure(Part.self, from: try list.data(format: format), way, at: "t", decoder)
      #expect(error?.plistError?.code == .unreadKey && error?.plistError?.path == "t.last.b" && count == 2_000)
    }
  }

  private struct Number: PlistDecodable {
    let value: Int
    init(from decoder: inout PlistValueDecoder) throws { value = try decoder.decode(Int.self) }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func directlyDecodedValues() async throws {
    let data = try (["a": 1, "b": 2] as PropertyList).data(format: .xml)
    let file = FileManager.default.temporaryDirectory.appending(path: "pairs-\(UUID().uuidString).plist")
    try data.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    var found: [String] = []
    var pairs = try PlistDecoder().pairs(of: Number.self, contentsOf: file)
    while let pair = try pairs.next() { found.append(pair.key + "\(pair.value.value)") }
    let chunks = AsyncStream { continuation in
      continuation.yield(data)
      continuation.finish()
    }
    for try await pair in PlistDecoder().pairs(of: Number.self, from: chunks) { found.append(pair.key) }
    let bytes = AsyncStream { continuation in
      for byte in data { continuation.yield(byte) }
      continuation.finish()
    }
    for try await pair in PlistDecoder().pairs(of: Number.self, from: bytes) { found.append(pair.key) }
    #expect(found == ["a1", "b2", "a", "b", "a", "b"])
  }

  @Test func slowBytes() async throws {
    let (bytes, continuation) = AsyncStream<UInt8>.makeStream()
    var pairs = PlistDecoder().pairs(of: Int.self, from: bytes).makeAsyncIterator()
    for byte in "<dict>".utf8 { continuation.yield(byte) }
    for number in 0..<3 {
      for byte in "<key>k\(number)</key><integer>\(number)</integer>".utf8 { continuation.yield(byte) }
      let pair = try await pairs.next()
      #expect(pair?.key == "k\(number)" && pair?.value == number)
    }
    for byte in "</dict>".utf8 { continuation.yield(byte) }
    #expect(try await pairs.next() == nil)
  }

  /// Both kinds of elements show how many bytes have been read.
  @Test(arguments: formats)
  func progress(_ format: PlistFormat) async throws {
    let data = try Self.library(format)
    let file = FileManager.default.temporaryDirectory.appending(path: "pairs-\(UUID().uuidString).plist")
    try data.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }

    var pairs = try PlistDecoder().pairs(of: Track.self, contentsOf: file, at: "Tracks")
    #expect(pairs.byteCount == (format == .binary ? data.count : 0))
    var counts: [Int] = []
    while try pairs.next() != nil { counts.append(pairs.byteCount) }
    #expect(counts == counts.sorted() && counts.last == data.count)
    #expect(format == .xml ? counts[0] <= 1 << 16 && Set(counts).count > 3 : Set(counts) == [data.count])

    let size = 10_000
    let chunks = AsyncStream<Data> { continuation in
      for start in stride(from: 0, to: data.count, by: size) {
        continuation.yield(data[start..<min(start + size, data.count)])
      }
      continuation.finish()
    }
    var iterator = PlistDecoder().pairs(of: Track.self, from: chunks, at: "Tracks").makeAsyncIterator()
    #expect(iterator.byteCount == 0)
    counts = []
    while try await iterator.next() != nil { counts.append(iterator.byteCount) }
    #expect(format == .xml ? counts[0] == size : counts[0] == data.count)
    #expect(counts == counts.sorted() && counts.last == data.count)
  }

  #if os(Linux)
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func theMemoryIsBounded() async {
    await #expect(processExitsWith: .success) {
      let file = FileManager.default.temporaryDirectory.appending(path: "pairs-\(UUID().uuidString).plist")
      defer { try? FileManager.default.removeItem(at: file) }
      let count = 12_000
      for format in [PlistFormat.xml, .binary] {
        var stream = try PlistStreamEncoder(
          to: PlistFileReplacement(of: file), of: .dictionary, encoder: PlistEncoder(outputFormat: format))
        for number in 0..<count {
          try stream.encode(String(repeating: "text \(number) ", count: 400), forKey: "key \(number)")
        }
        try stream.finish().commit()

        try resetPeakMemory()
        var before = try peakMemory()
        var pairs = try PlistDecoder().pairs(of: String.self, contentsOf: file)
        var position = 0
        while let (key, text) = try pairs.next() {
          precondition(key == "key \(position)" && text.utf8.count > 400 * 6)
          position += 1
        }
        var added = try peakMemory() - before
        precondition(position == count && added < 16 << 20, "\(added) bytes")

        try resetPeakMemory()
        before = try peakMemory()
        position = 0
        let chunks = FileChunks(file: try FileHandle(forReadingFrom: file))
        for try await (key, _) in PlistDecoder().pairs(of: String.self, from: chunks) {
          precondition(key == "key \(position)")
          position += 1
        }
        added = try peakMemory() - before
        precondition(position == count && added < 16 << 20, "\(added) bytes")
      }
    }
  }
  #endif
}
