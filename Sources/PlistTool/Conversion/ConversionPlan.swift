#if CommandLineTool
import ArgumentParser

/// Assigns an output file to each input file before anything is written.
struct ConversionPlan {
  let conversions: [(input: InputFile, output: OutputFile)]

  /// Assigns the output files.
  ///
  /// - Throws: `ValidationError` if an input file has no output file, or two have the same one.
  init(_ inputs: [InputFile], of count: Int, to destination: ConversionDestination) throws {
    conversions = try inputs.map { ($0, try destination.output(for: $0, of: count)) }
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
#endif
