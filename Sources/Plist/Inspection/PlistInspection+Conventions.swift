#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Obsolete forms that readers accept but Apple's tools do not write.
extension PlistInspection {
  static func departures<Reader: PlistTokenReader>(
    of token: PlistToken, read reader: Reader, _ before: Reader, in source: PlistSource
  ) -> [PlistError] {
    var message = departure(of: token, in: source.data.bytes, Reader.format)
    if message == nil, let reader = reader as? XMLReader {
      message = XMLConventions.departure(of: token, at: reader.tokenStart, in: source.data.bytes)
    }
    let isKey = token.kind == .key || token.kind == .sharedKey
    return message.map { [reader.error(.oldForm, $0, in: source, before: isKey ? nil : before)] } ?? []
  }

  private static func departure(of token: PlistToken, in bytes: RawSpan, _ format: PlistFormat) -> String? {
    switch token.kind {
    case .null where format != .json: return "found null, which XML cannot represent"
    case .date where GregorianDate(secondsSinceReference: Double(bitPattern: token.first)) == nil:
      return "the date is NaN, or too far from the year 2001 for XML"
    case .date where Double(bitPattern: token.first) != Double(bitPattern: token.first).rounded(.down):
      return "the date has a fraction of a second, which XML does not hold"
    case .key, .string:
      guard let scalar = XMLCharacters.firstForbidden(in: bytes.decodedText(token)) else { return nil }
      if scalar.value == 0 { return "the text contains a NUL, which XML does not allow" }
      let digits = String(scalar.value, radix: 16, uppercase: true)
      let name = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
      return "the text contains the character \(name), which XML does not allow"
    default: return nil
    }
  }

  /// Returns a warning about the format, or nil for XML, binary documents, `.strings` tables, Xcode projects, and files
  /// that usually have the format.
  static func oldForm<Reader: PlistTokenReader>(
    of reader: Reader, in bytes: RawSpan, usually usualFormat: PlistFormat?
  ) -> String? {
    if Reader.format == usualFormat { return nil }
    switch reader {
    case let reader as OpenStepReader:
      return reader.isStringsTable || bytes.hasBytes(ProjectFile.firstLine, at: 0)
        ? nil : "the document is OpenStep text, an old format that Apple's tools read but do not write"
    case is JSONReader: return "the document is JSON, which Apple's property-list readers do not accept"
    default: return nil
    }
  }
}

extension PlistFormat {
  /// Returns the text format that programs use for files with this name, or nil if it is XML or unknown.
  package static func usual(forFileNamed name: String) -> PlistFormat? {
    let name = name.lowercased()
    func hasEnding(_ endings: String...) -> Bool { endings.contains { name.hasSuffix(".\($0)") } }
    // Xcode projects, specifications of Xcode's build system, strings tables, and font sources.
    if hasEnding("pbxproj", "pbxuser", "strings", "xcspec", "pbfilespec", "xclangspec", "xcsynspec", "glyphs", "glyph")
    {
      return .openStep
    }
    return hasEnding("json", "xcstrings", "xctestplan") ? .json : nil
  }
}

enum XMLConventions {
  static func departures(in source: PlistSource) -> [PlistError] {
    let bytes = source.data.bytes
    var warnings: [PlistError] = []
    func warn(_ message: String, at offset: Int) {
      warnings.append(
        PlistError(code: .oldForm, message: message, format: .xml, offset: offset, path: nil, source: source))
    }
    if source.encoding != .utf8 { warn("the document is in \(source.encoding.name), not in UTF-8", at: 0) }
    var offset = XMLScanner.skipSpace(bytes, from: 0)
    if !bytes.hasBytes("<?xml", at: offset) { warn("the document has no XML declaration", at: offset) }
    var hasType = false
    while offset + 1 < bytes.byteCount, bytes.byte(at: offset) == 0x3C {
      let second = bytes.byte(at: offset + 1)
      guard second == 0x21 || second == 0x3F else { break }
      if bytes.hasBytes("<!DOCTYPE", at: offset) { hasType = true }
      guard let end = try? XMLScanner.skipMarkup(bytes, at: offset, allowsDocumentType: true) else { return warnings }
      offset = XMLScanner.skipSpace(bytes, from: end)
    }
    if !hasType { warn("the document has no DOCTYPE", at: offset) }
    guard bytes.hasBytes("<plist", at: offset) else {
      if offset < bytes.byteCount { warn("the root value is not inside a <plist> element", at: offset) }
      return warnings
    }
    let tag = String(utf8: bytes, in: offset..<bytes.firstOffset(of: 0x3E, from: offset))
    if !tag.contains("version=\"1.0\""), !tag.contains("version='1.0'") {
      warn("the <plist> tag does not have the attribute version=\"1.0\"", at: offset)
    }
    return warnings
  }

  static func departure(of token: PlistToken, at start: Int, in bytes: RawSpan) -> String? {
    switch token.kind {
    case .string where bytes.hasBytes("<key", at: start):
      return "expected a value, found a <key>, which is read as a string"
    case .integer, .negativeInteger, .real: break
    default: return nil
    }
    let content = bytes.firstOffset(of: 0x3E, from: start) + 1
    let text = String(utf8: bytes, in: content..<bytes.firstOffset(of: 0x3C, from: content))
    guard let first = text.utf8.first else { return nil }
    let digits = text.drop { $0 == "-" }
    if XMLScanner.isSpace(first) { return "white space before a number is an old form that readers still accept" }
    if token.kind == .real { return nil }
    if digits.hasPrefix("0x") || digits.hasPrefix("0X") { return "the integer \(text) is in hexadecimal" }
    if first == 0x2B { return "the integer \(text) has a plus sign" }
    return digits.count > 1 && digits.hasPrefix("0") ? "the integer \(text) has a leading zero" : nil
  }
}

extension BinaryObjectTable {
  func unusedObjects(in source: PlistSource) -> [PlistError] {
    let bytes = source.data.bytes
    let counts = referenceCounts(in: bytes)
    var (unused, first): (Int, Int?) = (0, nil)
    for object in 0..<objectCount where counts[object] == 0 {
      unused += 1
      if first == nil { first = object }
    }
    guard let first else { return [] }
    return [
      PlistError(
        code: .unusedObject,
        message: "\(unused) of \(objectCount) objects \(unused == 1 ? "is" : "are") not referenced",
        format: .binary, offset: offset(of: first, in: bytes))
    ]
  }
}
