#if CommandLineTool
import Plist

/// Prints a tree with one line for each scalar and each empty container.
///
/// The contents of a container are printed between brackets and indented by two spaces. Since there is no recursion,
/// the nesting can be arbitrarily deep.
struct ValuePrinter {
  private let output: (String) throws -> Void
  private let palette: Palette
  /// How many levels to print; for containers below them, only the number of values is shown.
  private let depth: Int
  private var text = ""
  private var open: [Container] = []

  private struct Container {
    let value: PropertyList
    let count: Int
    var next = 0
  }

  /// Creates a printer that passes pieces of about 64 KiB to `output`, so that a large tree is never in memory as a
  /// whole.
  init(palette: Palette = .plain, depth: Int = .max, to output: @escaping (String) throws -> Void) {
    self.palette = palette
    self.depth = depth
    self.output = output
  }

  mutating func print(_ value: PropertyList) throws {
    begin(value)
    while let container = open.last {
      let index = container.next
      guard index < container.count else {
        open.removeLast()
        indent()
        text += container.value.kind == .array ? "]\n" : "}\n"
        continue
      }
      open[open.count - 1].next += 1
      indent()
      switch container.value {
      case .array(let elements):
        text += palette.paint("\(index)", .note) + ": "
        begin(elements[index])
      case .dictionary(let dictionary):
        let (key, value) = dictionary[dictionary.index(dictionary.startIndex, offsetBy: index)]
        text += palette.paint("\(PropertyList.string(key))", .key) + ": "
        begin(value)
      default: break
      }
      if text.utf8.count >= 1 << 16 { try flush() }
    }
    try flush()
  }

  /// Prints a scalar, or the first line of a container.
  private mutating func begin(_ value: PropertyList) {
    guard value.kind == .array || value.kind == .dictionary else {
      text += palette.paint(value) + "\n"
      return
    }
    let brackets = value.kind == .array ? ("[", "]") : ("{", "}")
    let count = value.count
    if count == 0 {
      text += "\(brackets.0)\(brackets.1)\n"
    } else if open.count < depth {
      text += "\(brackets.0)\n"
      open.append(Container(value: value, count: count))
    } else {
      let noun = value.kind == .array ? "element" : "pair"
      text += "\(brackets.0)…\(brackets.1) " + palette.paint("\(count) \(noun)\(count == 1 ? "" : "s")", .note) + "\n"
    }
  }

  private mutating func indent() {
    text += String(repeating: "  ", count: open.count)
  }

  private mutating func flush() throws {
    try output(text)
    text = ""
  }
}
#endif
