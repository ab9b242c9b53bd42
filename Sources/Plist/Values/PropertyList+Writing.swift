#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension PropertyList {
  /// Writes this property list in the given format.
  ///
  /// - Parameters:
  ///   - format: The format; XML and binary can be written.
  ///   - options: The order of keys, and the form of real numbers.
  /// - Returns: The document.
  /// - Throws: ``PlistError`` with the path of a value that the format cannot hold: in XML null, text with a NUL, and
  ///   dates that are no number or more than some 285 million years away.
  /// - Complexity: O(*n*) in the length of the document, and O(*k* log *k*) for *k* keys that are sorted.
  public func data(format: PlistFormat, options: PlistWriteOptions = PlistWriteOptions()) throws -> Data {
    switch format {
    case .xml:
      var formatter = XMLFormatter(options: options)
      try visit(&formatter, sortedKeys: options.sortedKeys) { failure, formatter, path in
        PlistError(
          code: .unrepresentableValue, message: failure.message, format: .xml, offset: formatter.buffer.count,
          path: path)
      }
      formatter.finish()
      return formatter.buffer.data()
    case .binary:
      var assembler = BinaryAssembler(output: WholeBinaryOutput())
      try visit(&assembler, sortedKeys: options.sortedKeys) { failure, assembler, path in
        guard let failure = failure as? PlistWriteFailure else { return failure }
        return PlistError(
          code: .unrepresentableValue, message: failure.message, format: .binary,
          offset: assembler.output.position, path: path)
      }
      try assembler.finish()
      return assembler.output.buffer.data()
    case .openStep, .gnuStep, .json:
      throw PlistError(
        code: .unsupportedFormat, message: "property lists cannot be written in the format \(format)", format: format)
    }
  }
}
