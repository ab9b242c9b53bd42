/// A ratio that is to be reached.
struct Goal {
  let set: String
  let operation: String
  let contestant: String
  let ratio: Double
}

extension Goal {
  /// All of them; where there are two for the same ratio, the harder one.
  static var hardest: [Goal] {
    let all = (onRecords + onEverySet + ofDecoding + ofEncoding).sorted { $0.ratio > $1.ratio }
    var taken = Set<[String]>()
    return all.filter { taken.insert([$0.set, $0.operation, $0.contestant]).inserted }
  }

  /// What the records are to reach.
  private static var onRecords: [Goal] {
    [
      Goal(set: "records", operation: "xml-to-value", contestant: "Foundation", ratio: 30),
      Goal(set: "records", operation: "xml-to-value", contestant: "libplist", ratio: 5),
      Goal(set: "records", operation: "binary-to-value", contestant: "Foundation", ratio: 24),
      Goal(set: "records", operation: "binary-to-value", contestant: "libplist", ratio: 2),
      Goal(set: "records", operation: "value-to-xml", contestant: "Foundation", ratio: 100),
      Goal(set: "records", operation: "value-to-xml", contestant: "libplist", ratio: 5),
      Goal(set: "records", operation: "value-to-binary", contestant: "Foundation", ratio: 60),
      Goal(set: "records", operation: "value-to-binary", contestant: "libplist", ratio: 50),
      Goal(set: "records", operation: "xml-to-document", contestant: "Foundation", ratio: 80),
      Goal(set: "records", operation: "xml-to-document", contestant: "libplist", ratio: 15),
      Goal(set: "records", operation: "xml-to-document", contestant: "< scan", ratio: 0.4),
      Goal(set: "records", operation: "binary-to-document", contestant: "Foundation", ratio: 200),
      Goal(set: "records", operation: "binary-to-document", contestant: "libplist", ratio: 20),
      Goal(set: "records", operation: "xml-to-events", contestant: "Foundation", ratio: 60),
      Goal(set: "records", operation: "xml-to-events", contestant: "< scan", ratio: 0.35),
    ]
  }

  /// What decoding models is to reach; twice as fast as the fastest of rust-plist and go-plist, which do not run here, is
  /// told by the ratio to Foundation.
  private static var ofDecoding: [Goal] {
    var goals = [
      Goal(set: "records", operation: "xml-to-model", contestant: "Foundation", ratio: 13),
      Goal(set: "records", operation: "binary-to-model", contestant: "Foundation", ratio: 15),
    ]
    for set in ["records", "tiny"] {
      for operation in ["xml-to-model", "binary-to-model"] {
        goals.append(Goal(set: set, operation: operation, contestant: "JSON", ratio: 5))
      }
    }
    for set in ["strings", "numbers", "outlines", "tiny"] {
      for operation in ["xml-to-model", "binary-to-model"] {
        goals.append(Goal(set: set, operation: operation, contestant: "Foundation", ratio: 10))
      }
    }
    let peers: [(String, String, Double, Double)] = [
      ("records", "xml-to-model", 1775, 565), ("records", "binary-to-model", 1624, 218),
      ("strings", "xml-to-model", 1161, 292), ("strings", "binary-to-model", 1177, 198),
      ("numbers", "xml-to-model", 4352, 605), ("numbers", "binary-to-model", 3407, 163),
      ("data", "xml-to-model", 606, 172), ("data", "binary-to-model", 31.8, 8.7),
      ("tiny", "xml-to-model", 2298, 628), ("tiny", "binary-to-model", 2266, 214),
    ]
    goals += peers.map { set, operation, foundation, fastest in
      Goal(set: set, operation: operation, contestant: "Foundation", ratio: 2 * foundation / fastest)
    }
    return goals
  }

  /// Twice as fast as the fastest peer of a set, told by the ratio to a peer that runs here.
  ///
  /// The milliseconds were measured once, on one machine, with all of libplist, rust-plist, go-plist and plistlib.
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

  /// Set, operation, Foundation, libplist, the fastest; without libplist where its time is quadratic and says nothing.
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
