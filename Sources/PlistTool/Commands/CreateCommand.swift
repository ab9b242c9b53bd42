#if CommandLineTool
import ArgumentParser
import Plist

struct CreateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "create",
    abstract: "Creates a property list.",
    discussion: """
      Without a value, the property list is an empty dictionary. The value is written as for the set command. An \
      existing file is left alone, unless --force is given.

      Exits with 1 if the file exists or the format cannot represent the value, and 2 if the file cannot be written.

      EXAMPLES
        plist-tool create settings.plist
        plist-tool create --to binary --type array list.plist
        plist-tool create --to xml - '{ name = Ada; tags = (a, b); }'
      """)

  @Option(name: .long, help: ArgumentHelp("The format to write.", valueName: "format"))
  var to: OutputFormat = .xml

  @Flag(name: .shortAndLong, help: "Replace an existing file.")
  var force = false

  @OptionGroup var valueOptions: ValueOptions

  @OptionGroup(title: "Formatting")
  var writing: WritingOptions

  @Argument(help: "The file; - for standard output.", completion: .file())
  var file: String

  @Argument(help: "The value.")
  var value: String?

  func validate() throws {
    try InputFile.checkNames([file])
    if value != nil { try valueOptions.check(value) }
    try ArgumentText.check([value ?? ""])
    if file == "-" {
      try StandardOutput.check(to, advice: "name a file, or write to a pipe")
    }
  }

  func run() throws {
    var output = OutputFile(file, isForced: force)
    var diagnostics = Diagnostics()
    do {
      output.mustBeNew = try !force && output.isOrdinary()
      let isEmpty = value == nil && valueOptions.valueFile == nil && valueOptions.type == nil
      let value: PropertyList =
        try isEmpty ? [:] : valueOptions.value(value, inPlaceOf: nil, in: to == .json ? .json : .xml)
      if output.mustBeNew, let path = output.path, (try? FileSystem.status(of: path))?.map(\.isRegular) == true {
        throw PlistError.existingFile
      }
      try output.write(value, format: to, options: writing.options(for: to))
    } catch let error as PlistError {
      diagnostics.report(error, in: output.name)
    }
    try diagnostics.finish()
  }
}

extension PlistError {
  static var existingFile: PlistError {
    PlistError(code: .fileExists, message: "the file already exists; to replace it, use --force")
  }
}

extension PlistError.Code {
  static let fileExists = Self("fileExists", category: .data)
}
#endif
