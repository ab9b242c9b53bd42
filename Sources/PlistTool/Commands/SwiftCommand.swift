#if CommandLineTool
import ArgumentParser
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct SwiftCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "swift",
    abstract: "Writes structs that decode one or several files.",
    discussion: """
      Prints Swift source code to standard output. The printed types decode each of the files. A property is optional \
      if its key is missing in some dictionaries or its value is null. A value that has several types in the files \
      becomes a PropertyList of the module Plist. A value that is an integer in one place and a real number in another \
      place becomes a Double, or a PropertyList if an integer exceeds 2^53.

      If the keys of a dictionary look like data, and not like names, the tool guesses that the dictionary is a Swift \
      dictionary. The option --dictionary requests a Swift dictionary for the value of a key.

      The structs conform to Codable. With --macros, the structs have the macro @PlistCodable of the module \
      PlistMacros, which makes the structs faster to decode and encode.

      The exit status is 1 if a file is bad, and 2 if a file cannot be read; in both cases, nothing is printed.

      EXAMPLES
        plist-tool swift Info.plist > Info.swift
        plist-tool swift --name Settings --enums old.plist new.plist
        plist-tool swift --macros --dictionary Tracks Library.xml
      """)

  @Option(help: ArgumentHelp("The name of the type; by default the name of the first file.", valueName: "type"))
  var name: String?

  @Flag(help: "Write enumerations for strings that occur in several places with few different values.")
  var enums = false

  @Flag(help: "Write structs with the macro @PlistCodable instead of Codable.")
  var macros = false

  @Option(
    help: ArgumentHelp(
      "A key whose value becomes a dictionary, not a struct; the option can be repeated.", valueName: "key"))
  var dictionary: [String] = []

  @OptionGroup var reading: ReadingOptions

  @Argument(help: "The files; - or none for standard input.", completion: .file())
  var files: [String] = ["-"]

  func validate() throws {
    try InputFile.checkNames(files)
    if name == "" { throw ValidationError("The name of a type must not be empty.") }
  }

  func run() throws {
    var diagnostics = Diagnostics()
    var common: ValueSchema?
    for input in files.map({ InputFile($0) }) {
      do throws(PlistError) {
        let schema = ValueSchema(try input.propertyList(options: reading.options))
        if common == nil { common = schema } else { common?.merge(schema) }
      } catch {
        diagnostics.report(error, in: input.name)
      }
    }
    try diagnostics.finish()
    guard let common else { return }
    var model = SwiftModel(hasEnums: enums, dictionaryKeys: Set(dictionary), hasMacros: macros)
    try StandardOutput.write(model.source(for: common, named: typeName))
  }

  private var typeName: String {
    if let name { return name }
    guard let file = files.first, file != "-" else { return "Model" }
    return URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
  }
}
#endif
