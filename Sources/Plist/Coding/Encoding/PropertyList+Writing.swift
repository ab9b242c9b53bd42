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

  /// Writes this property list to a file, and replaces an existing file atomically.
  ///
  /// The property list is first written to a temporary file in the folder of the file. The temporary file is
  /// synchronized to the disk, and then renamed to the name of the file. If the path is a symbolic link, the link
  /// remains, and the link's target is replaced. An existing file keeps its permissions and, if possible, its owner.
  ///
  /// - Parameters:
  ///   - url: The URL of the file.
  ///   - format: The format of the file.
  ///   - options: The order of keys, the form of real numbers, and the layout of OpenStep and JSON text.
  /// - Throws: ``PlistError`` if the format cannot represent a value or the file cannot be written. If the file cannot
  ///   be written, the error's category is ``PlistError/Category/io``. If an error is thrown, an existing file is
  ///   unchanged.
  public func write(to url: URL, format: PlistFormat, options: PlistWriteOptions = PlistWriteOptions())
    throws(PlistError)
  {
    try PlistFile(url, to: "write").replace(with: data(format: format, options: options))
  }
}
