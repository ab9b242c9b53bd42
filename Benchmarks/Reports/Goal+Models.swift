extension Goal {
  /// The goals for models: twice the speed of the faster of rust-plist and go-plist.
  ///
  /// This program does not run either of them, so the goals are ratios to Foundation's times.
  static var ofModels: [Goal] {
    let milliseconds: [(set: String, operation: String, foundation: Double, fastest: Double)] = [
      ("records", "xml-to-model", 1775, 565), ("records", "binary-to-model", 1624, 218),
      ("strings", "xml-to-model", 1161, 292), ("strings", "binary-to-model", 1177, 198),
      ("numbers", "xml-to-model", 4352, 605), ("numbers", "binary-to-model", 3407, 163),
      ("data", "xml-to-model", 606, 172), ("data", "binary-to-model", 31.8, 8.7),
      ("tiny", "xml-to-model", 2298, 628), ("tiny", "binary-to-model", 2266, 214),
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
