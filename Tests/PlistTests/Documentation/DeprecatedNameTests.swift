import Foundation
import Plist
import Testing

/// Tests that deprecated names do what the new ones do.
@Suite("Deprecated names")
struct DeprecatedNameTests {
  private static let data = Data("<plist><dict><key>a</key><integer>1</integer></dict></plist>".utf8)

  @available(*, deprecated)
  @Test func initializers() throws {
    #expect(try PlistDocument(Self.data).root["a"]?.int == 1)
    #expect(throws: PlistError.self) { try PlistDocument(Self.data, options: PlistReadOptions(format: .json)) }
    var reader = try PlistReader(Self.data)
    #expect(try reader.next() == .beginDictionary)
    var editor = try PlistEditor(Self.data)
    try editor.set(2, at: "a")
    #expect(try PropertyList(parsing: editor.data) == ["a": 2])
    let options = PlistReadOptions(limits: PlistLimits(maximumDepth: 7))
    #expect(PlistDecoder(readOptions: options).readOptions == options)
  }

  @available(*, deprecated)
  @Test func limits() {
    let limits = PlistLimits(maximumDepth: 3, maximumValueCount: 4, maximumExpansion: 5, maximumByteCount: 6)
    #expect(PlistLimits(depth: 3, expandedObjects: 4, sharedExpansion: 5, documentSize: 6) == limits)
    #expect(PlistLimits(depth: 3) == PlistLimits(maximumDepth: 3))
    #expect(PlistLimits(expandedObjects: 4) == PlistLimits(maximumValueCount: 4))
    #expect(PlistLimits(sharedExpansion: 5) == PlistLimits(maximumExpansion: 5))
    #expect(PlistLimits(documentSize: 6) == PlistLimits(maximumByteCount: 6))
    var changed = PlistLimits()
    changed.depth = limits.depth
    changed.expandedObjects = limits.expandedObjects
    changed.sharedExpansion = limits.sharedExpansion
    changed.documentSize = limits.documentSize
    #expect(changed == limits)
    #expect(PlistLimits.maximumDepth == PlistLimits.depthBound)
  }

  @available(*, deprecated)
  @Test func policies() throws {
    #expect(PlistEncoder.NilEncodingStrategy.leftOut == .omit)
    let (own, other): (PropertyList, PropertyList) = (["a": 1], ["a": 2])
    #expect(try own.merging(other, policy: .takeOther) == other)
    #expect(try own.merging(other, policy: .keepOwn) == own)
  }

  @available(*, deprecated)
  @Test func elements() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "deprecated-\(UUID().uuidString).plist")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data("<array><integer>1</integer><integer>2</integer><true/></array>".utf8).write(to: file)
    var numbers: [Int] = []
    var errors = 0
    for result in try PlistDecoder().elements(of: Int.self, contentsOf: file) {
      switch result {
      case .success(let number): numbers.append(number)
      case .failure(let error): errors += error is DecodingError ? 1 : 0
      }
    }
    #expect(numbers == [1, 2] && errors == 1)
    let array = try #require(PlistDocument(contentsOf: file).root.array)
    #expect(array[1]?.int == 2 && array[3] == nil && array[-1] == nil)
  }
}
