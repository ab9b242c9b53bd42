#if CommandLineTool
import ArgumentParser
import Plist

extension PlutilVerb {
  /// Runs the verb for each file; an error in one file does not stop the others.
  ///
  /// - Throws: `PlutilError` for options that do not suit the verb; `ExitCode`, after error messages, if a file has an
  ///   error.
  func run() throws {
    switch self {
    case .help: try StandardOutput.write(PlutilHelp.text)
    case .lint(let options):
      try Self.checkNoOutput(options, of: "-lint")
      try Self.forEachFile(options) { path in
        // Apple's `plutil -lint` does not accept JSON.
        _ = try PlutilInput(path, acceptsJSON: false)
        if !options.isSilent { try StandardOutput.write("\(PlutilInput.displayName(path)): OK\n") }
      }
    case .print(let options):
      try Self.checkNoOutput(options, of: "-p")
      if options.isSilent { Diagnostics.write("-s doesn't make a lot of sense with -p.") }
      try Self.forEachFile(options) { path in
        try StandardOutput.write(PlutilPrinter.text(of: PlutilInput(path).value))
      }
    case .convert(let format, let hasHeader, let options):
      try Self.forEachLockedFile(options) { path in
        let input = try PlutilInput(path)
        let output = PlutilOutput(input, format: format ?? input.format, options, hasHeader: hasHeader)
        try output.write(input.value)
      }
    case .edit(let edit, let keyPath, let options):
      try Self.forEachLockedFile(options) { path in
        let input = try PlutilInput(path)
        let value = try edit.applied(to: input.value, at: keyPath)
        try PlutilOutput(input, format: input.format, options).write(value, editing: input)
      }
    case .extract(let keyPath, let format, let expected, let options):
      try Self.forEachLockedFile(options, writes: format != .raw && format != .type) { path in
        let input = try PlutilInput(path)
        let value = try keyPath.value(in: input.value)
        let type = PlutilType(of: value)
        if let expected, expected != type {
          throw PlutilError("Value at [\(keyPath.text)] expected to be \(expected.rawValue) but is \(type.rawValue)")
        }
        try PlutilOutput(input, format: format ?? input.format, options, keyPath: keyPath.text).write(value)
      }
    case .create(let format, let options):
      try Self.forEachFile(options) { path in
        try PlutilOutput(creating: path, format: format, options).write([:])
      }
    }
  }

  private static func checkNoOutput(_ options: PlutilOptions, of verb: String) throws(PlutilError) {
    if options.output != nil { throw PlutilError("-o is not used with \(verb).") }
    if options.pathExtension != nil { throw PlutilError("-e is not used with \(verb).") }
  }

  /// Calls `body` for each file, holding its lock if the verb writes in place.
  private static func forEachLockedFile(
    _ options: PlutilOptions, writes: Bool = true, _ body: (String) throws -> Void
  ) throws {
    try forEachFile(options) { path in
      let isInPlace = writes && options.output == nil && options.pathExtension == nil && path != "-" && !path.isEmpty
      let lock = isInPlace ? try EditLock.take(path) : nil
      try withExtendedLifetime(lock) { try body(path) }
    }
  }

  private static func forEachFile(_ options: PlutilOptions, _ body: (String) throws -> Void) throws {
    var isGood = true
    for path in options.paths {
      do {
        try body(path)
      } catch let error as PlutilError {
        Diagnostics.write("\(PlutilInput.displayName(path)): \(error.message)")
        isGood = false
      } catch let error as PlistError {
        Diagnostics.write("\(PlutilInput.displayName(path)): \(error)")
        isGood = false
      }
    }
    if !isGood { throw ExitCode.failure }
  }
}
#endif
