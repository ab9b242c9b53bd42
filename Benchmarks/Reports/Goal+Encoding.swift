extension Goal {
  /// What encoding models is to reach.
  static var ofEncoding: [Goal] { foundationAndJSON + twiceThePeers }

  private static var foundationAndJSON: [Goal] {
    var goals = [
      Goal(set: "records", operation: "model-to-xml", contestant: "Foundation", ratio: 13),
      Goal(set: "records", operation: "model-to-binary", contestant: "Foundation", ratio: 11),
    ]
    for operation in ["model-to-xml", "model-to-binary"] {
      for set in ["strings", "numbers", "outlines", "tiny"] {
        goals.append(Goal(set: set, operation: operation, contestant: "Foundation", ratio: 10))
      }
      for set in ["records", "tiny"] {
        goals.append(Goal(set: set, operation: operation, contestant: "JSON", ratio: 5))
      }
    }
    return goals
  }

  /// Twice as fast as the fastest of rust-plist and go-plist, which do not run here, told by the ratio to Foundation.
  private static var twiceThePeers: [Goal] {
    let milliseconds: [(set: String, operation: String, foundation: Double, fastest: Double)] = [
      ("records", "model-to-xml", 1031, 234), ("records", "model-to-binary", 1427, 444),
      ("strings", "model-to-xml", 638, 114), ("strings", "model-to-binary", 1418, 286),
      ("numbers", "model-to-xml", 1173, 367), ("numbers", "model-to-binary", 2969, 901),
      ("data", "model-to-xml", 131, 68.3), ("data", "model-to-binary", 35.4, 16.9),
      ("tiny", "model-to-xml", 883, 154), ("tiny", "model-to-binary", 1580, 421),
    ]
    return milliseconds.map { row in
      Goal(
        set: row.set, operation: row.operation, contestant: "Foundation", ratio: 2 * row.foundation / row.fastest)
    }
  }
}
