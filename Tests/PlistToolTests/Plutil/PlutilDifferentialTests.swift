#if CommandLineTool
import Foundation
import Plist
import Testing

@Suite("plutil and the toolchain's")
struct PlutilDifferentialTests {
  private static let fixtures = PlutilFixtures()

  /// Without `PLIST_THOROUGH`, only every fourth verb with each input.
  @Test("The same standard output and status, listed differences apart", arguments: fixtures.inputs.indices)
  func sameResults(number: Int) async throws {
    let input = Self.fixtures.inputs[number]
    let folder = try Workspace()
    if !input.path.isEmpty { try folder.copy(input.path, as: "input.plist") }
    let isThorough = ProcessInfo.processInfo.environment["PLIST_THOROUGH"] == "1"
    let verbs = Self.fixtures.verbs.enumerated().filter { index, verb in
      verb.takesInput != input.path.isEmpty && (isThorough || (index + number) % 4 == 0)
    }.map(\.element)
    let script = verbs.map { verb in
      let words = verb.arguments(key: input.key).map { "'\($0.replacing("'", with: "'\\''"))'" }
      return "$TOOL plutil \(words.joined(separator: " ")) > \(verb.name).out; echo $? > \(verb.name).status"
    }
    _ = try await folder.shell(script.joined(separator: "\n"))
    var different: Set<String> = []
    for verb in verbs {
      let recorded = try #require(Self.fixtures.recorded[input.path]?[verb.name])
      let status = try folder.text("\(verb.name).status").trimmingCharacters(in: .newlines)
      let isSame = try Int(status) == recorded.status && recorded.hasSameOutput(folder.data("\(verb.name).out"))
      if !isSame { different.insert(verb.name) }
    }
    let expected = Self.fixtures.differences[input.path] ?? []
    #expect(different == expected.intersection(verbs.map(\.name)), "\(input.path)")
  }

  @Test("There are at least fifty inputs, and every verb is among the differences' names or none")
  func tables() {
    #expect(Self.fixtures.inputs.count > 50)
    let names = Set(Self.fixtures.verbs.map(\.name))
    let paths = Set(Self.fixtures.inputs.map(\.path))
    for (path, verbs) in Self.fixtures.differences {
      #expect(paths.contains(path))
      #expect(verbs.isSubset(of: names))
    }
  }
}

struct PlutilFixtures: Sendable {
  struct Input: Sendable {
    let path: String
    let key: String
  }

  struct Verb: Sendable {
    let name: String
    private let words: [String]

    init(name: String, template: String) {
      self.name = name
      words = template.split(whereSeparator: \.isWhitespace).map(String.init)
    }

    var takesInput: Bool { words.contains("INPUT") }

    func arguments(key: String) -> [String] {
      words.map { $0 == "INPUT" ? "input.plist" : $0.replacing("KEY", with: key) }
    }
  }

  struct Outcome: Sendable, Decodable {
    let status: Int
    private let stdout: String?
    private let base64: String?

    func hasSameOutput(_ output: Data) -> Bool {
      let recorded = stdout.map { Data($0.utf8) } ?? base64.flatMap { Data(base64Encoded: $0) } ?? Data()
      if output == recorded { return true }
      let format = PlistFormat(detecting: output)
      guard format == PlistFormat(detecting: recorded), format == .binary || format == .json else { return false }
      if format == .json, output.contains(UInt8(ascii: "\n")) { return false }
      guard let value = try? PropertyList(parsing: output) else { return false }
      return value == (try? PropertyList(parsing: recorded))
    }
  }

  private struct Line: Decodable {
    let input: String
    let verb: String
  }

  private(set) var inputs = [Input(path: "", key: "")]
  private(set) var verbs: [Verb] = []
  private(set) var recorded: [String: [String: Outcome]] = [:]
  private(set) var differences: [String: Set<String>] = [:]

  init() {
    inputs += Self.table("inputs.tsv").map { Input(path: $0[0], key: $0[1]) }
    verbs = Self.table("verbs.tsv").map { Verb(name: $0[0], template: $0[1]) }
    for row in Self.table("differences.tsv") {
      differences[row[0], default: []].formUnion(row[1].split(separator: " ").map(String.init))
    }
    for line in Self.text("recorded.jsonl").split(separator: "\n") {
      let data = Data(line.utf8)
      guard let name = try? JSONDecoder().decode(Line.self, from: data),
        let outcome = try? JSONDecoder().decode(Outcome.self, from: data)
      else { preconditionFailure("recorded.jsonl: \(line)") }
      recorded[name.input, default: [:]][name.verb] = outcome
    }
  }

  private static func table(_ name: String) -> [[String]] {
    text(name).split(separator: "\n").dropFirst().map { row in
      row.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
  }

  private static func text(_ name: String) -> String {
    let url = Workspace.fixture("Plutil").appending(path: name)
    guard let data = try? Data(contentsOf: url) else { preconditionFailure("No \(url.path)") }
    return String(decoding: data, as: UTF8.self)
  }
}
#endif
