/// The least ratio of a contestant's time to this package's.
struct Goal {
  let set: String
  let operation: String
  let contestant: String
  let ratio: Double
  /// Whether the goal is for first runs, each in a new process.
  var isFirstRun = false

  func concerns(_ row: Report.Row, of set: String) -> Bool {
    set == self.set && row.operation == operation && row.isFirstRun == isFirstRun
  }
}

extension Goal {
  /// All goals, but only the hardest where several are for the same ratio.
  static var hardest: [Goal] {
    let all = (speedToKeep + onRecords + onEverySet + ofModels).sorted { $0.ratio > $1.ratio }
    var taken = Set<[String]>()
    return all.filter { taken.insert([$0.set, $0.operation, $0.contestant, "\($0.isFirstRun)"]).inserted }
  }

  /// The goals that no change may miss, measured with each run in a new process.
  static var speedToKeep: [Goal] {
    let records = WorkloadSet.international.rawValue
    func goals(_ ratios: KeyValuePairs<String, Double>, isFirstRun: Bool = false) -> [Goal] {
      ratios.map {
        Goal(set: records, operation: $0.key, contestant: "Foundation", ratio: $0.value, isFirstRun: isFirstRun)
      }
    }
    let values: KeyValuePairs<String, Double> = [
      "xml-to-document": 80, "xml-to-value": 14, "binary-to-value": 11, "value-to-xml": 120, "value-to-binary": 60,
    ]
    let models: KeyValuePairs<String, Double> = [
      "xml-to-model": 9, "binary-to-model": 12, "model-to-xml": 9, "model-to-binary": 9,
    ]
    var all = goals(values) + goals(models)
    // The goals in `values` apply to first runs too, at two thirds of the ratio.
    all += values.map {
      Goal(set: records, operation: $0.key, contestant: "Foundation", ratio: $0.value * 2 / 3, isFirstRun: true)
    }
    all += models.map {
      Goal(set: records, operation: $0.key, contestant: "Foundation", ratio: 6, isFirstRun: true)
    }
    for operation in ["xml-to-elements", "xml-to-async-elements", "binary-to-elements", "binary-to-async-elements"] {
      all.append(Goal(set: records, operation: operation, contestant: "whole array", ratio: 1 / 1.5))
    }
    for (operation, _) in models {
      all.append(Goal(set: "tiny", operation: operation, contestant: "Foundation", ratio: 6))
      all.append(Goal(set: "tiny", operation: operation + "-afresh", contestant: "kept coder", ratio: 1 / 1.3))
    }
    return all
  }

  private static var onRecords: [Goal] {
    [
      Goal(set: "records", operation: "xml-to-document", contestant: "libplist", ratio: 15),
      Goal(set: "records", operation: "xml-to-document", contestant: "< scan", ratio: 0.4),
      Goal(set: "records", operation: "binary-to-document", contestant: "Foundation", ratio: 200),
      Goal(set: "records", operation: "binary-to-document", contestant: "libplist", ratio: 20),
      Goal(set: "records", operation: "xml-to-events", contestant: "Foundation", ratio: 60),
      Goal(set: "records", operation: "xml-to-events", contestant: "< scan", ratio: 0.35),
    ]
  }

  /// The goals for every set: twice the speed of the fastest peer.
  ///
  /// Each is a ratio to Foundation or libplist, because the other peers are not run here. The milliseconds in `fastest`
  /// were measured once, on a machine that had libplist, rust-plist, go-plist and plistlib.
  private static var onEverySet: [Goal] {
    fastest.flatMap { set, operation, foundation, libplist, fastest in
      var goals = [
        Goal(set: set, operation: operation, contestant: "Foundation", ratio: 2 * foundation / fastest)
      ]
      if let libplist {
        goals.append(Goal(set: set, operation: operation, contestant: "libplist", ratio: 2 * libplist / fastest))
      }
      return goals
    }
  }

  /// The set, the operation, and the times of Foundation, libplist and the fastest peer in milliseconds.
  ///
  /// libplist's time is nil where it grows quadratically with the document's size.
  private static var fastest: [(String, String, Double, Double?, Double)] {
    [
      ("records", "xml-to-value", 4239, 481, 481), ("records", "binary-to-value", 1676, 156, 156),
      ("records", "value-to-xml", 8309, 283, 279), ("records", "value-to-binary", 7758, nil, 469),
      ("strings", "xml-to-value", 8019, 1080, 218), ("strings", "binary-to-value", 871, 44.3, 44.3),
      ("strings", "value-to-xml", 4561, 57.3, 57.3), ("strings", "value-to-binary", 3152, nil, 246),
      ("numbers", "xml-to-value", 10050, 435, 435), ("numbers", "binary-to-value", 1417, 208, 208),
      ("numbers", "value-to-xml", 10489, 624, 395), ("numbers", "value-to-binary", 4952, nil, 984),
      ("data", "xml-to-value", 2878, 155, 155), ("data", "binary-to-value", 2666, 30.3, 9.9),
      ("data", "value-to-xml", 3761, 88.7, 67), ("data", "value-to-binary", 2695, 34.5, 19.9),
      ("real", "xml-to-value", 109, 31.6, 31.6), ("real", "binary-to-value", 88.5, 11, 11),
      ("real", "value-to-xml", 796, 16.9, 16.4), ("real", "value-to-binary", 791, 25.9, 23.9),
      ("tiny", "xml-to-value", 2594, 633, 633), ("tiny", "binary-to-value", 1772, 218, 218),
      ("tiny", "value-to-xml", 10758, 202, 201), ("tiny", "value-to-binary", 8727, 658, 493),
    ]
  }
}
