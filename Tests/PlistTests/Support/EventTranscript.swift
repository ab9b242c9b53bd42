import Foundation
import Plist

enum EventTranscript {
  private static let deepestIndent = 16

  static func text(of document: Data, options: PlistReadOptions = PlistReadOptions()) throws(PlistError) -> String {
    var reader = try PlistEventReader(parsing: document, options: options)
    var text = ""
    var depth = 0
    while let event = try reader.next() {
      if case .endArray = event { depth -= 1 }
      if case .endDictionary = event { depth -= 1 }
      text += String(repeating: "  ", count: min(depth, deepestIndent)) + line(event) + "\n"
      if case .beginArray = event { depth += 1 }
      if case .beginDictionary = event { depth += 1 }
    }
    return text
  }

  static func line(_ event: PlistEvent) -> String {
    switch event {
    case .beginDictionary: return "dictionary"
    case .beginArray: return "array"
    case .endDictionary, .endArray: return "end"
    case .key(let text): return "key \(ValueNotation.quoted(String(text)))"
    case .string(let text): return "string \(ValueNotation.quoted(String(text)))"
    case .integer(let integer): return "integer \(integer)"
    case .real(let real): return "real \(real)"
    case .boolean(let boolean): return "boolean \(boolean)"
    case .date(let date): return "date \(date.timeIntervalSinceReferenceDate)"
    case .data(let bytes):
      let data = Data(bytes)
      return data.isEmpty ? "data" : "data \(ValueNotation.hexadecimal(data))"
    case .uid(let uid): return "uid \(uid.value)"
    case .null: return "null"
    }
  }
}
