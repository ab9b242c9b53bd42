#if CommandLineTool
import ArgumentParser
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct GetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "get",
    abstract: "Prints the value at a path, for scripts.",
    discussion: """
      A path is keys and array indices joined by dots, as in servers.0.port. A backslash before a dot makes the dot \
      part of a key, as in NSAppTransportSecurity.example\\.com.

      With --format text, strings are printed as they are, dates in ISO 8601, and data in base64, each followed by a \
      newline; arrays and dictionaries are printed as XML. --format raw leaves out that newline, and prints data as \
      raw bytes.

      Exits with 1 if the file is bad, or if there is no value at the path and no default, and 2 if the file cannot be \
      read.

      EXAMPLES
        plist-tool get Info.plist CFBundleVersion
        plist-tool get --format json settings.plist servers.0
        plist-tool get --format raw settings.plist icon > icon.png
        plist-tool get --default 8080 settings.plist port
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, raw, xml, binary, openstep, gnustep, json

    var document: OutputFormat? { OutputFormat(rawValue: rawValue) }
  }

  @Option(name: .shortAndLong, help: ArgumentHelp("How to print the value.", valueName: "format"))
  var format: Format = .text

  @Option(name: .long, help: ArgumentHelp("Print this text if there is no value at the path.", valueName: "text"))
  var `default`: String?

  @OptionGroup var writing: WritingOptions

  @OptionGroup var lookUp: LookUpArguments

  func validate() throws {
    try ArgumentText.check([`default` ?? ""])
    if let format = format.document {
      try StandardOutput.check(format, advice: "redirect standard output to a file or a pipe")
    }
  }

  func run() throws {
    try lookUp.run { document, _ in
      let path = lookUp.propertyListPath
      if let text = `default`, document.root[path] == nil {
        return try StandardOutput.write(format == .text ? "\(text)\n" : text)
      }
      try write(document.existing(at: path).propertyList())
    }
  }

  private func write(_ value: PropertyList) throws {
    if format == .raw, case .data(let data) = value { return try StandardOutput.write(data) }
    if format.document == nil, let text = value.plainText {
      return try StandardOutput.write(format == .text ? "\(text)\n" : text)
    }
    let document = format.document ?? .xml
    let data: Data
    do { data = try value.data(format: document.format, options: writing.options(for: document)) } catch {
      throw error.namingLossy
    }
    try StandardOutput.write(data)
    // Compact output does not end with a line break.
    if document != .binary, data.last != 0x0A { try StandardOutput.write("\n") }
  }
}
#endif
