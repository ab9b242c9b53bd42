import Foundation
import PlistFuzzTargets
import Testing

struct FuzzReplayTests {
  @Test(arguments: try FuzzInputs.files(at: FuzzInputs.regressions))
  func regressions(_ file: URL) throws {
    let found = file.deletingLastPathComponent().lastPathComponent
    #expect(FuzzTarget.named(found) != nil, "Fuzz/Regressions/\(found) is no target's folder")
    try expectNoFindings(Data(contentsOf: file))
  }

  /// Without `PLIST_THOROUGH`, only every fourth seed of each target.
  @Test(arguments: FuzzTarget.all.map(\.name))
  func seeds(_ name: String) throws {
    let target = try #require(FuzzTarget.named(name))
    let documents = try FuzzInputs.documents()
    var count = 0
    for file in documents {
      let document = try Data(contentsOf: file)
      guard document.count < 20_000, let seed = target.seed(document, named: file.lastPathComponent) else { continue }
      if count % 4 == 0 || Self.isThorough { expectNoFinding(seed, target, file.lastPathComponent) }
      count += 1
    }
    #expect(count > 1)
  }

  @Test func fixturesWithoutSeeds() throws {
    for (index, file) in try FuzzInputs.documents().enumerated() where index % 16 == 0 || Self.isThorough {
      let document = try Data(contentsOf: file)
      if document.count < 20_000 { expectNoFindings(document) }
    }
  }

  @Test(arguments: ["xml", "binary", "openstep"])
  func sharedCases(_ format: String) throws {
    guard let folder = Self.shared?.appending(path: "cases/\(format).jsonl") else { return }
    for line in try Data(contentsOf: folder).split(separator: UInt8(ascii: "\n")) {
      let shared = try JSONDecoder().decode(SharedCase.self, from: Data(line))
      guard shared.base64.count < 100_000 || Self.isThorough else { continue }
      expectNoFindings(shared.base64, shared.name)
      for target in FuzzTarget.all {
        guard let seed = target.seed(shared.base64, named: "\(shared.name).\(format).plist") else { continue }
        expectNoFinding(seed, target, shared.name)
      }
    }
  }

  @Test func findsOfLibplist() throws {
    guard let folder = Self.shared?.appending(path: "corpus/libplist/fuzz-finds") else { return }
    let files = try FuzzInputs.files(at: folder)
    #expect(files.count > 50)
    for file in files {
      let document = try Data(contentsOf: file)
      expectNoFindings(document, file.lastPathComponent)
      for target in FuzzTarget.all {
        guard let seed = target.seed(document, named: file.lastPathComponent) else { continue }
        expectNoFinding(seed, target, file.lastPathComponent)
      }
    }
  }

  @Test func damagedFixtures() throws {
    let count = ProcessInfo.processInfo.environment["PLIST_MUTATIONS"].flatMap { Int($0) } ?? 10_000
    let report = try FuzzInputs.differences(ofMutations: count)
    for finding in report.findings { Issue.record("\(finding)") }
    #expect(report.expected.count > 5)
  }

  private static let isThorough = ProcessInfo.processInfo.environment["PLIST_THOROUGH"] == "1"

  private static let shared: URL? = ProcessInfo.processInfo.environment["PLIST_SHARED"].flatMap {
    $0.isEmpty ? nil : URL(filePath: $0, directoryHint: .isDirectory)
  }

  private struct SharedCase: Decodable {
    var name: String
    var base64: Data
  }

  private func expectNoFindings(_ input: Data, _ name: String = "", at location: SourceLocation = #_sourceLocation) {
    for target in FuzzTarget.all { expectNoFinding(input, target, name, at: location) }
  }

  private func expectNoFinding(
    _ input: Data, _ target: FuzzTarget, _ name: String, at location: SourceLocation = #_sourceLocation
  ) {
    #expect(throws: Never.self, "\(name) with \(target.name)", sourceLocation: location) { try target.check(input) }
  }
}
