import Foundation
import Testing

/// `PublicAPI.txt` lists the public API of Plist and the modules that extend it, so that changes show in a diff.
@Suite("Public API")
struct PublicAPITests {
  private static let root = FixtureFolder.root.deletingLastPathComponent()
  private static let listing = root.appending(path: "Tests/PlistTests/Documentation/PublicAPI.txt")
  private static let sources = [
    "Sources/Plist", "Sources/PlistArchives", "Sources/PlistSchema", "Sources/PlistTables", "Sources/PlistFoundation",
    "Sources/PlistMacros",
  ].map {
    root.appending(path: $0, directoryHint: .isDirectory)
  }

  @Test("The listing is that of the sources")
  func listing() throws {
    let declared = Set(try Self.sources.flatMap { try PublicAPI(scanning: $0).lines }).sorted()
    #expect(declared.count >= 400)
    if ProcessInfo.processInfo.environment["PLIST_RECORD_API"] == "1" {
      try Data((declared.joined(separator: "\n") + "\n").utf8).write(to: Self.listing)
    }
    let listed = Set(try String(contentsOf: Self.listing, encoding: .utf8).split(separator: "\n").map(String.init))
    let changes =
      declared.filter { !listed.contains($0) }.map { "+ " + $0 }
      + listed.subtracting(declared).sorted().map { "- " + $0 }
    #expect(
      changes.isEmpty,
      """
      The public API has changed:
      \(changes.joined(separator: "\n"))
      If that is intended, run `PLIST_RECORD_API=1 swift test --filter PublicAPITests` and commit the listing.
      """)
  }

  @Test("A scan finds public declarations and nothing else")
  func scan() {
    let api = PublicAPI(
      scanning: """
        public import Foundation

        /// A type. public struct None {}
        public struct Box<Value>: Sendable
        where Value: Sendable {
          public private(set) var count = 0
          let hidden = 1
          @available(*, deprecated, renamed: "init(of:options:)")
          public init(_ value: Value) { let public = 1 }
          @inlinable public mutating func take(
            _ value: Value, as kind: Kind = .none
          ) throws(BoxError) -> [Value] {
            public func local() {}
          }
          public enum Kind {
            case none
            case some(Value), many
            var isNone: Bool {
              switch self {
              case .none: true
              }
            }
          }
          public typealias Make =
            @Sendable (_ value: Value) -> Box
          public static func == (left: Box, right: Box) -> Bool { true }
          public init?(of value: Value)
        }
        extension Box: Hidden, Hashable where Value: Hashable {}
        extension Inner: Hashable { public var text: String { "" } }
        protocol Hidden {}
        struct Inner {}
        public protocol Shown { func show() throws }
        """)
    #expect(
      api.lines == [
        "Box.Kind: case none", "Box.Kind: case some(Value), many", "Box: enum Kind",
        "Box: extension Box: Hashable where Value: Hashable", "Box: init(_ value: Value)",
        "Box: init?(of value: Value)",
        "Box: mutating func take(_ value: Value, as kind: Kind = .none) throws(BoxError) -> [Value]",
        "Box: private(set) var count", "Box: static func == (left: Box, right: Box) -> Bool",
        "Box: typealias Make = @Sendable (_ value: Value) -> Box", "protocol Shown",
        "struct Box<Value>: Sendable where Value: Sendable",
      ])
  }
}
