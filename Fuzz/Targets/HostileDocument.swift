public import Foundation
import Plist

/// A document designed to take far more time or memory than its size suggests.
public struct HostileDocument: Sendable {
  /// The name that selects this document.
  public let name: String

  /// Whether reading it as a `PropertyList` must throw; reading events may succeed.
  public let isRefused: Bool

  /// Whether converting it as a keyed archive must throw; nil if it is not one.
  public let isRefusedAsArchive: Bool?

  private let make: @Sendable (_ size: Int) -> Data

  /// Returns a document of about `size` bytes, or a smaller one if its values expand to far more.
  public func document(size: Int) -> Data { make(size) }

  init(
    _ name: String, isRefused: Bool, isRefusedAsArchive: Bool? = nil, _ make: @escaping @Sendable (Int) -> Data
  ) {
    self.name = name
    self.isRefused = isRefused
    self.isRefusedAsArchive = isRefusedAsArchive
    self.make = make
  }

  /// All hostile documents.
  public static let all: [HostileDocument] = bombs + deep + wide + unclosed + archives + manifests

  /// Returns the document with this name, if there is one.
  public static func named(_ name: String) -> HostileDocument? { all.first { $0.name == name } }

  // MARK: Binary

  private static let bombs =
    [
      HostileDocument("laughs-arrays", isRefused: true) { _ in
        assembled((0..<40).map { [0xA4] + references([$0 + 1, $0 + 1, $0 + 1, $0 + 1]) } + [[0x51, 0x61]])
      },
      HostileDocument("laughs-dictionaries", isRefused: true) { _ in
        let levels = (0..<40).map { [0xD2] + references([41, 42, $0 + 1, $0 + 1]) }
        return assembled(levels + [[0x09], [0x51, 0x61], [0x51, 0x62]])
      },
      HostileDocument("laughs-two-levels", isRefused: true) { size in
        let count = max(3_000, size / 8)
        let list = container(0xA0, count)
        let inner = list + references([Int](repeating: 2, count: count))
        return assembled([list + references([Int](repeating: 1, count: count)), inner, [0x51, 0x61]])
      },
      HostileDocument("one-text-many-times", isRefused: false) { size in
        let count = size / 8
        let list = container(0xA0, count) + references([Int](repeating: 1, count: count))
        return assembled([list, text(count: size / 2)])
      },
      HostileDocument("one-data-many-times", isRefused: false) { size in
        let count = size / 8
        let list = container(0xA0, count) + references([Int](repeating: 1, count: count))
        return assembled([list, container(0x40, size / 2) + [UInt8](repeating: 0x61, count: size / 2)])
      },
      HostileDocument("one-key-many-times", isRefused: false) { size in
        let count = size / 16
        let list = container(0xA0, count) + references((0..<count).map { 3 + $0 % 2 })
        let pair = { (value: Int) in [0xD1] + references([1, value]) }
        return assembled([list, text(count: size / 2), [0x09], pair(2), pair(5), [0x08]])
      },
      HostileDocument("one-key-for-all-pairs", isRefused: true) { size in
        let count = size / 16
        let pairs = [Int](repeating: 1, count: count) + [Int](repeating: 2, count: count)
        return assembled([container(0xD0, count) + references(pairs), text(count: size / 2), [0x09]])
      },
      HostileDocument("long-keys-of-all-dictionaries", isRefused: true) { size in
        let count = max(500, size / 64)
        let list = container(0xA0, count) + references((0..<count).map { 3 + $0 })
        let pairs = [0xD6] + references([1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2])
        return assembled([list, text(count: size / 8), [0x09]] + [[UInt8]](repeating: pairs, count: count))
      },
      HostileDocument("overlapping-keys", isRefused: true) { overlapping(0x50, size: $0, areKeys: true) },
      HostileDocument("overlapping-texts", isRefused: true) { overlapping(0x50, size: $0) },
      HostileDocument("overlapping-data", isRefused: true) { overlapping(0x40, size: $0) },
      HostileDocument("overlapping-arrays", isRefused: true) { size in
        let count = max(4_000, size / 12)
        var bytes: [UInt8] = []
        for index in 0..<count { bytes += container(0xA0, count - index, width: 4).prefix(6) + [0, 0] }
        return assembled(at: (0..<count).map { 8 * $0 }, in: bytes + [UInt8](repeating: 0, count: 8 * count))
      },
      HostileDocument("one-offset-for-all", isRefused: false) { size in
        let count = size / 9
        let list = container(0xA0, count - 1) + references(Array(1..<count))
        return assembled(
          at: [0] + [Int](repeating: list.count, count: count - 1),
          in: list + container(0x40, 50)
            + [UInt8](repeating: 1, count: 50))
      },
    ]
    + [0x40, 0x50, 0x60, 0xA0, 0xC0, 0xD0].map { (kind: UInt8) in
      HostileDocument("count-of-\(String(kind, radix: 16))", isRefused: true) { _ in
        assembled([[kind | 0x0F, 0x13, 0x7F] + [UInt8](repeating: 0xFF, count: 7) + [0, 0, 0, 0]])
      }
    }

  private static func overlapping(_ kind: UInt8, size: Int, areKeys: Bool = false) -> Data {
    let count = max(20_000, size / 16)
    var bytes = container(areKeys ? 0xD0 : 0xA0, count) + references(Array(1...count))
    if areKeys { bytes += references(Array(1...count)) }
    let start = bytes.count
    for index in 0..<count { bytes += container(kind, 7 * (count - index), width: 4).prefix(6) + [0x61] }
    bytes += [UInt8](repeating: 0x61, count: 16)
    for place in start..<bytes.count { bytes[place] &= 0x7F }
    return assembled(at: [0] + (0..<count).map { start + 7 * $0 }, in: bytes)
  }

  static func assembled(_ objects: [[UInt8]]) -> Data {
    var offsets: [Int] = []
    var bytes: [UInt8] = []
    for object in objects {
      offsets.append(bytes.count)
      bytes += object
    }
    return assembled(at: offsets, in: bytes)
  }

  private static func assembled(at offsets: [Int], in bytes: [UInt8]) -> Data {
    var document = Data("bplist00".utf8) + bytes
    let table = document.count
    var entries: [UInt8] = []
    for offset in offsets { entries += BinarySpelling.bigEndian(UInt64(offset + 8), 4) }
    document += entries + [0, 0, 0, 0, 0, 0, 4, 4]
    for number in [offsets.count, 0, table] { document += BinarySpelling.bigEndian(UInt64(number), 8) }
    return document
  }

  static func references(_ objects: [Int]) -> [UInt8] {
    objects.flatMap { BinarySpelling.bigEndian(UInt64($0), 4) }
  }

  static func container(_ kind: UInt8, _ count: Int, width: Int = 4) -> [UInt8] {
    [kind | 0x0F, 0x12] + BinarySpelling.bigEndian(UInt64(count), width)
  }

  static func text(count: Int) -> [UInt8] { container(0x50, count) + [UInt8](repeating: 0x61, count: count) }

  // MARK: Text

  private static let deep = [
    repeated("deep-arrays", "<array>"), repeated("deep-dictionaries", "<dict><key>k</key>"),
    repeated("deep-uids", "<dict><key>CF$UID</key>"), repeated("deep-json-arrays", "["),
    repeated("deep-json-objects", "{\"k\":"), repeated("deep-openstep-arrays", "("),
    repeated("deep-openstep-dictionaries", "{k="),
    HostileDocument("deep-binary-arrays", isRefused: true) { size in
      let count = size / 9
      return assembled((1...count).map { [0xA1] + references([$0 % count]) })
    },
  ]

  private static let wide = [
    HostileDocument("keys", isRefused: false) { size in
      dictionary((0..<size / 32).map { "key\($0 &* 7_919 % 100_000_007)" })
    },
    HostileDocument("keys-that-begin-alike", isRefused: false) { size in
      let start = String(repeating: "k", count: 100)
      return dictionary((0..<size / 130).map { "\(start)\($0 &* 7_919 % 100_000_007)" })
    },
    // The keys collide in hash functions that multiply by 31, and in those that ignore the order of characters.
    HostileDocument("keys-that-collide", isRefused: false) { size in
      let count = max(1, size / 60)
      return dictionary(
        (0..<count).map { number in (0..<20).map { number >> $0 & 1 == 0 ? "Aa" : "BB" }.joined() + "\(number >> 20)" })
    },
    HostileDocument("binary-keys", isRefused: false) { size in
      let value = PropertyListDictionary(
        uniqueKeysWithValues: (0..<size / 24).map { ("key\($0 &* 7_919 % 100_000_007)", PropertyList.boolean(true)) })
      return (try? PropertyList.dictionary(value).data(format: .binary)) ?? Data()
    },
    HostileDocument("one-key-again-and-again", isRefused: false) { size in
      Data(
        ("<dict>" + String(repeating: "<key>k</key><true/>", count: size / 19) + "</dict>").utf8)
    },
    HostileDocument("comments", isRefused: false) { size in
      Data((String(repeating: "<!-- - -> <a> & -->", count: size / 19) + "<true/>").utf8)
    },
    HostileDocument("one-comment", isRefused: false) { size in
      Data(("<!--" + String(repeating: "- ->", count: size / 4) + "--><true/>").utf8)
    },
    HostileDocument("one-string", isRefused: false) { size in
      Data(("<string>" + String(repeating: "text", count: size / 4) + "</string>").utf8)
    },
    HostileDocument("references", isRefused: false) { size in
      Data(("<string>" + String(repeating: "&#97;", count: size / 5) + "</string>").utf8)
    },
    HostileDocument("cdata", isRefused: false) { size in
      Data(("<string>" + String(repeating: "<![CDATA[]]]]>", count: size / 14) + "</string>").utf8)
    },
    HostileDocument("attributes", isRefused: false) { size in
      Data(("<string" + String(repeating: " a='b'", count: size / 6) + "></string>").utf8)
    },
    HostileDocument("digits", isRefused: false) { size in
      Data(("<real>0." + String(repeating: "1", count: size) + "</real>").utf8)
    },
  ]

  private static let unclosed = [
    repeated("unclosed-comments", "<!--"), repeated("unclosed-sections", "<string><![CDATA[", then: "]]"),
    repeated("unclosed-instructions", "<?"), repeated("unclosed-strings", "<string>"),
    repeated("unclosed-tags", "<string "), repeated("ampersands", "<string>", then: "&"),
    repeated("unclosed-references", "<string>", then: "&#x0"), repeated("unclosed-document-type", "<!DOCTYPE "),
    repeated("unclosed-quotation-marks", "(\"", then: "\\\""), repeated("unclosed-openstep-data", "<", then: "0 "),
    repeated("unclosed-json-strings", "[\"", then: "\\\""), repeated("unclosed-json-keys", "{\"", then: "\\u00e9"),
    HostileDocument("unclosed-openstep-comments", isRefused: false) { size in
      Data(String(repeating: "/* ", count: size / 3).utf8)
    },
  ]

  private static func repeated(_ name: String, _ first: String, then text: String? = nil) -> HostileDocument {
    HostileDocument(name, isRefused: true) { size in
      let text = text ?? first
      return Data((first + String(repeating: text, count: size / text.utf8.count)).utf8)
    }
  }

  private static func dictionary(_ keys: [String]) -> Data {
    Data(("<dict>" + keys.map { "<key>\($0)</key><true/>" }.joined() + "</dict>").utf8)
  }
}
