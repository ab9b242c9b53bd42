import Foundation
import Plist
import Testing

struct UsageExampleTests {
  let scratch = Scratch()

  final class Scratch {
    var lines: [String] = []
    private let folder = FileManager.default.temporaryDirectory.appending(path: "usage-\(UUID())")

    deinit { try? FileManager.default.removeItem(at: folder) }

    func file(_ name: String, _ contents: Data? = nil) throws -> URL {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let url = folder.appending(path: name)
      if let contents { try contents.write(to: url) }
      return url
    }
  }

  func print(_ values: Any...) { scratch.lines.append(values.map { "\($0)" }.joined(separator: " ")) }

  static let servers: PropertyList = [
    "servers": [["name": "a", "port": 80], ["name": "b", "port": 443], ["port": 80]]
  ]

  @Test func propertyLists() {
    let list: PropertyList = ["name": "Ada", "born": 1815, "tags": ["math", "engines"]]
    let tag = list["tags"]?[1]?.string  // "engines"
    let name = list["name"]?.int  // nil: it is a string

    var copy = list
    copy["tags"]?[2] = "poetry"  // in place
    copy["born"] = nil  // removes the pair

    #expect(tag == "engines")
    #expect(name == nil)
    #expect(copy == ["name": "Ada", "tags": ["math", "engines", "poetry"]])
  }

  @Test func kinds() {
    let list: PropertyList = ["port": 8080]
    let kind = list["port"]?.kind  // .integer
    #expect(kind == .integer)
  }

  @Test func integers() {
    let size: PropertyListInteger = 18_446_744_073_709_551_615
    let unsigned = UInt64(exactly: size)  // 18446744073709551615
    let signed = Int(exactly: size)  // nil
    #expect(unsigned == .max)
    #expect(signed == nil)
  }

  @Test func paths() {
    let list: PropertyList = ["servers": [["port": 80]], "servers.0.port": "a key"]

    let value = list["servers.0.port"]  // the value of the key "servers.0.port"
    let port = list["servers.0.port" as PropertyListPath]  // the port of the first server

    #expect(value == "a key")
    #expect(port == 80)
  }

  @Test func references() {
    let archive: PropertyList = [
      "$top": ["root": .uid(1)], "$objects": ["$null", "the object"],
    ]
    if let root = archive["$top"]?["root"]?.uid {
      let object = archive["$objects"]?[Int(root.value)]
      print(object ?? "missing")
    }
    #expect(scratch.lines == [#""the object""#])
  }

  @Test func convertedValues() {
    enum Mode: String, PropertyListValue { case light, dark }
    let list: PropertyList = ["mode": PropertyList(Mode.dark)]  // "dark"
    let mode = list["mode"]?.value(as: Mode.self)  // Mode.dark
    #expect(list["mode"] == "dark")
    #expect(mode == .dark)
  }

  @Test func convertedNumbers() {
    let list: PropertyList = ["port": 8080]
    let port = list["port"]?.value(as: UInt16.self)
    #expect(port == 8080)
    #expect(list["port"]?.value(as: UInt8.self) == nil)
  }

  @Test func dictionaries() {
    var server: PropertyListDictionary = ["host": "localhost", "port": 8080]
    server["port"] = 8081  // in place; the order stays
    server["secure"] = true  // at the end
    for (key, value) in server { print(key, value) }
    #expect(scratch.lines == [#"host "localhost""#, "port 8081", "secure true"])
  }

  @Test func dictionaryKeys() {
    let server: PropertyListDictionary = ["host": "localhost", "port": 8080]
    let names = server.keys.joined(separator: ", ")  // "host, port"
    let index = server.keys.firstIndex(of: "port")  // 1
    #expect(names == "host, port")
    #expect(index == 1)
  }

  @Test func dictionaryValues() {
    var ports: PropertyListDictionary = ["http": 80, "https": 443]
    let sum = ports.values.compactMap(\.int).reduce(0, +)  // 523
    ports.values[0] = 8080  // the value of "http"
    #expect(sum == 523)
    #expect(ports == ["http": 8080, "https": 443])
  }

  @Test func queries() {
    let list: PropertyList = [
      "servers": Self.servers["servers"] ?? .null, "images": ["icon@2x.png": 2, "icon.png": 1], "a": [["url": "b"]],
    ]

    for match in list.matches(of: "servers.*.port") { print(match.path, match.value) }
    let urls = list.matches(of: "**.url")  // every value with the key url, at any depth
    let images = list.matches(of: "images.*@2x\\.*")  // keys such as icon@2x.png

    #expect(scratch.lines == ["servers.0.port 80", "servers.1.port 443", "servers.2.port 80"])
    #expect(urls.map(\.value) == ["b"])
    #expect(images.map(\.value) == [2])
  }

  @Test func matches() throws {
    var list = Self.servers
    for match in list.matches(of: "servers.*.port") where match.value.int == 80 {
      try list.set(8080, at: match.path)
    }
    #expect(list.matches(of: "servers.*.port").map(\.value) == [8080, 443, 8080])
  }

  @Test func differences() throws {
    let old: PropertyList = [
      "servers": [["port": 80], ["host": "b.example"]], "channels": ["stable", "nightly"],
    ]
    let new: PropertyList = ["servers": [["port": 8080]], "channels": ["stable", "nightly", "beta"]]

    let difference = new.difference(from: old)
    print(difference)
    // ~ servers.0.port: 80 → 8080
    // - servers.1: ["host": "b.example"]
    // + channels.2: "beta"
    let same = try old.applying(difference)

    #expect(
      scratch.lines == [
        """
        ~ servers.0.port: 80 → 8080
        - servers.1: ["host": "b.example"]
        + channels.2: "beta"
        """
      ])
    #expect(same == new)
  }

  @Test func changes() {
    let old: PropertyList = ["port": 80, "name": "a"]
    let new: PropertyList = ["port": 8080, "host": "localhost"]
    for change in new.difference(from: old) where change.oldValue == nil {
      print("added: \(change.path)")
    }
    #expect(scratch.lines == ["added: host"])
  }

  @Test func mergePolicies() throws {
    let limits: PropertyList = ["files": 10, "users": 5]
    let newLimits: PropertyList = ["files": 20, "users": 3]
    let larger = PropertyListMergePolicy { _, own, other in
      (own.int ?? 0) < (other.int ?? 0) ? other : own
    }
    let merged = try limits.merging(newLimits, policy: larger)
    #expect(merged == ["files": 20, "users": 5])
  }
}
