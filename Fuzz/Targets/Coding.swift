import Foundation
import Plist

extension FuzzTarget {
  fileprivate static let comparisonsOfCoders = Guarded(0)

  /// How many scripts ``codable`` has run with the reference encoder and with Foundation's.
  ///
  /// This excludes scripts on which Foundation's encoder would trap, and those whose value depends on when objects are
  /// released.
  public static var comparedScripts: Int { comparisonsOfCoders.withLock { $0 } }

  static let codable = FuzzTarget(
    "codable", "whatever values do with encoders and decoders, a document has what was encoded into it and no more",
    controlCount: nil
  ) { input in
    var choices = Choices(input)
    let control = choices.byte()
    guard control % 4 != 3 else { return try ScriptedDecoding.check(choices) }
    var generator = ScriptGenerator(choices, allowsMisuse: control % 4 == 2)
    let first = generator.script()
    let second = generator.script()
    let late = generator.late()
    try EncodingCheck(first, control).checkForms()
    try EncodingCheck(second, control).checkForms()
    try EncodingCheck(second, control).check(after: first, late: late)
    if choices.flag() { try EncodingCheck(second, control).checkLargeArray(after: first, late: late) }
  }
}

struct EncodingCheck {
  private let script: EncodingScript
  private let control: UInt8

  init(_ script: EncodingScript, _ control: UInt8) {
    self.script = script
    self.control = control
  }

  private static func encoder(_ format: PlistFormat, isSorted: Bool) -> PlistEncoder {
    var encoder = PlistEncoder()
    encoder.outputFormat = format
    encoder.writeOptions = PlistWriteOptions(sortedKeys: isSorted)
    return encoder
  }

  // MARK: One document

  func checkForms() throws {
    let list = try propertyList()
    for format in [PlistFormat.xml, .binary] {
      for isSorted in [false, true] {
        let result = try document(Self.encoder(format, isSorted: isSorted))
        let wanted = list.flatMap { CanonicalText.isDocument($0) ? $0 : nil }
        try expect(
          result == wanted,
          "\(isSorted ? "sorted " : "")\(format) is \(result ?? "an error"), and as a value it is \(list ?? "an error")"
        )
      }
    }
    if control & 0x40 != 0 { try checkTextFormats(list) }
    let run = EncodingState()
    let reference = ReferenceDocument(userInfo: [.encodingState: run])
    let node = try? reference.encode(script)
    guard !run.isMisused, !reference.hasConflict else { return }
    guard !reference.isAmbiguous, reference.openSupers == 0 else { return }
    FuzzTarget.comparisonsOfCoders.withLock { $0 += 1 }
    try expect(
      list == node?.canonical,
      "the value is \(list ?? "an error"), and should be \(node?.canonical ?? "an error")")
    try checkFoundation(list)
  }

  private func propertyList() throws -> String? {
    var encoder = PlistEncoder()
    let run = EncodingState(encoder: encoder)
    encoder.userInfo[.encodingState] = run
    let result: PropertyList
    do { result = try encoder.encodeToPropertyList(script) } catch {
      try Self.check(error, run)
      return nil
    }
    if let finding = run.finding { throw finding }
    return CanonicalText.value(result)
  }

  private func document(_ encoder: PlistEncoder) throws -> String? {
    let run = EncodingState(encoder: encoder)
    let encoding = ScriptedEncoding(script, encoder: encoder, run)
    if let error = encoding.error { try Self.check(error, run) }
    if let finding = run.finding { throw finding }
    return try encoding.document.map(Self.value)
  }

  private static func check(_ error: any Error, _ run: EncodingState) throws {
    if let finding = run.finding { throw finding }
    guard error is EncodingError else { throw FuzzFinding("an encoder throws \(error)") }
    try expect(!"\(error)".isEmpty, "an error says nothing")
  }

  private static func value(_ document: Data) throws(FuzzFinding) -> String {
    do { return CanonicalText.value(try PropertyList(parsing: document)) } catch {
      throw FuzzFinding("what was encoded is not readable: \(error) in \(document.shown)")
    }
  }

  private func checkTextFormats(_ list: String?) throws {
    for format in [PlistFormat.json, .openStep, .gnuStep] {
      var encoder = Self.encoder(format, isSorted: control & 0x80 != 0)
      encoder.writeOptions.unrepresentable = .convert
      let result = try document(encoder)
      try expect(
        result == nil || list != nil,
        "\(format) is \(result ?? ""), and as a value it is an error")
    }
  }

  private func checkFoundation(_ list: String?) throws {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = control & 0x20 == 0 ? .xml : .binary
    encoder.userInfo[.encodingState] = EncodingState()
    let wanted = list.flatMap { CanonicalText.isDocument($0) ? $0 : nil }
    let result = try (try? encoder.encode(script)).map(Self.value)
    try expect(
      result == wanted, "the value is \(wanted ?? "an error"), and Foundation's \(result ?? "an error")")
  }

  // MARK: A document that is encoded after another document

  func check(after other: EncodingScript, late: [EncodingScript.Use]) throws {
    let fresh = encoder
    let alone = ScriptedEncoding(script, encoder: fresh, EncodingState(encoder: fresh))
    let kept = KeptObjects()
    defer { kept.removeAll() }
    if control & 0x04 == 0 {
      try keepObjects(of: other, encoder, kept)
    } else {
      let used = encoder
      try keepObjects(of: other, used, kept)
      try check(used, kept, alone, "after another document")
    }
    try check(fresh, kept, alone, "with objects of another encoder")
    for (index, use) in late.enumerated() { kept.use(index, use, onThread: index == 3) }
    try check(encoder, kept, alone, "after another document was used late")
  }

  private func keepObjects(of script: EncodingScript, _ encoder: PlistEncoder, _ kept: KeptObjects) throws {
    let sharesKept = control & 0x08 != 0
    let run = EncodingState(kept: kept, keeps: true, sharesKept: sharesKept, encoder: encoder)
    let encoding = ScriptedEncoding(script, encoder: encoder, run)
    if let finding = run.finding { throw finding }
    guard !sharesKept else { return }
    let again = ScriptedEncoding(script, encoder: encoder, EncodingState(encoder: encoder))
    try expect(
      again.document == encoding.document,
      "objects are kept of \(encoding.shown), and without that it is \(again.shown)")
  }

  // MARK: An array whose elements are written before the next elements are encoded

  func checkLargeArray(after other: EncodingScript, late: [EncodingScript.Use]) throws {
    let padding = [ScriptedElement](repeating: .padding, count: 8)
    let uses = late.enumerated().map { ScriptedElement.late($0.offset, $0.element) }
    let elements = [[.script(other)], padding, uses, [.script(script)], padding, uses].flatMap(\.self)
    let found = try arrayResult(elements)
    let wanted = try arrayResult(SingleValue(value: elements))
    try expect(found == wanted, "a large array is \(found), and as the value of another value it is \(wanted)")
  }

  private func arrayResult(_ value: some Encodable) throws -> String {
    let encoder = encoder
    let kept = KeptObjects()
    defer { kept.removeAll() }
    let run = EncodingState(kept: kept, keeps: true, encoder: encoder)
    let encoding = ScriptedEncoding(value, encoder: encoder, run)
    if let finding = run.finding { throw finding }
    // The value in an `EncodingError` is ignored, since it can be the whole outermost value.
    guard case EncodingError.invalidValue(_, let context)? = encoding.error else { return encoding.shown }
    return "an error at \(context.codingPath.map(\.stringValue)): \(context.debugDescription)"
  }

  private var encoder: PlistEncoder {
    Self.encoder(control & 0x20 == 0 ? .xml : .binary, isSorted: control & 0x10 != 0)
  }

  private func check(_ encoder: PlistEncoder, _ kept: KeptObjects, _ alone: ScriptedEncoding, _ when: String) throws {
    let run = EncodingState(kept: kept, encoder: encoder)
    let encoding = ScriptedEncoding(script, encoder: encoder, run)
    if let finding = run.finding { throw finding }
    try expect(
      encoding.document == alone.document, "\(when), a document is \(encoding.shown), and alone \(alone.shown)")
  }
}

private enum ScriptedElement: Encodable {
  case script(EncodingScript)
  /// An element with hundreds of values.
  ///
  /// In an array with several of these elements, the first ones are written before the last ones are encoded.
  case padding
  /// An element that uses an encoder or container kept by an earlier element.
  case late(Int, EncodingScript.Use)

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .script(let script): try script.encode(to: encoder)
    case .padding:
      var container = encoder.unkeyedContainer()
      for number in 0..<300 { try container.encode(UInt8(truncatingIfNeeded: number)) }
    case .late(let index, let use):
      (encoder.userInfo[.encodingState] as? EncodingState)?.kept?.use(index, use)
      try index.encode(to: encoder)
    }
  }
}

private struct SingleValue<Value: Encodable>: Encodable {
  let value: Value

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}
