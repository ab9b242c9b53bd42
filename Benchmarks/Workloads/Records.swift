import Foundation
import Plist

/// Records with twelve fields of many types, about 1,130 bytes each in XML and 430 in binary.
enum Records {
  static func array(_ count: Int) -> PropertyList {
    var random = SeededGenerator(seed: 1)
    return .array((0..<count).map { record($0, &random) })
  }

  /// Returns records in which about a third of the strings are not ASCII.
  static func internationalArray(_ count: Int) -> PropertyList {
    var random = SeededGenerator(seed: 1)
    return .array((0..<count).map { international(record($0, &random), &random) })
  }

  /// Translates about a third of the strings to other scripts, some of them only in a word or two.
  private static func international(_ value: PropertyList, _ random: inout SeededGenerator) -> PropertyList {
    switch value {
    case .string(let text):
      guard random.chance(percent: 30) else { return value }
      let words = text.split(separator: " ")
      guard words.count > 3 else { return .string(random.pick(Vocabulary.international)) }
      return .string(
        words.enumerated().map { $0 % 4 == 1 ? random.pick(Vocabulary.international) : String($1) }
          .joined(separator: " "))
    case .array(let elements): return .array(elements.map { international($0, &random) })
    case .dictionary(let pairs):
      return .dictionary(
        PropertyListDictionary(uniqueKeysWithValues: pairs.map { ($0.key, international($0.value, &random)) }))
    default: return value
    }
  }

  static func record(_ number: Int, _ random: inout SeededGenerator) -> PropertyList {
    let created = Double(random.integer(in: 0...800_000_000))
    return .dictionary(
      PropertyListDictionary(uniqueKeysWithValues: [
        ("identifier", .integer(PropertyListInteger(number))),
        ("name", .string("\(random.pick(Vocabulary.names)) \(number)")),
        ("email", .string("user\(number).\(random.pick(Vocabulary.words))@example.com")),
        ("note", .string(note(&random))),
        ("score", .real(Double(random.integer(in: 0...1_000_000)) / 1000)),
        ("ratio", .real(Double.random(in: 0..<1, using: &random))),
        ("visits", .integer(PropertyListInteger(random.integer(in: -1000...5000)))),
        ("active", .boolean(random.chance(percent: 70))),
        ("created", .date(Date(timeIntervalSinceReferenceDate: created))),
        ("token", .data(Data(random.bytes(24)))),
        ("tags", .array((0..<random.integer(in: 4...9)).map { _ in .string(random.pick(Vocabulary.words)) })),
        ("address", .dictionary(address(&random))),
      ]))
  }

  /// Returns a sentence; one in ten has characters that XML must escape.
  private static func note(_ random: inout SeededGenerator) -> String {
    let text = random.sentence(words: random.integer(in: 6...14))
    return random.chance(percent: 10) ? "\(text) <\(random.pick(Vocabulary.words))> & more" : text
  }

  private static func address(_ random: inout SeededGenerator) -> PropertyListDictionary {
    let word = random.pick(Vocabulary.words)
    return PropertyListDictionary(uniqueKeysWithValues: [
      ("street", .string("\(random.integer(in: 1...9999)) \(word) street")),
      ("city", .string(random.pick(Vocabulary.cities))),
      ("code", .string(String(random.integer(in: 10_000...10_999)))),
      ("floor", .integer(PropertyListInteger(random.integer(in: 0...9)))),
      ("latitude", .real(Double(random.integer(in: -90_000...90_000)) / 1000)),
    ])
  }
}
