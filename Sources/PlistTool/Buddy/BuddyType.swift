#if CommandLineTool
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

enum BuddyType: String {
  case string, array, dict, bool, real, integer, date, data

  /// Finds a type by name, ignoring case.
  init?(_ name: String) { self.init(rawValue: name.lowercased()) }

  var empty: PropertyList {
    switch self {
    case .string: ""
    case .array: []
    case .dict: [:]
    case .bool: false
    case .real: 0.0
    case .integer: 0
    case .date: .date(Date(timeIntervalSinceReferenceDate: 0))
    case .data: .data(Data())
    }
  }

  /// Parses `text` as a value of this type; a container is always empty.
  func value(_ text: String) throws(BuddyError) -> PropertyList {
    switch self {
    case .string: return .string(text)
    case .array, .dict: return empty
    case .bool: return .boolean(["true", "yes", "1"].contains(text.lowercased()))
    case .data: return .data(Data(text.utf8))
    case .real:
      guard let real = try? PlutilArgument.float(text) else {
        throw BuddyError(misunderstood: "Unrecognized Real Format")
      }
      return real
    case .integer:
      let isHexadecimal = text.lowercased().hasPrefix("0x")
      let digits = isHexadecimal ? UInt64(text.dropFirst(2), radix: 16).map(PropertyListInteger.init) : nil
      guard let integer = digits ?? PropertyListInteger(text) else {
        throw BuddyError(misunderstood: "Unrecognized Integer Format")
      }
      return .integer(integer)
    case .date:
      guard let date = BuddyDate.date(text) else { throw BuddyError(misunderstood: "Unrecognized Date Format") }
      return .date(date)
    }
  }

  /// Parses `text` as the type of `old`, or as a string if `old` is a container or null.
  static func value(like old: PropertyList, _ text: String) throws(BuddyError) -> PropertyList {
    switch old {
    case .boolean: return try BuddyType.bool.value(text)
    case .integer: return try BuddyType.integer.value(text)
    case .real: return try BuddyType.real.value(text)
    case .date: return try BuddyType.date.value(text)
    case .data: return try BuddyType.data.value(text)
    case .uid:
      guard let value = UInt32(text) else { throw BuddyError(misunderstood: "Unrecognized Integer Format") }
      return .uid(PropertyListUID(value))
    case .string, .null, .array, .dictionary: return .string(text)
    }
  }

  static func name(of value: PropertyList) -> String {
    switch value {
    case .dictionary: "dict"
    case .boolean: "bool"
    default: value.kind.rawValue
    }
  }
}

/// The output of `Print`: a tree for a container, plain text for a scalar.
enum BuddyPrinter {
  /// Returns bytes rather than a `String`, because `Print` writes data as raw bytes.
  static func text(of value: PropertyList) -> Data {
    var text = Data()
    var walk = ValueWalk(value)
    while let step = walk.next() {
      text += Data(String(repeating: "    ", count: walk.position.depth).utf8)
      switch step {
      case .end: text += Data("}\n".utf8)
      case .begin(let value), .leaf(let value):
        if let key = walk.position.key { text += Data("\(key) = ".utf8) }
        text += line(of: value) + Data("\n".utf8)
      }
    }
    return text
  }

  /// Returns the text of a scalar, or the first line of a container.
  private static func line(of value: PropertyList) -> Data {
    switch value {
    case .array: Data("Array {".utf8)
    case .dictionary: Data("Dict {".utf8)
    case .string(let string): Data(string.utf8)
    case .integer(let integer): Data(integer.description.utf8)
    case .real(let real): Data(PlutilNumber.text(of: real).utf8)
    case .boolean(let boolean): Data((boolean ? "true" : "false").utf8)
    case .date(let date): Data(BuddyDate.text(of: date).utf8)
    case .data(let data): data
    case .uid(let uid): Data("{value = \(uid.value)}".utf8)
    case .null: Data("null".utf8)
    }
  }
}
#endif
