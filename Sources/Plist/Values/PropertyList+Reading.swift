#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension PropertyList {
  /// Reads a property list in any supported format, after detecting the format.
  ///
  /// If a dictionary has a key twice, text formats use the last value and the binary format uses the first value, as in
  /// Apple's readers. ``PlistReadOptions/duplicateKeys`` can refuse documents with duplicate keys. If a binary property
  /// list refers to an object more than once, the object is read once, and its value is shared.
  ///
  /// - Parameters:
  ///   - data: The whole document.
  ///   - options: The limits, and the policy for duplicate keys.
  /// - Throws: ``PlistError`` with the position of the first error.
  /// - Complexity: O(*n*) in the length of the document.
  public init(parsing data: Data, options: PlistReadOptions = PlistReadOptions()) throws(PlistError) {
    self = try PropertyListBuilder.build(OpenedDocument(data, options: options), options: options)
  }
}
