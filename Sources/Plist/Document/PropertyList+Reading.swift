#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension PropertyList {
  /// Reads a property list in any supported format, which is detected unless `options` specifies one.
  ///
  /// If a key occurs twice, the last value wins in text and the first one in binary documents, as in
  /// `PropertyListSerialization`; set ``PlistReadOptions/duplicateKeys`` to refuse such documents. If an object in a
  /// binary document has several references, it is read once, and they share its value.
  ///
  /// - Parameters:
  ///   - data: The whole document.
  ///   - options: Options for reading, such as the limits and the policy for duplicate keys.
  /// - Throws: ``PlistError`` with the position of the first error.
  /// - Complexity: O(*n*) in the length of the document.
  public init(parsing data: Data, options: PlistReadOptions = PlistReadOptions()) throws(PlistError) {
    self = try PropertyListBuilder.build(OpenedDocument(data, options: options), options: options)
  }

  /// Reads a property list from a file, as ``init(parsing:options:)`` does.
  ///
  /// - Parameters:
  ///   - url: The URL of the file.
  ///   - options: Options for reading, such as the limits, the policy for duplicate keys, and whether the file is read
  ///     or mapped. A file larger than ``PlistLimits/maximumByteCount`` is not read to its end.
  /// - Throws: ``PlistError`` if the document is invalid, or with the category ``PlistError/Category/io`` if the file
  ///   cannot be read.
  public init(contentsOf url: URL, options: PlistReadOptions = PlistReadOptions()) throws(PlistError) {
    let file = try PlistFile(url, to: "read")
    var options = options
    let data = try file.read(&options)
    self = try PlistError.naming(file.path) { () throws(PlistError) in try PropertyList(parsing: data, options: options)
    }
  }
}
