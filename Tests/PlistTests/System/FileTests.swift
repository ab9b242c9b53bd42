import Foundation
import Plist
import Testing

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

  @Test func editorsKeepLinksAndPermissions() throws {
    try inFolder { file in
      let link = folder.appending(path: "link.plist")
      try Data("<plist><dict><!-- kept --><key>a</key><integer>1</integer></dict></plist>".utf8).write(to: file)
      try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
      try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "settings.plist")

      var editor = try PlistEditor(contentsOf: link)
      try editor.set(2, at: "a")
      try editor.write(to: link)

      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == "settings.plist")
      #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == 0o640)
      let text = try String(contentsOf: file, encoding: .utf8)
      #expect(text == "<plist><dict><!-- kept --><key>a</key><integer>2</integer></dict></plist>")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)

      let missing = folder.appending(path: "missing/settings.plist")
      let error = try #require(throws: PlistError.self) { try editor.write(to: missing) }
      #expect(error.code == .unwritableFile)
    }
  }

  @Test(arguments: [PlistReadOptions.FileAccess.read, .mapped])
  func readersAndEditorsNameTheFile(_ access: PlistReadOptions.FileAccess) throws {
    try inFolder { file in
      let options = PlistReadOptions(fileAccess: access)
      try Data("<plist>\n<array><true/><x></array></plist>".utf8).write(to: file)
      var reader = try PlistEventReader(contentsOf: file, options: options)
      #expect(try reader.next() == .beginArray)
      let error = try #require(throws: PlistError.self) { while try reader.next() != nil {} }
      #expect(error.file == file.path && error.line == 2)
      #expect(try reader.next() == nil)
      let editing = try #require(throws: PlistError.self) { try PlistEditor(contentsOf: file, options: options) }
      #expect(editing.description == error.description)

      for format in PlistFormat.allCases {
        try PropertyList(["a": ["b"]]).write(to: file, format: format)
        var reader = try PlistEventReader(contentsOf: file, options: options)
        var count = 0
        while try reader.next() != nil { count += 1 }
        #expect(count == 6, "\(format)")
      }

      let missing = folder.appending(path: "missing.plist")
      let unread = try #require(throws: PlistError.self) { try PlistEventReader(contentsOf: missing) }
      #expect(unread.code == .unreadableFile && unread.file == missing.path)
      let notEdited = try #require(throws: PlistError.self) { try PlistEditor(contentsOf: missing) }
      #expect(notEdited.description == unread.description)
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
      // A file cannot replace a folder.
      try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
      let error = #expect(throws: PlistError.self) { try PropertyList("new").write(to: file, format: .xml) }
      #expect(error?.code == .unwritableFile)
      #expect(error?.category == .io)
      #expect(error?.file == file.path && error?.systemErrorNumber != nil)
      #expect(error?.description.components(separatedBy: file.path).count == 2)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["settings.plist"])
    }
  }

  @Test func saysWhyAFileCannotBeRead() throws {
    try inFolder { file in
      let error = #expect(throws: PlistError.self) { try PropertyList(contentsOf: file) }
      #expect(error?.code == .unreadableFile)
      #expect(error?.description == "cannot read \(file.path): No such file or directory")
      let missing = folder.appending(path: "missing/settings.plist")
      let unwritten = #expect(throws: PlistError.self) { try PlistEncoder().encode(["a": 1], to: missing) }
      #expect(unwritten?.category == .io && unwritten?.systemErrorNumber == 2 && unwritten?.file == missing.path)
      #expect(unwritten?.description == "cannot write \(missing.path): No such file or directory")
      #expect(unwritten?.localizedDescription == "cannot write \(missing.path): No such file or directory.")
    }
    let web = try #require(URL(string: "https://example.com/a.plist"))
    let error = #expect(throws: PlistError.self) { try PropertyList(contentsOf: web) }
    #expect(error?.message == "cannot read https://example.com/a.plist: it is not the URL of a file")
  }

  @Test func descriptors() throws {
    let read = #expect(throws: PlistError.self) {
      var reader = PlistStreamReader()
      _ = try reader.next(readingFrom: PlistFileDescriptor(rawValue: -1))
    }
    #expect(read?.category == .io && read?.code == .unreadableFile && read?.systemErrorNumber == 9)
    let written = #expect(throws: PlistError.self) {
      var writer = PlistEventWriter(to: PlistFileSink(fileDescriptor: PlistFileDescriptor(rawValue: -1)), format: .xml)
      try writer.write(.string("text"))
      _ = try writer.finish()
    }
    #expect(written?.category == .io && written?.code == .unwritableFile && written?.systemErrorNumber == 9)
    let error = #expect(throws: CocoaError.self) {
      var elements = try PlistDecoder().elements(of: Int.self, contentsOf: folder.deletingLastPathComponent())
      _ = try elements.next()
    }
    #expect(error?.code == .fileReadUnknown)
    #expect((error?.underlying as? PlistError)?.systemErrorNumber == 21)
  }

  /// A named pipe loses the bytes read from it, and opening it again waits for another writer.
  @Test(arguments: [PlistReadOptions.FileAccess.read, .mapped], [PlistFormat.xml, .binary, .json])
  func namedPipesAreOpenedOnce(_ access: PlistReadOptions.FileAccess, _ format: PlistFormat) throws {
    try inFolder { _ in
      let data = try PropertyList([1, 2]).data(format: format)
      let options = PlistReadOptions(fileAccess: access)
      let reads: [(URL) throws -> [Int]] = [
        { try PropertyList(contentsOf: $0, options: options).value(as: [Int].self) ?? [] },
        { try PlistDecoder(options: options).decode([Int].self, contentsOf: $0) },
        { file in
          var elements = try PlistDecoder(options: options).elements(of: Int.self, contentsOf: file)
          var numbers: [Int] = []
          while let number = try elements.next() { numbers.append(number) }
          return numbers
        },
      ]
      for (number, read) in reads.enumerated() {
        let file = folder.appending(path: "pipe\(number)")
        try #require(unsafe mkfifo(file.path, 0o600) == 0)
        Thread.detachNewThread {
          guard let pipe = try? FileHandle(forWritingTo: file) else { return }
          try? pipe.write(contentsOf: data)
          try? pipe.close()
          // A reader that wrongly opens the pipe again finds an empty file, so the test does not hang.
          for _ in 0..<20 {
            usleep(10_000)
            close(unsafe open(file.path, O_WRONLY | O_NONBLOCK))
          }
        }
        #expect(try read(file) == [1, 2])
      }
    }
  }

  @Test func readsNoFurtherThanTheLimit() throws {
    try inFolder { file in
      let list = PropertyList.data(Data(count: 100_000))
      try list.write(to: file, format: .binary)
      var options = PlistReadOptions()
      options.limits.maximumByteCount = 50_000
      let error = #expect(throws: PlistError.self) { try PropertyList(contentsOf: file, options: options) }
      #expect(error?.code == .documentSizeLimit)
    }
  }
}
