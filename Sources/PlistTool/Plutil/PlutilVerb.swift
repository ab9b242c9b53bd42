#if CommandLineTool
import Plist

enum PlutilVerb {
  case help
  case lint(PlutilOptions)
  case convert(to: PlutilFormat?, header: Bool, PlutilOptions)
  case print(PlutilOptions)
  case edit(PlutilEdit, at: PlutilKeyPath, PlutilOptions)
  case extract(PlutilKeyPath, to: PlutilFormat?, expecting: PlutilType?, PlutilOptions)
  case create(PlutilFormat, PlutilOptions)

  init(_ arguments: [String]) throws(PlutilError) {
    var rest = arguments[...]
    switch rest.first {
    case "-help": self = .help
    case "-lint": self = .lint(try PlutilOptions(rest.dropFirst()))
    case "-convert":
      rest.removeFirst()
      let format = try PlutilFormat.named(rest.popFirst(), orSay: "Missing format specifier for command.")
      let hasHeader = rest.first == "-header"
      if hasHeader { rest.removeFirst() }
      guard !hasHeader || format == .objc else {
        throw PlutilError("-header is only valid for objc literal conversions.")
      }
      self = .convert(to: format, header: hasHeader, try PlutilOptions(rest))
    case "-p": self = .print(try PlutilOptions(rest.dropFirst()))
    case "-insert", "-replace":
      let isReplacing = rest.removeFirst() == "-replace"
      guard let path = rest.popFirst(), let type = rest.popFirst() else {
        throw PlutilError("'Insert' and 'Replace' require a key path, a type, and a value.")
      }
      let value = try PlutilArgument.value(type, &rest)
      let isAppending = rest.first == "-append"
      if isAppending { rest.removeFirst() }
      let edit = isReplacing ? PlutilEdit.replace(value) : isAppending ? .append(value) : .insert(value)
      self = .edit(edit, at: try PlutilKeyPath(path), try PlutilOptions(rest))
    case "-remove":
      rest.removeFirst()
      guard let path = rest.popFirst() else { throw PlutilError("'Remove' requires a key path.") }
      self = .edit(.remove, at: try PlutilKeyPath(path), try PlutilOptions(rest))
    case "-extract", "-type":
      let isType = rest.removeFirst() == "-type"
      let usage = "'Extract' requires a key path and a plist format."
      guard let path = rest.popFirst() else { throw PlutilError(usage) }
      let format = isType ? .type : try PlutilFormat.named(rest.popFirst(), orSay: usage)
      let expected = try Self.expectedType(&rest)
      self = .extract(try PlutilKeyPath(path), to: format, expecting: expected, try PlutilOptions(rest))
    case "-create":
      rest.removeFirst()
      let format = try PlutilFormat.named(rest.popFirst(), orSay: "'Create' requires a plist format.")
      self = .create(format ?? .xml, try PlutilOptions(rest))
    default: self = .lint(try PlutilOptions(rest))
    }
  }

  private static func expectedType(_ rest: inout ArraySlice<String>) throws(PlutilError) -> PlutilType? {
    guard rest.first == "-expect" else { return nil }
    rest.removeFirst()
    guard let name = rest.popFirst() else { throw PlutilError("-expect requires a type argument.") }
    guard let type = PlutilType(rawValue: name) else { throw PlutilError("-expect type [\(name)] not valid.") }
    return type
  }
}

struct PlutilOptions {
  private(set) var paths: [String] = []
  /// `-r`: indent JSON and sort the keys.
  private(set) var isReadable = false
  /// Whether to add a missing line ending to the output; `-n` turns this off.
  private(set) var endsLines = true
  /// `-s`: say nothing about valid files.
  private(set) var isSilent = false
  /// `-o`: the path of the output, or `-` for standard output.
  private(set) var output: String?
  /// `-e`: the extension of output files.
  private(set) var pathExtension: String?

  init(_ arguments: ArraySlice<String>) throws(PlutilError) {
    var rest = arguments
    while let argument = rest.popFirst() {
      switch argument {
      case "--":
        paths += rest
        rest = []
      case "-n": endsLines = false
      case "-s": isSilent = true
      case "-r": isReadable = true
      case "-o":
        output = rest.popFirst()
        if output == nil { throw PlutilError("Missing argument for -o.") }
      case "-e":
        pathExtension = rest.popFirst()
        if pathExtension == nil { throw PlutilError("Missing argument for -e.") }
      case _ where argument.hasPrefix("-") && argument != "-":
        throw PlutilError("unrecognized option: \(argument)")
      default: paths.append(argument)
      }
    }
    if paths.isEmpty { throw PlutilError("No files specified.") }
  }
}
#endif
