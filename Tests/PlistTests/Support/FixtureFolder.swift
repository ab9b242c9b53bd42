import Foundation

/// A folder of `Fixtures/`, found relative to this file, so that tests need neither resources nor paths.
///
/// To run a test for every fixture in a folder, pass the fixtures as arguments of the test:
///
/// ```swift
/// @Test(arguments: try FixtureFolder.invalid.files(endingIn: ".plist"))
/// func refuses(_ fixture: Fixture) throws { … }
/// ```
enum FixtureFolder: String, CaseIterable {
  case valid = "Valid"
  case encodings = "Encodings"
  case invalid = "Invalid"
  case divergences = "Divergences"

  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent()  // Support
    .deletingLastPathComponent()  // PlistTests
    .deletingLastPathComponent()  // Tests
    .deletingLastPathComponent()
    .appending(path: "Fixtures", directoryHint: .isDirectory)

  var url: URL {
    Self.root.appending(path: rawValue, directoryHint: .isDirectory)
  }

  /// Returns the files with this suffix; throws `FixtureError.noFiles` if there are none, since a test without files
  /// would pass.
  func files(endingIn suffix: String) throws -> [Fixture] {
    let names = try FileManager.default.contentsOfDirectory(atPath: url.path)
    let matching = names.filter { $0.hasSuffix(suffix) && $0.count > suffix.count }.sorted()
    guard !matching.isEmpty else {
      throw FixtureError.noFiles(folder: rawValue, suffix: suffix)
    }
    return matching.map { Fixture(folder: self, name: String($0.dropLast(suffix.count)), suffix: suffix) }
  }

  static var texts: [Fixture] {
    get throws { try TextForm.allCases.flatMap { try valid.files(endingIn: $0.suffix) } }
  }

  static func allPropertyLists() throws -> [Fixture] {
    try allCases.flatMap { try $0.files(endingIn: ".plist") }.sorted { $0.path < $1.path }
  }
}

enum TextForm: String, CaseIterable {
  case openstep, strings, gnustep, json

  var suffix: String { ".\(rawValue).plist" }
}

struct Fixture: Sendable, Hashable, CustomStringConvertible {
  var folder: FixtureFolder
  /// For `settings.xml.plist` this is `settings`.
  var name: String
  var suffix: String

  var path: String { "\(folder.rawValue)/\(name)\(suffix)" }
  var url: URL { folder.url.appending(path: name + suffix) }
  var description: String { path }

  func data() throws -> Data {
    try Data(contentsOf: url)
  }

  func sibling(_ suffix: String) -> Fixture {
    Fixture(folder: folder, name: name, suffix: suffix)
  }

  func text() throws -> String? {
    guard FileManager.default.fileExists(atPath: url.path) else { return nil }
    return try String(contentsOf: url, encoding: .utf8)
  }
}

/// A row of `Divergences/divergences.tsv`: a file that Foundation reads differently, and why.
struct Divergence: Sendable {
  var file: String
  var here: String
  var foundation: String
  var reason: String

  /// Whether a test may give Foundation the file, on some of which it crashes or hangs.
  var foundationSurvives: Bool { foundation != "crash" && foundation != "hang" }

  static func table() throws -> [String: Divergence] {
    let url = FixtureFolder.divergences.url.appending(path: "divergences.tsv")
    let rows = try String(contentsOf: url, encoding: .utf8).split(separator: "\n").dropFirst()
    let divergences = try rows.map { row in
      let columns = row.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard columns.count == 4 else {
        throw FixtureError.malformedRow(String(row))
      }
      return Divergence(file: columns[0], here: columns[1], foundation: columns[2], reason: columns[3])
    }
    return try Dictionary(divergences.map { ($0.file, $0) }) { first, _ in
      throw FixtureError.malformedRow("\(first.file) is listed twice")
    }
  }
}

enum FixtureError: Error {
  case noFiles(folder: String, suffix: String)
  case malformedRow(String)
}
