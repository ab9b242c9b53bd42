import Foundation
import Plist

struct Purchase: Codable {
  var id: Int
  var customer: String
  var cents: Int
  var date: Date
  var articles: [String]
}

/// A summary of all purchases in a file.
struct PurchaseSummary: Equatable {
  var count = 0
  var cents = 0
  var articles: [String: Int] = [:]

  mutating func add(_ purchase: Purchase) {
    count += 1
    cents += purchase.cents
    for article in purchase.articles { articles[article, default: 0] += 1 }
  }

  /// Reads a file of any size; only the current purchase is in memory.
  init(of file: URL) throws {
    var purchases = try PlistDecoder().elements(of: Purchase.self, contentsOf: file, at: "purchases")
    while let purchase = try purchases.next() { add(purchase) }
  }

  /// Reads bytes as they arrive, from a file or a connection.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  init(of chunks: some AsyncSequence<Data, any Error>) async throws {
    let purchases = PlistDecoder().elements(of: Purchase.self, from: chunks, at: "purchases")
    for try await purchase in purchases { add(purchase) }
  }
}

/// The bytes of a file in chunks.
struct FileChunks: AsyncSequence, AsyncIteratorProtocol {
  let file: FileHandle

  mutating func next() async throws -> Data? { try file.read(upToCount: 65_536) }

  func makeAsyncIterator() -> FileChunks { self }
}

/// Writes purchases to a file, one at a time.
func write(_ purchases: some Sequence<Purchase>, to file: URL) throws {
  let encoder = PlistEncoder()
  let replacement = try PlistFileReplacement(of: file)
  var writer = PlistEventWriter(to: replacement, format: .xml)
  try writer.write(.beginDictionary)
  try writer.write(.key("purchases"))
  try writer.write(.beginArray)
  for purchase in purchases { try writer.write(encoder.encodeToPropertyList(purchase)) }
  try writer.write(.endArray)
  try writer.write(.endDictionary)
  try writer.finish().commit()
}
