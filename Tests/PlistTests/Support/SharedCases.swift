import Foundation

/// A test case from the folder that `PLIST_SHARED` names, outside this repository.
///
/// Without the variable, there are no cases.
struct SharedCase: Sendable, Decodable, CustomStringConvertible {
  enum Expectation: String, Sendable, Decodable {
    case accept
    case reject
    case either
    case bounded
  }

  enum Format: String, Sendable, CaseIterable, Decodable {
    case xml, binary, openstep
  }

  var name: String
  var format: Format
  var data: Data
  var expectation: Expectation
  var value: String?
  var foundation: String

  var description: String { "\(format.rawValue)/\(name)" }

  enum CodingKeys: String, CodingKey {
    case name, format, value, foundation
    case data = "base64"
    case expectation = "expect"
  }
}

extension SharedCase {
  static var folder: URL? {
    guard let path = ProcessInfo.processInfo.environment["PLIST_SHARED"], !path.isEmpty else { return nil }
    return URL(filePath: path, directoryHint: .isDirectory)
  }

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
  static func corpus() throws -> [URL] {
    guard let folder = folder?.appending(path: "corpus") else { return [] }
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    let documents = (files?.allObjects as? [URL] ?? []).filter { !$0.hasDirectoryPath }
    guard !documents.isEmpty else { throw FixtureError.noFiles(folder: "corpus", suffix: "") }
    return documents.sorted { $0.path < $1.path }
  }
}
