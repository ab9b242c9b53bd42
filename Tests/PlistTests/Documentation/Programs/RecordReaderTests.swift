import Foundation
import Plist
import Testing

struct RecordReaderTests {
  private static let byteCount = isThorough ? 300_000_000 : 6_000_000
  private static let bytesPerRecord = 332

  private static func purchases(_ count: Int) -> some Sequence<Purchase> {
    (0..<count).lazy.map { number in
      Purchase(
        id: number, customer: "customer \(number % 1_000) & sons", cents: number % 10_000,
        date: Date(timeIntervalSinceReferenceDate: Double(number)),
        articles: ["tea", number % 3 == 0 ? "milk" : "sugar"])
    }
  }

  private static func isSummary(_ summary: PurchaseSummary, of count: Int) -> Bool {
    let (rounds, rest) = count.quotientAndRemainder(dividingBy: 10_000)
    let milk = (count + 2) / 3
    return summary.count == count && summary.cents == rounds * (9_999 * 10_000 / 2) + rest * (rest - 1) / 2
      && summary.articles == ["tea": count, "milk": milk, "sugar": count - milk]
  }

  private static func newFile() -> URL {
    FileManager.default.temporaryDirectory.appending(path: "purchases-\(UUID()).plist")
  }

  @Test func smallFiles() async throws {
    let file = Self.newFile()
    defer { try? FileManager.default.removeItem(at: file) }
    try write(Self.purchases(2), to: file)
    #expect(
      try String(contentsOf: file, encoding: .utf8) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
        \t<key>purchases</key>
        \t<array>
        \t\t<dict>
        \t\t\t<key>id</key>
        \t\t\t<integer>0</integer>
        \t\t\t<key>customer</key>
        \t\t\t<string>customer 0 &amp; sons</string>
        \t\t\t<key>cents</key>
        \t\t\t<integer>0</integer>
        \t\t\t<key>date</key>
        \t\t\t<date>2001-01-01T00:00:00Z</date>
        \t\t\t<key>articles</key>
        \t\t\t<array>
        \t\t\t\t<string>tea</string>
        \t\t\t\t<string>milk</string>
        \t\t\t</array>
        \t\t</dict>
        \t\t<dict>
        \t\t\t<key>id</key>
        \t\t\t<integer>1</integer>
        \t\t\t<key>customer</key>
        \t\t\t<string>customer 1 &amp; sons</string>
        \t\t\t<key>cents</key>
        \t\t\t<integer>1</integer>
        \t\t\t<key>date</key>
        \t\t\t<date>2001-01-01T00:00:01Z</date>
        \t\t\t<key>articles</key>
        \t\t\t<array>
        \t\t\t\t<string>tea</string>
        \t\t\t\t<string>sugar</string>
        \t\t\t</array>
        \t\t</dict>
        \t</array>
        </dict>
        </plist>

        """)

    for format in [PlistFormat.xml, .binary] {
      try PropertyList(contentsOf: file).write(to: file, format: format)
      let summary = try PurchaseSummary(of: file)
      #expect(Self.isSummary(summary, of: 2))
      #expect(try await PurchaseSummary(of: FileChunks(file: FileHandle(forReadingFrom: file))) == summary)
    }
  }

  @Test func aBadRecordIsReported() async throws {
    let file = Self.newFile()
    defer { try? FileManager.default.removeItem(at: file) }
    try write(Self.purchases(300), to: file)
    let text = try String(contentsOf: file, encoding: .utf8)
    try Data(text.replacing("<integer>299</integer>", with: "<string>299</string>").utf8).write(to: file)

    let error = #expect(throws: DecodingError.self) { try PurchaseSummary(of: file) }
    #expect(error?.plistError?.path == "purchases.299.id")
    #expect(error?.plistError?.message == "expected an integer, found the string \"299\"")
    #expect(error?.plistError?.column == 4)
    #expect(error?.plistError?.line == 6 + 299 * 15 + 3)
    await #expect(throws: DecodingError.self) {
      try await PurchaseSummary(of: FileChunks(file: FileHandle(forReadingFrom: file)))
    }
  }

  @Test func theResultOfALargeFile() async throws {
    let file = Self.newFile()
    defer { try? FileManager.default.removeItem(at: file) }
    let count = Self.byteCount / Self.bytesPerRecord
    try write(Self.purchases(count), to: file)
    let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int
    #expect(abs((size ?? 0) - Self.byteCount) < Self.byteCount / 10, "\(size ?? 0)")

    let summary = try PurchaseSummary(of: file)
    #expect(Self.isSummary(summary, of: count), "\(summary)")
    #expect(try await PurchaseSummary(of: FileChunks(file: FileHandle(forReadingFrom: file))) == summary)
  }

  #if os(Linux)
  @Test func theMemoryIsBounded() async {
    await #expect(processExitsWith: .success) {
      let file = Self.newFile()
      defer { try? FileManager.default.removeItem(at: file) }
      for count in [1_000, Self.byteCount / Self.bytesPerRecord] {
        try resetPeakMemory()
        let before = try peakMemory()
        try write(Self.purchases(count), to: file)
        let summary = try PurchaseSummary(of: file)
        let other = try await PurchaseSummary(of: FileChunks(file: FileHandle(forReadingFrom: file)))
        precondition(other == summary && Self.isSummary(summary, of: count))
        let added = try peakMemory() - before
        precondition(count == 1_000 || added < 3 << 20, "\(added) bytes")
      }
    }
  }
  #endif
}
