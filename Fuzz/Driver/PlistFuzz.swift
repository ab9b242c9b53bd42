#if !FUZZING
import Foundation
import PlistFuzzTargets

/// Runs fuzz targets on files without a fuzzer, and makes seeds for libFuzzer.
@main
struct PlistFuzz {
  private static let usage = """
    usage: plist-fuzz TARGET PATH...          check each file, and each file of a folder, with a target
           plist-fuzz all PATH...             the same with every target
           plist-fuzz seeds FOLDER [FIXTURES] write the seeds of every target, made of the fixtures, to FOLDER/TARGET
           plist-fuzz hostile [NAME SIZE WAY] read a hostile document, for check-resources.py; without names, list them
           plist-fuzz growing [NAME SIZE]     run an operation at a size, at twice and at four times the size, for
                                              check-resources.py; without a name, list them
           plist-fuzz file [WAY PATH [mapped]] read a file, for check-memory.py; without names, list the ways
           plist-fuzz mutations COUNT [SEED]  check damaged fixtures with the target `differential`
           plist-fuzz random TARGET COUNT [SEED [FIRST]]
                                              check random inputs with a target, from the input numbered FIRST on
           plist-fuzz deep                    decode and encode 500 levels on stacks of 512 KiB
    targets:
    """

  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard let command = arguments.first,
      arguments.count > 1 || ["hostile", "growing", "deep", "file"].contains(command)
    else {
      return fail(help)
    }
    let rest = Array(arguments.dropFirst())
    switch command {
    case "seeds":
      let fixtures = rest.dropFirst().first.map { URL(filePath: $0) } ?? FuzzInputs.fixtures
      let count = try FuzzInputs.writeSeeds(of: fixtures, to: URL(filePath: rest[0]))
      print("\(count) seeds")
    case "hostile": readHostile(rest)
    case "growing": try runGrowing(rest)
    case "file": readFile(rest)
    case "random": try checkRandomInputs(rest)
    case "deep": checkDepth()
    case "mutations":
      guard let count = Int(rest[0]) else { return fail(help) }
      try checkMutations(count, seed: rest.dropFirst().first ?? "")
    default:
      let targets = command == "all" ? FuzzTarget.all : FuzzTarget.named(command).map { [$0] } ?? []
      if targets.isEmpty { return fail(help) }
      try replay(rest.flatMap { try FuzzInputs.files(at: URL(filePath: $0)) }, with: targets)
    }
  }

  private static var help: String {
    usage + FuzzTarget.all.map { "\n  \($0.name): \($0.summary)" }.joined()
  }

  private static func replay(_ files: [URL], with targets: [FuzzTarget]) throws {
    var findings = 0
    for file in files {
      let input = try Data(contentsOf: file)
      for target in targets {
        do {
          try target.check(input)
        } catch {
          findings += 1
          print("\(file.path): \(target.name): \(error)")
        }
      }
    }
    print("\(files.count) files, \(targets.count) targets, \(findings) findings")
    if findings > 0 { exit(1) }
  }

  private static func readHostile(_ arguments: [String]) {
    guard arguments.count == 3, let size = Int(arguments[1]), let hostile = HostileDocument.named(arguments[0]) else {
      for hostile in HostileDocument.all {
        let verdicts = [hostile.isRefused, hostile.isRefusedAsArchive].compactMap(\.self)
        print("document", hostile.name, verdicts.map { $0 ? "refused" : "accepted" }.joined(separator: " "))
      }
      for way in Consumption.allCases { print("way \(way.rawValue)") }
      return
    }
    let document = hostile.document(size: size)
    guard let way = Consumption(rawValue: arguments[2]) else { return print("made \(document.count)") }
    print(way.read(document) ? "accepted" : "refused", document.count)
  }

  private static func runGrowing(_ arguments: [String]) throws {
    guard arguments.count == 2, let operation = GrowingOperation.named(arguments[0]), let size = Int(arguments[1])
    else {
      for operation in GrowingOperation.all { print(operation.name) }
      return
    }
    try operation.run(size: size)
  }

  private static func readFile(_ arguments: [String]) {
    guard arguments.count > 1, let way = FileReading(rawValue: arguments[0]) else {
      for way in FileReading.allCases { print("way \(way.rawValue)") }
      return
    }
    print(way.read(URL(filePath: arguments[1]), isMapped: arguments.count > 2))
  }

  private static func checkMutations(_ count: Int, seed: String) throws {
    let report = try FuzzInputs.differences(ofMutations: count, seed: seed)
    for finding in report.findings { print(finding) }
    for (reason, count) in report.expected.sorted(by: { $0.value > $1.value }) { print("\(count) × \(reason)") }
    print("\(count) damaged documents, \(report.findings.count) differences that are not known")
    if !report.findings.isEmpty { exit(1) }
  }

  /// Runs a target on random inputs, each of which depends only on the seed and its index.
  ///
  /// This suits targets that generate values from their input. It has no coverage to guide it, but since it is a plain
  /// release build, it checks several times as many inputs as a fuzzer.
  private static func checkRandomInputs(_ arguments: [String]) throws {
    guard arguments.count > 1, let target = FuzzTarget.named(arguments[0]), let count = Int(arguments[1]) else {
      return fail(help)
    }
    let seed = arguments.dropFirst(2).first ?? ""
    let first = arguments.dropFirst(3).first.flatMap { Int($0) } ?? 0
    var findings = 0
    for number in first..<first + count {
      var random = SeededGenerator(seed: "\(seed) \(number)")
      let length = Int.random(in: 8...192, using: &random)
      let input = Data((0..<length).map { _ in UInt8.random(in: 0...255, using: &random) })
      do {
        try target.check(input)
      } catch {
        findings += 1
        report("input \(number), \(input.base64EncodedString()): \(error)")
      }
      if (number + 1 - first) % 10_000 == 0 { report("\(number + 1 - first) inputs, \(findings) findings") }
    }
    report("\(count) inputs of seed \"\(seed)\" from \(first) on, \(findings) findings")
    if target.name == "codable" { report("\(FuzzTarget.comparedScripts) scripts compared with Foundation's encoder") }
    if findings > 0 { exit(1) }
  }

  private static func report(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }

  private static func checkDepth() {
    let outcomes = DeepCoding.outcomes()
    for outcome in outcomes { print(outcome.isSound ? "" : "error: ", outcome, separator: "") }
    if !outcomes.allSatisfy(\.isSound) { exit(1) }
  }

  private static func fail(_ message: String) {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(2)
  }
}
#endif
