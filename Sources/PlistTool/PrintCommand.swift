#if CommandLineTool
import ArgumentParser
import Plist

/// `plist-tool print`: shows a file to a person.
struct PrintCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "print",
    abstract: "Shows a property list as an indented tree.",
    discussion: """
      The tree is for people; to process a property list, convert it. Dictionaries are in the order of the file, \
      elements of arrays are numbered from 0, dates are in UTC, and data of more than 32 bytes is cut after 16:

        {
          "name": "Ada"
          "born": 1815-12-10T00:00:00Z
          "notes": [
            0: "A"
            1: <000102030405060708090a0b0c0d0e0f… 48 bytes>
          ]
        }

      EXAMPLES
        plist-tool print Info.plist
        plist-tool print - < Info.plist
      """)

  @Argument(help: "The file; - or none for standard input.", completion: .file())
  var file: String = "-"

  func validate() throws { try InputFile.checkNames([file]) }

  func run() throws {
    let input = InputFile(file)
    var diagnostics = Diagnostics()
    do {
      var printer = ValuePrinter { try StandardOutput.write($0) }
      try printer.print(input.propertyList())
    } catch let error as PlistError {
      diagnostics.report(error, in: input.name)
    }
    try diagnostics.finish()
  }
}
#endif
