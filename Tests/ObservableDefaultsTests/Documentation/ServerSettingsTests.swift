import Foundation
import ObservableDefaults
import ObservableDefaultsTesting
import Plist
import Testing

@Suite(.isolatedDefaults)
struct ServerTests {
  @Test(arguments: [1, 2, 3])
  func clientsAreLimited(to count: Int) async {
    let settings = ServerSettings()
    settings.rateLimit.requests = count
    let server = Server(settings: settings)
    for _ in 0..<count { #expect(await server.answer("ada") == (200, "hello ada")) }
    #expect(await server.answer("ada") == (429, "too many requests"))
    #expect(await server.answer("bob") == (200, "hello bob"))
  }

  @Test func maintenance() async {
    let settings = ServerSettings()
    let server = Server(settings: settings)
    settings.isInMaintenance = true
    #expect(await server.answer("ada").status == 503)
    settings.$isInMaintenance.reset()
    #expect(await server.answer("ada").status == 200)
  }
}

struct ServerSettingsTests {
  @Test func aFileThatOthersChange() async throws {
    let folder = try TestFolder()
    let server = Server(settings: ServerSettings(in: folder.file()))
    #expect(await server.answer("ada") == (200, "hello ada"))
    #expect(try folder.names().isEmpty)

    server.settings.rateLimit.requests = 2
    #expect(
      try String(contentsOf: folder.file(), encoding: .utf8) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
        \t<key>rateLimit</key>
        \t<dict>
        \t\t<key>requests</key>
        \t\t<integer>2</integer>
        \t\t<key>message</key>
        \t\t<string>too many requests</string>
        \t</dict>
        </dict>
        </plist>

        """)

    let changes = Recorder<RateLimit>()
    let token = server.settings.$rateLimit.observe { _, new in changes.record(new) }
    try folder.writeInPlace(["rateLimit": ["requests": 1, "message": "slow down"], "isInMaintenance": false])
    #expect(await eventually { !changes.events.isEmpty })
    #expect(changes.events == [RateLimit(requests: 1, message: "slow down")])
    #expect(await server.answer("ada") == (429, "slow down"))
    token.cancel()

    try folder.writeInPlace(["isInMaintenance": true])
    #expect(await eventually { server.settings.isInMaintenance })
    #expect(await server.answer("ada") == (503, "maintenance"))
    #expect(server.settings.problems.isEmpty)
  }

  @Test func aValueOfAnotherType() async throws {
    let folder = try TestFolder()
    try (["rateLimit": "none"] as PropertyList).write(to: folder.file(), format: .xml)
    let settings = ServerSettings(in: folder.file())
    #expect(settings.rateLimit == RateLimit())
    #expect(settings.problems.count == 1 && settings.problems[0].contains("rateLimit"), "\(settings.problems)")
    #expect(try folder.contents() == ["rateLimit": "none"])
  }

  @Test(.isolatedDefaults)
  func changesAreFollowed() async {
    let settings = ServerSettings()
    settings.rateLimit.requests = 1
    let server = Server(settings: settings)
    let follower = Task { await server.followChanges() }
    #expect(await server.answer("ada").status == 200)
    #expect(await server.answer("ada").status == 429)
    var isReset = false
    for _ in 0..<1000 where !isReset {
      settings.$rateLimit.withLock { $0.requests = $0.requests == 1 ? 2 : 1 }
      try? await Task.sleep(for: .milliseconds(5))
      isReset = await server.answer("ada").status == 200
    }
    #expect(isReset)
    follower.cancel()
    await follower.value
  }

  @Test func manyTasksReadAndWrite() async throws {
    let folder = try TestFolder()
    let settings = ServerSettings(in: folder.file())
    settings.rateLimit.requests = 0
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<5 { settings.$rateLimit.withLock { $0.requests += 1 } }
        }
      }
    }
    #expect(settings.rateLimit.requests == 40)
    #expect(try folder.contents()["rateLimit"]?["requests"] == 40)
  }
}
