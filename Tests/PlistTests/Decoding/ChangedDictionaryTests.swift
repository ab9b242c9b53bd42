import Foundation
import Plist
import Testing

/// The number of keys of a mapped dictionary changes while it is decoded.
///
/// The result may be wrong or an error, but nothing may trap.
struct ChangedDictionaryTests {
  private static let options = PlistReadOptions(fileAccess: .mapped)

  private enum Way: CaseIterable { case readsNothing, readsKeys, readsDictionary }

  /// `@unchecked Sendable` is sound: only one thread at a time uses a `Change`.
  private final class Change: @unchecked Sendable {
    static let key = CodingUserInfoKey(rawValue: "change")
    let file: ChangingFile
    let way: Way
    /// What replaces the small dictionary's entry in the offset table, which begins at ``start``.
    let bytes: Data
    let start: Int

    init(_ way: Way) throws {
      let keys = (0..<200).map { Array("k\($0)".utf8) }.map { [0x50 | UInt8($0.count)] + $0 }
      let large = [0xDF, 0x10, 200] + (0..<200).map { UInt8(6 + $0) } + [UInt8](repeating: 5, count: 200)
      let small: [UInt8] = [0xD2, 6, 7, 5, 5]
      let objects: [[UInt8]] = [[0xD2, 1, 2, 3, 4], [0x51, 0x61], [0x51, 0x7A], small, large, [0x10, 1]]
      let data = BinaryDocument(objects + keys).data
      let table = data.count - 32 - 4 * (objects.count + keys.count)
      self.way = way
      bytes = data[table + 16..<table + 20]
      start = table + 12
      file = try ChangingFile(data)
    }

    func apply() throws {
      for (index, byte) in bytes.enumerated() { try file.set(byte, at: start + index) }
    }
  }

  private struct Changing: Decodable {
    init(from decoder: any Decoder) throws {
      let change = try #require(Change.key.flatMap { decoder.userInfo[$0] } as? Change)
      let container = try decoder.container(keyedBy: AnyKey.self)
      #expect(try container.decode(Int.self, forKey: "k0") == 1)
      try change.apply()
      switch change.way {
      case .readsNothing: break
      case .readsKeys: _ = try decoder.container(keyedBy: AnyKey.self).decode(Int.self, forKey: "k199")
      case .readsDictionary: _ = try decoder.singleValueContainer().decode([String: Int].self)
      }
    }
  }

  private struct Root: Decodable {
    var a: Changing
  }

  @Test(arguments: Way.allCases)
  private func keysBeyondTheFirstCountAreUnread(_ way: Way) throws {
    let change = try Change(way)
    var decoder = PlistDecoder(options: Self.options)
    decoder.unreadKeyStrategy = .refuse
    decoder.userInfo[try #require(Change.key)] = change
    #expect(throws: DecodingError.self) { try decoder.decode(Root.self, contentsOf: change.file.url) }
  }
}
