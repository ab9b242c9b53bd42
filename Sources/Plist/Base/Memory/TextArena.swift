/// A list of short UTF-8 texts, stored one after another, with reference semantics.
///
/// `@exclusivity(unchecked)` removes a check for overlapping accesses whenever the buffer is accessed, which took 4 %
/// of the instructions for writing records as XML. This is sound because the arena traps if texts are appended or
/// removed during another access, and a read during an append accesses only bytes that the append doesn't change. Two
/// threads must not use an arena at the same time.
@safe final class TextArena {
  @exclusivity(unchecked) private var buffer = ByteBuffer(capacity: ByteBuffer.cachedCapacity)
  /// Whether a text is being read or appended.
  @exclusivity(unchecked) private var isInUse = false

  /// Appends a text and returns the range of its bytes, or nil if it has more than `longest` bytes or the arena is
  /// full.
  ///
  /// ``mostBytes`` limits the memory used for copies.
  func append(_ text: String, upTo longest: Int) -> Range<Int>? {
    unsafe precondition(!isInUse, "a text is appended while another text is read or appended")
    let start = unsafe buffer.count
    guard start < Self.mostBytes else { return nil }
    var isShort = true
    // Accessing a string bridged from Objective-C can run arbitrary code, which could use this arena.
    unsafe isInUse = true
    defer { unsafe isInUse = false }
    // The buffer grows before the text is accessed, so that the text isn't retained. This saves 1 % when writing
    // records as XML.
    unsafe buffer.write(upTo: longest) { cursor in
      text.withByteSpan { bytes in
        isShort = bytes.byteCount <= longest
        if isShort { cursor.put(bytes, before: 0) }
      }
    }
    return unsafe isShort ? start..<buffer.count : nil
  }

  /// The size in bytes at which the arena counts as full.
  static let mostBytes = 1 << 20

  @inline(__always)
  func withText<Value, Failure: Error>(
    in range: Range<Int>, _ body: (RawSpan) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let wasInUse = unsafe isInUse
    unsafe isInUse = true
    defer { unsafe isInUse = wasInUse }
    return try unsafe buffer.withSpan { (bytes) throws(Failure) in try body(bytes.extracting(range)) }
  }

  /// Removes all texts, keeping memory for at most `kept` bytes.
  func removeAll(keeping kept: Int = .max) {
    unsafe precondition(!isInUse, "texts are removed while a text is read or appended")
    unsafe buffer.removeAll(keeping: kept)
  }
}
