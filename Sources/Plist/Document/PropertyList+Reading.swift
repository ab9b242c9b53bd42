#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension PropertyList {
  /// Reads a property list in any supported format, which is detected unless `options` specifies a format.
  ///
  /// If a key occurs twice, the last value is used in text formats, and the first value in binary, as in
  /// `PropertyListSerialization`. ``PlistReadOptions/duplicateKeys`` can refuse documents with duplicate keys. If a
  /// binary property list contains several references to one object, the object is read once, and all references share
  /// its value.
  ///
  /// - Parameters:
  ///   - data: The bytes of the whole document.
  ///   - options: The limits, and the policy for duplicate keys.
  /// - Throws: ``PlistError`` with the position of the first error.
  /// - Complexity: O(*n*) in the length of the document.
  public init(parsing data: Data, options: PlistReadOptions = PlistReadOptions()) throws(PlistError) {
    self = try PropertyListBuilder.build(OpenedDocument(data, options: options), options: options)
  }

  /// Reads a property list from a file, in any supported format.
  ///
  /// - Parameters:
  ///   - url: The URL of the file.
  ///   - options: The limits, the policy for duplicate keys, and whether the file is read or mapped. A file larger than
  ///     ``PlistLimits/maximumByteCount`` is not read to its end.
  /// - Throws: ``PlistError`` if the file cannot be read or the document is invalid. If the file cannot be read, the
  ///   error's category is ``PlistError/Category/io``.
  public init(contentsOf url: URL, options: PlistReadOptions = PlistReadOptions()) throws(PlistError) {
    let file = try PlistFile(url, to: "read")
    var options = options
    let data = try file.read(&options)
    self = try PlistError.naming(file.path) { () throws(PlistError) in try PropertyList(parsing: data, options: options)
    }
  }
}
