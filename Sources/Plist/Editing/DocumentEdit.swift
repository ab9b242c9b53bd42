#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Computes the splices for edits to a document in one format.
protocol DocumentEdit {
  /// Returns the splices that change the value of `item` to `value`.
  ///
  /// The item is in the innermost of `containers`, or is the root if `containers` is empty.
  func replacing(_ item: EditItem, in containers: [EditContainer], by value: PropertyList) throws(PlistError)
    -> [EditSplice]

  /// Returns the splices that insert a value into the innermost of `containers`.
  ///
  /// A dictionary needs a `key`. An array element is inserted before another one or at the end.
  func inserting(
    _ value: PropertyList, key: String?, at place: EditPlace, in containers: [EditContainer]
  ) throws(PlistError) -> [EditSplice]

  /// Returns the splices that remove an item; `previous` is the item before it.
  func removing(_ item: EditItem, after previous: EditItem?) throws(PlistError) -> [EditSplice]

  /// Returns the splices that change the key of a pair.
  func renaming(_ item: EditItem, to key: String) throws(PlistError) -> [EditSplice]

  /// Returns which strings in an item added at the end are quoted by convention, so the next item can do the same; nil
  /// if the format has no such convention.
  func quoting(ofAdded key: String?, _ value: PropertyList, in container: EditContainer) -> EditQuoting?

  /// Returns the offset after the key or value at `start`.
  func end(at start: Int) throws(PlistError) -> Int
}

/// Whether an item's key and value are quoted only by convention.
struct EditQuoting: Sendable {
  var key: Bool
  var value: Bool
}

extension DocumentEdit {
  func quoting(ofAdded key: String?, _ value: PropertyList, in container: EditContainer) -> EditQuoting? { nil }

  /// Returns the splices that remove an element from an array whose elements are separated by commas.
  ///
  /// The comma after the element is removed too, or if there is none, the comma after `previous`. If a comment directly
  /// follows the comma after `previous`, a space replaces that comma, because the comment's first slash would otherwise
  /// become part of the word before it. `comma` returns the offset of the comma that follows an offset, if there is
  /// one.
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

  /// Formats a value as bytes, turning a failure into an error with the path of the value that failed.
  func format<Formatter: PlistFormatter & ~Copyable>(
    _ value: PropertyList, with formatter: consuming Formatter, _ options: PlistWriteOptions, _ format: PlistFormat
  ) throws(PlistError) -> [UInt8] {
    try value.visit(&formatter, sortedKeys: options.sortedKeys) { failure, _, path in
      PlistError(code: failure.code, message: failure.message, format: format, path: path)
    }
    // There must be memory for the array and for its copy in the edited document.
    let size = 3 * formatter.count
    guard MemoryBlock.isAvailable(size) else { throw .insufficientMemory(size, for: format) }
    return formatter.withBytes { [UInt8](copying: $0) }
  }
}

extension PlistEditor {
  /// Returns the splices that `edit` computes.
  ///
  /// In errors about the new value, `path` is put in front of the path inside that value.
  static func naming(
    _ path: PropertyListPath, _ edit: () throws(PlistError) -> [EditSplice]
  ) throws(PlistError) -> [EditSplice] {
    do { return try edit() } catch { throw error.code == .unrepresentableValue ? error.within(path) : error }
  }
}
