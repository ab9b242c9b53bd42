#if CommandLineTool
import ArgumentParser
import Plist

/// `plist-tool convert`: writes files in another format.
struct ConvertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Converts property lists to another format.",
    discussion: """
      One file, or standard input, goes to standard output unless an option says otherwise; several files need one that \
      does. Each file is written whole or not at all: after an error the old one is still there. A bad file does not \
      keep the others from being converted.

      Input of more than 32 MB is converted piece by piece, in little memory, with a progress bar where standard error \
      is a terminal. Two things are different then. Where a dictionary has a key twice, both entries are written, and \
      whoever reads the output decides which one counts: of smaller input only the one that Apple's readers take is \
      written, the last in XML and the first in binary. And standard output, which cannot be taken back, has the \
      beginning of the document when an error is found more than 1 MB of output into it; the exit status tells. \
      --sort-keys needs all of the input in memory, whatever its size.

      EXAMPLES
        plist-tool convert --to xml settings.plist
        plist-tool convert --to binary -o compact.plist settings.plist
        plist-tool convert --to xml --in-place --sort-keys *.plist
        plist-tool convert --to xml -e xml -d readable *.plist
        cat settings.plist | plist-tool convert --to binary > compact.plist
      """)

  @Option(name: .shortAndLong, help: ArgumentHelp("The format to write.", valueName: "format"))
  var to: OutputFormat

  @OptionGroup(title: "Destination")
  var destination: ConversionDestination

  @Flag(name: .long, help: "Write dictionaries in the order of their keys, not in that of the file.")
  var sortKeys = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      "How XML has real numbers: shortest (0.1) or foundation (0.10000000000000001, as Apple's tools write them).",
      valueName: "style"))
  var realStyle: RealStyle = .shortest

  @Argument(
    help: ArgumentHelp("The files; - or none for standard input.", valueName: "file"), completion: .file())
  var files: [String] = []

  func validate() throws {
    try InputFile.checkNames(files)
    let goesToStandardOutput = try plan().conversions.contains { $0.output.path == nil }
    if to == .binary, goesToStandardOutput, destination.output == nil, StandardOutput.isTerminal {
      throw ValidationError("Binary output would confuse the terminal; use -o FILE, or -o - to write it there anyway.")
    }
  }

  func run() throws {
    let options = PlistWriteOptions(sortedKeys: sortKeys, realStyle: realStyle.style)
    var diagnostics = Diagnostics()
    for (input, output) in try plan().conversions {
      do {
        try convert(input, to: output, options: options)
      } catch let error as PlistError {
        diagnostics.report(error, in: input.name)
      }
    }
    try diagnostics.finish()
  }

  private func convert(_ input: InputFile, to output: OutputFile, options: PlistWriteOptions) throws {
    let chunks = try InputChunks(input)
    if let data = try chunks.whole(upTo: sortKeys ? .max : StreamedConversion.threshold) {
      try output.write(PropertyList(parsing: data), format: to.format, options: options)
    } else {
      try StreamedConversion(to: to, options: options).run(input, chunks, to: output)
    }
  }

  private func plan() throws -> ConversionPlan {
    try ConversionPlan(InputFile.inputs(named: files), to: destination)
  }
}

/// A format that can be written, by its name on the command line.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
  case xml, binary, openstep, gnustep, json

  /// Takes the names that plutil uses as well.
  init?(argument: String) {
    switch argument {
    case "xml", "xml1": self = .xml
    case "binary", "binary1": self = .binary
    case "openstep": self = .openstep
    case "gnustep": self = .gnustep
    case "json": self = .json
    default: return nil
    }
  }

  var format: PlistFormat {
    switch self {
    case .xml: .xml
    case .binary: .binary
    case .openstep: .openStep
    case .gnustep: .gnuStep
    case .json: .json
    }
  }
}

/// A style of real numbers, by its name on the command line.
enum RealStyle: String, ExpressibleByArgument, CaseIterable {
  case shortest, foundation

  var style: PlistWriteOptions.RealStyle {
    switch self {
    case .shortest: .shortest
    case .foundation: .foundation
    }
  }
}
#endif
