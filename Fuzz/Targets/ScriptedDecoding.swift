import Foundation
import Plist

enum ScriptedDecoding {
  static func check(_ choices: Choices) throws {
    var generator = ScriptGenerator(choices, allowsMisuse: false)
    let control = generator.choices.byte()
    let script = generator.decodingScript()
    let other = generator.decodingScript()
    let value = generator.propertyList()
    let xml = try value.data(format: .xml)
    let binary = try value.data(format: .binary)

    let wanted = try trace(script, xml)
    for (name, result) in [
      ("binary", try trace(script, binary)), ("the value", try trace(script, value)),
      ("XML again", try trace(script, xml)),
    ] {
      try expect(result == wanted, "\(name) is decoded to \(result), and XML to \(wanted): \(xml.shown)")
    }

    let decoder = PlistDecoder()
    let kept = KeptDecoders()
    defer { kept.removeAll() }
    let document = control & 1 == 0 ? xml : binary
    _ = try trace(other, document, decoder, DecodingState(other, kept: kept, keeps: true))
    for decoder in [decoder, PlistDecoder()] {
      let result = try trace(script, document, decoder, DecodingState(script, kept: kept))
      try expect(result == wanted, "after another document, \(result) is decoded, and alone \(wanted): \(xml.shown)")
    }
    for (index, use) in generator.late().enumerated() {
      kept.use(
        index,
        DecodingScript.Use(
          slot: use.slot, member: use.member, key: use.key, keyType: use.keyType, type: use.slot, script: nil),
        onThread: index == 3)
    }
    try checkFoundation(script, document, wanted)
  }

  private static func trace(
    _ script: DecodingScript, _ document: Data, _ decoder: PlistDecoder = PlistDecoder(), _ run: DecodingState? = nil
  ) throws -> [String] {
    try trace(decoder, run ?? DecodingState(script)) { try $0.decode(ScriptedValue.self, from: document) }
  }

  private static func trace(_ script: DecodingScript, _ value: PropertyList) throws -> [String] {
    try trace(PlistDecoder(), DecodingState(script)) { try $0.decode(ScriptedValue.self, from: value) }
  }

  private static func trace(
    _ decoder: PlistDecoder, _ run: DecodingState, _ decode: (PlistDecoder) throws -> ScriptedValue
  ) throws -> [String] {
    var decoder = decoder
    decoder.userInfo[.decodingState] = run
    do {
      _ = try decode(decoder)
      return run.trace
    } catch {
      guard error is DecodingError else { throw FuzzFinding("a decoder throws \(error)") }
      return run.trace + [text(of: error)]
    }
  }

  private static func checkFoundation(_ script: DecodingScript, _ document: Data, _ wanted: [String]) throws {
    let decoder = PropertyListDecoder()
    let run = DecodingState(script, isOurs: false)
    decoder.userInfo[.decodingState] = run
    let result: [String]
    do {
      _ = try decoder.decode(ScriptedValue.self, from: document)
      result = run.trace
    } catch {
      result = run.trace + [text(of: error)]
    }
    let ordered = run.unorderedFrom
    let (ours, theirs) = (wanted.prefix(ordered), result.prefix(ordered))
    let isError = { (text: String) in kinds.contains { text.hasPrefix($0) } }
    let differs = { (ours: String, theirs: String) in ours != theirs && !(isError(ours) && isError(theirs)) }
    guard let index = zip(ours, theirs).enumerated().first(where: { differs($1.0, $1.1) })?.offset else {
      try expect(ours.count == theirs.count, "\(wanted) is decoded, and by Foundation \(result): \(document.shown)")
      return
    }
    throw FuzzFinding(
      "step \(index) is \(ours[index]), and with Foundation \(theirs[index]): \(wanted) \(result) \(document.shown)")
  }

  private static let kinds = ["type mismatch", "value not found", "key not found", "data corrupted"]

  static func text(of error: any Error) -> String {
    switch error as? DecodingError {
    case .typeMismatch: "type mismatch"
    case .valueNotFound: "value not found"
    case .keyNotFound(let key, _): "key not found \(key.stringValue)"
    case .dataCorrupted: "data corrupted"
    default: "error \(error)"
    }
  }
}
