#if CommandLineTool
import Foundation
import Plist

/// The order in which plutil shows keys: as a person would, `k9` before `k10`, and `a` beside `A`.
enum PlutilKeyOrder {
  private static let locale = Locale(identifier: "")

  static func sorted(_ keys: [String]) -> [String] {
    keys.sorted {
      let order = $0.compare($1, options: [.numeric, .caseInsensitive, .forcedOrdering], range: nil, locale: locale)
      return order == .orderedAscending
    }
  }
}

/// Real numbers as plutil has them in raw output and in literals.
enum PlutilNumber {
  /// Six digits behind the point, or as many as are needed where those are another number.
  static func text(of real: Double) -> String {
    let text = String(format: "%f", real)
    return !real.isFinite || Double(text) == real ? text : real.description
  }
}

/// `-p`: a tree for people.
enum PlutilPrinter {
  /// The tree, each of its lines with an end.
  static func text(of value: PropertyList) -> String {
    var text = ""
    var walk = ValueWalk(value, order: PlutilKeyOrder.sorted)
    while let step = walk.next() {
      text += String(repeating: "  ", count: walk.place.depth)
      switch step {
      case .end(.array): text += "]\n"
      case .end: text += "}\n"
      case .begin(let value), .leaf(let value):
        if let key = walk.place.key {
          text += "\"\(key)\" => "
        } else if walk.place.depth > 0 {
          text += "\(walk.place.index) => "
        }
        text += line(of: value) + "\n"
      }
    }
    return text
  }

  /// A leaf, or how a container begins.
  private static func line(of value: PropertyList) -> String {
    switch value {
    case .array: "["
    case .dictionary: "{"
    case .string(let string): "\"\(string)\""
    case .integer(let integer): integer.description
    case .real(let real): real.description
    case .boolean(let boolean): boolean ? "true" : "false"
    case .date(let date): date.description
    case .data(let data): "{length = \(data.count), bytes = 0x\(digits(of: data))}"
    case .uid(let uid): "{value = \(uid.value)}"
    case .null: "<null>"
    }
  }

  /// The bytes in hexadecimal; of many, the first sixteen and the last eight.
  private static func digits(of data: Data) -> String {
    let hexadecimal = { (bytes: Data) in bytes.map { String(format: "%02x", $0) }.joined() }
    if data.count <= 24 { return hexadecimal(data) }
    return "\(hexadecimal(data.prefix(16)))... \(hexadecimal(data.suffix(8)))"
  }
}

/// JSON in the layout of Apple's writer: without any white space, or with a space before colons too.
enum PlutilJSON {
  /// - Throws: `PlutilError` for what JSON does not have.
  static func text(of value: PropertyList, isReadable: Bool) throws(PlutilError) -> String {
    var text = ""
    let order: (([String]) -> [String])? = isReadable ? { PlutilKeyOrder.sorted($0) } : nil
    var walk = ValueWalk(value, order: order)
    while let step = walk.next() {
      let depth = walk.place.depth
      let indent = isReadable ? String(repeating: "  ", count: depth) : ""
      switch step {
      case .end(let container):
        if isReadable { text += (isEmpty(container) ? "\n\n" : "\n") + indent }
        text += container.kind == .array ? "]" : "}"
      case .begin(let value), .leaf(let value):
        if depth > 0 {
          if walk.place.index > 0 { text += "," }
          if isReadable { text += "\n" + indent }
          if let key = walk.place.key { text += quoted(key) + (isReadable ? " : " : ":") }
        }
        guard let token = token(of: value), depth > 0 || value.kind == .array || value.kind == .dictionary else {
          let place = depth > 0 ? " (at \(walk.path))" : ""
          throw PlutilError("Invalid object in plist for JSON format\(place)")
        }
        text += token
      }
    }
    return text
  }

  private static func isEmpty(_ container: PropertyList) -> Bool {
    switch container {
    case .array(let elements): elements.isEmpty
    case .dictionary(let dictionary): dictionary.isEmpty
    default: false
    }
  }

  /// A leaf, or how a container begins; nil for what JSON does not have.
  private static func token(of value: PropertyList) -> String? {
    switch value {
    case .array: return "["
    case .dictionary: return "{"
    case .string(let string): return quoted(string)
    case .integer(let integer): return integer.description
    case .real(let real) where real.isFinite:
      let text = real.description
      return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    case .boolean(let boolean): return boolean ? "true" : "false"
    case .null: return "null"
    case .real, .date, .data, .uid: return nil
    }
  }

  private static func quoted(_ string: String) -> String {
    var text = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "/": text += "\\/"
      case "\u{8}": text += "\\b"
      case "\u{C}": text += "\\f"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case ..<" ": text += String(format: "\\u%04x", scalar.value)
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }
}
#endif
