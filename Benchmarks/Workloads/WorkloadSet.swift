import Foundation
import Plist

enum WorkloadSet: String, CaseIterable {
  case records
  case international = "records-international"
  case strings, numbers, data, outlines, real, tiny, scaling

  /// Whether the set has a document large enough to measure peak memory in a meaningful way.
  var hasLargeDocument: Bool {
    switch self {
    case .records, .international, .strings, .numbers, .data, .outlines: true
    case .real, .tiny, .scaling: false
    }
  }

  /// Returns one workload or, for ``scaling``, one for each size.
  func workloads(_ options: Options) throws -> [Workload] {
    switch self {
    case .records: [try single("60,000 dictionaries of 12 fields", Records.array(60_000))]
    case .international:
      [
        try single(
          "20,000 dictionaries of 12 fields, a third of the strings not ASCII", Records.internationalArray(20_000))
      ]
    case .strings: [try single("300,000 keys with strings in one dictionary", PlainValues.strings(300_000))]
    case .numbers:
      [try single("2,000,000 integers and 1,000,000 reals", PlainValues.numbers(integers: 2_000_000, reals: 1_000_000))]
    case .data: [try single("200 times 256 KB of data", PlainValues.data(200, bytes: 256 * 1024))]
    case .outlines: [try single("10,000 arrays of some 30 small dictionaries", PlainValues.outlines(10_000))]
    case .real: [try FileWorkload.load(options.corpus ?? options.fixtures, isCorpus: options.corpus != nil)]
    case .tiny: [try single("one record, 100,000 times", Records.array(1), repetitions: 100_000)]
    case .scaling: try Self.sizes(withGigabyte: options.gigabyte)
    }
  }

  private func single(_ note: String, _ value: PropertyList, repetitions: Int = 1) throws -> Workload {
    Workload(name: rawValue, note: note, documents: [try Document(value)], repetitions: repetitions)
  }

  /// Returns workloads of different sizes; the records are repeated until about 60 MB are processed.
  private static func sizes(withGigabyte: Bool) throws -> [Workload] {
    var sizes = [("1 KB", 1, 60_000), ("1 MB", 900, 66), ("60 MB", 54_000, 1)]
    if withGigabyte { sizes.append(("1 GB", 900_000, 1)) }
    return try sizes.map { name, records, repetitions in
      Workload(
        name: name, note: "\(records) records", documents: [try Document(Records.array(records))],
        repetitions: repetitions)
    }
  }
}
