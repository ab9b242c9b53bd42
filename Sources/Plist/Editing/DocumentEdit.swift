/// How one format's documents are edited: which bytes take the place of which.
protocol DocumentEdit {
  /// The value of `item`, in the innermost of `containers` or at the root, becomes another.
  func replacing(_ item: EditItem, in containers: [EditContainer], by value: PropertyList) throws -> [EditSplice]

  /// A value comes into the innermost of `containers`: before `next` in an array, else at the end, with a `key` in a
  /// dictionary.
  func inserting(
    _ value: PropertyList, key: String?, before next: EditItem?, in containers: [EditContainer]
  ) throws -> [EditSplice]

  /// An item goes from the innermost of `containers`.
  func removing(_ item: EditItem, after previous: EditItem?, in containers: [EditContainer]) throws -> [EditSplice]

  /// A pair gets another key.
  func renaming(_ item: EditItem, to key: String) throws -> [EditSplice]
}

extension DocumentEdit {
  /// The offset behind the value that `reader` is about to read.
  func end<Reader: PlistTokenReader>(
    of reader: consuming Reader, in source: PlistSource, _ offset: (borrowing Reader) -> Int
  ) throws(PlistError) -> Int {
    var depth = 0
    repeat {
      switch try reader.nextToken(in: source).kind {
      case .beginArray, .beginDictionary: depth += 1
      case .endArray, .endDictionary: depth -= 1
      case .key: break
      default: break
      }
    } while depth > 0
    return offset(reader)
  }

  /// The error of a value that the format cannot hold, named by the path within the value.
  func format<Formatter: PlistFormatter>(
    _ value: PropertyList, with formatter: consuming Formatter, _ options: PlistWriteOptions, _ format: PlistFormat
  ) throws -> [UInt8] {
    formatter.own()
    try value.visit(&formatter, sortedKeys: options.sortedKeys) { failure, _, path in
      PlistError(code: .unrepresentableValue, message: failure.message, format: format, path: path)
    }
    return formatter.buffer.withSpan { bytes in (0..<bytes.byteCount).map { bytes.byte(at: $0) } }
  }
}
