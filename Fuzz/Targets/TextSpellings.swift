import Foundation
import Plist

struct OpenStepSpelling {
  private var choices: Choices
  private var text = ""

  init(_ choices: Choices) { self.choices = choices }

  mutating func document(_ value: PropertyList) -> Data {
    write(value)
    space()
    return Data(text.utf8)
  }

  private mutating func space() {
    switch choices.below(12) {
    case 5:
      // In OpenStep text, a slash right after an unquoted word would be part of the word.
      if text.utf8.last.map(Self.isWord) == true { text += " " }
      text += "/*c*/"
    case 6:
      if text.utf8.last.map(Self.isWord) == true { text += " " }
      text += "// }\u{2028}"
    case 7: text += " "
    case 8: text += "\n\t"
    case 9: text += "\u{2028}\u{B}"
    case 10: text += " /* * / é \" */"
    case 11: text += " // }\n"
    default: break
    }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch UnicodeScalar(byte) {
    case "a"..."z", "A"..."Z", "0"..."9", "_", "$", ":", ".", "-": true
    default: false
    }
  }

  private mutating func write(_ value: PropertyList) {
    space()
    switch value {
    case .data(let data):
      text += "<"
      for byte in data {
        if choices.below(16) == 1 { text += " " }
        let digits = String(byte, radix: 16, uppercase: choices.flag())
        text += byte < 16 ? "0" + digits : digits
      }
      text += ">"
    case .array(let elements):
      text += "("
      for (position, element) in elements.enumerated() {
        if position > 0 { text += "," }
        write(element)
        space()
      }
      if !elements.isEmpty, choices.flag() { text += "," }
      space()
      text += ")"
    case .dictionary(let dictionary):
      text += "{"
      for (key, value) in dictionary {
        space()
        write(text: key)
        if case .string(key) = value, value == .string(key), choices.flag() {
          space()
        } else {
          space()
          text += "="
          write(value)
          space()
        }
        text += ";"
      }
      space()
      text += "}"
    case .string(let string): write(text: string)
    default: text += "\"\""
    }
  }

  private mutating func write(text string: String) {
    if !string.isEmpty, string.utf8.allSatisfy(Self.isWord), choices.below(3) > 0 { return text += string }
    let quote: Unicode.Scalar = choices.flag() ? "'" : "\""
    text.unicodeScalars.append(quote)
    for scalar in string.unicodeScalars {
      switch (scalar, choices.below(16)) {
      case (quote, _), ("\\", _): text += "\\\(scalar)"
      case ("\n", 1): text += "\\n"
      case ("\t", 1): text += "\\t"
      case ("\u{7}", 1): text += "\\a"
      case (_, 2) where scalar.value > 0:
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          text += "\\U" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      case (_, 3) where 1..<0x80 ~= scalar.value:
        let digits = String(scalar.value, radix: 8)
        text += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text.unicodeScalars.append(quote)
  }
}

struct JSONSpelling {
  private var choices: Choices
  private var text = ""

  init(_ choices: Choices) { self.choices = choices }

  mutating func document(_ value: PropertyList) -> Data {
    write(value)
    space()
    return Data(text.utf8)
  }

  private mutating func space() {
    if choices.below(8) == 7 { text += choices.element(of: [" ", "\n", "\t", "\r\n", "  "]) }
  }

  private mutating func write(_ value: PropertyList) {
    space()
    switch value {
    case .string(let string): write(text: string)
    case .integer(let integer): text += "\(integer)"
    case .real(let real): text += choices.flag() ? "\(real)".uppercased() : "\(real)"
    case .boolean(let boolean): text += boolean ? "true" : "false"
    case .array(let elements):
      text += "["
      for (position, element) in elements.enumerated() {
        if position > 0 { text += "," }
        write(element)
        space()
      }
      space()
      text += "]"
    case .dictionary(let dictionary):
      text += "{"
      for (position, pair) in dictionary.enumerated() {
        if position > 0 { text += "," }
        space()
        write(text: pair.key)
        space()
        text += ":"
        write(pair.value)
        space()
      }
      space()
      text += "}"
    case .null, .date, .data, .uid: text += "null"
    }
  }

  private mutating func write(text string: String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch (scalar, choices.below(16)) {
      case ("\"", _), ("\\", _): text += "\\\(scalar)"
      case ("/", 1): text += "\\/"
      case ("\n", 1): text += "\\n"
      case ("\t", 1): text += "\\t"
      case (_, _) where scalar.value < 0x20, (_, 2):
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16, uppercase: choices.flag())
          text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
