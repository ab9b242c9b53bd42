import Foundation
import Plist
import Testing

extension UsageExampleTests {
  @Test func writers() throws {
    var writer = PlistEventWriter(to: Data(), format: .xml)
    try writer.write(.beginDictionary)
    try writer.write(.key("port"))
    try writer.write(.integer(8080))
    try writer.write(.endDictionary)
    let data = try writer.finish()

    #expect(try PropertyList(parsing: data) == ["port": 8080])
  }

  @Test func writersOfValues() throws {
    let lists: [PropertyList] = [["port": 80], 443]
    var writer = PlistEventWriter(to: Data(), format: .xml)
    try writer.write(.beginArray)
    for list in lists { try writer.write(list) }
    try writer.write(.endArray)
    let data = try writer.finish()
    #expect(try PropertyList(parsing: data) == [["port": 80], 443])
  }

  @Test func streamEncoders() throws {
    let url = try scratch.file("records.plist")
    let records = [["port": 80], ["port": 443]]

    var stream = try PlistStreamEncoder(to: PlistFileReplacement(of: url), encoder: PlistEncoder(outputFormat: .xml))
    for record in records { try stream.encode(record) }
    try stream.finish().commit()
    #expect(try PropertyList(contentsOf: url) == [["port": 80], ["port": 443]])
  }

  @Test func streamEncodersOfDictionaries() throws {
    var stream = try PlistStreamEncoder(to: Data(), of: .dictionary, encoder: PlistEncoder(outputFormat: .json))
    try stream.encode([80, 443], forKey: "ports")
    let json = try stream.finish()
    #expect(try PropertyList(parsing: json) == ["ports": [80, 443]])
  }

  @Test func sinks() throws {
    let list = Self.servers

    struct ByteCounter: PlistSink {
      var count = 0
      mutating func write(_ bytes: RawSpan) { count += bytes.byteCount }
    }

    var writer = PlistEventWriter(to: ByteCounter(), format: .xml)
    try writer.write(list)
    let size = try writer.finish().count

    #expect(try list.data(format: .xml).count == size)
  }

  @Test func closureSinks() throws {
    final class Socket {
      var sent = Data()
      func send(_ chunk: Data) throws { sent += chunk }
    }
    let list = Self.servers
    let socket = Socket()

    var writer = PlistEventWriter(to: PlistClosureSink { chunk in try socket.send(chunk) }, format: .xml)
    try writer.write(list)
    _ = try writer.finish()

    #expect(try PropertyList(parsing: socket.sent) == list)
  }

  @Test func fileSinks() throws {
    let list = Self.servers
    let url = try scratch.file("list.plist", Data())

    let file = try FileHandle(forWritingTo: url)
    let descriptor = PlistFileDescriptor(rawValue: file.fileDescriptor)
    var writer = PlistEventWriter(to: PlistFileSink(fileDescriptor: descriptor), format: .binary)
    try writer.write(list)
    _ = try writer.finish()
    try file.close()

    #expect(try PropertyList(contentsOf: url) == list)
  }

  @Test func openedDescriptors() throws {
    let url = try scratch.file("list.plist", Self.servers.data(format: .xml))
    do {
      let handle = try FileHandle(forReadingFrom: url)
      let descriptor = PlistFileDescriptor(rawValue: handle.fileDescriptor)

      var reader = PlistStreamReader()
      #expect(try reader.next(readingFrom: descriptor) == .beginDictionary)
      try handle.close()
    }
  }

  @Test func replacements() throws {
    let url = try scratch.file("list.plist", Self.servers.data(format: .xml))
    var reader = try PlistEventReader(contentsOf: url)

    var writer = PlistEventWriter(to: try PlistFileReplacement(of: url), format: .binary)
    while let event = try reader.next() { try writer.write(event) }
    try writer.finish().commit()

    #expect(PlistFormat(detecting: try Data(contentsOf: url)) == .binary)
    #expect(try PropertyList(contentsOf: url) == Self.servers)
  }

  @Test func writeOptions() throws {
    let list: PropertyList = ["b": 1, "a": 2]

    var options = PlistWriteOptions(sortedKeys: true)
    options.xml.controlCharacters = .refuse
    let data = try list.data(format: .xml, options: options)

    #expect(try PropertyList(parsing: data).dictionary?.keys.elementsEqual(["a", "b"]) == true)
    #expect(throws: PlistError.self) { try PropertyList("\u{1}").data(format: .xml, options: options) }
  }

  @Test func realStyles() throws {
    let list: PropertyList = [0.1]
    let options = PlistWriteOptions(realStyle: .foundation)
    let data = try list.data(format: .xml, options: options)  // <real>0.10000000000000001</real>
    #expect(String(decoding: data, as: UTF8.self).contains("<real>0.10000000000000001</real>"))
  }

  @Test func unrepresentableValues() throws {
    let list: PropertyList = ["count": 3, "isActive": true]
    let options = PlistWriteOptions(unrepresentable: .convert)
    let data = try list.data(format: .openStep, options: options)
    // {
    //   count = 3;
    //   isActive = YES;
    // }
    let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
    #expect(lines.map { $0.trimmingCharacters(in: .whitespaces) } == ["{", "count = 3;", "isActive = YES;", "}"])
  }

  @Test func xmlOptions() throws {
    let list: PropertyList = ["a\u{1}\rb"]
    let xml = PlistWriteOptions.XMLOptions(carriageReturns: .raw, controlCharacters: .omit)
    let data = try list.data(format: .xml, options: PlistWriteOptions(xml: xml))
    #expect(Data(data).range(of: Data("<string>a\rb</string>".utf8)) != nil)
  }

  @Test func stringsTables() throws {
    let strings: PropertyList = ["greeting": "Hello", "farewell": "Goodbye"]
    var options = PlistWriteOptions()
    options.openStep.isStringsTable = true
    let data = try strings.data(format: .openStep, options: options)
    // "greeting" = "Hello";
    // "farewell" = "Goodbye";
    #expect(String(decoding: data, as: UTF8.self) == "\"greeting\" = \"Hello\";\n\"farewell\" = \"Goodbye\";\n")
  }

  @Test func stringsTablesInUTF16() throws {
    let strings: PropertyList = ["greeting": "Hello"]
    var options = PlistWriteOptions()
    options.openStep = PlistWriteOptions.OpenStepOptions(isStringsTable: true, encoding: .utf16)
    let data = try strings.data(format: .openStep, options: options)
    #expect(data == "\u{FEFF}\"greeting\" = \"Hello\";\n".data(using: .utf16LittleEndian))
  }

  @Test func carriageReturns() throws {
    var options = PlistWriteOptions()
    options.xml.carriageReturns = .raw
    let data = try PropertyList("one\r\ntwo").data(format: .xml, options: options)
    #expect(data.range(of: Data("one\r\ntwo".utf8)) != nil)
  }

  @Test func controlCharacters() throws {
    var options = PlistWriteOptions()
    options.xml.controlCharacters = .omit
    let data = try PropertyList("a\u{1}b").data(format: .xml, options: options)  // <string>ab</string>
    #expect(String(decoding: data, as: UTF8.self).contains("<string>ab</string>"))
  }

  @Test func editors() throws {
    let list: PropertyList = [
      "servers": [["port": 80], ["port": 443]], "channels": ["stable", "nightly"], "oldName": 1,
    ]
    let url = try scratch.file("list.plist", list.data(format: .xml))

    var editor = try PlistEditor(contentsOf: url)
    try editor.set(8443, at: "servers.0.port")
    try editor.insert("beta", at: "channels.1")
    try editor.renameKey(at: "oldName", to: "newName")
    try editor.remove(at: "servers.1")
    try editor.write(to: url)

    #expect(
      try PropertyList(contentsOf: url) == [
        "servers": [["port": 8443]], "channels": ["stable", "beta", "nightly"], "newName": 1,
      ])
  }

  @Test func comments() throws {
    let table = Data("/* The title of the window */\n\"title\" = \"Settings\";\n".utf8)
    let url = try scratch.file("Localizable.strings", table)

    // /* The title of the window */
    // "title" = "Settings";
    let strings = try PlistDocument(contentsOf: url)
    let note = strings.root["title"]?.comment  // The title of the window
    #expect(note == "The title of the window")

    func set() throws {
      var editor = try PlistEditor(contentsOf: url)
      try editor.setComment("The title of the window", at: "title")
      try editor.write(to: url)
    }
    let before = try Data(contentsOf: url)
    try set()
    #expect(try Data(contentsOf: url) == before)
  }

  @Test func mappedStrings() {
    let strings: PropertyList = ["title": "Settings", "items": ["one", 2]]
    let pseudo = strings.mapStrings { "[" + $0.uppercased() + "]" }
    #expect(pseudo == ["title": "[SETTINGS]", "items": ["[ONE]", 2]])
  }

  @Test func editedFiles() throws {
    let url = try scratch.file("list.plist", Self.servers.data(format: .xml))

    var editor = try PlistEditor(contentsOf: url)
    try editor.set(8443, at: "servers.0.port")
    try editor.write(to: url)

    #expect(try PropertyList(contentsOf: url)["servers.0.port" as PropertyListPath] == 8443)
  }

  #if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
  @Test func standardOutput() async throws {
    let result = try await #require(processExitsWith: .success, observing: [\.standardOutputContent]) {
      var writer = PlistEventWriter(to: PlistFileSink(fileDescriptor: .standardOutput), format: .xml)
      try writer.write(.string("text"))
      _ = try writer.finish()
    }
    #expect(String(decoding: result.standardOutputContent, as: UTF8.self).contains("<string>text</string>"))
  }
  #endif
}
