#if CommandLineTool
import ArgumentParser
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An error or warning about a file, printed in a form that compilers use and editors understand.
///
/// The format is `file:line:column: error: message (key path: a.b.0)`.
struct Diagnostic: Sendable {
  enum Severity: String {
    case error, warning, note
  }

  let error: PlistError
  let name: String
  let severity: Severity

  init(_ error: PlistError, in name: String, as severity: Severity = .error) {
    self.error = error
    self.name = name
    self.severity = error.code == .unverifiedSignature ? .note : severity
  }

  var text: String {
    var text = name
    if let line = error.line, let column = error.column { text += ":\(line):\(column)" }
    text += ": \(severity): "
    if hasByteOffset { text += "byte \(error.offset): " }
    text += error.message
    return text + (error.path?.messageSuffix(isWhole: true) ?? "")
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

  private var hasByteOffset: Bool { error.format == .binary && error.code.category != .io && !isAboutWriting }

  /// Whether the error is about a value that cannot be written, so there is no position in the input.
  private var isAboutWriting: Bool { error.code == .unrepresentableValue }
}

/// Prints errors to standard error and keeps the exit status.
struct Diagnostics {
  private(set) var status = ToolStatus.good

  mutating func report(_ error: PlistError, in name: String, as severity: Diagnostic.Severity = .error) {
    Self.write(Diagnostic(error, in: name, as: severity).text)
    if severity == .error { status = max(status, ToolStatus(error)) }
  }

  /// Throws an `ExitCode` unless the status is 0.
  func finish() throws {
    if status != .good { throw status.exitCode }
  }

  static func write(_ line: String) {
    // If standard error is closed, there is no one to tell.
    _ = StandardError.write(escaped(line) + "\n")
  }

  /// Escapes line breaks and terminal control characters, since messages quote untrusted files.
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

enum StandardError {
  static var isTerminal: Bool { FileDescriptor.standardError.isTerminal }

  /// Writes `text` to standard error and returns whether that worked.
  @discardableResult
  static func write(_ text: String) -> Bool {
    FileDescriptor.standardError.write(Data(text.utf8).bytes) == nil
  }
}
#endif
