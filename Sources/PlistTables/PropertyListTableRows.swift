public import Plist

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The rows of a document that is read in pieces: one for each element of an array, or each pair of a dictionary.
///
/// ```swift
/// var rows = tracks.rows(at: "Tracks") { try file.read(upToCount: 65_536) }
/// while let (id, row) = try rows.next() { print(id, row.cells) }
/// ```
///
/// For XML, only a few elements are in memory at a time. In other formats, the whole document is collected first, in a
/// temporary file if it is larger than 1 MiB.
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

  /// The format of the document, or nil until enough has been read to tell.
  public var format: PlistFormat? { elements.format }

  /// The number of bytes read so far.
  public var byteCount: Int { elements.byteCount }

  /// Returns the next row, or nil after the last or if there is no value at the path.
  ///
  /// The row comes with the key of its pair or the position of its element. Reading ends with the array or dictionary,
  /// so errors after it go unnoticed.
  ///
  /// - Throws: `PlistError` if the document is malformed or the value at the path is a scalar, and whatever the closure
  ///   that returns the pieces throws.
  public mutating func next() throws -> (key: String, row: PropertyListTable.Row)? {
    try elements.next(reading: chunk).map { ($0.key, table.row(of: $0.value)) }
  }
}

@available(*, unavailable)
extension PropertyListTableRows: Sendable {}

extension PropertyListTable {
  /// Returns the rows of an array's elements, or a dictionary's pairs, in a document that is read in pieces.
  ///
  /// - Parameters:
  ///   - path: The path of the array or dictionary; by default, the root.
  ///   - options: The options for reading.
  ///   - chunk: Returns the next piece of the document; at the end, it returns nil or an empty piece.
  /// - Returns: The rows, which ``PropertyListTableRows/next()`` reads one by one.
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
