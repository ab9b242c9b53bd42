#if CommandLineTool
import ArgumentParser
import Plist

struct WritingOptions: ParsableArguments {
  @Flag(name: .long, help: "Sort the keys of dictionaries instead of keeping the order of the file.")
  var sortKeys = false

  @Flag(name: .long, help: "Write OpenStep and JSON text without unnecessary whitespace.")
  var compact = false

  @Flag(
    name: .long,
    help: """
      Convert values that the format cannot represent. In JSON, dates become ISO 8601, data base64, and UIDs \
      {"CF$UID": 5}. In OpenStep text, numbers and dates become strings, and booleans YES and NO. In XML, control \
      characters are removed from text.
      """)
  var lossy = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      "How to write real numbers in text: shortest (0.1) or foundation (0.10000000000000001, as Apple's tools do).",
      valueName: "style"))
  var realStyle: RealStyle = .shortest

  @Option(
    name: .long,
    help: ArgumentHelp(
      "How to write carriage returns in XML: escaped (&#13;, which every parser reads) or raw (as Apple's tools do).",
      valueName: "style"))
  var carriageReturns: CarriageReturnStyle = .escaped

  @Option(
    name: .long,
    help: ArgumentHelp(
      """
      How to write control characters that XML does not allow: raw (as Apple's tools do, with a warning), refuse, or \
      drop, which needs --lossy (default: raw, or drop with --lossy).
      """, valueName: "style"))
  var controlCharacters: ControlCharacterStyle?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The indentation of text: tab, or a number of spaces from 0 to 16 (default: tab, or 2 in JSON).",
      valueName: "indent"))
  var indent: Indent?

  @Flag(name: .long, help: "Write data in XML on the same line as its tags, not on lines of its own.")
  var dataOnOneLine = false

  @Flag(
    name: .long,
    help: """
      Write JSON the way Xcode does, for example in .xcstrings files: "key" : value, sorted keys, and no newline at \
      the end.
      """)
  var xcodeJson = false

  @Flag(
    name: .customLong("utf-16"),
    help: "Write OpenStep text and .strings files in little-endian UTF-16 with a byte order mark.")
  var utf16 = false

  func validate() throws {
    if controlCharacters == .drop, !lossy {
      throw ValidationError("Removing control characters loses text; to allow it, add --lossy.")
    }
    if xcodeJson, indent != nil { throw ValidationError("Xcode's JSON has an indentation of its own; omit --indent.") }
  }

  /// Returns the library's options for a format; there, `.strings` is an option of OpenStep text rather than a format.
  func options(for format: OutputFormat) -> PlistWriteOptions {
    PlistWriteOptions(
      sortedKeys: sortKeys || xcodeJson && format == .json, realStyle: realStyle.style,
      unrepresentable: lossy ? .convert : .refuse,
      layout: layout(for: format),
      xml: PlistWriteOptions.XMLOptions(
        carriageReturns: carriageReturns == .raw ? .raw : .escaped,
        controlCharacters: (controlCharacters ?? (lossy ? .drop : .raw)).option,
        dataLines: dataOnOneLine ? .single : .wrapped),
      openStep: PlistWriteOptions.OpenStepOptions(
        isStringsTable: format == .strings, encoding: utf16 ? .utf16 : .utf8))
  }

  private func layout(for format: OutputFormat) -> PlistWriteOptions.Layout {
    if compact, format != .xml || indent == nil { return .compact }
    if xcodeJson, format == .json { return .xcode }
    return indent?.layout ?? .standard
  }

  /// Whether the options change the format or encoding of the whole document.
  var changesForm: Bool { sortKeys || compact || utf16 || indent != nil || dataOnOneLine || xcodeJson }
}

/// An indentation on the command line: `tab` or a number of spaces.
struct Indent: ExpressibleByArgument {
  let layout: PlistWriteOptions.Layout

  init?(argument: String) {
    if argument == "tab" {
      layout = .tabs
    } else if let count = Int(argument), 0...16 ~= count {
      layout = .spaces(count)
    } else {
      return nil
    }
  }
}

struct ReadingOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      """
      The format of the input, instead of detecting it; needed only for JSON that is {}, or a single string, number, \
      true, false or null.
      """,
      valueName: "format"))
  var from: InputFormat?

  var options: PlistReadOptions { PlistReadOptions(format: from?.format) }
}

enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
  case xml, binary, openstep, gnustep, strings, json

  /// Creates a format from its name, or from plutil's name for it, such as `xml1`.
  init?(argument: String) {
    switch argument {
    case "xml1": self = .xml
    case "binary1": self = .binary
    default: self.init(rawValue: argument)
    }
  }

  init(_ format: PlistFormat) {
    switch format {
    case .xml: self = .xml
    case .binary: self = .binary
    case .openStep: self = .openstep
    case .gnuStep: self = .gnustep
    case .json: self = .json
    }
  }

  var format: PlistFormat {
    switch self {
    case .xml: .xml
    case .binary: .binary
    case .openstep, .strings: .openStep
    case .gnustep: .gnuStep
    case .json: .json
    }
  }
}

enum InputFormat: String, ExpressibleByArgument, CaseIterable {
  case xml, binary, openstep, json

  var format: PlistFormat {
    switch self {
    case .xml: .xml
    case .binary: .binary
    case .openstep: .openStep
    case .json: .json
    }
  }
}

enum RealStyle: String, ExpressibleByArgument, CaseIterable {
  case shortest, foundation

  var style: PlistWriteOptions.RealStyle {
    switch self {
    case .shortest: .shortest
    case .foundation: .foundation
    }
  }
}

enum CarriageReturnStyle: String, ExpressibleByArgument, CaseIterable {
  case escaped, raw
}

enum ControlCharacterStyle: String, ExpressibleByArgument, CaseIterable {
  case raw, refuse, drop

  var option: PlistWriteOptions.XMLOptions.ControlCharacters {
    switch self {
    case .raw: .raw
    case .refuse: .refuse
    case .drop: .omit
    }
  }
}
#endif
