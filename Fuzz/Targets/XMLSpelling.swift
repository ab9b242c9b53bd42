import Foundation
import Plist

struct XMLSpelling {
  private var choices: Choices
  private var text = ""

  init(_ choices: Choices) { self.choices = choices }

  mutating func document(_ value: PropertyList) -> Data {
    let encoding = choices.below(12)
    let name = encoding < 8 ? "utf-8" : encoding < 10 ? "UTF-16" : "UTF-32"
    if choices.flag() || encoding == 7 { text += "<?xml version=\"1.0\" encoding='\(name)'?>" }
    space()
    if choices.flag() { text += "<!DOCTYPE plist PUBLIC \"a\" 'b c'>" }
    space()
    let hasRoot = choices.below(3) > 0
    if hasRoot { text += choices.flag() ? "<plist version=\"1.0\">" : "<plist>" }
    write(value)
    space()
    if hasRoot { text += "</plist>" }
    space()
    switch encoding {
    case 6: return Data([0xEF, 0xBB, 0xBF]) + Data(text.utf8)
    case 8: return Data([0xFF, 0xFE]) + units(text.utf16, bigEndian: false)
    case 9: return Data([0xFE, 0xFF]) + units(text.utf16, bigEndian: true)
    case 10: return Data([0xFF, 0xFE, 0, 0]) + units(text.unicodeScalars.map(\.value), bigEndian: false)
    case 11: return Data([0, 0, 0xFE, 0xFF]) + units(text.unicodeScalars.map(\.value), bigEndian: true)
    default: return Data(text.utf8)
    }
  }

  private func units<Unit: FixedWidthInteger>(_ units: some Sequence<Unit>, bigEndian: Bool) -> Data {
    Data(
      units.flatMap { unit in
        let bytes = (0..<Unit.bitWidth / 8).map { UInt8(truncatingIfNeeded: unit >> (8 * $0)) }
        return bigEndian ? bytes.reversed() : bytes
      })
  }

  private mutating func space() {
    switch choices.below(16) {
    case 9, 10, 11: text += choices.element(of: [" ", "\n\t", "\r\n", "        \n", "\r"])
    case 12: text += "<!-- <a> & -> -->"
    case 13: text += "<!--é-->\n"
    case 14: text += "<?a <b> ?>"
    default: break
    }
  }

  private mutating func write(_ value: PropertyList) {
    space()
    switch value {
    case .string(let string):
      if string.isEmpty, choices.flag() { text += "<string/>" } else { element("string") { $0.write(text: string) } }
    case .integer(let integer): element("integer") { $0.write(integer) }
    case .real(let real): element("real") { $0.write(real) }
    case .boolean(let boolean):
      text += choices.flag() ? (boolean ? "<true></true>" : "<false ></false>") : (boolean ? "<true/>" : "<false />")
    case .date(let date): element("date") { $0.write(date) }
    case .data(let data): element("data") { $0.write(data) }
    case .uid(let uid): text += "<dict> <key>CF$UID</key><integer>\(uid.value)</integer></dict>"
    case .null: text += "<string/>"
    case .array(let elements):
      if elements.isEmpty, choices.flag() { return text += "<array/>" }
      element("array") { spelling in
        for element in elements { spelling.write(element) }
        spelling.space()
      }
    case .dictionary(let dictionary):
      if dictionary.isEmpty, choices.flag() { return text += "<dict />" }
      element("dict") { spelling in
        for (key, value) in dictionary {
          // If an XML dictionary repeats a key, the last value wins.
          if spelling.choices.below(32) == 1 { spelling.pair(key, .integer(7)) }
          spelling.pair(key, value)
        }
        spelling.space()
      }
    }
  }

  private mutating func pair(_ key: String, _ value: PropertyList) {
    space()
    element("key") { $0.write(text: key) }
    write(value)
  }

  private mutating func element(_ name: String, _ content: (inout Self) -> Void) {
    text += "<\(name)"
    if choices.below(16) == 1 { text += choices.element(of: [" ", "\n", " a=\"b/\"", " a='\"' b = \"\""]) }
    text += ">"
    content(&self)
    text += choices.below(16) == 1 ? "</\(name) \n>" : "</\(name)>"
  }

  private mutating func write(text string: String) {
    if choices.below(16) == 1, !string.contains("]]>") { return text += "<![CDATA[\(string)]]>" }
    for scalar in string.unicodeScalars {
      switch (scalar, choices.below(16)) {
      case (_, 1): text += "&#\(scalar.value);"
      case (_, 2): text += "&#x\(String(scalar.value, radix: 16, uppercase: choices.flag()));"
      case ("<", _): text += "&lt;"
      case ("&", 3): text += "<![CDATA[&]]>"
      case ("&", _): text += "&amp;"
      case (">", 4): text += "&gt;"
      case ("\"", 4): text += "&quot;"
      case ("'", 4): text += "&apos;"
      default: text.unicodeScalars.append(scalar)
      }
    }
  }

  private mutating func write(_ integer: PropertyListInteger) {
    if choices.flag() { text += choices.element(of: [" ", "\n\t", "\r"]) }
    let sign = integer.isNegative ? "-" : choices.flag() ? "+" : ""
    let zeros = choices.flag() ? "000" : ""
    let isHexadecimal = choices.flag()
    text += sign + (isHexadecimal ? "0x" : "") + zeros
    text += String(integer.magnitude, radix: isHexadecimal ? 16 : 10, uppercase: choices.flag())
  }

  private mutating func write(_ real: Double) {
    if real.isFinite, choices.flag() { text += " " }
    if real.isNaN {
      text += choices.element(of: ["nan", "NaN"])
    } else if real.isInfinite {
      text += (real < 0 ? "-" : choices.element(of: ["", "+"])) + choices.element(of: ["inf", "infinity", "INFINITY"])
    } else {
      let isPlain = 1e-3..<1e15 ~= abs(real)
      text += (real.sign == .plus && choices.flag() ? "+" : "") + "\(real)" + (isPlain && choices.flag() ? "000" : "")
    }
  }

  private mutating func write(_ date: Date) {
    let date = CivilTime(secondsSince2001: Int(date.timeIntervalSinceReferenceDate))
    func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let year = String(abs(date.year))
    text += (date.year < 0 ? "-" : "") + String(repeating: "0", count: max(0, 4 - year.count)) + year
    text += "-\(digits(date.month))-\(digits(date.day))T"
    text += "\(digits(date.second / 3600)):\(digits(date.second / 60 % 60)):\(digits(date.second % 60))Z"
  }

  private mutating func write(_ data: Data) {
    for character in data.base64EncodedString() {
      if choices.below(16) == 1 { text += choices.element(of: ["\n", " ", "\t\t", "\r\n"]) }
      text.append(character)
    }
    if choices.flag() { text += "\n" }
  }
}

struct CivilTime {
  let year: Int
  let month: Int
  let day: Int
  let second: Int

  init(secondsSince2001 seconds: Int) {
    let days = Int((Double(seconds) / 86_400).rounded(.down))
    second = seconds - days * 86_400
    // Here years begin in March, so the leap day is the last day of the year. There are 730,791 days from 0000-03-01 to
    // 2001-01-01.
    let shifted = days + 730_791
    let era = Int((Double(shifted) / 146_097).rounded(.down))
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }
}
