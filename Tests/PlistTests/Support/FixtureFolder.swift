import Foundation

/// A folder of `Fixtures/`, found relative to this source file, so that tests need no resources and no paths.
///
/// Each folder states one expectation, and a test runs over all of its files:
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

  /// The repository's `Fixtures` folder.
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent()  // Support
    .deletingLastPathComponent()  // PlistTests
    .deletingLastPathComponent()  // Tests
    .deletingLastPathComponent()
    .appending(path: "Fixtures", directoryHint: .isDirectory)

  /// The URL of the folder.
  var url: URL {
    Self.root.appending(path: rawValue, directoryHint: .isDirectory)
  }

  /// The files whose names end in `suffix`, sorted by name.
  ///
  /// - Throws: `FixtureError.noFiles` if there are no such files, since a test without files would pass.
  func files(endingIn suffix: String) throws -> [Fixture] {
    let names = try FileManager.default.contentsOfDirectory(atPath: url.path)
    let matching = names.filter { $0.hasSuffix(suffix) && $0.count > suffix.count }.sorted()
    guard !matching.isEmpty else {
      throw FixtureError.noFiles(folder: rawValue, suffix: suffix)
    }
    return matching.map { Fixture(folder: self, name: String($0.dropLast(suffix.count)), suffix: suffix) }
  }

  /// The documents of the folder `Valid` that are OpenStep, `.strings`, GNUstep or JSON text.
  static var texts: [Fixture] {
    get throws { try TextForm.allCases.flatMap { try valid.files(endingIn: $0.suffix) } }
  }

  /// Every property list of every folder, sorted by path.
  static func allPropertyLists() throws -> [Fixture] {
    try allCases.flatMap { try $0.files(endingIn: ".plist") }.sorted { $0.path < $1.path }
  }
}

/// A text format other than XML, whose raw value occurs in the file names of fixtures.
enum TextForm: String, CaseIterable {
  case openstep, strings, gnustep, json

  var suffix: String { ".\(rawValue).plist" }
}

/// One file of a fixture folder.
struct Fixture: Sendable, Hashable, CustomStringConvertible {
  var folder: FixtureFolder
  /// The file's name without its suffix: `settings` for `settings.xml.plist`.
  var name: String
  var suffix: String

  /// The path relative to `Fixtures`, as in `divergences.tsv`.
  var path: String { "\(folder.rawValue)/\(name)\(suffix)" }
  var url: URL { folder.url.appending(path: name + suffix) }
  var description: String { path }

  func data() throws -> Data {
    try Data(contentsOf: url)
  }

  /// The file of the same name with another suffix, such as `.events`.
  func sibling(_ suffix: String) -> Fixture {
    Fixture(folder: folder, name: name, suffix: suffix)
  }

  /// The file's text, or nil when there is no such file.
  func text() throws -> String? {
    guard FileManager.default.fileExists(atPath: url.path) else { return nil }
    return try String(contentsOf: url, encoding: .utf8)
  }
}

/// A row of `Divergences/divergences.tsv`: a file on which Foundation differs, and the reason.
struct Divergence: Sendable {
  /// The path relative to `Fixtures`.
  var file: String
  /// The result of this package: `reject`, or `accept` and the value.
  var here: String
  /// Foundation's result: `reject`, `accept` with or without the value, `varies`, `crash` or `hang`.
  var foundation: String
  var reason: String

  /// Whether Foundation survives the file, so that a test is allowed to pass the file to Foundation.
  var foundationSurvives: Bool { foundation != "crash" && foundation != "hang" }

  /// Returns all rows of the table, by file.
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

/// An error in the fixtures themselves.
enum FixtureError: Error {
  case noFiles(folder: String, suffix: String)
  case malformedRow(String)
}
