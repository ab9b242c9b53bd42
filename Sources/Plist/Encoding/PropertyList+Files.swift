#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension PropertyList {
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
    let data = try file.read(options)
    self = try PlistError.naming(file.path) { () throws(PlistError) in try PropertyList(parsing: data, options: options)
    }
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
