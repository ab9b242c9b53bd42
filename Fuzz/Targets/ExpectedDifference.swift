import Foundation
import Plist

/// An intended difference from Foundation: a different value, or a document that only one of the two accepts.
struct ExpectedDifference: Sendable {
  let reason: String
  let explains: @Sendable (Differential.Outcomes) -> Bool

  private static func stricter(
    _ reason: String, _ codes: PlistError.Code..., where document: @escaping @Sendable (Data) -> Bool = { _ in true }
  ) -> ExpectedDifference {
    ExpectedDifference(reason: reason) { outcomes in
      guard case .failure(let error) = outcomes.here, outcomes.foundation != nil else { return false }
      return codes.contains(error.code) && document(outcomes.document)
    }
  }

  private static func wider(
    _ reason: String, where document: @escaping @Sendable (Data) -> Bool
  ) -> ExpectedDifference {
    ExpectedDifference(reason: reason) { outcomes in
      guard case .success = outcomes.here, outcomes.foundation == nil else { return false }
      return document(outcomes.document)
    }
  }

  private static func unknownBinary(
    _ reason: String, where document: @escaping @Sendable (Data) -> Bool
  ) -> ExpectedDifference {
    ExpectedDifference(reason: reason) { outcomes in
      guard case .success = outcomes.here, outcomes.foundation?.format != .binary else { return false }
      return outcomes.document.isBinary && document(outcomes.document)
    }
  }

  private static func other(
    _ reason: String, where value: @escaping @Sendable (PropertyList, Data) -> Bool
  ) -> ExpectedDifference {
    ExpectedDifference(reason: reason) { outcomes in
      guard case .success(let here) = outcomes.here, outcomes.foundation != nil else { return false }
      return value(here, outcomes.document)
    }
  }

  static let all: [ExpectedDifference] = [
    wider("Foundation does not read JSON.") { PlistFormat(detecting: $0) == .json },
    ExpectedDifference(reason: "JSON is not OpenStep.") { outcomes in
      if case .failure(let error) = outcomes.here { error.format == .json } else { false }
    },
    unknownBinary("Foundation refuses UTF-16 strings that are empty.") { $0.contains(0x60) || $0.contains(0x6F) },
    unknownBinary("Foundation on Linux does not know the versions 16 and 17.") { document in
      ["bplist16", "bplist17"].contains { document.starts(with: Data($0.utf8)) }
    },
    unknownBinary("Foundation on Linux does not know ordered sets.") { $0.contains { 0xB0...0xBF ~= $0 } },
    wider("Foundation wants a mark before UTF-16.") { $0.prefix(4).contains(0) },
    wider("Foundation misses encodings that are declared with spaces.") { $0.holds("encoding") },
    other("Foundation takes the end of another word for the encoding.") { $1.namesEncodingWithinWord },
    // Foundation takes `<!---->` for just the beginning of a comment.
    ExpectedDifference(reason: "Foundation looks for the end of a first comment too late.") {
      $0.document.holds("<!----")
    },
    wider("Foundation does not know GNUstep's values.") { $0.holds("<*") || $0.holds("<[") },
    ExpectedDifference(reason: "What begins as a binary property list is one, or is broken.") { outcomes in
      guard case .failure = outcomes.here, let foundation = outcomes.foundation else { return false }
      return Data("bplist".utf8).starts(with: outcomes.document.prefix(6)) && foundation.format != .binary
    },
    ExpectedDifference(reason: "Only white space, comments and instructions may follow the root, and those complete.") {
      outcomes in
      guard case .failure(let error) = outcomes.here, error.format == .xml, outcomes.foundation != nil else {
        return false
      }
      return error.code == .trailingContent || outcomes.document.isComplete(before: error.offset)
    },
    stricter("Data is base64 and nothing else.", .invalidData),
    stricter("An element stands for itself.", .elementReference),
    stricter("A date is one of the calendar.", .invalidDate),
    stricter("A UID is an integer of 32 bits.", .invalidUID),
    stricter("A reference names a character.", .invalidReference) { $0.holds("&#") },
    stricter("Keys are strings.", .invalidKey) { $0.isBinary },
    stricter("An integer has 64 bits.", .invalidInteger) { $0.isBinary },
    stricter("Space before a number is ASCII space, and no control character.", .invalidInteger, .invalidReal) {
      $0.contains { $0 < 0x09 || 0x0E..<0x20 ~= $0 || $0 >= 0x7F }
    },
    stricter("Only encodings that XML tools share are read.", .unknownEncoding),
    stricter("Text is valid in its encoding, and has no NUL.", .invalidText) {
      $0.isBinary || $0.holds("&#") || $0.holds("\\") || $0.contains { $0 == 0 || $0 >= 0x80 }
    },
    stricter("The encoding would be a guess.", .unknownFormat) { $0.contains { $0 == 0 || $0 >= 0x80 } },
    ExpectedDifference(reason: "Attributes are well-formed, and hold neither < nor >.") { outcomes in
      guard case .failure(let error) = outcomes.here, outcomes.foundation != nil else { return false }
      return error.code == .malformedMarkup && (error.message.contains("attribute") || error.message.contains("tag"))
    },
    stricter("The encoding would be a guess.", .unexpectedCharacter, .missingValue, .truncated, .trailingContent) {
      $0.prefix(4).contains(0)
    },
    other("Zero bytes in a quoted string are characters; Foundation takes such text for UTF-16.") {
      PlistFormat(detecting: $1) == .openStep && $1.prefix(4).contains(0)
    },
    stricter("What follows a backslash is complete.", .invalidEscape),
    stricter("Only keys and values may stand in a .strings file.", .unexpectedCharacter, .missingValue, .truncated) {
      $0.first { $0 > 0x20 } != UInt8(ascii: "{")
    },
    stricter(
      "An array holds values; Foundation ends it where it cannot read one, and goes on behind what it has read of it.",
      .unexpectedCharacter, .missingValue, .truncated
    ) { PlistFormat(detecting: $0) == .openStep && $0.holds("(") },
    wider("Foundation takes neither vertical tab nor form feed for white space within data.") {
      PlistFormat(detecting: $0) == .openStep && $0.holds("<") && $0.contains { $0 == 0x0B || $0 == 0x0C }
    },
    stricter("A key ends; Foundation reads to the end before a quotation mark without another.", .truncated) {
      $0.holds("\"") || $0.holds("'")
    },
    other("Keys that are canonically equal are different keys.") { value, _ in value.holdsCanonicallyEqualKeys },
    other("U+FEFF within text is part of it.") { value, _ in value.holdsText { $0.unicodeScalars.contains("\u{FEFF}") }
    },
    other("Integers of 16 bytes are signed.") { _, document in document.isBinary && document.contains(0x14) },
  ]
}

extension Data {
  fileprivate func isComplete(before offset: Int) -> Bool {
    var end = Swift.min(offset, count)
    while true {
      if (try? PropertyList(parsing: prefix(end))) != nil { return true }
      if (try? PropertyList(parsing: prefix(end).dropLast())) != nil { return true }
      guard let markup = prefix(end).lastIndex(of: UInt8(ascii: "<")) else { return false }
      end = markup - startIndex
    }
    return false
  }

  fileprivate var namesEncodingWithinWord: Bool {
    guard let end = range(of: Data("?>".utf8)), let word = self[..<end.lowerBound].range(of: Data("encoding".utf8)),
      word.lowerBound > startIndex
    else { return false }
    return ![0x09, 0x0A, 0x0D, 0x20].contains(self[word.lowerBound - 1])
  }

  fileprivate func holds(_ text: String) -> Bool { range(of: Data(text.utf8)) != nil }
  fileprivate var isBinary: Bool { starts(with: Data("bplist".utf8)) }
}

extension PropertyList {
  /// Whether a dictionary has canonically equal keys.
  ///
  /// Such keys are equal as Swift strings, so a `Set` of them is smaller than the dictionary.
  fileprivate var holdsCanonicallyEqualKeys: Bool {
    switch self {
    case .array(let elements): elements.contains(where: \.holdsCanonicallyEqualKeys)
    case .dictionary(let dictionary):
      Set(dictionary.map(\.key)).count < dictionary.count || dictionary.contains { $0.value.holdsCanonicallyEqualKeys }
    default: false
    }
  }

  fileprivate func holdsText(where condition: (String) -> Bool) -> Bool {
    switch self {
    case .string(let text): condition(text)
    case .array(let elements): elements.contains { $0.holdsText(where: condition) }
    case .dictionary(let dictionary): dictionary.contains { condition($0.key) || $0.value.holdsText(where: condition) }
    default: false
    }
  }
}
