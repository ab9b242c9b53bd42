#if CommandLineTool
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Parses values given on the command line, and rejects values that their type cannot represent.
///
/// Given such a value, Apple's plutil parses only part of it, clamps it, or crashes.
enum PlutilArgument {
  static func value(_ type: String, _ rest: inout ArraySlice<String>) throws(PlutilError) -> PropertyList {
    switch type {
    case "-dictionary": return [:]
    case "-array": return []
    case "-bool", "-integer", "-date", "-data", "-float", "-xml", "-json", "-string": break
    default: throw PlutilError("Unknown insert or replace type \(type)")
    }
    guard let text = rest.popFirst() else {
      throw PlutilError("'Insert' and 'Replace' require a key path, a type, and a value.")
    }
    if SystemPath.hasForeignBytes(text) { throw PlutilError("The value is not valid UTF-8") }
    switch type {
    case "-bool": return .boolean(["yes", "true"].contains(text.lowercased()))
    case "-integer": return try integer(text)
    case "-float": return try float(text)
    case "-date": return try date(text)
    case "-data":
      guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else {
        throw PlutilError("Invalid base64 data in argument")
      }
      return .data(data)
    case "-xml":
      return try document(text, reading: "xml property list") { () throws(PlistError) in
        try PropertyList(parsing: Data(text.utf8))
      }
    case "-json":
      return try document(text, reading: "JSON") { () throws(PlistError) in
        try PropertyList(parsing: Data(text.utf8), options: PlistReadOptions(format: .json))
      }
    default: return .string(text)
    }
  }

  private static func integer(_ text: String) throws(PlutilError) -> PropertyList {
    guard let integer = PropertyListInteger(trimmed(text)) else {
      let isNumber = !trimmed(text).isEmpty && trimmed(text).allSatisfy { "+-0123456789".contains($0) }
      throw PlutilError(isNumber ? "Integer out of range in argument: \(text)" : "Invalid integer in argument: \(text)")
    }
    return .integer(integer)
  }

  static func float(_ text: String) throws(PlutilError) -> PropertyList {
    guard let real = Double(trimmed(text)) else { throw PlutilError("Invalid float in argument: \(text)") }
    // If the text has digits but parses as infinity, the number is too large for `Double`.
    if real.isInfinite, text.contains(where: \.isNumber) {
      throw PlutilError("Float out of range in argument: \(text)")
    }
    return .real(real)
  }

  /// Parses a date in the format of XML property lists.
  private static func date(_ text: String) throws(PlutilError) -> PropertyList {
    let isPlain = text.utf8.allSatisfy { "0123456789-:TZ".utf8.contains($0) }
    let xml = Data("<plist><date>\(text)</date></plist>".utf8)
    guard isPlain, let date = try? PropertyList(parsing: xml) else {
      throw PlutilError("Invalid date in argument: \(text)")
    }
    return date
  }

  private static func document(
    _ text: String, reading what: String, _ body: () throws(PlistError) -> PropertyList
  ) throws(PlutilError) -> PropertyList {
    do { return try body() } catch { throw PlutilError("Unable to parse \(what): \(error)") }
  }

  /// Removes white space at both ends, except line breaks.
  private static func trimmed(_ text: String) -> String {
    let isSpace = { (character: Character) in character.isWhitespace && !character.isNewline }
    var text = text.drop(while: isSpace)
    while let last = text.last, isSpace(last) { text.removeLast() }
    return String(text)
  }
}
#endif
