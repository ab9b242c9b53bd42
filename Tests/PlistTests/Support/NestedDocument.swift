import Foundation

enum NestedDocument: String, Sendable {
  case xmlArrays, xmlDictionaries, binaryArrays, binaryDictionaries
  case openStepArrays, openStepDictionaries, jsonArrays, jsonDictionaries

  func document(depth: Int) -> Data {
    switch self {
    case .xmlArrays: return text(open: "<array>", innermost: "<array/>", close: "</array>", depth)
    case .xmlDictionaries: return text(open: "<dict><key>k</key>", innermost: "<dict/>", close: "</dict>", depth)
    case .openStepArrays: return text(open: "(", innermost: "()", close: ")", depth)
    case .openStepDictionaries: return text(open: "{k=", innermost: "{}", close: ";}", depth)
    case .jsonArrays: return text(open: "[", innermost: "[]", close: "]", depth)
    case .jsonDictionaries: return text(open: "{\"k\":", innermost: "{}", close: "}", depth)
    case .binaryArrays:
      let size = BinaryDocument.referenceSize(depth)
      let outer = (1..<max(depth, 1)).map { [0xA1] + BinaryDocument.bigEndian($0, width: size) }
      return BinaryDocument(outer + [[0xA0]]).data
    case .binaryDictionaries:
      let size = BinaryDocument.referenceSize(depth + 1)
      let key = BinaryDocument.bigEndian(depth, width: size)
      let outer = (1..<max(depth, 1)).map { [0xD1] + key + BinaryDocument.bigEndian($0, width: size) }
      return BinaryDocument(outer + [[0xD0], [0x51, 0x6B]]).data
    }
  }

  private func text(open: String, innermost: String, close: String, _ depth: Int) -> Data {
    let outer = max(depth - 1, 0)
    return Data((String(repeating: open, count: outer) + innermost + String(repeating: close, count: outer)).utf8)
  }
}
