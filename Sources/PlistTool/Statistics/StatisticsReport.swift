#if CommandLineTool
import Plist

struct StatisticsReport {
  let format: PlistFormat
  /// The size of the document in bytes.
  let size: Int
  let statistics: Statistics
  /// How many objects a binary document has, how many of them are shared, and how many are unused; nil for other
  /// formats.
  let objects: (all: Int, shared: Int, unused: Int)?

  private var kinds: [(PropertyList.Kind, Int)] {
    PropertyList.Kind.allCases.compactMap { kind in statistics.counts[kind].map { (kind, $0) } }
  }

  var text: String {
    var lines: [(String, String)] = [
      ("format", OutputFormat(format).rawValue), ("bytes", "\(size)"), ("depth", "\(statistics.depth)"),
      ("values", "\(statistics.valueCount)"),
    ]
    lines += kinds.map { ("  \($0.0)", "\($0.1)") }
    lines += [
      ("keys", "\(statistics.keyCount)"), ("bytes of text", "\(statistics.textBytes)"),
      ("bytes of data", "\(statistics.dataBytes)"),
    ]
    if let objects {
      lines += [("objects", "\(objects.all)"), ("  shared", "\(objects.shared)"), ("  unused", "\(objects.unused)")]
    }
    var text = Self.table(lines, isLeft: false)
    if !statistics.subtrees.isEmpty {
      text += "containers with the most values\n"
      text += Self.table(
        statistics.subtrees.map { ("  \($0.values)", "\($0.kind) \(Diagnostics.escaped($0.path.description))") },
        isLeft: true)
    }
    return text
  }

  var propertyList: PropertyList {
    func number(_ value: Int) -> PropertyList { .integer(PropertyListInteger(value)) }
    var counts = PropertyListDictionary()
    for (kind, count) in kinds { counts[kind.rawValue] = number(count) }
    var report: PropertyListDictionary = [
      "format": .string(OutputFormat(format).rawValue), "bytes": number(size), "depth": number(statistics.depth),
      "values": number(statistics.valueCount), "kinds": .dictionary(counts), "keys": number(statistics.keyCount),
      "textBytes": number(statistics.textBytes), "dataBytes": number(statistics.dataBytes),
    ]
    if let objects {
      report["objects"] = [
        "all": number(objects.all), "shared": number(objects.shared), "unused": number(objects.unused),
      ]
    }
    report["largest"] = .array(
      statistics.subtrees.map {
        [
          "path": .string($0.path.description), "kind": .string($0.kind.rawValue), "values": number($0.values),
          "bytes": number($0.bytes),
        ]
      })
    return .dictionary(report)
  }

  private static func table(_ lines: [(String, String)], isLeft: Bool) -> String {
    let left = lines.map(\.0.count).max() ?? 0
    let right = lines.map(\.1.count).max() ?? 0
    return lines.map { name, value in
      let nameSpace = String(repeating: " ", count: left - name.count)
      if isLeft { return "  \(nameSpace)\(name.drop { $0 == " " })  \(value)\n" }
      return "\(name)\(nameSpace)  \(String(repeating: " ", count: right - value.count))\(value)\n"
    }.joined()
  }
}
#endif
