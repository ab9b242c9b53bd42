#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Conversions to Swift types, following the rules of Foundation's coders.
extension DecoderState {
  @inline(never)
  func mismatch(_ value: DecodingValue) -> DecodingFault {
    isNil(value) ? .null(value.node) : .mismatch(value.node)
  }

  @inline(__always)
  func isNil(_ value: DecodingValue) -> Bool {
    let token = value.token
    guard token.kind == .string else { return token.kind == .null }
    // Writers spell `$null` as five ASCII bytes, so a spelling with character references doesn't count.
    if hasUsualNil {
      return token.count == 5 && document.withBytes { $0.hasBytes("$null", at: token.range.lowerBound) }
    }
    return isSentinel(value)
  }

  @inline(never)
  private func isSentinel(_ value: DecodingValue) -> Bool {
    guard let sentinel = options.nilDecodingStrategy.sentinel, let text = try? text(value) else {
      return false
    }
    return text.hasSameBytes(as: sentinel)
  }

  /// Converts an integer, or a real that is a whole number, to an integer type that can represent it.
  @inline(__always)
  func integer<Integer: FixedWidthInteger>(
    _ value: DecodingValue, as type: Integer.Type
  ) throws(DecodingFault) -> Integer {
    let token = try number(value)
    switch token.kind {
    case .integer: if let integer = Integer(exactly: token.first) { return integer }
    case .negativeInteger: if let integer = Integer(exactly: Int64(bitPattern: token.first)) { return integer }
    case _ where token.form == .rounded:
      if let integer = document.numberText(at: value.node).flatMap({ Integer($0) }) { return integer }
    default: if let integer = Integer(exactly: Double(bitPattern: token.first)) { return integer }
    }
    throw .misfit(value.node)
  }

  /// Returns the token of a number, parsing it from a string if decoding is lenient.
  private func number(_ value: DecodingValue) throws(DecodingFault) -> PlistToken {
    let token = value.token
    switch token.kind {
    case .integer, .negativeInteger, .real: return token
    default: return try converted(value) { PlistDecoder.TextDecodingStrategy.number($0) }
    }
  }

  @inline(never)
  private func converted<Value>(
    _ value: DecodingValue, _ convert: (String) -> Value?
  ) throws(DecodingFault) -> Value {
    if isLenient, value.token.kind == .string, let converted = convert(try text(value)) { return converted }
    throw mismatch(value)
  }

  /// Converts a real or an integer to the nearest `Double`.
  func double(_ value: DecodingValue) throws(DecodingFault) -> Double {
    let token = try number(value)
    switch token.kind {
    case .integer: return Double(token.first)
    case .negativeInteger: return Double(Int64(bitPattern: token.first))
    default: return Double(bitPattern: token.first)
    }
  }

  /// Converts a real or an integer to `Float`; a real in a binary document must convert exactly.
  ///
  /// A real in text or a `PropertyList` is rounded. One that is too large for `Float` is an error, except in XML, where
  /// it becomes infinity, as in Foundation.
  func float(_ value: DecodingValue) throws(DecodingFault) -> Float {
    let token = try number(value)
    switch token.kind {
    case .integer: return Float(token.first)
    case .negativeInteger: return Float(Int64(bitPattern: token.first))
    default: break
    }
    let real = Double(bitPattern: token.first)
    if real.isNaN { return Float(real) }
    guard document.kind != .binary else {
      guard let exact = Float(exactly: real) else { throw .misfit(value.node) }
      return exact
    }
    var rounded = Float(real)
    let next = real < Double(rounded) ? rounded.nextDown : rounded.nextUp
    // If the `Double` is halfway between two `Float`s, only the digits in JSON tell which one is nearer.
    if real - Double(rounded) == Double(next) - real, let text = document.numberText(at: value.node) {
      rounded = Float(text) ?? rounded
    }
    let isXML = document.kind == .text && document.format == .xml
    guard rounded.isFinite || real.isInfinite || isXML else { throw .misfit(value.node) }
    return rounded
  }

  /// Converts a number to `Decimal`, using all its digits in JSON, or the shortest digits that identify any other real.
  func decimal(_ value: DecodingValue) throws(DecodingFault) -> Decimal {
    var token = value.token
    if token.kind == .string, isLenient { token = try number(value) }
    let decimal: Decimal?
    switch token.kind {
    case .integer: decimal = Decimal(token.first)
    case .negativeInteger: decimal = Decimal(Int64(bitPattern: token.first))
    case .real:
      let real = Double(bitPattern: token.first)
      if real.isNaN { return .nan }
      let digits =
        value.token.kind == .string ? try text(value) : document.numberText(at: value.node) ?? "\(real)"
      decimal = real.isFinite ? Decimal(string: digits) : nil
    // The value may be a dictionary of the number's parts.
    default: throw .undecided
    }
    guard let decimal, !decimal.isNaN else { throw .misfit(value.node) }
    return decimal
  }

  /// Converts a string to a URL; a URL encoded as a dictionary is left to `URL`'s own initializer.
  func url(_ value: DecodingValue) throws(DecodingFault) -> URL {
    guard value.token.kind == .string, !isNil(value) else { throw .undecided }
    let text = try text(value)
    guard let url = URL(string: text) else {
      throw .malformed(
        document.error(
          .invalidValue, "\(document.description(of: value.node)) is not a URL", at: value.node,
          path: PropertyListPath()))
    }
    return url
  }

  func bool(_ value: DecodingValue) throws(DecodingFault) -> Bool {
    let token = value.token
    switch token.kind {
    case .booleanTrue: return true
    case .booleanFalse: return false
    default: return try converted(value) { PlistDecoder.TextDecodingStrategy.bool($0) }
    }
  }

  @inline(__always)
  func string(_ value: DecodingValue) throws(DecodingFault) -> String {
    let token = value.token
    guard token.kind == .string else { throw mismatch(value) }
    if isNil(value) { throw .null(value.node) }
    return try text(value)
  }

  func date(_ value: DecodingValue) throws(DecodingFault) -> Date {
    let token = value.token
    let seconds =
      token.kind == .date
      ? Double(bitPattern: token.first)
      : try converted(value) { PlistDecoder.TextDecodingStrategy.secondsOfDate($0) }
    return Date(timeIntervalSinceReferenceDate: seconds)
  }

  func data(_ value: DecodingValue) throws(DecodingFault) -> Data {
    let token = value.token
    if token.kind == .data { return try bytes(value) }
    return try converted(value) { Data(base64Encoded: $0) }
  }

  func uid(_ value: DecodingValue) throws(DecodingFault) -> PropertyListUID {
    let token = value.token
    if token.kind == .uid { return PropertyListUID(UInt32(truncatingIfNeeded: token.first)) }
    // In JSON and OpenStep text, a UID is written as a dictionary whose only key is `CF$UID`.
    if isLenient, let (count, start) = try document.contents(of: value.node, .beginDictionary), count == 1,
      let pair = try document.pairs(count, from: start).first,
      try names(of: CollectionOfOne(pair.key)) == [PropertyListUID.dictionaryKey]
    {
      return PropertyListUID(try integer(document.value(at: pair.value), as: UInt32.self))
    }
    throw mismatch(value)
  }
}

/// Parsing of the text that writers use for numbers, booleans and dates.
extension PlistDecoder.TextDecodingStrategy {
  /// Returns the number that `text` represents, which can be `nan`, or `inf` or `infinity` with or without a sign.
  static func number(_ text: String) -> PlistToken? {
    if let integer = PropertyListInteger(text) { return PlistToken(integer) }
    return whole(text) { (bytes) throws(XMLFailure) in try XMLNumber.real(bytes, from: 0) }
  }

  /// Returns the number or boolean that a command-line argument represents.
  package static func value(_ word: String) -> PropertyList? {
    guard let number = number(word) else { return bool(word).map(PropertyList.boolean) }
    return number.kind == .real ? .real(Double(bitPattern: number.first)) : .integer(number.integer)
  }

  /// Returns true for `1`, `yes`, `true` and `on`, and false for `0`, `no`, `false` and `off`, ignoring case.
  package static func bool(_ text: String) -> Bool? {
    guard text.utf8.count <= 5 else { return nil }
    switch text.lowercased() {
    case "1", "yes", "true", "on": return true
    case "0", "no", "false", "off": return false
    default: return nil
    }
  }

  /// Returns the seconds since the reference date for text such as `2001-01-01T00:00:00Z` or, as in OpenStep,
  /// `2001-01-01 00:00:00 +0000`.
  static func secondsOfDate(_ text: String) -> Double? {
    let token =
      whole(text) { (bytes) throws(XMLFailure) in try XMLDate.read(bytes, from: 0) }
      ?? text.withByteSpan { try? OpenStepDate.read($0, in: 0..<$0.byteCount) }
    if let token { return Double(bitPattern: token.first) }
    // In JSON, seconds can have a fraction.
    guard let point = text.firstIndex(of: "."), text.last == "Z" else { return nil }
    let digits = text[text.index(after: point)...].dropLast()
    guard !digits.isEmpty, digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }),
      let fraction = Double("0.\(digits)"), let whole = secondsOfDate("\(text[..<point])Z")
    else { return nil }
    return whole + fraction
  }

  /// Returns the token that `read` parses from `text`, or nil if it does not consume all of it.
  private static func whole(
    _ text: String, _ read: (RawSpan) throws(XMLFailure) -> (PlistToken, Int)
  ) -> PlistToken? {
    // `read` would skip white space and interpret markup, so neither is allowed.
    guard !text.isEmpty, !text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x3C || $0 == 0x26 }) else { return nil }
    return "\(text)</>".withByteSpan { bytes in
      guard let (token, end) = try? read(bytes), end == bytes.byteCount - 3 else { return nil }
      return token
    }
  }
}
