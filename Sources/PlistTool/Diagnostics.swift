#if CommandLineTool
import ArgumentParser
import Foundation
import Plist

/// Tells on standard error what is wrong with files, in the form that compilers use and editors understand:
/// `file:line:column: error: message (at path)`.
struct Diagnostics {
  enum Severity: String {
    case error, warning
  }

  private var foundError = false

  /// Reports what is wrong with the file `name`.
  mutating func report(_ error: PlistError, in name: String, as severity: Severity = .error) {
    var text = name
    if let line = error.line, let column = error.column { text += ":\(line):\(column)" }
    text += ": \(severity): "
    // For what could not be written the offset is one in the output, which nobody has.
    if error.format == .binary, error.code != .unrepresentableValue { text += "byte \(error.offset): " }
    text += error.message
    if let path = error.path, !path.isRoot { text += " (at \(path))" }
    Self.write(text)
    if severity == .error { foundError = true }
  }

  /// Ends the command: with the status 1 if there was an error.
  func finish() throws {
    if foundError { throw ExitCode.failure }
  }

  /// Writes one line.
  static func write(_ line: String) {
    // Where standard error is closed, there is nobody to tell.
    try? FileHandle.standardError.write(contentsOf: Data((escaped(line) + "\n").utf8))
  }

  /// The text with escapes for what would break the line, or do things to the terminal: keys and text of files that
  /// nobody vouches for are part of messages.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if isTrouble(scalar.properties) {
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static func isTrouble(_ properties: Unicode.Scalar.Properties) -> Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: properties.isBidiControl
    }
  }
}

extension Diagnostics {
  /// Why Foundation could not read or write: what the system says, where it said something.
  static func reason(for error: any Error) -> String {
    guard let failure = systemFailure(error) else { return error.localizedDescription }
    return failure.localizedFailureReason ?? failure.localizedDescription
  }

  /// The failed system call behind one of Foundation's errors.
  static func systemFailure(_ error: any Error) -> NSError? {
    let error = error as NSError
    if error.domain == NSPOSIXErrorDomain { return error }
    return (error.userInfo[NSUnderlyingErrorKey] as? NSError).flatMap { $0.domain == NSPOSIXErrorDomain ? $0 : nil }
  }
}
#endif
