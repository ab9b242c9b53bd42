import Foundation
import Plist
import Testing

struct ConfigurationToolTests {
  private let folder: URL
  private let tool: ConfigurationTool

  private static let original = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0">
    <dict>
      <!-- The ports below 1024 need root. -->
      <key>servers</key>
      <array>
        <dict>
          <key>host</key> <string>localhost</string>
          <key>port</key> <integer>0x50</integer>   <!-- HTTP -->
        </dict>
      </array>
      <key>version</key> <string>1.10</string>
      <key>timeout</key> <real>2.5</real>
      <key>debug</key> <true/>   <!-- remove before the release -->
      <key>adress</key> <string>Zürich</string>
    </dict>
    </plist>

    """

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "configuration-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    tool = ConfigurationTool(file: folder.appending(path: "server.plist"))
    try Data(Self.original.utf8).write(to: tool.file)
  }

  private func removeFolder() { try? FileManager.default.removeItem(at: folder) }

  private func text() throws -> String { try String(contentsOf: tool.file, encoding: .utf8) }

  @Test func getPrintsValues() {
    defer { removeFolder() }
    #expect(tool.run(["get", "servers.0.port"]) == ("80", 0))
    #expect(tool.run(["get", "adress"]) == ("Zürich", 0))
    #expect(tool.run(["get", "debug"]) == ("true", 0))
    #expect(tool.run(["get", "servers.0"]) == ("[\"host\": \"localhost\", \"port\": 80]", 0))
    #expect(tool.run(["get", "servers.1"]) == ("there is no value at servers.1", 1))
  }

  @Test func editsKeepComments() throws {
    defer { removeFolder() }
    #expect(tool.run(["set", "servers.0.port", "8443"]) == ("", 0))
    #expect(tool.run(["set", "version", "1.20"]) == ("", 0))
    #expect(tool.run(["set", "timeout", "3"]) == ("", 0))
    #expect(tool.run(["set", "log.level", "debug"]) == ("", 0))
    #expect(tool.run(["set", "servers.1", "example.com"]) == ("", 0))
    #expect(tool.run(["rename", "adress", "address"]) == ("", 0))
    #expect(tool.run(["unset", "debug"]) == ("", 0))

    #expect(
      try text() == """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0">
        <dict>
          <!-- The ports below 1024 need root. -->
          <key>servers</key>
          <array>
            <dict>
              <key>host</key> <string>localhost</string>
              <key>port</key> <integer>8443</integer>   <!-- HTTP -->
            </dict>
            <string>example.com</string>
          </array>
          <key>version</key> <string>1.20</string>
          <key>timeout</key> <real>3</real>
          <!-- remove before the release -->
          <key>address</key> <string>Zürich</string>
          <key>log</key> <dict>
            <key>level</key>
            <string>debug</string>
          </dict>
        </dict>
        </plist>

        """)
    #expect(try PropertyList(contentsOf: tool.file)["timeout"] == 3.0)
  }

  @Test func errorsLeaveTheFile() throws {
    defer { removeFolder() }
    let refused = tool.run(["set", "version.major", "2"])
    #expect(
      refused == (
        "line 12, column 22: the value at \"version\" is not a container, but a string (key path: version.major)", 1
      ))
    let absent = tool.run(["unset", "servers.3"])
    #expect(absent == ("line 6, column 3: there is no value at \"servers.3\" (key path: servers.3)", 1))
    let taken = tool.run(["rename", "adress", "debug"])
    #expect(taken.status == 1 && taken.output.contains("already"), "\(taken)")
    #expect(tool.run(["show"]).status == 64)
    #expect(try text() == Self.original)

    try Data("<plist><dict>\n<key>port</key>\n</dict></plist>".utf8).write(to: tool.file)
    let invalid = tool.run(["set", "port", "1"])
    #expect(invalid.status == 1 && invalid.output.hasPrefix("\(tool.file.path): line 3, column 1: "), "\(invalid)")
    #expect(try text() == "<plist><dict>\n<key>port</key>\n</dict></plist>")

    try FileManager.default.removeItem(at: tool.file)
    let missing = tool.run(["get", "port"])
    #expect(missing.status == 2 && missing.output.contains(tool.file.path), "\(missing)")
  }

  @Test func linksAndPermissionsStay() throws {
    defer { removeFolder() }
    let link = folder.appending(path: "link.plist")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: tool.file)
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: tool.file.path)

    #expect(ConfigurationTool(file: link).run(["set", "servers.0.port", "81"]) == ("", 0))

    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == tool.file.path)
    let attributes = try FileManager.default.attributesOfItem(atPath: tool.file.path)
    #expect(attributes[.posixPermissions] as? Int == 0o640)
    #expect(try text() == Self.original.replacing("0x50", with: "81"))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(names == ["link.plist", "server.plist"])
  }

  @Test func paths() {
    defer { removeFolder() }
    let arguments = ["get", "servers.0.port"]

    let list: PropertyList = ["servers": [["port": 80]], "servers.0.port": "a key with dots"]
    let key = list["servers.0.port"]  // the value of one key
    let literal = list["servers.0.port" as PropertyListPath]  // the port of the first server
    let argument = list[PropertyListPath(arguments[1])]  // from text at run time

    #expect(key == "a key with dots")
    #expect(literal == 80 && argument == 80)
    #expect(list[PropertyListPath("")] == list)

    let host = "www.example.com"
    let path = PropertyListPath("certificates").appending(key: host)  // certificates.www\.example\.com
    let same = PropertyListPath(components: ["certificates", host])

    #expect(path == same)
    #expect(path.description == #"certificates.www\.example\.com"#)
  }
}
