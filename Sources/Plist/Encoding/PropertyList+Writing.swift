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
    try format.writing(options).document(self, format, options)
  }
}
