import Foundation
import Plist
import Testing

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
  @Test func writeOptions() {
    typealias Options = PlistWriteOptions
    #expect(Options(isStringsTable: true) == Options(openStep: .init(isStringsTable: true)))
    #expect(Options(carriageReturns: .raw) == Options(xml: .init(carriageReturns: .raw)))
    #expect(Options(controlCharacters: .removed) == Options(xml: .init(controlCharacters: .omit)))
    #expect(Options.ControlCharacters.refused == .refuse)
    #expect(Options.Unrepresentable.refused == .refuse)
    #expect(Options.Unrepresentable.converted == .convert)
    let all = Options(
      sortedKeys: true, realStyle: .foundation, unrepresentable: .convert, isCompact: true, isStringsTable: true,
      carriageReturns: .raw, controlCharacters: .refused)
    var changed = Options(sortedKeys: true, realStyle: .foundation, unrepresentable: .convert, isCompact: true)
    changed.isStringsTable = all.isStringsTable
    changed.carriageReturns = all.carriageReturns
    changed.controlCharacters = all.controlCharacters
    #expect(changed == all)
    #expect(changed.xml == Options.XMLOptions(carriageReturns: .raw, controlCharacters: .refuse))
    #expect(changed.openStep == Options.OpenStepOptions(isStringsTable: true))
  }

  @available(*, deprecated)
  @Test func descriptors() throws {
    let pipe = Pipe()
    var writer = XMLPlistWriter(to: PlistFileSink(fileDescriptor: pipe.fileHandleForWriting.fileDescriptor))
    try writer.write(.string("text"))
    _ = try writer.finish()
    try pipe.fileHandleForWriting.close()
    var reader = PlistStreamReader()
    #expect(try reader.next(readingFrom: pipe.fileHandleForReading.fileDescriptor) == .string("text"))
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
