#if CommandLineTool
import ArgumentParser
import Foundation

/// Which file is written for each file that is read, settled before anything is written.
struct ConversionPlan {
  let conversions: [(input: InputFile, output: OutputFile)]

  /// - Throws: `ValidationError` where an input has no output, or two have the same.
  init(_ inputs: [InputFile], to destination: ConversionDestination) throws {
    conversions = try inputs.map { ($0, try destination.output(for: $0, of: inputs.count)) }
    var inputOfOutput: [String: String] = [:]
    for (input, output) in conversions {
      guard let path = output.resolvedPath else { continue }
      if let other = inputOfOutput.updateValue(input.name, forKey: path) {
        let inputs = other == input.name ? "'\(other)' twice" : "'\(other)' and '\(input.name)'"
        throw ValidationError("Converting \(inputs) would write the same file, '\(output.path ?? path)'.")
      }
    }
  }
}

/// The options that say where converted files go.
struct ConversionDestination: ParsableArguments {
  @Option(
    name: .shortAndLong, help: ArgumentHelp("Write to this file; - for standard output.", valueName: "file"),
    completion: .file())
  var output: String?

  @Flag(name: .shortAndLong, help: "Replace each file by its converted form.")
  var inPlace = false

  @Option(
    name: [.customShort("d"), .long],
    help: ArgumentHelp("Write files of the same names to this directory, which must exist.", valueName: "directory"),
    completion: .directory)
  var outputDirectory: String?

  @Option(
    name: [.customShort("e"), .long],
    help: ArgumentHelp("Write files with this extension, beside the originals unless -d is given.", valueName: "ext"))
  var `extension`: String?

  func validate() throws {
    if [output != nil, inPlace, outputDirectory != nil || `extension` != nil].count(where: { $0 }) > 1 {
      throw ValidationError("Of --output, --in-place, and --output-directory with --extension, only one can be given.")
    }
    if output == "" { throw ValidationError("The output file's name must not be empty.") }
    if let `extension`, suffix(`extension`).isEmpty || `extension`.contains("/") {
      throw ValidationError("'\(`extension`)' is not a file name extension.")
    }
    if let outputDirectory, !Self.isDirectory(outputDirectory) {
      throw ValidationError("'\(outputDirectory)' is not an existing directory.")
    }
  }

  /// Where the converted form of `input` goes, one of `count` files.
  func output(for input: InputFile, of count: Int) throws -> OutputFile {
    let namesOutputs = inPlace || outputDirectory != nil || `extension` != nil
    guard namesOutputs else {
      if count == 1 { return OutputFile(output ?? "-") }
      throw ValidationError(
        "Several files need --in-place, --output-directory or --extension, which tell where each is written.")
    }
    guard let path = input.path else {
      throw ValidationError("Standard input has no name; use --output or no option at all to say where it goes.")
    }
    if inPlace { return OutputFile(exact: path) }
    // By hand, since URLs would change more of the path than its last component.
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { String(path[...$0]) } ?? ""
    var name = slash.map { path[path.index(after: $0)...] } ?? path[...]
    if let `extension` {
      if let dot = name.lastIndex(of: "."), dot != name.startIndex { name = name[..<dot] }
      name += ".\(suffix(`extension`))"
    }
    return OutputFile(exact: outputDirectory.map { "\($0)/\(name)" } ?? "\(folder)\(name)")
  }

  /// An extension is meant with and without its dot.
  private func suffix(_ extension: String) -> Substring {
    `extension`.hasPrefix(".") ? `extension`.dropFirst() : `extension`[...]
  }

  private static func isDirectory(_ path: String) -> Bool {
    let path = URL(exactPath: path).resolvingSymlinksInPath().path
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return attributes?[.type] as? FileAttributeType == .typeDirectory
  }
}
#endif
