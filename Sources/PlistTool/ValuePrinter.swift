#if CommandLineTool
import Plist

/// Writes a property list as an indented tree, for people.
///
/// One line for each value that is no container or is empty; a container's contents stand between its brackets,
/// indented by two spaces. Nothing is recursive, whatever the nesting.
struct ValuePrinter {
  private let output: (String) throws -> Void
  private var text = ""
  private var open: [Container] = []

  /// A container whose contents are being printed.
  private struct Container {
    let value: PropertyList
    let count: Int
    var next = 0
  }

  /// - Parameter output: Takes the text in pieces of some 64 KiB, so that large trees are never whole in memory.
  init(to output: @escaping (String) throws -> Void) { self.output = output }

  /// Prints `value` and a line end.
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
        text += "\(index): "
        begin(elements[index])
      case .dictionary(let dictionary):
        let (key, value) = dictionary[dictionary.index(dictionary.startIndex, offsetBy: index)]
        text += "\(PropertyList.string(key)): "
        begin(value)
      default: break
      }
      if text.utf8.count >= 1 << 16 { try flush() }
    }
    try flush()
  }

  /// Prints a value up to its line's end; the contents of a container follow later.
  private mutating func begin(_ value: PropertyList) {
    switch value {
    case .array(let elements) where elements.isEmpty: text += "[]\n"
    case .array(let elements):
      text += "[\n"
      open.append(Container(value: value, count: elements.count))
    case .dictionary(let dictionary) where dictionary.isEmpty: text += "{}\n"
    case .dictionary(let dictionary):
      text += "{\n"
      open.append(Container(value: value, count: dictionary.count))
    // The description of a value that is no container is made for people too: quoted, escaped, abbreviated.
    default: text += "\(value)\n"
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
