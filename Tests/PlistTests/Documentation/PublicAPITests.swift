import Foundation
import Testing

/// A test that `PublicAPI.txt` lists the public API of Plist and of the modules that extend it.
///
/// In `PublicAPI.txt`, the line of a declaration that is unchanged since the last release begins with two spaces. The
/// line of a new declaration begins with `+`, and the line of a removed declaration with `-`. A changed declaration has
/// one line with `-` and one line with `+`.
@Suite("Public API")
struct PublicAPITests {
  private static let root = FixtureFolder.root.deletingLastPathComponent()
  private static let listing = root.appending(path: "Tests/PlistTests/Documentation/PublicAPI.txt")
  private static let sources = [
    "Sources/Plist", "Sources/PlistArchives", "Sources/PlistSchema", "Sources/PlistFoundation", "Sources/PlistMacros",
  ].map {
    root.appending(path: $0, directoryHint: .isDirectory)
  }

  @Test("The listing is that of the sources")
  func listing() throws {
    let declared = Set(try Self.sources.flatMap { try PublicAPI(scanning: $0).lines }).sorted()
    #expect(declared.count >= 400)
    if ProcessInfo.processInfo.environment["PLIST_RECORD_API"] == "1" {
      let old = (try? Self.listedLines()) ?? declared.map { "  " + $0 }
      let released = Set(old.filter { !$0.hasPrefix("+") }.map { String($0.dropFirst(2)) })
      let marked = released.union(declared).sorted().map { line in
        (declared.contains(line) ? released.contains(line) ? "  " : "+ " : "- ") + line
      }
      try Data((marked.joined(separator: "\n") + "\n").utf8).write(to: Self.listing)
    }
    let listed = Set(try Self.listedLines().filter { !$0.hasPrefix("-") }.map { String($0.dropFirst(2)) })
    let changes =
      declared.filter { !listed.contains($0) }.map { "+ " + $0 }
      + listed.subtracting(declared).sorted().map { "- " + $0 }
    #expect(
      changes.isEmpty,
      """
      The public API has changed:
      \(changes.joined(separator: "\n"))
      Run `PLIST_RECORD_API=1 swift test --filter PublicAPITests`, which writes Tests/PlistTests/Documentation/PublicAPI.txt.
      Then mention each symbol in CHANGELOG.md under [Unreleased]: new ones under "Added", others under "Changed",
      "Deprecated" or "Removed".
      """)
  }

  @Test("The changelog mentions each change since the last release")
  func changelog() throws {
    let spans = try Self.unreleasedCodeSpans()
    #expect(spans.count >= 20)
    for declaration in try Self.changes() {
      let symbol = declaration.symbol
      let isMentioned = spans.contains { Self.mentions(symbol, in: $0) }
      #expect(
        isMentioned,
        "CHANGELOG.md has no `\(symbol)` under [Unreleased], which has changed: \(declaration.line)")
    }
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
        "Box: extension Box: Hashable where Value: Hashable", "Box: init?(of value: Value)",
        "Box: mutating func take(_ value: Value, as kind: Kind = .none) throws(BoxError) -> [Value]",
        "Box: private(set) var count", "Box: static func == (left: Box, right: Box) -> Bool",
        "Box: typealias Make = @Sendable (_ value: Value) -> Box", "deprecated Box: init(_ value: Value)",
        "protocol Shown", "struct Box<Value>: Sendable where Value: Sendable",
      ])
    let symbols = Set(api.declarations.map(\.symbol))
    #expect(symbols.isSuperset(of: ["Box(_:", "Box(of:", "take", "count", "none", "Make", "Box", "Hashable", "Shown"]))
    #expect(Self.mentions("Box(_:", in: "Box(_:)") && !Self.mentions("Box(of:", in: "Box(_:)"))
    #expect(Self.mentions("take", in: "Box.take(_:as:)") && !Self.mentions("take", in: "takes"))
  }
}

extension PublicAPITests {
  private static func listedLines() throws -> [String] {
    try String(contentsOf: listing, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  private static func changes() throws -> [PublicAPI.Declaration] {
    try listedLines().filter { !$0.hasPrefix("  ") }.map { line in
      var text = line.dropFirst(2)
      let isDeprecated = text.hasPrefix("deprecated ")
      if isDeprecated { text = text.dropFirst("deprecated ".count) }
      let type = text.prefix { $0.isLetter || $0.isNumber || "._".contains($0) }
      guard text[type.endIndex...].hasPrefix(": ") else {
        return PublicAPI.Declaration(type: "", text: String(text), isDeprecated: isDeprecated)
      }
      return PublicAPI.Declaration(
        type: String(type), text: String(text[type.endIndex...].dropFirst(2)), isDeprecated: isDeprecated)
    }
  }

  private static func unreleasedCodeSpans() throws -> [Substring] {
    let text = try String(contentsOf: root.appending(path: "CHANGELOG.md"), encoding: .utf8)
    guard let start = text.range(of: "\n## [Unreleased]\n") else { throw CocoaError(.fileReadCorruptFile) }
    let section = text[start.upperBound...]
    let parts = section[..<(section.range(of: "\n## ")?.lowerBound ?? section.endIndex)]
      .split(separator: "`", omittingEmptySubsequences: false)
    return stride(from: 1, to: parts.count, by: 2).map { parts[$0] }
  }

  private static func mentions(_ symbol: String, in span: Substring) -> Bool {
    var rest = span
    while let range = rest.range(of: symbol) {
      let isPart = { (character: Character?) in character.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false }
      let before = range.lowerBound == span.startIndex ? nil : span[span.index(before: range.lowerBound)]
      let isWhole = symbol.hasSuffix(":") || !isPart(span[range.upperBound...].first)
      if isWhole, !isPart(before) { return true }
      rest = rest[range.upperBound...]
    }
    return false
  }
}
