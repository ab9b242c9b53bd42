import Foundation
import Plist

extension FuzzTarget {
  static let signed = FuzzTarget(
    "signed", "a signed document reads as the document inside, and a damaged one is read or refused",
    controlCount: 4, formats: ["xml", "binary"], seedPrefix: Data(count: 4)
  ) { input in
    guard input.count >= 4 else { return }
    let control = [UInt8](input.prefix(4))
    let document = Data(input.dropFirst(4))
    var envelope = Envelope(lengths: control[0], pieces: control[1])
    var message = envelope.message(document)
    let options = PlistReadOptions(limits: Reading.limits, signedDocuments: .readUnverified)
    func read(_ data: Data) -> Result<PropertyList, PlistError> {
      Result { () throws(PlistError) in try PropertyList(parsing: data, options: options) }
    }
    let inside = SignedMessage.begins(document) ? nil : read(document)
    switch (read(message), inside) {
    case (.success(let value), .success(let expected)?):
      try Structured.same(value, expected, "a signed document reads as", document)
    case (.failure(let error), .failure(let expected)?):
      guard error.code == expected.code else { throw FuzzFinding("the error is \(error), inside it is \(expected)") }
    case (.failure, nil): break
    default: throw FuzzFinding("a document is good only with or only without a signature")
    }
    // Damage only the bytes before the content, which include the lengths.
    let position = Int(control[2]) % min(64, message.count)
    message[position] = control[3]
    if case .success = read(message) { try Reading.check(message, format: nil) }
    _ = read(message.prefix(position))
  }
}

/// Writes CMS messages whose lengths and pieces are chosen by two bytes.
private struct Envelope {
  var lengths: UInt8
  let pieces: UInt8

  mutating func message(_ content: Data) -> Data {
    var string = element(0x04, content)
    if pieces > 0 {
      let size = Int(pieces)
      var all = Data()
      for start in stride(from: 0, to: content.count, by: size) {
        let piece = element(
          0x04, content[content.startIndex + start..<min(content.endIndex, content.startIndex + start + size)])
        all += start % 3 == 1 ? element(0x24, piece) : piece
      }
      string = element(0x24, all)
    }
    let inner = element(0x30, identifier(1) + element(0xA0, string))
    let signed = element(0x30, Data([2, 1, 1]) + element(0x31, Data([5, 0])) + inner + element(0x31, Data()))
    return element(0x30, identifier(2) + element(0xA0, signed))
  }

  private func identifier(_ number: UInt8) -> Data { Data([6, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, number]) }

  private mutating func element(_ tag: UInt8, _ content: Data) -> Data {
    lengths = lengths << 1 | lengths >> 7
    if lengths & 1 == 1, tag & 0x20 != 0 { return Data([tag, 0x80]) + content + Data([0, 0]) }
    if lengths & 2 == 0, content.count < 0x80 { return Data([tag, UInt8(content.count)]) + content }
    let size = UInt32(content.count)
    return Data([tag, 0x84] + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) }) + content
  }
}
