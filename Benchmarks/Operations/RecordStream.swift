import Dispatch
import Foundation
import Plist

/// Writes and reads the records of large documents one by one, in a new process for each step.
enum RecordStream {
  enum Step: String, CaseIterable {
    case write, read, readChunks

    func title(_ form: Form) -> String {
      let form = form == .xml ? "XML" : "binary"
      switch self {
      case .write: return "models → \(form) file, `PlistStreamEncoder`"
      case .read: return "\(form) file → models, `elements(of:contentsOf:)`"
      case .readChunks: return "\(form) chunks of 64 KiB → models, `elements(of:from:)`"
      }
    }
  }

  private struct Figure: Codable {
    let records: Int
    let bytes: Int
    let seconds: Double
    let wallSeconds: Double
    /// Peak resident memory minus what was resident when the step started, in bytes.
    let memory: Int
  }

  static func report(megabytes: Int) throws {
    var table = Table(["what", "records", "file", "processor time", "MB/s", "memory above start"])
    for form in Form.allCases {
      let file = FileManager.default.temporaryDirectory.appending(path: "plist-benchmarks-\(getpid()).\(form).plist")
      defer { try? FileManager.default.removeItem(at: file) }
      for step in Step.allCases {
        PlistBenchmarks.complain(step.title(form))
        let arguments = ["--child-stream", step.rawValue, form.rawValue, file.path, "\(megabytes)"]
        guard let output = ChildProcess.output(ofThisProgramWith: arguments) else {
          throw UsageError("the process for \(step.title(form)) failed")
        }
        let figure = try JSONDecoder().decode(Figure.self, from: output)
        let megabytes = Double(figure.bytes) / 1e6
        table.add([
          step.title(form), "\(figure.records)", "\(Int(megabytes)) MB", String(format: "%.2f s", figure.seconds),
          String(format: "%.0f", megabytes / figure.seconds), String(format: "%.1f MB", Double(figure.memory) / 1e6),
        ])
      }
    }
    PlistBenchmarks.report("## Records one by one\n\n\(table.text)")
  }

  /// Measures one step in the child and prints the figure.
  static func measure(_ step: Step, _ form: Form, _ file: URL, megabytes: Int) throws {
    var count = 0
    var seconds = 0.0
    var wallTime = Duration.zero
    let memory = try PeakMemory.measure {
      let start = ProcessorTime.now
      wallTime = try ContinuousClock().measure {
        switch step {
        case .write: count = try write(megabytes: megabytes, form, to: file)
        case .read: count = try decode(file)
        case .readChunks: count = try decodeChunks(of: file)
        }
      }
      seconds = ProcessorTime.now - start
    }
    guard let memory else { throw UsageError("this system does not report peaks of memory") }
    let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int ?? 0
    let figure = Figure(
      records: count, bytes: size, seconds: seconds, wallSeconds: wallTime / .seconds(1),
      memory: memory.peak - memory.before)
    try FileHandle.standardOutput.write(contentsOf: JSONEncoder().encode(figure))
  }

  // MARK: Steps

  /// Encodes records until the document has about this size, and returns their number.
  private static func write(megabytes: Int, _ form: Form, to file: URL) throws -> Int {
    var random = SeededGenerator(seed: 1)
    let models = try PlistDecoder().decode(
      [RecordModel].self, from: .array((0..<256).map { Records.record($0, &random) }))
    let count = megabytes * 1_000_000 / (form == .xml ? 1_100 : 390)
    let encoder = PlistEncoder(outputFormat: form == .xml ? .xml : .binary)
    var stream = try PlistStreamEncoder(to: PlistFileReplacement(of: file), encoder: encoder)
    for number in 0..<count {
      // Several unique values per record leave the binary writer with much to keep.
      var model = models[number % models.count]
      model.identifier = number
      model.name += " \(number)"
      model.email = "user\(number)@example.com"
      model.note += " \(number)"
      model.ratio = Double(number) / 7
      model.created += Double(number)
      model.address.latitude = Double(number) / 1000
      try stream.encode(model)
    }
    try stream.finish().commit()
    return count
  }

  /// Decodes the records of a file one by one, and returns their number.
  static func decode(_ file: URL) throws -> Int {
    var elements = try PlistDecoder().elements(of: RecordModel.self, contentsOf: file)
    var count = 0
    while try elements.next() != nil { count += 1 }
    return count
  }

  /// Decodes the records of a file one by one from asynchronous chunks, and returns their number.
  static func decodeChunks(of file: URL) throws -> Int {
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return try decode(file) }
    let outcome = Outcome()
    Task.detached {
      do {
        var count = 0
        let chunks = FileChunks(file: file)
        for try await _ in PlistDecoder().elements(of: RecordModel.self, from: chunks) { count += 1 }
        outcome.finish(.success(count))
      } catch { outcome.finish(.failure(error)) }
    }
    return try outcome.wait()
  }
}

/// The result of a task that a thread waits for.
private final class Outcome: Sendable {
  private let result = Guarded<Result<Int, any Error>?>(nil)
  private let semaphore = DispatchSemaphore(value: 0)

  func finish(_ result: Result<Int, any Error>) {
    self.result.withLock { $0 = result }
    semaphore.signal()
  }

  func wait() throws -> Int {
    semaphore.wait()
    return try result.withLock { try $0?.get() ?? 0 }
  }
}

/// The contents of a file in chunks of 64 KiB.
private struct FileChunks: AsyncSequence, Sendable {
  typealias Element = Data

  let file: URL

  func makeAsyncIterator() -> Iterator { Iterator(handle: Result { try FileHandle(forReadingFrom: file) }) }

  struct Iterator: AsyncIteratorProtocol {
    let handle: Result<FileHandle, any Error>

    mutating func next() async throws -> Data? {
      let chunk = try handle.get().read(upToCount: 1 << 16)
      return chunk?.isEmpty == true ? nil : chunk
    }
  }
}
