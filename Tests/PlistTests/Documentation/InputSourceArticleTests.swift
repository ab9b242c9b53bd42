import Foundation
import Plist
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

private struct Item: Codable, Equatable { var id: Int }

private struct Feed: Codable, Equatable { var items: [Item] }

struct InputSourceArticleTests {
  private let list: PropertyList = ["items": [["id": 1], ["id": 2], ["id": 3]]]

  @Test func fileHandle() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "input-\(UUID()).plist")
    defer { try? FileManager.default.removeItem(at: file) }
    for format in [PlistFormat.xml, .binary, .json] {
      try list.write(to: file, format: format)
      let handle = try FileHandle(forReadingFrom: file)
      var keys: [String] = []

      var reader = PlistStreamReader()
      while let event = try reader.next(reading: { try handle.read(upToCount: 65_536) }) {
        if case .key(let key) = event { keys.append(String(key)) }
      }

      #expect(keys == ["items", "id", "id", "id"])
    }
  }

  private struct ByteBuffer {
    private var bytes: [UInt8]
    init(bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }
    var readableBytesView: ArraySlice<UInt8> { bytes[...] }
    @discardableResult mutating func writeBytes(_ bytes: some Sequence<UInt8>) -> Int {
      let count = self.bytes.count
      self.bytes += bytes
      return self.bytes.count - count
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func byteBuffer() async throws {
    let items = list
    var sum = 0
    func add(_ item: Item) { sum += item.id }
    let document = try items.data(format: .xml)
    var buffer = ByteBuffer(bytes: document)
    var outbound: [ByteBuffer] = []
    let body = AsyncStream<ByteBuffer> { continuation in
      for start in stride(from: 0, to: document.count, by: 50) {
        continuation.yield(ByteBuffer(bytes: document[start..<min(start + 50, document.count)]))
      }
      continuation.finish()
    }
    do {
      let list = try PropertyList(parsing: Data(buffer.readableBytesView))
      #expect(list == items)
    }

    let chunks = body.map(\.readableBytesView)
    for try await item in PlistDecoder().elements(of: Item.self, from: chunks, at: "items") { add(item) }
    #expect(sum == 6)

    buffer = ByteBuffer(bytes: [])
    buffer.writeBytes(try list.data(format: .binary))

    var writer = PlistEventWriter(
      to: PlistClosureSink { chunk in outbound.append(ByteBuffer(bytes: chunk)) }, format: .xml)
    try writer.write(list)
    _ = try writer.finish()

    #expect(try PropertyList(parsing: Data(buffer.readableBytesView)) == list)
    #expect(Data(outbound.map(\.readableBytesView).joined()) == document)
  }
}

private final class LocalServer: URLProtocol {
  override class func canInit(with request: URLRequest) -> Bool { true }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  static var configuration: URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [LocalServer.self]
    return configuration
  }

  override func startLoading() {
    guard let url = request.url,
      let response = HTTPURLResponse(
        url: url, statusCode: url.lastPathComponent == "other" ? 404 : 200, httpVersion: nil, headerFields: nil)
    else { return }
    client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    let text = """
      <plist version="1.0"><dict><key>items</key><array>
      <dict><key>id</key><integer>1</integer></dict>
      <dict><key>id</key><integer>2</integer></dict>
      </array></dict></plist>
      """
    // Without a delegate, Foundation on Linux keeps only the last piece of the response.
    for piece in url.lastPathComponent == "lines" ? text.split(separator: "\n") : [text[...]] {
      client?.urlProtocol(self, didLoad: Data(piece.utf8))
    }
    client?.urlProtocolDidFinishLoading(self)
  }

  override func stopLoading() {}
}

extension InputSourceArticleTests {
  private func feed(at url: URL, with session: URLSession) async throws -> Feed {
    let (data, response) = try await session.data(from: url)
    guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw URLError(.badServerResponse) }
    var options = PlistReadOptions()
    options.limits.maximumByteCount = 1_000_000
    return try PlistDecoder(options: options).decode(Feed.self, from: data)
  }

  final class Download: NSObject, URLSessionDataDelegate {
    let chunks: AsyncThrowingStream<Data, any Error>
    private let continuation: AsyncThrowingStream<Data, any Error>.Continuation

    override init() { (chunks, continuation) = AsyncThrowingStream.makeStream() }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      continuation.yield(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      continuation.finish(throwing: error)
    }
  }

  @Test func session() async throws {
    let configuration = LocalServer.configuration
    let shared = URLSession(configuration: configuration)
    let url = try #require(URL(string: "http://example.invalid/feed"))
    #expect(try await feed(at: url, with: shared) == Feed(items: [Item(id: 1), Item(id: 2)]))
    let other = try #require(URL(string: "http://example.invalid/other"))
    await #expect(throws: URLError.self) { try await feed(at: other, with: shared) }

    try await download(#require(URL(string: "http://example.invalid/lines")), configuration)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private func download(_ url: URL, _ configuration: URLSessionConfiguration) async throws {
    var items: [Item] = []
    func add(_ item: Item) { items.append(item) }

    let download = Download()
    let session = URLSession(configuration: configuration, delegate: download, delegateQueue: nil)
    defer { session.invalidateAndCancel() }
    session.dataTask(with: url).resume()
    for try await item in PlistDecoder().elements(of: Item.self, from: download.chunks, at: "items") { add(item) }

    #expect(items == [Item(id: 1), Item(id: 2)])
  }
}
