#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension PropertyList {
  /// Reads a property list from a file, in any supported format.
  ///
  /// - Parameters:
  ///   - url: The file's URL.
  ///   - options: The limits, the policy for duplicate keys, and whether the file is read or mapped. A file larger than
  ///     ``PlistLimits/maximumByteCount`` is not read to its end.
  /// - Throws: ``PlistError``. The error's category is ``PlistError/Category/io`` if the file cannot be read.
  public init(contentsOf url: URL, options: PlistReadOptions = PlistReadOptions()) throws(PlistError) {
    let file = try PlistFile(url, to: "read")
    let data = try file.read(options)
    self = try PlistError.naming(file.path) { () throws(PlistError) in try PropertyList(parsing: data, options: options)
    }
  }

  /// Writes this property list to a file, which is replaced atomically.
  ///
  /// The bytes are written to a temporary file in the same folder. The temporary file is synchronized to the disk, and
  /// then renamed. If the path is a symbolic link, the link remains, and the link's target is replaced. An existing
  /// file keeps its permissions and, if possible, its owner.
  ///
  /// - Parameters:
  ///   - url: The file's URL.
  ///   - format: The format.
  ///   - options: The order of keys, the form of real numbers, and the layout of OpenStep and JSON text.
  /// - Throws: ``PlistError``. The error's category is ``PlistError/Category/io`` if the file cannot be written. If an
  ///   error is thrown, an existing file is unchanged.
  public func write(to url: URL, format: PlistFormat, options: PlistWriteOptions = PlistWriteOptions())
    throws(PlistError)
  {
    try PlistFile(url, to: "write").replace(with: data(format: format, options: options))
  }
}
