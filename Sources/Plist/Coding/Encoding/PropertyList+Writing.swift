#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension PropertyList {
  /// Returns this property list as a document in the given format.
  ///
  /// XML cannot represent null, text that contains a NUL, NaN dates, or dates more than about 285 million years before
  /// or after 2001. JSON cannot represent dates, data, UIDs, NaN or infinities. OpenStep text has only strings, data,
  /// arrays and dictionaries. The GNUstep format cannot represent null or UIDs. ``PlistWriteOptions/unrepresentable``
  /// can convert values that JSON and OpenStep text cannot represent.
  ///
  /// - Parameters:
  ///   - format: The format of the document.
  ///   - options: The order of keys, the format of real numbers, and the layout of OpenStep and JSON text.
  /// - Returns: The bytes of the document.
  /// - Throws: ``PlistError`` with the path of a value that the format cannot represent, or with the code
  ///   ``PlistError/Code/documentSizeLimit`` if the document needs more memory than can be allocated.
  /// - Complexity: O(*n*) in the length of the document, and O(*k* log *k*) for sorting *k* keys.
  public func data(format: PlistFormat, options: PlistWriteOptions = PlistWriteOptions()) throws(PlistError) -> Data {
    try format.writing(options).document(self, format, options)
  }

  /// Writes this property list to a file, atomically replacing an existing file.
  ///
  /// The bytes are written to a temporary file in the same folder, which is synchronized to disk and then renamed. A
  /// symbolic link remains a link; its target is replaced. An existing file keeps its permissions and, if possible, its
  /// owner.
  ///
  /// - Parameters:
  ///   - url: The URL of the file.
  ///   - format: The format of the file.
  ///   - options: The order of keys, the format of real numbers, and the layout of OpenStep and JSON text.
  /// - Throws: ``PlistError`` if the format cannot represent a value, or with the category ``PlistError/Category/io``
  ///   if the file cannot be written. Either way, an existing file is unchanged.
  public func write(to url: URL, format: PlistFormat, options: PlistWriteOptions = PlistWriteOptions())
    throws(PlistError)
  {
    try PlistFile(url, to: "write").replace(with: data(format: format, options: options))
  }
}
