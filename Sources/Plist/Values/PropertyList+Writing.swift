#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension PropertyList {
  /// Writes this property list in the given format.
  ///
  /// - Parameters:
  ///   - format: The format of the document.
  ///   - options: The order of keys, the form of real numbers, and the layout of OpenStep and JSON text.
  /// - Returns: The bytes of the document.
  /// - Throws: ``PlistError`` with the path of a value that the format cannot represent. XML cannot represent null,
  ///   text that contains a NUL, NaN dates, and dates more than about 285 million years before or after 2001. JSON
  ///   cannot represent dates, data, UIDs, NaN and infinities. OpenStep text can represent only strings, data, arrays
  ///   and dictionaries. The GNUstep format cannot represent null and UIDs. The option
  ///   ``PlistWriteOptions/unrepresentable`` can convert values that JSON or OpenStep text cannot represent.
  /// - Complexity: O(*n*) in the length of the document, and O(*k* log *k*) for *k* keys that are sorted.
  public func data(format: PlistFormat, options: PlistWriteOptions = PlistWriteOptions()) throws(PlistError) -> Data {
    switch format {
    case .xml:
      let formatter = XMLFormatter(options: options)
      if options.xml.controlCharacters == .raw { return try data(formattedBy: formatter, format, options) }
      return try data(formattedBy: XMLCharacterFilter(formatter, options), format, options)
    case .binary:
      var assembler = BinaryAssembler(output: WholeBinaryOutput())
      try visit(&assembler, sortedKeys: options.sortedKeys) { failure, assembler, path in
        Self.binaryError(failure, at: assembler.output.position, path: path)
      }
      do { try assembler.finish() } catch { throw Self.binaryError(error, at: assembler.output.position, path: nil) }
      return assembler.output.buffer.takeData()
    case .openStep, .gnuStep:
      let formatter = OpenStepFormatter(options: options, hasTypedValues: format == .gnuStep)
      return try data(formattedBy: formatter, format, options)
    case .json: return try data(formattedBy: JSONFormatter(options: options), format, options)
    }
  }

  private static func binaryError(_ failure: any Error, at offset: Int, path: PropertyListPath?) -> PlistError {
    let message = (failure as? PlistWriteFailure)?.message ?? "the document cannot be written: \(failure)"
    return PlistError(code: .unrepresentableValue, message: message, format: .binary, offset: offset, path: path)
  }

  private func data(
    formattedBy formatter: consuming some DocumentFormatter & ~Copyable, _ format: PlistFormat,
    _ options: PlistWriteOptions
  ) throws(PlistError) -> Data {
    try visit(&formatter, sortedKeys: options.sortedKeys) { failure, formatter, path in
      PlistError(
        code: .unrepresentableValue, message: failure.message, format: format,
        offset: formatter.encodedCount(hasMark: true), path: path)
    }
    return formatter.takeData()
  }
}
