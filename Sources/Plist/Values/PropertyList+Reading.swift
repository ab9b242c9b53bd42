#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension PropertyList {
  /// Reads a property list in any format that can be read, which is detected.
  ///
  /// Of a key that a dictionary has twice, the last value counts in text formats and the first in binary, as with
  /// Apple's readers, unless ``PlistReadOptions/duplicateKeys`` refuses that. Objects that a binary property list
  /// refers to more than once are read once and shared.
  ///
  /// - Parameters:
  ///   - data: The whole document.
  ///   - options: The limits, and what to do about duplicate keys.
  /// - Throws: ``PlistError`` with the place of the first fault.
  /// - Complexity: O(*n*) in the length of the document.
  public init(parsing data: Data, options: PlistReadOptions = PlistReadOptions()) throws(PlistError) {
    self = try PropertyListBuilder.build(OpenedDocument(data, options: options), options: options)
  }
}
