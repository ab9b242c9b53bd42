#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension PropertyList {
  /// Reads a property list in any supported format, after detecting the format.
  ///
  /// If a dictionary has a key twice, the last value counts in text formats, and the first in the binary format, as in
  /// Apple's readers. ``PlistReadOptions/duplicateKeys`` can refuse documents with duplicate keys. Objects that a
  /// binary property list refers to more than once are read once and shared.
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
