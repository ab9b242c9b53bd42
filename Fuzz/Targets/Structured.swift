import Foundation
import Plist

extension FuzzTarget {
  static let structured = FuzzTarget(
    "structured", "a document that is spelled in any way its format allows reads as the value it spells",
    controlCount: nil
  ) { input in
    var choices = Choices(input)
    let control = choices.byte()
    let (document, value, format) = Structured.document(choices)
    try Structured.check(document, value, format, control: control)
  }
}

enum Structured {
  static func document(_ choices: Choices) -> (Data, PropertyList, PlistFormat) {
    var choices = choices
    switch choices.below(8) {
    case 0, 1, 2:
      var generator = ValueGenerator(choices, range: .xml, budget: 30)
      let value = generator.value()
      var spelling = XMLSpelling(generator.choices)
      return (spelling.document(value), value, .xml)
    case 3, 4, 5:
      var generator = ValueGenerator(choices, range: .everything, budget: 40)
      let value = generator.value()
      var spelling = BinarySpelling(generator.choices)
      return (spelling.document(value), value, .binary)
    case 6:
      var generator = ValueGenerator(choices, range: .openStep, budget: 30)
      let value = generator.value()
      var spelling = OpenStepSpelling(generator.choices)
      return (spelling.document(value), value, .openStep)
    default:
      var generator = ValueGenerator(choices, range: .json, budget: 30)
      let value = generator.value()
      var spelling = JSONSpelling(generator.choices)
      return (spelling.document(value), value, .json)
    }
  }

  static func check(_ document: Data, _ value: PropertyList, _ format: PlistFormat, control: UInt8) throws {
    let options = PlistReadOptions(limits: PlistLimits(maximumDepth: 16), format: format)
    switch Result(catching: { () throws(PlistError) in try PropertyList(parsing: document, options: options) }) {
    case .success(let read): try same(read, value, "the document reads as", document)
    case .failure(let error): throw FuzzFinding("a valid document is refused, \(error): \(document.shown)")
    }
    switch control % 4 {
    case 0: try Reading.check(document, format: format)
    case 1: try Streaming.check(document, control: control, format: format)
    case 2:
      let decoded = try PlistDecoder(options: options).decode(PropertyList.self, from: document)
      try same(decoded, value, "the document decodes as", document)
    default:
      let root = try PlistDocument(parsing: document, options: options).root
      try same(root.propertyList(), value, "the index has", document)
    }
  }

  static func same(
    _ value: PropertyList, _ other: PropertyList, _ what: String, _ document: Data
  ) throws(FuzzFinding) {
    try expect(value == other, "\(what) \(value.debugDescription), not \(other.debugDescription): \(document.shown)")
  }
}
