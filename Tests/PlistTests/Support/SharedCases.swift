import Foundation

/// An input with a verdict from the collection that the environment's `PLIST_SHARED` names.
///
/// The collection is not part of this repository. Where the variable is not set there are no cases, and a test
/// over them has nothing to run.
struct SharedCase: Sendable, Decodable, CustomStringConvertible {
  /// What must happen to the input.
  enum Expectation: String, Sendable, Decodable {
    /// It parses, and to `value` if there is one.
    case accept
    /// It is refused, with a place.
    case reject
    /// Free to choose; it neither crashes nor hangs.
    case either
    /// It ends within a second and 256 MiB, with an error or a value.
    case bounded
  }

  /// The format the input is meant to be.
  enum Format: String, Sendable, CaseIterable, Decodable {
    case xml, binary, openstep
  }

  var name: String
  var format: Format
  var data: Data
  var expectation: Expectation
  /// The value in the notation that `Fixtures/README.md` defines.
  var value: String?
  /// What `PropertyListSerialization` did on Linux.
  var foundation: String

  var description: String { "\(format.rawValue)/\(name)" }

  enum CodingKeys: String, CodingKey {
    case name, format, value, foundation
    case data = "base64"
    case expectation = "expect"
  }
}

extension SharedCase {
  /// The shared folder, or nil when the environment names none.
  static var folder: URL? {
    guard let path = ProcessInfo.processInfo.environment["PLIST_SHARED"], !path.isEmpty else { return nil }
    return URL(filePath: path, directoryHint: .isDirectory)
  }

  /// The cases of the given formats, in the order of their files; none when there is no shared folder.
  ///
  /// - Throws: when the folder is named and a file in it cannot be read or holds no case.
  static func all(_ formats: Format...) throws -> [SharedCase] {
    guard let folder else { return [] }
    return try formats.flatMap { format in
      let file = folder.appending(path: "cases/\(format.rawValue).jsonl")
      let decoder = JSONDecoder()
      let cases = try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")).map {
        try decoder.decode(SharedCase.self, from: Data($0))
      }
      guard !cases.isEmpty else {
        throw FixtureError.noFiles(folder: "cases", suffix: format.rawValue)
      }
      return cases
    }
  }
}

extension SharedCase {
  /// The property lists of the shared folder's corpus, as people have made them; none when there is no such folder.
  static func corpus() throws -> [URL] {
    guard let folder = folder?.appending(path: "corpus") else { return [] }
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    let documents = (files?.allObjects as? [URL] ?? []).filter { !$0.hasDirectoryPath }
    guard !documents.isEmpty else { throw FixtureError.noFiles(folder: "corpus", suffix: "") }
    return documents.sorted { $0.path < $1.path }
  }
}
