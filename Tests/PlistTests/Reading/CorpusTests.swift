import Foundation
import Plist
import Testing

struct CorpusTests {
  static let files: [String] = {
    guard let folder = SharedCase.folder?.appending(path: "corpus"),
      let paths = FileManager.default.subpaths(atPath: folder.path)
    else { return [] }
    return paths.filter { path in
      var isFolder: ObjCBool = false
      let exists = unsafe FileManager.default.fileExists(
        atPath: folder.appending(path: path).path, isDirectory: &isFolder)
      return exists && !isFolder.boolValue
    }.sorted()
  }()

  static let dangerous: [String: String] = [:]

  static let differences: [String: String] = {
    let attribute = "an attribute value with '>', where other parsers end the tag elsewhere"
    let after = "something after the property list"
    let key = "a key that is no string"
    let json = "JSON, which Foundation's property lists do not have"
    let fuzzed = "libplist/fuzz-finds"
    return [
      "extracted/go_inv_21_Dictionary_non_string_key.bplist": key,
      "extracted/go_unusual_s07.plist": attribute,
      "extracted/go_unusual_s08.plist": after,
      "extracted/go_unusual_s10.plist": attribute,
      "extracted/go_unusual_s11.plist": attribute,
      "extracted/py_inv_29_invalid_ASCII.bplist": "a byte above 0x7F in an ASCII string",
      "extracted/py_inv_34_invalid_UTF_16.bplist": "an unpaired surrogate",
      "extracted/py_inv_00_too_short_data.bplist": "the magic of binary property lists alone",
      "libplist/data/int64_min_max.json": json,
      "libplist/data/j1.json": json,
      "libplist/data/j2.json": json,
      "go-plist/s07.plist": attribute,
      "go-plist/s08.plist": after,
      "go-plist/s10.plist": attribute,
      "go-plist/s11.plist": attribute,
      "\(fuzzed)/bplist-crashes-crash-39f1347115f8fe9ac25cdc9332e3fc5cd32c7f7b": key,
      "\(fuzzed)/xplist-crashes-4663876528373760": "bytes in data that are not base64",
      "\(fuzzed)/xplist-leaks-leak-4c81aae70b20d9b9408b78d40999a54205bdcfb7": after,
      "swift-foundation/javascriptcore_tests.plist": "a reference to NUL",
    ]
  }()

  @Test(arguments: files)
  func endsInAValueOrAnError(_ path: String) throws {
    let document = try Self.document(path)
    do {
      _ = try PropertyList(parsing: document)
      #expect(Reading.eventsError(document) == nil)
    } catch {
      #expect(Reading.flaws(of: error, in: document) == [], "\(error)")
      #expect(Reading.eventsError(document).map { "\($0)" } == "\(error)")
    }
  }

  @Test(arguments: files)
  func sameAsFoundation(_ path: String) throws {
    guard Self.dangerous[path] == nil else { return }
    let document = try Self.document(path)
    let foundation = FoundationReading(document)
    let outcome = Reading.value(document)
    let here = outcome.isAccepted ? outcome.description : "reject"
    if let reason = Self.differences[path] {
      #expect(here != foundation.verdict, "listed, but no longer differs: \(reason)")
    } else {
      #expect(here == foundation.verdict, "differs and is not listed")
    }
  }

  @Test(arguments: files)
  func binaryIsNoLargerThanFoundations(_ path: String) throws {
    guard Self.dangerous[path] == nil, Self.differences[path] == nil else { return }
    let document = try Self.document(path)
    guard let list = try? PropertyList(parsing: document), let ours = try? list.data(format: .binary),
      let foundation = try? unsafe PropertyListSerialization.propertyList(from: document, options: [], format: nil),
      let theirs = try? PropertyListSerialization.data(fromPropertyList: foundation, format: .binary, options: 0)
    else { return }
    #expect(ours.count <= theirs.count)
  }

  private static func document(_ path: String) throws -> Data {
    let folder = try #require(SharedCase.folder)
    return try Data(contentsOf: folder.appending(path: "corpus/\(path)"))
  }
}
