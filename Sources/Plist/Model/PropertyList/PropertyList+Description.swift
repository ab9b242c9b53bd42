#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PropertyList: CustomStringConvertible, CustomDebugStringConvertible {
  /// A one-line description, such as `["name": "Ada", "born": 1815, "key": <616263>]`.
  ///
  /// Strings are quoted and escaped, reals have a decimal point or an exponent, and dates are in UTC. Data of more than
  /// 32 bytes is shortened to its first 16 bytes and its size.
  public var description: String {
    var text = ""
    write(to: &text)
    return text
  }

  /// The description with the names of the type and the case, such as `PropertyList.integer(5)`.
  public var debugDescription: String {
    switch self {
    case .null, .uid: "PropertyList.\(description)"
    default: "PropertyList.\(kind)(\(description))"
    }
  }

  private func write(to text: inout String) {
    var frames: [(keys: [String]?, values: [PropertyList], next: Int)] = []
    begin(&frames, &text)
    while let (keys, values, next) = frames.last {
      guard next < values.count else {
        text += keys != nil && values.isEmpty ? ":]" : "]"
        frames.removeLast()
        continue
      }
      frames[frames.count - 1].next += 1
      if next > 0 { text += ", " }
      if let keys {
        keys[next].writeQuoted(to: &text)
        text += ": "
      }
      values[next].begin(&frames, &text)
    }
  }

  private func begin(_ frames: inout [(keys: [String]?, values: [PropertyList], next: Int)], _ text: inout String) {
    switch self {
    case .array(let elements):
      text += "["
      frames.append((nil, elements, 0))
    case .dictionary(let dictionary):
      text += "["
      frames.append((dictionary.keyStorage.keys, dictionary.valueStorage, 0))
    default: writeScalar(to: &text)
    }
  }

  static func describe(_ data: Data) -> String {
    let digits = Array("0123456789abcdef")
    let isLong = data.count > 32
    var text = "<"
    for byte in data.prefix(isLong ? 16 : 32) {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return text + (isLong ? "… \(data.count) bytes>" : ">")
  }
}

extension String {
  /// Writes the string in quotation marks, and escapes quotation marks, backslashes, line breaks and invisible
  /// characters.
  func writeQuoted(to text: inout String) {
    text += "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.isInvisible: text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}

extension Unicode.Scalar {
  /// Whether the scalar is a control character, a line separator, or an invisible formatting character.
  fileprivate var isInvisible: Bool {
    switch value {
    case 0x00...0x1F, 0x7F...0x9F, 0x200B...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
    default: false
    }
  }
}

extension Date {
  /// The date in a form such as `2001-01-01T00:00:00Z`, in UTC and the proleptic Gregorian calendar, with any fraction
  /// of a second.
  ///
  /// If this form can't be exact, as for NaN and for very large or tiny intervals, the description shows the number of
  /// seconds since 2001 instead, as in `date(nan)`.
  var propertyListDescription: String {
    let interval = timeIntervalSinceReferenceDate
    let seconds = interval.rounded(.down)
    let fraction = interval - seconds
    let digits = fraction.description  // "0.25"
    // 10¹³ seconds is about 300,000 years. `abs(interval) < 1e13` is also false for NaN.
    guard abs(interval) < 1e13, seconds + fraction == interval, fraction < 1, !digits.contains("e"),
      interval != 0 || interval.sign == .plus, let date = GregorianDate(secondsSinceReference: seconds)
    else { return "date(\(interval))" }
    let text = date.description
    return fraction == 0 ? text : text.dropLast() + digits.dropFirst() + "Z"
  }
}
