#if CommandLineTool
import ArgumentParser
import Plist

struct ValuePlacement: ParsableArguments {
  @OptionGroup var valueOptions: ValueOptions

  @OptionGroup var edit: EditOptions

  @Argument(help: "The path of the new value.")
  var path: String

  @Argument(help: "The value.")
  var value: String?

  func validate() throws {
    try valueOptions.check(value)
    try InputFile.checkNames([edit.file] + (valueOptions.valueFile.map { [$0] } ?? []))
    try ArgumentText.check([path, value ?? ""])
  }

  func run(_ place: (inout EditedDocument, PropertyList, PropertyListPath) throws -> Void) throws {
    let path = PropertyListPath(path)
    try edit.run { try place(&$0, valueOptions.value(value, inPlaceOf: $0.kind(at: path), in: $0.format), path) }
  }
}
#endif
