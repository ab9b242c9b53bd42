#if CommandLineTool
import ArgumentParser
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An error or warning about a file, in the format of compilers, which editors understand: `file:line:column: error:
/// message (at path)`.
struct Diagnostic: Sendable {
  enum Severity: String {
    case error, warning
  }

  let error: PlistError
  let name: String
  let severity: Severity

  init(_ error: PlistError, in name: String, as severity: Severity = .error) {
    self.error = error
    self.name = name
    self.severity = severity
  }

  /// The diagnostic on one line.
  var text: String {
    var text = name
    if let line = error.line, let column = error.column { text += ":\(line):\(column)" }
    text += ": \(severity): "
    if hasByteOffset { text += "byte \(error.offset): " }
    text += error.message
    if let path = error.path, !path.isRoot { text += " (at \(path))" }
    return text
  }

  /// The diagnostic as a property list, without the file's name.
  var propertyList: PropertyList {
    var fields: PropertyListDictionary = ["severity": .string(severity.rawValue), "code": .string(error.code.name)]
    if let line = error.line, let column = error.column {
      fields["line"] = .integer(PropertyListInteger(line))
      fields["column"] = .integer(PropertyListInteger(column))
    }
    if error.line != nil || hasByteOffset { fields["offset"] = .integer(PropertyListInteger(error.offset)) }
    if let path = error.path { fields["path"] = .string(path.description) }
    fields["message"] = .string(error.message)
    return .dictionary(fields)
  }

  /// Whether the position is a byte offset.
  private var hasByteOffset: Bool { error.format == .binary && error.code.category != .io && !isAboutWriting }

  /// Whether the error is about a value to write, so that its position is not a position in the input.
  private var isAboutWriting: Bool { error.code == .unrepresentableValue }
}

/// Reports errors of files on standard error, and keeps the exit status of the command.
struct Diagnostics {
  private(set) var status = ToolStatus.good

  /// Reports an error of the file `name`.
  mutating func report(_ error: PlistError, in name: String, as severity: Diagnostic.Severity = .error) {
    Self.write(Diagnostic(error, in: name, as: severity).text)
    if severity == .error { status = max(status, ToolStatus(error)) }
  }

  /// Ends the command with its exit status if the status is not 0.
  func finish() throws {
    if status != .good { throw status.exitCode }
  }

  /// Writes one line.
  static func write(_ line: String) {
    // If standard error is closed, the line is dropped.
    _ = StandardError.write(escaped(line) + "\n")
  }

  /// Returns the text with escapes for characters that would break the line or control the terminal.
  ///
  /// Escaping is needed because messages quote keys and text of files, which are untrusted.
  static func escaped(_ text: String) -> String {
    if text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if let byte = SystemPath.foreignByte(of: scalar) {
        result += "\\x\(String(byte, radix: 16, uppercase: true))"
      } else if isTrouble(scalar.properties) {
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

/// A name space for writing to standard error; a failure to write cannot be reported.
enum StandardError {
  /// Whether standard error is a terminal, which can show a progress bar.
  static var isTerminal: Bool { FileDescriptor.standardError.isTerminal }

  /// Writes all of `text`; returns whether the write succeeded.
  @discardableResult
  static func write(_ text: String) -> Bool {
    FileDescriptor.standardError.write(Data(text.utf8).bytes) == nil
  }
}
#endif
