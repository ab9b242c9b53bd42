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
    abstract: "Generates Swift structs that decode the given files.",
    discussion: """
      Prints Swift source code whose types decode each of the files. A property is optional if its key is missing in \
      some dictionaries or its value is null. A value that has several types in the files becomes a PropertyList of \
      the module Plist. A value that is sometimes an integer and sometimes a real number becomes a Double, or a \
      PropertyList if an integer exceeds 2^53.

      If the keys of a dictionary look like data rather than names, the tool guesses that it should be a Swift \
      dictionary. --dictionary asks for one by its key.

      The structs conform to Codable. With --macros, they use the macro @PlistCodable of the module PlistMacros, which \
      decodes and encodes faster.

      Exits with 1 if a file is bad, and 2 if a file cannot be read; in both cases, nothing is printed.

      EXAMPLES
        plist-tool swift Info.plist > Info.swift
        plist-tool swift --name Settings --enums old.plist new.plist
        plist-tool swift --macros --dictionary Tracks Library.xml
      """)

  @Option(help: ArgumentHelp("The name of the type; by default that of the first file.", valueName: "type"))
  var name: String?

  @Flag(help: "Write enums for strings that occur in several places with few different values.")
  var enums = false

  @Flag(help: "Write structs with the macro @PlistCodable instead of Codable.")
  var macros = false

  @Option(
    help: ArgumentHelp(
      "Make the value of this key a dictionary, not a struct; can be repeated.", valueName: "key"))
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
