#if CommandLineTool
import ArgumentParser
import Plist

struct ConversionDestination: ParsableArguments {
  @Option(
    name: .shortAndLong, help: ArgumentHelp("Write to this file; - for standard output.", valueName: "file"),
    completion: .file())
  var output: String?

  @Flag(name: .shortAndLong, help: "Replace each file with the result.")
  var inPlace = false

  @Option(
    name: [.customShort("d"), .long],
    help: ArgumentHelp(
      "Write the results to this existing directory, keeping the names and relative paths of the files.",
      valueName: "directory"),
    completion: .directory)
  var outputDirectory: String?

  @Option(
    name: [.customShort("e"), .long],
    help: ArgumentHelp(
      "Write results with this extension, next to the original files unless -d is given.", valueName: "ext"))
  var `extension`: String?

  @Flag(name: .long, help: "Replace read-only files.")
  var force = false

  func validate() throws {
    if [output != nil, inPlace, outputDirectory != nil || `extension` != nil].count(where: { $0 }) > 1 {
      throw ValidationError(
        "Use only one way to name the output: --output, --in-place, or --output-directory and --extension.")
    }
    if output == "" { throw ValidationError("The output file's name must not be empty.") }
    if let `extension`, suffix(`extension`).isEmpty || `extension`.contains("/") {
      throw ValidationError("'\(`extension`)' is not a file name extension.")
    }
    if let outputDirectory, !Self.isDirectory(outputDirectory) {
      throw ValidationError("'\(outputDirectory)' is not an existing directory.")
    }
  }

  private var namesOutputs: Bool { inPlace || outputDirectory != nil || `extension` != nil }

  private static let noPlaces = ValidationError(
    "To convert several files, choose where each file is written: --in-place, --output-directory or --extension.")

  func checkTakesSeveral() throws {
    if !namesOutputs { throw Self.noPlaces }
  }

  func output(for input: InputFile, of count: Int) throws -> OutputFile {
    guard namesOutputs else {
      if count == 1, input.pathInFolder == nil {
        return OutputFile(output ?? "-", isForced: force)
      }
      throw Self.noPlaces
    }
    guard let path = input.path else {
      throw ValidationError(
        "Standard input has no file name; to name the output, use --output FILE, or no option for standard output.")
    }
    if inPlace { return OutputFile(exact: path, isForced: force) }
    var (folder, name) = AtomicFile.split(path)
    if let `extension` {
      if let dot = name.lastIndex(of: "."), dot != name.startIndex { name = name[..<dot] }
      name += ".\(suffix(`extension`))"
    }
    if let outputDirectory {
      folder = "\(outputDirectory)/"
      if let below = input.pathInFolder { folder += AtomicFile.split(below).folder }
    }
    var output = OutputFile(exact: folder + name, isForced: force)
    output.makesFolders = input.pathInFolder != nil
    return output
  }

  /// Returns a file name extension without its leading dot.
  private func suffix(_ extension: String) -> Substring {
    `extension`.hasPrefix(".") ? `extension`.dropFirst() : `extension`[...]
  }

  private static func isDirectory(_ path: String) -> Bool {
    (try? FileSystem.status(of: path))??.isFolder == true
  }
}
#endif
