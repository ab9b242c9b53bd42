#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension PropertyList {
  /// Writes this property list in the given format.
  ///
  /// - Parameters:
  ///   - format: The format.
  ///   - options: The order of keys, the form of real numbers, and the layout of OpenStep and JSON text.
  /// - Returns: The document.
  /// - Throws: ``PlistError`` with the path of a value that the format cannot hold: in XML null, text with a NUL, and
  ///   dates that are no number or more than some 285 million years away; in JSON dates, data, UIDs and numbers that
  ///   are not finite; in OpenStep text all but strings, data, arrays and dictionaries; in GNUstep's form null and
  ///   UIDs. ``PlistWriteOptions/unrepresentable`` may have the values of these last formats converted.
  /// - Complexity: O(*n*) in the length of the document, and O(*k* log *k*) for *k* keys that are sorted.
  public func data(format: PlistFormat, options: PlistWriteOptions = PlistWriteOptions()) throws -> Data {
    switch format {
    case .xml: return try data(formattedBy: XMLFormatter(options: options), format, options)
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
    case .openStep, .gnuStep:
      let formatter = OpenStepFormatter(options: options, hasTypedValues: format == .gnuStep)
      return try data(formattedBy: formatter, format, options)
    case .json: return try data(formattedBy: JSONFormatter(options: options), format, options)
    }
  }

  @inline(__always)
  private func data(
    formattedBy formatter: consuming some PlistFormatter, _ format: PlistFormat, _ options: PlistWriteOptions
  ) throws -> Data {
    formatter.own()
    try visit(&formatter, sortedKeys: options.sortedKeys) { failure, formatter, path in
      PlistError(
        code: .unrepresentableValue, message: failure.message, format: format, offset: formatter.buffer.count,
        path: path)
    }
    formatter.finish()
    return formatter.buffer.data()
  }
}
