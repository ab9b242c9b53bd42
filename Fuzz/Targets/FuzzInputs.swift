public import Foundation

/// Creates inputs for fuzz targets from files: seeds for fuzzing, and damaged documents.
public enum FuzzInputs {
  /// The repository's `Fixtures` folder, found relative to this source file.
  public static let fixtures = repository.appending(path: "Fixtures", directoryHint: .isDirectory)

  /// The folder `Fuzz/Regressions`, which has a folder for each target.
  public static let regressions = repository.appending(path: "Fuzz/Regressions", directoryHint: .isDirectory)

  private static let repository = URL(filePath: #filePath)
    .deletingLastPathComponent()  // Targets
    .deletingLastPathComponent()  // Fuzz
    .deletingLastPathComponent()

  /// The size of the largest seed, in bytes; larger ones make fuzzing slow without finding more.
  private static let largestSeed = 1_000

  /// Returns the file at `url`, or if that is a folder, all files in it, sorted by path.
  ///
  /// - Throws: A file-system error if there is no such file or folder.
  public static func files(at url: URL) throws -> [URL] {
    guard try url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true else { return [url] }
    let names = try FileManager.default.subpathsOfDirectory(atPath: url.path).sorted()
    return try names.map { url.appending(path: $0) }.filter {
      try $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory != true
    }
  }

  /// Returns the property-list files in a folder of fixtures.
  ///
  /// - Throws: A file-system error.
  public static func documents(of fixtures: URL = fixtures) throws -> [URL] {
    try files(at: fixtures).filter { $0.pathExtension == "plist" }
  }

  /// Writes each target's seeds to a subfolder with its name.
  ///
  /// - Parameters:
  ///   - fixtures: The folder of documents to make seeds from.
  ///   - folder: The folder to create and write to.
  /// - Returns: The number of seeds.
  /// - Throws: A file-system error.
  public static func writeSeeds(of fixtures: URL = fixtures, to folder: URL) throws -> Int {
    var count = 0
    for target in FuzzTarget.all {
      let url = folder.appending(path: target.name, directoryHint: .isDirectory)
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      for file in try documents(of: fixtures) {
        let document = try Data(contentsOf: file)
        guard document.count <= largestSeed, let seed = target.seed(document, named: file.lastPathComponent) else {
          continue
        }
        try seed.write(to: url.appending(path: file.lastPathComponent))
        count += 1
      }
    }
    return count
  }

  /// Runs the target `differential` on randomly damaged fixtures.
  ///
  /// - Parameters:
  ///   - count: The number of damaged documents.
  ///   - seed: A text that determines the damage.
  /// - Returns: The findings, and how often each expected difference occurred.
  /// - Throws: A file-system error.
  public static func differences(
    ofMutations count: Int, seed: String = ""
  ) throws -> (findings: [String], expected: [String: Int]) {
    let documents = try documents().map { ($0.lastPathComponent, Array(try Data(contentsOf: $0))) }
      .filter { $0.1.count < 3_000 }
    var findings: [String] = []
    var expected: [String: Int] = [:]
    for round in 0..<count {
      let (name, document) = documents[round % documents.count]
      var random = SeededGenerator(seed: "\(seed)\(round / documents.count) \(name)")
      let mutation = Data(Mutation.apply(to: document, using: &random))
      do {
        if let reason = try Differential.check(mutation) { expected[reason, default: 0] += 1 }
      } catch {
        findings.append("\(name), \(round): \(error)")
      }
    }
    return (findings, expected)
  }
}

extension FuzzTarget {
  /// Creates an input for this target from a document.
  ///
  /// - Parameters:
  ///   - document: The bytes of the document.
  ///   - name: The file name, such as `settings.xml.plist`, which indicates the format.
  /// - Returns: The input, or nil if the target does not read this format.
  public func seed(_ document: Data, named name: String) -> Data? {
    guard let controlCount else { return document.count < 200 ? document : nil }
    let parts = name.split(separator: ".")
    let isBinary = document.starts(with: Data("bplist".utf8))
    let format = parts.count > 2 ? String(parts[parts.count - 2]) : isBinary ? "binary" : "xml"
    guard formats.isEmpty || formats.contains(format) else { return nil }
    var random = SeededGenerator(seed: name)
    return Data((0..<controlCount).map { _ in UInt8.random(in: 0...255, using: &random) }) + seedPrefix + document
  }
}
