#if CommandLineTool
import ArgumentParser
import Plist

enum ColorMode: String, ExpressibleByArgument, CaseIterable {
  case auto, always, never
}

struct ColorOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "When to colour the output: auto (on a terminal, unless NO_COLOR is set), always or never.", valueName: "when"))
  var color: ColorMode = .auto

  var palette: Palette {
    switch color {
    case .always: return .colored
    case .never: return .plain
    case .auto:
      let isRefused = FileSystem.environmentVariable("NO_COLOR").map { !$0.isEmpty } ?? false
      let isDumb = FileSystem.environmentVariable("TERM") == "dumb"
      return StandardOutput.isTerminal && !isRefused && !isDumb ? .colored : .plain
    }
  }
}

/// The basic terminal colors, which themes keep readable.
struct Palette: Sendable {
  private let isColored: Bool

  static let plain = Palette(isColored: false)
  static let colored = Palette(isColored: true)

  private init(isColored: Bool) { self.isColored = isColored }

  /// A role, whose raw value is its color's code in an ANSI escape sequence.
  enum Role: String {
    case key = "36"
    case string = "32"
    case number = "33"
    case boolean = "35"
    case date = "34"
    case note = "2"
    case added = "92"
    case removed = "91"
    case changed = "93"
  }

  func paint(_ text: String, _ role: Role) -> String {
    isColored ? "\u{1B}[\(role.rawValue)m\(text)\u{1B}[0m" : text
  }

  /// Returns the description of a value, in color if it is a scalar.
  func paint(_ value: PropertyList) -> String {
    let text = value.description
    switch value {
    case .string: return paint(text, .string)
    case .integer, .real, .uid: return paint(text, .number)
    case .boolean, .null: return paint(text, .boolean)
    case .date: return paint(text, .date)
    case .data: return paint(text, .note)
    case .array, .dictionary: return text
    }
  }
}
#endif
