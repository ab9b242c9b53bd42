import Foundation
import Testing

@testable import Plist

@Suite struct MappedFileTests {
  @Test(arguments: [0, 1, 4096, 100_000])
  func bytesOutliveFileAndMapping(count: Int) throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "mapped-\(UUID().uuidString)")
    let contents = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    try contents.write(to: url)
    var data = try MappedFile(path: url.path).data
    try FileManager.default.removeItem(at: url)
    #expect(data == contents)
    data.append(7)
    #expect(data == contents + [7])
  }

  @Test func whatIsNoFile() throws {
    #expect(throws: SystemFailure.self) { try MappedFile(path: "/dev/null") }
    #expect(throws: SystemFailure.self) { try MappedFile(path: "/") }
    #expect(throws: SystemFailure.self) { try MappedFile(path: "/nowhere/at/all") }
  }

  @Test func temporaryFilesAreWrittenAndReadBack() throws {
    let file = try FileDescriptor.temporary()
    #expect(file.write(Data("one".utf8).bytes) == nil)
    #expect(file.write(Data("two".utf8).bytes) == nil)
    #expect(try MappedFile(file).data == Data("onetwo".utf8))
  }
}
