import Foundation
import Plist

/// Values that are large in just one respect, such as the number of strings.
enum PlainValues {
  /// Returns a dictionary like a table of translations, in which about one string in sixteen is not ASCII.
  static func strings(_ count: Int) -> PropertyList {
    var random = SeededGenerator(seed: 2)
    let pairs = (0..<count).map { number -> (String, PropertyList) in
      let key = "\(random.pick(Vocabulary.words)).\(random.pick(Vocabulary.words)).\(number)"
      var text = random.sentence(words: random.integer(in: 3...5))
      if random.chance(percent: 6) { text += " – \(random.pick(Vocabulary.cities))" }
      if random.chance(percent: 5) { text += " & \"%@\"" }
      return (key, .string(text))
    }
    return .dictionary(PropertyListDictionary(uniqueKeysWithValues: pairs))
  }

  /// Returns integers of every magnitude up to 38 bits, a tenth of them negative, and reals with `Double`'s full
  /// precision.
  static func numbers(integers: Int, reals: Int) -> PropertyList {
    var random = SeededGenerator(seed: 3)
    let integers = (0..<integers).map { _ -> PropertyList in
      let magnitude = Int(random.next() >> UInt64(64 - random.integer(in: 1...38)))
      return .integer(PropertyListInteger(random.chance(percent: 10) ? -magnitude : magnitude))
    }
    let reals = (0..<reals).map { _ in PropertyList.real(Double.random(in: -1000...1000, using: &random)) }
    return ["integers": .array(integers), "reals": .array(reals)]
  }

  static func data(_ count: Int, bytes: Int) -> PropertyList {
    var random = SeededGenerator(seed: 4)
    return .array((0..<count).map { _ in .data(Data(random.bytes(bytes))) })
  }

  /// Returns arrays of points, like the paths in drawings.
  static func outlines(_ count: Int) -> PropertyList {
    var random = SeededGenerator(seed: 5)
    func coordinate() -> PropertyList { .real(Double(random.integer(in: -1_000_000...1_000_000)) / 1000) }
    return .array(
      (0..<count).map { _ in
        .array(
          (0..<random.integer(in: 20...40)).map { _ in
            ["x": coordinate(), "y": coordinate(), "mode": .integer(PropertyListInteger(random.integer(in: 0...3)))]
          })
      })
  }
}
