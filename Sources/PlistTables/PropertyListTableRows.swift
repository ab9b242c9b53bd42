public import Plist

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The rows of a stream: one for each element of an array, or each pair of a dictionary, in a document that arrives in
/// pieces.
///
/// ```swift
/// var rows = tracks.rows(at: "Tracks") { try file.read(upToCount: 65_536) }
/// while let (id, row) = try rows.next() { print(id, row.cells) }
/// ```
///
/// An XML document takes only the memory of a few elements. Documents in other formats are collected first, those of
/// more than 1 MiB in a temporary file.
public struct PropertyListTableRows {
  private let table: PropertyListTable
  private let chunk: () throws -> Data?
  private var elements: ElementValues

  init(
    _ table: PropertyListTable, at path: PropertyListPath, _ options: PlistReadOptions,
    _ chunk: @escaping () throws -> Data?
  ) {
    self.table = table
    self.chunk = chunk
    elements = ElementValues(at: path, options: options)
  }

  /// The format of the document, or nil until enough of it has been read to know.
  public var format: PlistFormat? { elements.format }

  /// The number of bytes that have been read.
  public var byteCount: Int { elements.byteCount }

  /// Returns the next row with the key of its pair or the position of its element, or nil after the last, and if there
  /// is no value at the path.
  ///
  /// Reading ends with the array or dictionary, so faults after it remain unseen.
  ///
  /// - Throws: `PlistError` if the document is malformed or the value at the path is a scalar, and the errors
  ///   of the closure that returns the pieces.
  public mutating func next() throws -> (key: String, row: PropertyListTable.Row)? {
    try elements.next(reading: chunk).map { ($0.key, table.row(of: $0.value)) }
  }
}

@available(*, unavailable)
extension PropertyListTableRows: Sendable {}

extension PropertyListTable {
  /// Returns the rows of the elements of an array, or the pairs of a dictionary, in a document that arrives in pieces.
  ///
  /// - Parameters:
  ///   - path: The path of the array or dictionary; by default, it is the whole document.
  ///   - options: The options for reading.
  ///   - chunk: Returns the next piece of the document, or nil or no bytes at its end.
  /// - Returns: The rows, of which ``PropertyListTableRows/next()`` reads one after the other.
  public func rows(
    at path: PropertyListPath = PropertyListPath(), options: PlistReadOptions = PlistReadOptions(),
    reading chunk: @escaping () throws -> Data?
  ) -> PropertyListTableRows {
    PropertyListTableRows(self, at: path, options) {
      let piece = try chunk()
      return piece?.isEmpty == false ? piece : nil
    }
  }
}
