#if CommandLineTool
import ArgumentParser
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

enum Git {
  /// Runs git and returns its output, or throws if git fails.
  static func output(_ arguments: String...) throws -> Data { try output(arguments) }

  static func output(_ arguments: [String]) throws -> Data {
    let (status, output) = try run(arguments)
    guard status == 0 else {
      Diagnostics.write("git \(arguments.joined(separator: " ")) failed with exit status \(status)")
      throw ToolStatus.failed.exitCode
    }
    return output
  }

  /// Returns the first line of git's output, or nil if git fails.
  static func line(_ arguments: String...) throws -> String? {
    let (status, output) = try run(arguments)
    guard status == 0 else { return nil }
    return String(decoding: output, as: UTF8.self).split(separator: "\n").first.map(String.init)
  }

  static func run(_ arguments: [String]) throws -> (status: Int32, output: Data) {
    do throws(SystemFailure) { return try ChildProgram.run(["git"] + arguments) } catch {
      Diagnostics.write("cannot run git: \(error.message)")
      throw ToolStatus.failed.exitCode
    }
  }
}
#endif
