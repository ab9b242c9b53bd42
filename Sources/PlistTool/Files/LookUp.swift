#if CommandLineTool
import ArgumentParser
import Plist

struct LookUp {
  private let input: InputFile
  private let options: PlistReadOptions

  init(_ file: String, options: PlistReadOptions = PlistReadOptions()) {
    input = InputFile(file)
    self.options = options
  }

  /// Calls `body` to look up a value in the validated document.
  ///
  /// If there is no such value, `body` sets the exit status.
  func run(_ body: (PlistDocument, inout ToolStatus) throws -> Void) throws {
    var diagnostics = Diagnostics()
    var status = ToolStatus.good
    do {
      let document = try input.document(options: options)
      try document.validate()
      try body(document, &status)
    } catch let error as PlistError {
      diagnostics.report(error, in: input.name)
    }
    try diagnostics.finish()
    if status != .good { throw status.exitCode }
  }

  /// Reads a file that may be malformed, passes its value to `body`, and reports repairs and errors.
  ///
  /// - Throws: `ExitCode` if the file is beyond repair.
  func runLeniently(readsAll: Bool, _ body: (PropertyList) throws -> Void) throws {
    var diagnostics = Diagnostics()
    do {
      let value = try LenientOptions.value(of: input.bytesWithNote().data, options: options, readsAll: readsAll) {
        diagnostics.report($0, in: input.name, as: .warning)
      }
      try body(value)
    } catch let error as PlistError {
      diagnostics.report(error, in: input.name)
    }
    try diagnostics.finish()
  }
}
#endif
