#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension PropertyList {
  /// Writes this property list in the given format.
  ///
  /// XML cannot represent null, text that contains a NUL, NaN dates, and dates more than about 285 million years before
  /// or after 2001. JSON cannot represent dates, data, UIDs, NaN and infinities. OpenStep text has only strings, data,
  /// arrays and dictionaries. The GNUstep format cannot represent null and UIDs. ``PlistWriteOptions/unrepresentable``
  /// can convert what JSON and OpenStep text lack.
  ///
  /// - Parameters:
  ///   - format: The format of the document.
  ///   - options: The order of keys, the form of real numbers, and the layout of OpenStep and JSON text.
  /// - Returns: The bytes of the document.
  /// - Throws: ``PlistError`` with the path of a value that the format cannot represent, or with the code
  ///   ``PlistError/Code/documentSizeLimit`` if the document needs more memory than can be allocated.
  /// - Complexity: O(*n*) in the length of the document, and O(*k* log *k*) for *k* keys that are sorted.
  public func data(format: PlistFormat, options: PlistWriteOptions = PlistWriteOptions()) throws(PlistError) -> Data {
    try format.writing(options).document(self, format, options)
  }

  /// Writes this property list to a file, and replaces an existing one atomically.
  ///
  /// The bytes go to a temporary file in the same folder, which is synchronized to the disk and renamed. A symbolic
  /// link stays a link; its target is replaced. An existing file keeps its permissions and, if possible, its owner.
  ///
  /// - Parameters:
  ///   - url: The URL of the file.
  ///   - format: The format of the file.
  ///   - options: The order of keys, the form of real numbers, and the layout of OpenStep and JSON text.
  /// - Throws: ``PlistError`` if the format cannot represent a value, or with the category ``PlistError/Category/io``
  ///   if the file cannot be written. An existing file is then unchanged.
  public func write(to url: URL, format: PlistFormat, options: PlistWriteOptions = PlistWriteOptions())
    throws(PlistError)
  {
    try PlistFile(url, to: "write").replace(with: data(format: format, options: options))
  }
}
