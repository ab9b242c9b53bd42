import Foundation
import Plist
import Testing

extension UsageExampleTests {
  @Test func readers() throws {
    let data = try Self.servers.data(format: .binary)

    var reader = try PlistEventReader(parsing: data)
    while let event = try reader.next() {
      if case .key(let key) = event { print(String(key)) }
    }

    #expect(scratch.lines == ["servers", "name", "port", "name", "port", "port"])
  }

  @Test func readersOfFiles() throws {
    let url = try scratch.file("list.plist", Self.servers.data(format: .xml))
    var reader = try PlistEventReader(contentsOf: url)
    #expect(try reader.next() == .beginDictionary)
  }

  @Test func events() throws {
    for event in [PlistEvent.beginDictionary, .key("port"), .integer(80), .endDictionary] {
      switch event {
      case .key(let key): print("the key \(key)")
      case .integer(let number): print("the integer \(number)")
      default: break
      }
    }
    #expect(scratch.lines == ["the key port", "the integer 80"])
  }

  @Test func texts() throws {
    var reader = try PlistEventReader(parsing: Data("(Ada, Grace)".utf8))
    var writer = PlistEventWriter(to: Data(), format: .xml)
    var names: [String] = []

    while let event = try reader.next() {
      if case .string(let text) = event { names.append(String(text)) }
    }
    try writer.write(.string("A literal is text too."))

    #expect(names == ["Ada", "Grace"])
    #expect(try PropertyList(parsing: writer.finish()) == "A literal is text too.")
  }

  @Test func bytes() throws {
    var reader = try PlistEventReader(parsing: Data("(<0102>, text, <03>)".utf8))
    var images: [Data] = []

    while let event = try reader.next() {
      if case .data(let bytes) = event { images.append(Data(bytes)) }
    }

    #expect(images == [Data([1, 2]), Data([3])])
  }

  @Test func formats() throws {
    let data = try Self.servers.data(format: .binary)
    let format = PlistFormat(detecting: data)  // .binary
    let text = try PropertyList(parsing: data).data(format: .xml)
    #expect(format == .binary)
    #expect(PlistFormat(detecting: text) == .xml)
  }

  @Test func readOptions() throws {
    let data = try Self.servers.data(format: .xml)

    var options = PlistReadOptions(duplicateKeys: .refuse)
    options.limits.maximumByteCount = 1_000_000
    let list = try PropertyList(parsing: data, options: options)

    #expect(list == Self.servers)
    let large = Data(repeating: 0x20, count: 1_000_001)
    #expect(throws: PlistError.self) { try PropertyList(parsing: large, options: options) }
  }

  @Test func duplicateKeys() throws {
    let data = Data("{ port = 80; port = 443; }".utf8)
    do {
      let options = PlistReadOptions(duplicateKeys: .refuse)
      let list = try PropertyList(parsing: data, options: options)  // throws if a key occurs twice
      Issue.record("read \(list)")
    } catch {
      #expect(error.code == .duplicateKey)
    }
  }

  @Test func datesOutOfRange() throws {
    let options = PlistReadOptions(invalidDates: .foundation)
    let list = try PropertyList(parsing: Data("<date>2024-01-32T00:00:00Z</date>".utf8), options: options)
    // 2024-02-01T00:00:00Z
    #expect(list == .date(Date(timeIntervalSinceReferenceDate: 728_438_400)))
  }

  @Test func defaultValues() {
    var list: PropertyList = [:]
    list["recent", default: []][0] = "report.txt"
    #expect(list == ["recent": ["report.txt"]])
  }

  @Test func mappedFiles() throws {
    let url = try scratch.file("list.plist", (["version": "1.2"] as PropertyList).data(format: .binary))
    let options = PlistReadOptions(fileAccess: .mapped)
    let version = try PlistDocument(contentsOf: url, options: options).root["version"]?.string
    #expect(version == "1.2")
  }

  @Test func limits() throws {
    func read(_ upload: Data) throws -> PropertyList {
      let limits = PlistLimits(maximumDepth: 32, maximumByteCount: 1_000_000)
      let list = try PropertyList(parsing: upload, options: PlistReadOptions(limits: limits))
      return list
    }
    #expect(try read(Data("((text))".utf8)) == [["text"]])
    let deep = Data((String(repeating: "(", count: 33) + String(repeating: ")", count: 33)).utf8)
    let error = #expect(throws: PlistError.self) { try read(deep) }
    #expect(error?.code == .depthLimit)
  }

  @Test func errors() throws {
    var list: PropertyList?
    let data = Data("<plist>\n<integer>80a</integer>\n</plist>".utf8)

    do {
      list = try PropertyList(parsing: data)
    } catch {
      print("line \(error.line ?? 0): \(error.message)")
    }

    #expect(list == nil)
    #expect(scratch.lines == ["line 2: \"80a\" is not an integer"])
  }

  @Test func errorCategories() throws {
    let url = try scratch.file("absent.plist")
    let defaults: PropertyList = ["port": 80]

    var settings = defaults
    do {
      settings = try PropertyList(contentsOf: url)
    } catch {
      guard error.category == .io else { throw error }
      print("the file cannot be read, so the defaults apply")
    }

    #expect(settings == defaults)
    #expect(scratch.lines == ["the file cannot be read, so the defaults apply"])
  }

  @Test func errorCodes() throws {
    var editor = try PlistEditor(parsing: Data("{ servers = ({ port = 80; }); }".utf8))

    do {
      try editor.remove(at: "servers.1")
    } catch {
      guard error.code == .unreachablePath else { throw error }
      print("there is no second server")
    }

    #expect(scratch.lines == ["there is no second server"])
  }

  @Test func documents() throws {
    let url = try scratch.file("list.plist", Self.servers.data(format: .binary))

    let document = try PlistDocument(contentsOf: url)
    let port = document.root["servers"]?[0]?["port"]?.int

    #expect(port == 80)
  }

  @Test func mappedDocuments() throws {
    let url = try scratch.file("list.plist", Self.servers.data(format: .binary))
    let document = try PlistDocument(contentsOf: url, options: PlistReadOptions(fileAccess: .mapped))
    #expect(try document.root.propertyList() == Self.servers)
  }

  @Test func nodes() throws {
    let text = "{ servers = (\n{ host = a; }\n); }"
    let document = try PlistDocument(parsing: Data(text.utf8))

    if let server = document.root["servers"]?[0], server["port"] == nil {
      print("line \(server.line ?? 0): the server has no port")
    }

    #expect(scratch.lines == ["line 2: the server has no port"])
  }

  @Test func convertedNodes() throws {
    let document = try PlistDocument(parsing: (["port": 8080] as PropertyList).data(format: .xml))
    let port = document.root["port"]?.value(as: UInt16.self)
    #expect(port == 8080)
  }

  @Test(arguments: [PlistFormat.xml, .binary])
  func elements(_ format: PlistFormat) throws {
    let list: PropertyList = ["servers": [["name": "a", "port": 80], ["port": 8080]]]
    let document = try PlistDocument(parsing: list.data(format: format))

    if let servers = document.root["servers"]?.array {
      for server in servers { print(server["name"]?.string ?? "unnamed") }
      if !servers.contains(where: { $0["port"]?.int == 443 }) { print("no server has the port 443") }
    }

    #expect(scratch.lines == ["a", "unnamed", "no server has the port 443"])
  }

  @Test(arguments: [PlistFormat.xml, .binary])
  func pairs(_ format: PlistFormat) throws {
    let list: PropertyList = ["servers": ["a": ["port": 8080], "b": ["secure": true]]]
    let document = try PlistDocument(parsing: list.data(format: format))

    if let servers = document.root["servers"]?.dictionary {
      for (name, server) in servers { print("\(name) has the port \(server["port"]?.int ?? 80)") }
    }

    #expect(scratch.lines == ["a has the port 8080", "b has the port 80"])
  }

  @Test(arguments: [PlistFormat.xml, .binary])
  func childIndices(_ format: PlistFormat) throws {
    let document = try PlistDocument(parsing: Self.servers.data(format: format))

    if let servers = document.root["servers"]?.array,
      let index = servers.firstIndex(where: { $0["port"]?.int == 443 })
    {
      for server in servers[index...] { print(server["name"]?.string ?? "unnamed") }
    }

    #expect(scratch.lines == ["b", "unnamed"])
  }
}
