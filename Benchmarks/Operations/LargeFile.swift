import Foundation
import Plist

/// Opens a large mapped binary file and reads one of its values.
enum LargeFile {
  static func report(megabytes: Int, rounds: Int) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "plist-benchmarks-\(getpid()).plist")
    defer { try? FileManager.default.removeItem(at: file) }
    let count = megabytes * 1_000_000 / bytesPerRecord
    PlistBenchmarks.complain("\(count) records: set-up")
    try write(count, to: file)
    let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int ?? 0

    var openings: [Double] = []
    var firstKeys: [Double] = []
    var keys: [Double] = []
    for round in 0..<rounds {
      var start = ProcessorTime.now
      let document = try PlistDocument(contentsOf: file, options: PlistReadOptions(fileAccess: .mapped))
      openings.append(ProcessorTime.now - start)
      // Use a new position each round, so that the first access includes loading a page of the file.
      let position = (round + 1) * count / (rounds + 2)
      for isFirst in [true, false] {
        start = ProcessorTime.now
        let email = document.root["records"]?[position]?["email"]?.string
        let time = ProcessorTime.now - start
        if isFirst { firstKeys.append(time) } else { keys.append(time) }
        guard email?.hasPrefix("user\(position).") == true else { throw UsageError("the wrong value was found") }
      }
    }
    func line(_ title: String, _ times: [Double], _ unit: Double, _ name: String) -> String {
      let figure = (times.median ?? 0) * unit
      return "| \(title) | \(figure.formatted(.number.precision(.significantDigits(3)))) \(name) |"
    }
    PlistBenchmarks.report(
      """
      ## One key out of a file
      A binary file of \(size / 1_000_000) MB with \(count) records, in the page cache; medians of \(rounds) rounds.

      | what | processor time |
      |---|---:|
      \(line("open: map the file, validate the trailer and the offset table", openings, 1e3, "ms"))
      \(line("`root[\"records\"]?[n]?[\"email\"]?.string`, the first time", firstKeys, 1e6, "µs"))
      \(line("the same again", keys, 1e6, "µs"))
      """)
  }

  /// The approximate number of bytes per record in binary.
  private static let bytesPerRecord = 440

  private static func write(_ count: Int, to file: URL) throws {
    try Data().write(to: file)
    let handle = try FileHandle(forWritingTo: file)
    let descriptor = PlistFileDescriptor(rawValue: handle.fileDescriptor)
    var writer = PlistEventWriter(to: PlistFileSink(fileDescriptor: descriptor), format: .binary)
    var random = SeededGenerator(seed: 1)
    try writer.write(.beginDictionary)
    try writer.write(.key("records"))
    try writer.write(.beginArray)
    for number in 0..<count { try writer.write(Records.record(number, &random)) }
    try writer.write(.endArray)
    try writer.write(.endDictionary)
    _ = try writer.finish()
    try handle.close()
  }
}
