#if CommandLineTool
import ArgumentParser
import Plist

struct LookUpArguments: ParsableArguments {
  @OptionGroup var reading: ReadingOptions

  @Argument(help: "The file; - for standard input.", completion: .file())
  var file: String

  @Argument(help: "The path of the value; by default the whole property list.")
  var path: String = ""

  var propertyListPath: PropertyListPath { PropertyListPath(path) }

  func validate() throws { try InputFile.checkNames([file]) }

  func run(_ body: (PlistDocument, inout ToolStatus) throws -> Void) throws {
    try LookUp(file, options: reading.options).run(body)
  }
}
#endif
