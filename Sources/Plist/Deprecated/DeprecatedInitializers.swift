#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension PlistDocument {
  /// Opens a document in memory; the old name of ``init(parsing:options:)``.
  ///
  /// - Parameters:
  ///   - data: The bytes of the whole document.
  ///   - options: The options, such as the limits for the document.
  /// - Throws: ``PlistError`` with the position of the first error.
  @available(*, deprecated, renamed: "init(parsing:options:)")
  public init(_ data: Data, options: PlistReadOptions = PlistReadOptions()) throws(PlistError) {
    try self.init(parsing: data, options: options)
  }
}

extension PlistReader {
  /// Prepares to read a document; the old name of ``init(parsing:options:)``.
  ///
  /// - Parameters:
  ///   - data: The bytes of the document.
  ///   - options: The options, such as the limits for the document.
  /// - Throws: The same errors as ``init(parsing:options:)``.
  @available(*, deprecated, renamed: "init(parsing:options:)")
  public init(_ data: Data, options: PlistReadOptions = PlistReadOptions()) throws(PlistError) {
    try self.init(parsing: data, options: options)
  }
}

extension PlistEditor {
  /// Prepares to edit a document; the old name of ``init(parsing:options:writeOptions:)``.
  ///
  /// - Parameters:
  ///   - data: The bytes of the document.
  ///   - options: The options, such as the limits for the document.
  ///   - writeOptions: The options for writing new values.
  /// - Throws: The same errors as ``init(parsing:options:writeOptions:)``.
  @available(*, deprecated, renamed: "init(parsing:options:writeOptions:)")
  public init(
    _ data: Data, options: PlistReadOptions = PlistReadOptions(), writeOptions: PlistWriteOptions = PlistWriteOptions()
  ) throws(PlistError) {
    try self.init(parsing: data, options: options, writeOptions: writeOptions)
  }
}
