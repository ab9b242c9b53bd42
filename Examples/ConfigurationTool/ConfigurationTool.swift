import Foundation
import Plist

/// A command that shows and changes values of one configuration file.
struct ConfigurationTool {
  let file: URL

  /// Runs a command, and returns its output and its exit status.
  func run(_ arguments: [String]) -> (output: String, status: Int32) {
    do throws(PlistError) {
      switch (arguments.first, arguments.count) {
      case ("get", 2): return try get(PropertyListPath(arguments[1]))
      case ("set", 3): try set(PropertyListPath(arguments[1]), to: arguments[2])
      case ("unset", 2): try edit { editor throws(PlistError) in try editor.remove(at: PropertyListPath(arguments[1])) }
      case ("rename", 3):
        try edit { editor throws(PlistError) in
          try editor.renameKey(at: PropertyListPath(arguments[1]), to: arguments[2])
        }
      default: return ("usage: get PATH | set PATH VALUE | unset PATH | rename PATH KEY", 64)
      }
      return ("", 0)
    } catch {
      return (error.description, error.category == .io ? 2 : 1)
    }
  }

  private func get(_ path: PropertyListPath) throws(PlistError) -> (output: String, status: Int32) {
    let document = try PlistDocument(contentsOf: file)
    guard let node = document.root[path] else { return ("there is no value at \(path)", 1) }
    if let text = node.string { return (text, 0) }
    return (try node.propertyList().description, 0)
  }

  /// Sets a value; a string remains a string even if its text looks like a number.
  private func set(_ path: PropertyListPath, to text: String) throws(PlistError) {
    let old = try PlistDocument(contentsOf: file).root[path]
    let value = Self.value(of: text, like: old?.kind)
    try edit { editor throws(PlistError) in try editor.set(value, at: path) }
  }

  /// Changes the file; if an error occurs, the file stays unchanged.
  private func edit(_ change: (inout PlistEditor) throws(PlistError) -> Void) throws(PlistError) {
    var editor = try PlistEditor(contentsOf: file)
    try change(&editor)
    try editor.write(to: file)
  }

  private static func value(of text: String, like kind: PropertyList.Kind?) -> PropertyList {
    if kind == .string { return .string(text) }
    if kind != .real, let integer = PropertyListInteger(text) { return .integer(integer) }
    if let real = Double(text) { return .real(real) }
    if let boolean = Bool(text) { return .boolean(boolean) }
    return .string(text)
  }
}
