import Foundation

/// A workload's documents in files, so that the measuring process doesn't have to generate them.
final class WorkloadFiles {
  let workload: Workload
  let folder = FileManager.default.temporaryDirectory.appending(path: "plist-benchmarks-\(UUID().uuidString)")

  init(_ workload: Workload) throws {
    self.workload = workload
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (number, document) in workload.documents.enumerated() {
      try document.xml.write(to: folder.appending(path: "\(number).xml"))
      try document.binary.write(to: folder.appending(path: "\(number).binary"))
      try Data(document.structure.rawValue.utf8).write(to: folder.appending(path: "\(number).structure"))
    }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  static func load(_ folder: URL, repetitions: Int) throws -> Workload {
    var documents: [Document] = []
    while let name = try? Data(contentsOf: folder.appending(path: "\(documents.count).structure")) {
      guard let structure = Structure(rawValue: String(decoding: name, as: UTF8.self)) else {
        throw UsageError("a document of no known structure")
      }
      documents.append(
        Document(
          xml: try Data(contentsOf: folder.appending(path: "\(documents.count).xml")),
          binary: try Data(contentsOf: folder.appending(path: "\(documents.count).binary")), structure: structure))
    }
    return Workload(name: "child", note: "", documents: documents, repetitions: repetitions)
  }
}

/// Runs each measurement in a new process, with its own heap and caches.
final class ChildTrial: Trial {
  struct Request {
    var operation = ""
    var contestant = ""
    var folder = URL(filePath: "/")
    var repetitions = 1
    /// Whether to measure the first run in the process, without a warm-up.
    var isFirstRun = false
  }

  private let files: WorkloadFiles
  private let arguments: [String]

  init(_ operation: Operation, _ contestant: Contestant, _ files: WorkloadFiles, isFirstRun: Bool) {
    self.files = files
    // A first run processes each document once.
    let repetitions = isFirstRun ? 1 : files.workload.repetitions
    arguments =
      [isFirstRun ? "--child-first" : "--child-run", operation.name, contestant.name, files.folder.path]
      + [String(repetitions)]
  }

  func run() throws -> Timing {
    guard let output = ChildProcess.output(ofThisProgramWith: arguments) else { throw UsageError("failed") }
    return try JSONDecoder().decode(Timing.self, from: output)
  }

  func runKeepingResults() throws { _ = try run() }

  /// Measures a run in the child and prints the time.
  ///
  /// There is a warm-up, unless the request is for a first run. If the warm-up takes more than a second, its time is
  /// the result.
  static func measure(_ request: Request) throws {
    let operation = try Operation.named(request.operation)
    guard let contestant = operation.contestants.first(where: { $0.name == request.contestant }) else {
      throw UsageError("there is no contestant \(request.contestant)")
    }
    let trial = try contestant.trial(WorkloadFiles.load(request.folder, repetitions: request.repetitions))
    Heap.settle()
    var timing = try trial.run()
    if !request.isFirstRun, timing.work < 1 {
      Heap.settle()
      timing = try trial.run()
    }
    try FileHandle.standardOutput.write(contentsOf: JSONEncoder().encode(timing))
  }
}
