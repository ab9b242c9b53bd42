#if CommandLineTool
import ArgumentParser
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct ValueOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The kind of the value; by default that of the value it replaces, or else one guessed from the text.",
      valueName: "kind"))
  var type: ValueKind?

  @Option(
    name: .long,
    help: ArgumentHelp(
      """
      Read the value from this file: text for a string, bytes for data, text or a property list for a number, boolean, \
      date or UID, and otherwise a property list.
      """,
      valueName: "file"),
    completion: .file())
  var valueFile: String?

  func validate() throws {
    if valueFile == "" { throw ValidationError("A file name must not be empty.") }
  }

  /// Returns the value given as an argument or in a file.
  ///
  /// `kind` is the kind of the existing value at the path, if any, and `format` is the format to write the value in.
  ///
  /// - Throws: `ValidationError` if the argument or file has a value of the wrong kind; `ExitCode` if the file cannot
  ///   be read.
  func value(_ argument: String?, inPlaceOf kind: PropertyList.Kind?, in format: PlistFormat) throws -> PropertyList {
    guard let valueFile else {
      return try ValueArgument.value(argument ?? "", as: type, inPlaceOf: kind, in: format)
    }
    let input = InputFile(valueFile)
    do {
      // The file may be a pipe, so read it only once.
      let bytes = try input.contents()
      switch type {
      case .string?:
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.utf8.elementsEqual(bytes) else { throw ValidationError("'\(input.name)' is not valid UTF-8.") }
        return .string(text)
      case .data?: return .data(bytes)
      case .integer?, .real?, .boolean?, .date?, .uid?:
        let text = String(decoding: bytes, as: UTF8.self)
        let isSpace = { (character: Character) in character.isWhitespace }
        let start = text.firstIndex { !isSpace($0) } ?? text.endIndex
        let end = text.lastIndex { !isSpace($0) }.map(text.index(after:)) ?? start
        if let type, let value = try ValueArgument.value(String(text[start..<end]), type) { return value }
      default: break
      }
      let value = try PropertyList(parsing: bytes)
      if let type, value.kind.rawValue != type.rawValue {
        throw ValidationError("'\(input.name)' contains \(value.kind.withArticle), not \(type.withArticle).")
      }
      return value
    } catch let error as PlistError {
      Diagnostics.write(Diagnostic(error, in: input.name).text)
      throw ToolStatus(error).exitCode
    }
  }

  /// Throws an error if the value is missing, or given both as an argument and as a file.
  func check(_ argument: String?) throws {
    if argument != nil, valueFile != nil {
      throw ValidationError("The value can be an argument or come from a file, not both.")
    }
    let canBeEmpty = type == .array || type == .dictionary || type == .null
    if argument == nil, valueFile == nil, !canBeEmpty {
      throw ValidationError("The value is missing; for an empty string, write ''.")
    }
  }
}

enum ValueArgument {
  /// Converts `text` to the requested kind, or else to that of the existing value, or else to the kind it looks like.
  ///
  /// - Throws: `ValidationError` if the text does not fit the requested or existing kind, is a number out of range, or
  ///   looks like a date or property list but is not a valid one.
  static func value(
    _ text: String, as kind: ValueKind?, inPlaceOf old: PropertyList.Kind?, in format: PlistFormat
  ) throws -> PropertyList {
    let existing = old.flatMap { ValueKind(rawValue: $0.rawValue) }
    switch existing {
    case _ where kind != nil: break
    // Containers, UIDs and null have no plain text form, so the spelling of the new text decides.
    case .array?, .dictionary?, .null?, .uid?, nil: return try guess(text, in: format)
    case let existing?:
      if let value = try value(text, existing) { return value }
      if existing == .integer, let value = try value(text, .real), isWritten(value, as: text, in: format) {
        return value
      }
      throw ValidationError(
        "'\(text)' is not \(existing.withArticle), the kind of the old value; --type sets another kind.")
    }
    guard let kind, let value = try value(text, kind) else {
      throw ValidationError("'\(text)' is not \(kind?.withArticle ?? "a value").")
    }
    return value
  }

  /// Guesses the kind of a value from the spelling of `text`; the default is a string.
  ///
  /// Text such as `1.10` or `007` is more likely a version or an identifier than a number. The text becomes a number or
  /// a date only if that would be written with the same characters, so a wrong guess loses nothing.
  ///
  /// - Throws: `ValidationError` for a number out of range, an invalid date, or an invalid property list.
  private static func guess(_ text: String, in format: PlistFormat) throws -> PropertyList {
    if let first = text.utf8.first, [0x7B, 0x28, 0x5B, 0x3C].contains(first) {
      do { return try PropertyList(parsing: Data(text.utf8)) } catch {
        throw ValidationError(
          "'\(text)' is not a property list (\(error)); to use the text as a string, add --type string.")
      }
    }
    if format == .openStep { return .string(text) }
    if text == "true" || text == "false" { return .boolean(text == "true") }
    let looksLikeNumber = text.utf8.contains { 0x30...0x39 ~= $0 }
    for kind in [ValueKind.integer, .real, .date] where looksLikeNumber {
      if let value = try value(text, kind), isWritten(value, as: text, in: format) { return value }
    }
    if isDateLiteral(text), try value(text, .date) == nil {
      throw ValidationError("'\(text)' is not a valid date; to use the text as a string, add --type string.")
    }
    return .string(text)
  }

  /// Returns whether `format` shows the scalar `value` as exactly `text`.
  ///
  /// Formats other than JSON are judged by their XML form, including binary, which people read by converting it to XML.
  private static func isWritten(_ value: PropertyList, as text: String, in format: PlistFormat) -> Bool {
    let isJSON = format == .json
    guard let data = try? value.data(format: isJSON ? .json : .xml) else { return false }
    let written = String(decoding: data, as: UTF8.self)
    return isJSON ? written == text || written == text + "\n" : written.contains(">\(text)</")
  }

  /// Returns whether `text` starts with a date and a digit of a time, and ends with `Z`, like a date in XML.
  private static func isDateLiteral(_ text: String) -> Bool {
    let pattern = Array("0000-00-00T0".utf8)
    let start = text.utf8.prefix(pattern.count).map { byte in 0x30...0x39 ~= byte ? 0x30 : byte }
    return start == pattern && text.hasSuffix("Z")
  }

  /// Parses `text` as a value of `kind`, or returns nil if it is invalid.
  ///
  /// - Throws: `ValidationError` for a number out of range.
  fileprivate static func value(_ text: String, _ kind: ValueKind) throws -> PropertyList? {
    switch kind {
    case .string: return .string(text)
    case .date: return element("date", text)
    case .integer:
      let integer = element("integer", text)
      if integer == nil, isIntegerLiteral(text) {
        throw outOfRange(
          text, "integers, \(Int64.min) to \(UInt64.max)", "for another kind, use --type real or --type string")
      }
      return integer
    case .real:
      let real = element("real", text)
      // If the text has digits but parses as infinity, the number is too large for `Double`.
      if case .real(let number)? = real, number.isInfinite, text.utf8.contains(where: { 0x30...0x39 ~= $0 }) {
        let most = Double.greatestFiniteMagnitude
        throw outOfRange(text, "real numbers, -\(most) to \(most)", "for infinity, write inf and use --type real")
      }
      return real
    case .data:
      let isHexadecimal = text.hasPrefix("<")
      let value = isHexadecimal ? try? PropertyList(parsing: Data(text.utf8)) : element("data", text)
      return value?.kind == .data ? value : nil
    case .uid: return UInt32(text).map { .uid(PropertyListUID($0)) }
    case .boolean:
      switch text.lowercased() {
      case "true", "yes": return true
      case "false", "no": return false
      default: return nil
      }
    case .null: return text.isEmpty || text == "null" ? .null : nil
    case .array, .dictionary:
      if text.isEmpty { return kind == .array ? [] : [:] }
      let value = try? PropertyList(parsing: Data(text.utf8))
      return value?.kind.rawValue == kind.rawValue ? value : nil
    }
  }

  private static func isIntegerLiteral(_ text: String) -> Bool {
    let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...]
    if digits.lowercased().hasPrefix("0x") {
      return digits.dropFirst(2).allSatisfy { $0.isASCII && $0.isHexDigit } && digits.count > 2
    }
    return digits.utf8.allSatisfy { 0x30...0x39 ~= $0 } && !digits.isEmpty
  }

  private static func outOfRange(_ text: String, _ range: String, _ advice: String) -> ValidationError {
    ValidationError("'\(text)' is outside the range of \(range); \(advice).")
  }

  /// Parses `text` like the content of an XML element.
  private static func element(_ name: String, _ text: String) -> PropertyList? {
    guard !text.utf8.contains(where: { $0 == 0x3C || $0 == 0x26 }) else { return nil }
    let document = Data("<\(name)>\(text)</\(name)>".utf8)
    let value = try? PropertyList(parsing: document, options: PlistReadOptions(format: .xml))
    return value?.kind.rawValue == name ? value : nil
  }
}
#endif
