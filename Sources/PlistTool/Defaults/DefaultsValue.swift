#if CommandLineTool
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The value argument of `defaults write`; options such as `-array-add` amend the existing value.
enum DefaultsValue {
  case value(PropertyList)
  case appended([PropertyList])
  case merged(PropertyListDictionary)

  /// Parses all `arguments` as one value.
  ///
  /// - Throws: `DefaultsFailure` if there is no value, or more than one.
  init(_ arguments: ArraySlice<String>) throws(DefaultsFailure) {
    var rest = arguments
    switch rest.first {
    case "-array":
      self = .value(.array(try Self.elements(rest.dropFirst())))
      return
    case "-array-add":
      self = .appended(try Self.elements(rest.dropFirst()))
      return
    case "-dict":
      self = .value(.dictionary(try Self.pairs(rest.dropFirst())))
      return
    case "-dict-add":
      self = .merged(try Self.pairs(rest.dropFirst()))
      return
    default: self = .value(try Self.element(&rest))
    }
    if let extra = rest.first { throw .unchanged("Unexpected argument \(extra)") }
  }

  func value(inPlaceOf old: PropertyList?, _ key: String) throws(DefaultsFailure) -> PropertyList {
    switch self {
    case .value(let value): return value
    case .appended(let elements):
      guard let old else { return .array(elements) }
      guard case .array(let present) = old else {
        throw .unchanged("Value for key \(key) is not an array; cannot append")
      }
      return .array(present + elements)
    case .merged(let pairs):
      guard let old else { return .dictionary(pairs) }
      guard case .dictionary(var present) = old else {
        throw .unchanged("Value for key \(key) is not a dictionary; cannot add pairs")
      }
      for (key, value) in pairs { present[key] = value }
      return .dictionary(present)
    }
  }

  private static func elements(_ arguments: ArraySlice<String>) throws(DefaultsFailure) -> [PropertyList] {
    var rest = arguments
    var elements: [PropertyList] = []
    while !rest.isEmpty { elements.append(try element(&rest)) }
    return elements
  }

  private static func pairs(_ arguments: ArraySlice<String>) throws(DefaultsFailure) -> PropertyListDictionary {
    var rest = arguments
    var pairs = PropertyListDictionary()
    while let key = rest.popFirst() {
      guard !rest.isEmpty else { throw .unchanged("The key \"\(key)\" has no value") }
      pairs[key] = try element(&rest)
    }
    return pairs
  }

  /// Parses one value: an argument, or a type option such as `-int` with its argument.
  private static func element(_ rest: inout ArraySlice<String>) throws(DefaultsFailure) -> PropertyList {
    guard let argument = rest.popFirst() else { throw DefaultsFailure(usage: "A value is missing.") }
    if ["-array", "-array-add", "-dict", "-dict-add"].contains(argument) {
      throw DefaultsFailure("Cannot nest composite types (arrays and dictionaries); exiting")
    }
    let types = ["-string", "-data", "-int", "-integer", "-float", "-bool", "-boolean", "-date"]
    guard types.contains(argument) else { return try representation(argument) }
    guard let text = rest.popFirst() else { throw DefaultsFailure(usage: "\(argument) needs a value.") }
    guard let value = value(argument, text) else {
      throw .unchanged("\"\(text)\" is not a valid value for \(argument)")
    }
    return value
  }

  /// Parses `text` as a value of `type`, or returns nil if it is invalid.
  private static func value(_ type: String, _ text: String) -> PropertyList? {
    switch type {
    case "-string": return .string(text)
    case "-data": return hexadecimal(text).map { .data($0) }
    case "-int", "-integer":
      let isHexadecimal = text.lowercased().hasPrefix("0x")
      if isHexadecimal { return UInt64(text.dropFirst(2), radix: 16).map { .integer(PropertyListInteger($0)) } }
      return PropertyListInteger(text.hasPrefix("+") ? String(text.dropFirst()) : text).map { .integer($0) }
    case "-float": return try? PlutilArgument.float(text)
    case "-date": return date(text).map { .date($0) }
    default:
      switch text.lowercased() {
      case "true", "yes", "y", "1": return true
      case "false", "no", "n", "0": return false
      default: return nil
      }
    }
  }

  private static func hexadecimal(_ text: String) -> Data? {
    var bytes: [UInt8] = []
    var high: UInt8?
    for character in text where !character.isWhitespace && character != "<" && character != ">" {
      guard let digit = character.hexDigitValue.map(UInt8.init) else { return nil }
      if let first = high {
        bytes.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    return high == nil ? Data(bytes) : nil
  }

  /// Parses a date in XML's format or that of Foundation's `Date.description`; the time of day is optional.
  private static func date(_ text: String) -> Date? {
    var parts = text.split(separator: " ").map(String.init)
    if parts.count == 3, parts[2] == "+0000" || parts[2] == "UTC" || parts[2] == "GMT" { parts.removeLast() }
    if parts.count == 2 { parts = [parts[0] + "T" + parts[1] + "Z"] }
    guard parts.count == 1 else { return nil }
    let full = parts[0].contains("T") ? parts[0] : parts[0] + "T00:00:00Z"
    let document = Data("<date>\(full)</date>".utf8)
    guard full.utf8.allSatisfy({ $0 != 0x3C && $0 != 0x26 }) else { return nil }
    return try? PropertyList(parsing: document, options: PlistReadOptions(format: .xml)).date
  }

  /// Parses `text` as a property list if it begins like one, and otherwise returns it as a string.
  static func representation(_ text: String) throws(DefaultsFailure) -> PropertyList {
    let beginning = text.first { !$0.isWhitespace }
    do {
      switch beginning {
      case "{", "<": return try PropertyList(parsing: Data(text.utf8))
      case "(", "\"": return try PropertyList(parsing: Data(text.utf8), options: PlistReadOptions(format: .openStep))
      default: return .string(text)
      }
    } catch {
      throw DefaultsFailure("Could not parse: \(text).  Try single-quoting it. (\(error))")
    }
  }
}
#endif
