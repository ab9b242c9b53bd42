import Foundation
import Plist
import Testing

/// Files are read with clear errors, and replaced whole or not at all.
struct FileTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "plist-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func inFolder(_ body: (URL) throws -> Void) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.appending(path: "settings.plist"))
  }

  @Test(arguments: [PlistFormat.xml, .binary])
  func writesAndReads(_ format: PlistFormat) throws {
    try inFolder { file in
      let list: PropertyList = ["name": "Ada", "born": 1815]
      try list.write(to: file, format: format)
      #expect(try PropertyList(contentsOf: file) == list)
      #expect(try Data(contentsOf: file) == list.data(format: format))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["settings.plist"])
    }
  }

  @Test func keepsPermissions() throws {
    try inFolder { file in
      try PropertyList("old").write(to: file, format: .xml)
      try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
      try PropertyList("new").write(to: file, format: .xml)
      let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
      #expect(attributes[.posixPermissions] as? Int == 0o640)
      #expect(try PropertyList(contentsOf: file) == "new")
    }
  }

  @Test func replacesWhatALinkPointsTo() throws {
    try inFolder { file in
      let link = folder.appending(path: "link.plist")
      try PropertyList("old").write(to: file, format: .xml)
      try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "settings.plist")
      try PropertyList("new").write(to: link, format: .xml)
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == "settings.plist")
      #expect(try PropertyList(contentsOf: file) == "new")
    }
  }

  @Test func aValueThatCannotBeWrittenLeavesTheFile() throws {
    try inFolder { file in
      try PropertyList("old").write(to: file, format: .xml)
      #expect(throws: PlistError.self) { try PropertyList.array([.null]).write(to: file, format: .xml) }
      #expect(try PropertyList(contentsOf: file) == "old")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["settings.plist"])
    }
  }

  @Test func aFileThatCannotBeReplacedIsLeftAndNothingRemains() throws {
    try inFolder { file in
      // A folder cannot be replaced by a file.
      try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
      let error = #expect(throws: PlistError.self) { try PropertyList("new").write(to: file, format: .xml) }
      #expect(error?.code == .unwritableFile)
      #expect(error?.category == .io)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["settings.plist"])
    }
  }

  @Test func saysWhyAFileCannotBeRead() throws {
    try inFolder { file in
      let error = #expect(throws: PlistError.self) { try PropertyList(contentsOf: file) }
      #expect(error?.code == .unreadableFile)
      #expect(error?.description == "cannot read \(file.path): No such file or directory")
    }
    let web = try #require(URL(string: "https://example.com/a.plist"))
    let error = #expect(throws: PlistError.self) { try PropertyList(contentsOf: web) }
    #expect(error?.message == "cannot read https://example.com/a.plist: it is not the URL of a file")
  }

  @Test func readsNoFurtherThanTheLimit() throws {
    try inFolder { file in
      let list = PropertyList.data(Data(count: 100_000))
      try list.write(to: file, format: .binary)
      var options = PlistReadOptions()
      options.limits.documentSize = 50_000
      let error = #expect(throws: PlistError.self) { try PropertyList(contentsOf: file, options: options) }
      #expect(error?.code == .documentSizeLimit)
    }
  }
}
