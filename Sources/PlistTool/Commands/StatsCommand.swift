#if CommandLineTool
import ArgumentParser
import Plist

struct StatsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats",
    abstract: "Counts the values in a property list.",
    discussion: """
      Prints the format and size of the file, the depth of its containers, the number of values of each kind, the \
      number of bytes of text and data, and the containers with the most values. For a binary property list, also \
      prints the number of objects, and how many are shared and unused. The values of a shared object are counted once \
      for each reference to it.

      Exits with 1 if the file is bad, and 2 if it cannot be read.

      EXAMPLES
        plist-tool stats Library.plist
        plist-tool stats --top 20 --format json archive.plist | jq .kinds
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  @Option(name: .shortAndLong, help: ArgumentHelp("How many of the largest containers to list.", valueName: "count"))
  var top: Int = 5

  @Option(name: .shortAndLong, help: ArgumentHelp("How to print the numbers: text or json.", valueName: "format"))
  var format: Format = .text

  @OptionGroup var reading: ReadingOptions

  @Argument(help: "The file; - or none for standard input.", completion: .file())
  var file: String = "-"

  func validate() throws {
    try InputFile.checkNames([file])
    if top < 0 { throw ValidationError("The number of containers must not be negative.") }
  }

  func run() throws {
    let input = InputFile(file)
    var diagnostics = Diagnostics()
    do {
      let data = try input.bytesWithNote().data
      var reader = try PlistEventReader(parsing: data, options: reading.options)
      var statistics = Statistics(subtreeLimit: top)
      try statistics.count(&reader)
      let objects = reader.format == .binary ? try PlistDocument(parsing: data).objectCounts : nil
      let report = StatisticsReport(format: reader.format, size: data.count, statistics: statistics, objects: objects)
      try StandardOutput.write(format == .text ? report.text : report.propertyList.jsonLine() + "\n")
    } catch let error as PlistError {
      diagnostics.report(error, in: input.name)
    }
    try diagnostics.finish()
  }
}
#endif
