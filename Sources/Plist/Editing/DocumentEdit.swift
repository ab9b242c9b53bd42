#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Computes the splices for edits of a document in one format.
protocol DocumentEdit {
  /// Returns the splices that change the value of `item` to `value`.
  ///
  /// The item is in the innermost of `containers`, or is the root if there are none.
  func replacing(_ item: EditItem, in containers: [EditContainer], by value: PropertyList) throws(PlistError)
    -> [EditSplice]

  /// Returns the splices that insert a value into the innermost of `containers`.
  ///
  /// A dictionary needs a `key`. An element of an array is inserted before another one or at the end.
  func inserting(
    _ value: PropertyList, key: String?, at place: EditPlace, in containers: [EditContainer]
  ) throws(PlistError) -> [EditSplice]

  /// Returns the splices that remove an item; `previous` is the one before it.
  func removing(_ item: EditItem, after previous: EditItem?) throws(PlistError) -> [EditSplice]

  /// Returns the splices that change the key of a pair.
  func renaming(_ item: EditItem, to key: String) throws(PlistError) -> [EditSplice]

  /// Returns which strings of an item added at the end have quotation marks by convention, for the next one to copy;
  /// nil if the format has no such convention.
  func quoting(ofAdded key: String?, _ value: PropertyList, in container: EditContainer) -> EditQuoting?

  /// Returns the offset after the key or value at `start`.
  func end(at start: Int) throws(PlistError) -> Int
}

/// Whether the key and the value of an item have quotation marks only by convention.
struct EditQuoting: Sendable {
  var key: Bool
  var value: Bool
}

extension DocumentEdit {
  func quoting(ofAdded key: String?, _ value: PropertyList, in container: EditContainer) -> EditQuoting? { nil }

  /// Returns the splices that remove an element from an array with commas.
  ///
  /// The comma after it goes too, or else the one after `previous`. If a comment directly follows that comma, a space
  /// replaces it, because the comment's first slash would otherwise become part of the word before. `comma` returns the
  /// offset of the first comma after an offset, if there is one.
  func removingElement(
    _ element: Range<Int>, after previous: EditItem?, _ lines: EditLines, comma: (Int) -> Int?
  ) throws(PlistError) -> [EditSplice] {
    if let comma = comma(element.upperBound) {
      return [EditSplice(lines.withSpace(element.lowerBound..<comma + 1, isFirst: previous == nil))]
    }
    let splice = EditSplice(lines.withSpace(element))
    guard let previous, let comma = comma(try end(at: previous.value.sourceOffset)) else { return [splice] }
    let next = splice.range.lowerBound == comma + 1 ? splice.range.upperBound : comma + 1
    return [EditSplice(comma..<comma + 1, lines.source.data.bytes.hasBytes("/", at: next) ? [0x20] : []), splice]
  }

  /// Returns the offset after the value that `reader` reads next.
  func end<Reader: PlistTokenReader>(
    of reader: consuming Reader, in source: PlistSource, _ offset: (borrowing Reader) -> Int
  ) throws(PlistError) -> Int {
    try reader.readItem(in: source)
    return offset(reader)
  }

  /// Formats a value as bytes; a failure becomes an error with the path of the value that failed.
  func format<Formatter: PlistFormatter & ~Copyable>(
    _ value: PropertyList, with formatter: consuming Formatter, _ options: PlistWriteOptions, _ format: PlistFormat
  ) throws(PlistError) -> [UInt8] {
    try value.visit(&formatter, sortedKeys: options.sortedKeys) { failure, _, path in
      PlistError(code: failure.code, message: failure.message, format: format, path: path)
    }
    // Memory for the array, and for its copy in the edited document.
    let size = 3 * formatter.count
    guard MemoryBlock.isAvailable(size) else { throw .insufficientMemory(size, for: format) }
    return formatter.withBytes { [UInt8](copying: $0) }
  }
}

extension PlistEditor {
  /// Returns the splices of `edit`.
  ///
  /// In errors about the new value, `path` precedes the path inside that value.
  static func naming(
    _ path: PropertyListPath, _ edit: () throws(PlistError) -> [EditSplice]
  ) throws(PlistError) -> [EditSplice] {
    do { return try edit() } catch { throw error.code == .unrepresentableValue ? error.within(path) : error }
  }
}
